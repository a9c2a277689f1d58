/* SPDX-License-Identifier: Apache-2.0 */
/* dot_groups.h — what of a call graph belongs together, and what lies on the critical path */
#ifndef PTK_RENDER_DOT_DOT_GROUPS_H
#define PTK_RENDER_DOT_DOT_GROUPS_H

#include <stdio.h>

#include "graph/model/graph.h"

struct dot_groups {
    bool by_module;           /* a frame around the functions of each module */
    const int64_t *path_time; /* ns, by function: on the critical path; NULL: not known */
    int64_t path_length;      /* ns */
};

/* Frames around the functions that were written: host and device apart where there are both, and
 * modules within them where that is asked. */
void dot_groups_write(const struct dot_groups *groups, const struct graph *graph,
                      const uint32_t *functions, uint32_t count, FILE *out);

/* Functions that no arrow touches, in columns: Graphviz would put them in one long row. */
void dot_columns_write(const bool *is_joined, const uint32_t *functions, uint32_t count, FILE *out);

/* The attribute that marks a box on the critical path, with a comma in front; or nothing. */
const char *dot_groups_mark(const struct dot_groups *groups, uint32_t function);

/* One more line of its label: the share of the path that it is. */
void dot_groups_note(const struct dot_groups *groups, uint32_t function, FILE *out);

#endif
