/* SPDX-License-Identifier: Apache-2.0 */
/* callgrind_lines.h — callgrind's costs by line of source, where those are asked for
 *
 * Positions are numbers, or relative to those of the line before: "+3", "-2", "*" for the same. */
#ifndef PTK_PARSERS_CALLGRIND_CALLGRIND_LINES_H
#define PTK_PARSERS_CALLGRIND_CALLGRIND_LINES_H

#include "graph/build/builder.h"

/* Ready for use when zeroed. Functions of the builder are lines here. */
struct line_costs {
    int64_t *self, *called; /* by function: what the line costs itself, and what it calls */
    uint32_t count;
    size_t cap;
    int64_t total; /* of `self` */
};

/* Moves `position` to what a line says; false when that is no position. */
bool line_position(struct span word, int64_t *position);

void line_costs_add(struct line_costs *lines, uint32_t line, int64_t self, int64_t called);

/* Hands all over. */
void line_costs_finish(const struct line_costs *lines, struct builder *builder);

void line_costs_free(struct line_costs *lines);

#endif
