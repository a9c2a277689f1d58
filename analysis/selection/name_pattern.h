/* SPDX-License-Identifier: Apache-2.0 */
/* name_pattern.h — which functions a text means that a user typed
 *
 * What ptk prints can be typed back: a whole label, "svc.py:37(handle)", a label without its
 * function, "svc.py:37", the end of either from a folder on, as it is printed when it is
 * shortened, or a name. Else the text is a regular expression. */
#ifndef PTK_ANALYSIS_SELECTION_NAME_PATTERN_H
#define PTK_ANALYSIS_SELECTION_NAME_PATTERN_H

#include "base/text/pattern.h"
#include "graph/model/graph.h"

struct name_pattern {
    const char *text; /* as typed; borrowed */
    bool is_literal;  /* never an expression: also a part of a name or label */
    bool is_regex;
    struct pattern regex;
    struct error fault; /* why it is no regular expression */
};

/* A text that is no expression may still be a name: that it is neither is found when it is used. */
void name_pattern_set(struct name_pattern *pattern, const char *text, bool is_literal);

/* By frame, in the arena; frame 0 never matches. NULL where none does.
 *
 * Of a function that is asked for: as printed, else by the expression in its name. */
bool *name_pattern_function(const struct graph *graph, const struct name_pattern *pattern,
                            struct arena *arena);

/* Of what is selected: by the expression in its name, file or module, else as printed. */
bool *name_pattern_select(const struct graph *graph, const struct name_pattern *pattern,
                          struct arena *arena);

/* Says that nothing matches, ERROR_NO, or that it is no expression either, ERROR_USAGE; false. */
bool name_pattern_lack(const struct name_pattern *pattern, struct error *err);

void name_pattern_free(struct name_pattern *pattern);

#endif
