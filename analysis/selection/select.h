/* select.h — a part of a profile: --focus, --ignore, --hide and --show, in the order given
 *
 *                 call tree (exact)                      call graph                flat
 *     focus RE    stacks that hold a match               matches, with all that    rows that
 *                                                        reaches or is reached,    match
 *                                                        not over calls back
 *     ignore RE   stacks that hold none                  what can be reached       rows that
 *                                                        without a match           do not
 *     hide RE     matches leave their stacks; what they cost goes to their         rows that
 *                 callers (on a call graph past the first caller: estimated)       do not
 *     show RE     hide all that does not match                                     rows that match
 *
 * A frame matches by its name, its file or its module. Shares stay shares of the whole profile. */
#ifndef PTK_ANALYSIS_SELECTION_SELECT_H
#define PTK_ANALYSIS_SELECTION_SELECT_H

#include "base/text/pattern.h"
#include "graph/model/graph.h"

enum filter_kind { FILTER_FOCUS, FILTER_IGNORE, FILTER_HIDE, FILTER_SHOW };

struct filter {
    enum filter_kind kind;
    struct pattern pattern;
};

/* Narrows the graph to what the filters leave. Levels above the one that they work on are no
 * longer there. Derives what it needs first. */
void select_apply(struct graph *graph, const struct filter *filters, uint32_t count);

#endif
