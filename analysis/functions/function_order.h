/* SPDX-License-Identifier: Apache-2.0 */
/* function_order.h — sorting functions by what the user asks for, several keys deep */
#ifndef PTK_ANALYSIS_FUNCTIONS_FUNCTION_ORDER_H
#define PTK_ANALYSIS_FUNCTIONS_FUNCTION_ORDER_H

#include "base/attr.h"
#include "base/cli/error.h"
#include "graph/model/graph.h"

enum order_key {
    ORDER_SELF, /* figures: the largest first */
    ORDER_CUM,
    ORDER_CALLS,
    ORDER_PRIMITIVE,
    ORDER_MAX,
    ORDER_MIN,
    ORDER_NAME, /* texts and lines: ascending */
    ORDER_FILE,
    ORDER_LINE,
    ORDER_LABEL,     /* the text that stands for the whole function */
    ORDER_FILE_ORDER /* as in the profile */
};

enum { ORDER_KEYS_MAX = 8 };

struct order {
    enum order_key keys[ORDER_KEYS_MAX];
    uint32_t count;
    bool is_reversed; /* the finished list, ties included, as pstats reverses */
};

/* "cumtime,name": the names of pstats and of pprof alike. False with ERROR_USAGE. */
MUST_CHECK bool order_parse(struct order *order, const char *text, struct error *err);

/* All names that order_parse() takes, the usual ones first; ends with NULL. */
extern const char *const order_names[];

/* What is sorted: functions by their own figures, or edges by theirs under a function's name. */
struct order_items {
    const struct graph *graph;
    const uint32_t *function; /* of item i; NULL: item i is function i */
    const int64_t *calls, *primitive_calls, *self, *cum, *min, *max; /* by item */
};

/* The graph's functions. */
struct order_items order_items_of(const struct graph *graph);

/* Sorts the indices. Stable: what ties stays as it was. UNKNOWN figures come last. */
void order_sort(const struct order *order, const struct order_items *items, uint32_t *indices,
                uint32_t count);

/* As order_sort, but only the first `limit` (0: all) need be right; returns how many those are.
 * Much faster when few of many are wanted. */
uint32_t order_top(const struct order *order, const struct order_items *items, uint32_t *indices,
                   uint32_t count, uint32_t limit);

#endif
