/* SPDX-License-Identifier: Apache-2.0 */
/* select.h — a part of a profile: --focus, --ignore, --hide and --show, in the order given
 *
 *                 call tree (exact)                      call graph                flat
 *     focus RE    stacks that hold a match               what flows over a match   rows that
 *                                                        (focus_calls.c)           match
 *     ignore RE   stacks that hold none                  what does not             rows that
 *                                                                                  do not
 *     hide RE     matches leave their stacks; what they cost goes to their         rows that
 *                 callers (on a call graph past the first caller: estimated)       do not
 *     show RE     hide all that does not match                                     rows that match
 *     mine        show what is_own_code(), or what matches a pattern of one's own
 *
 * A frame matches by its name, its file or its module, or as it is printed (name_pattern.h).
 * Shares stay shares of the whole profile. */
#ifndef PTK_ANALYSIS_SELECTION_SELECT_H
#define PTK_ANALYSIS_SELECTION_SELECT_H

#include "analysis/selection/name_pattern.h"

enum filter_kind { FILTER_FOCUS, FILTER_IGNORE, FILTER_HIDE, FILTER_SHOW, FILTER_MINE };

struct filter {
    enum filter_kind kind;
    struct name_pattern pattern; /* without a text: of FILTER_MINE */
    bool has_match; /* out: whether the profile has a function that matches */
};

/* Narrows the graph to what the filters leave. Levels above the one that they work on are no
 * longer there. Derives what it needs first. */
void select_apply(struct graph *graph, struct filter *filters, uint32_t count);

/* Makes one node of a function that calls itself directly, however often. The graph must have
 * LEVEL_CALLTREE, and has no other level after. */
void select_fold_recursion(struct graph *graph);

#endif
