/* SPDX-License-Identifier: Apache-2.0 */
/* callgrind_costs.h — what callgrind's lines add up to: functions, and the calls between them */
#ifndef PTK_PARSERS_CALLGRIND_CALLGRIND_COSTS_H
#define PTK_PARSERS_CALLGRIND_CALLGRIND_COSTS_H

#include "base/memory/idmap.h"
#include "graph/build/builder.h"

/* Calls from one line. */
struct cost_call {
    uint32_t caller, callee;
    bool is_nested; /* the callee is on the stack already */
    int64_t calls, cost;
};

/* All the calls from one function to another. */
struct cost_edge {
    uint32_t caller, callee;
    int64_t calls;
    int64_t cost; /* with callees; a call below one of the same kind is in it again */
    int64_t outer_calls, outer_cost; /* of those that are not nested */
};

/* Ready for use when zeroed. */
struct costs {
    int64_t *self; /* by function, as the builder numbers them */
    uint32_t function_count;
    size_t function_cap;
    struct cost_edge *edges;
    size_t edge_count, edge_cap;
    struct idmap edge_of;
    int64_t total;
    bool has_calls;  /* some call is counted: those who only sample write 0 */
    bool has_levels; /* calls tell whether they are nested */
};

void costs_add_self(struct costs *costs, uint32_t function, int64_t cost);
void costs_add_call(struct costs *costs, const struct cost_call *call);

/* Hands all over. A function's cumulative cost is its own and that of its calls to others. Where
 * functions call each other in a cycle those calls are counted in each other: there it is that of
 * the outermost calls to the function, or if these cannot be told, at most that of the whole cycle;
 * then the functions are counted as a warning. */
void costs_finish(const struct costs *costs, struct builder *builder);

void costs_free(struct costs *costs);

#endif
