/* SPDX-License-Identifier: Apache-2.0 */
/* function_totals.h — what each function comes to, whatever its figures are met in: the events of a
 * timeline, the nodes of a call tree or the stacks of samples
 *
 * A function that is inside itself adds to its cum and to its primitive calls once: a walk enters
 * and leaves functions as it goes, and only the outermost counts. */
#ifndef PTK_GRAPH_MODEL_FUNCTION_TOTALS_H
#define PTK_GRAPH_MODEL_FUNCTION_TOTALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/model/graph.h"

/* In the graph's base units. */
struct function_total {
    int64_t cum, self;
    uint64_t open;   /* how often it is around the walk; of stacks: the last that had it */
    uint32_t number; /* in the order of their coming, from 1; 0: has not come yet */
};

/* What samples cannot tell: apart from the rest, so that theirs stay in the cache. */
struct function_calls {
    int64_t all, primitive;
    int64_t min, max; /* of one; min > max: of none is it known */
};

/* Ready for use when zeroed, but for the rows. */
struct function_totals {
    struct function_total *rows;  /* by frame, zeroed: one for each that may come */
    struct function_calls *calls; /* likewise; NULL: calls are not counted */
    frame_id *met;                /* by number - 1 */
    size_t count, cap;
};

static inline struct function_total *function_totals_at(struct function_totals *totals,
                                                        frame_id frame)
{
    struct function_total *row = &totals->rows[frame];

    if (!row->number) {
        totals->met = grow_one(totals->met, totals->count, &totals->cap, sizeof(*totals->met));
        totals->met[totals->count++] = frame;
        row->number = (uint32_t)totals->count;
        if (totals->calls)
            totals->calls[frame] = (struct function_calls){.min = INT64_MAX, .max = INT64_MIN};
    }
    return row;
}

/* The walk enters the function once more, or so many calls of it at once. */
static inline void function_totals_enter(struct function_totals *totals, frame_id frame,
                                         const struct function_calls *more, int64_t self,
                                         int64_t cum)
{
    struct function_total *row = function_totals_at(totals, frame);
    struct function_calls *calls = totals->calls ? &totals->calls[frame] : NULL;
    bool is_outermost = row->open++ == 0;

    row->self = checked_add(row->self, self);
    row->cum = is_outermost ? checked_add(row->cum, cum) : row->cum;
    if (!calls)
        return;
    calls->all = checked_add(calls->all, more->all);
    calls->primitive = checked_add(calls->primitive, is_outermost ? more->all : 0);
    calls->min = more->min < calls->min ? more->min : calls->min;
    calls->max = more->max > calls->max ? more->max : calls->max;
}

static inline void function_totals_leave(struct function_totals *totals, frame_id frame)
{
    totals->rows[frame].open--;
}

/* One sample whose stack has these functions, the leaf first, by its number, from 1. A function
 * that is on it several times counts once. */
static inline void function_totals_stack(struct function_totals *totals, const frame_id *frames,
                                         uint32_t depth, uint64_t number, int64_t amount)
{
    for (uint32_t i = 0; i < depth; i++) {
        struct function_total *row = &totals->rows[frames[i]];

        if (row->open == number)
            continue;
        function_totals_at(totals, frames[i]);
        row->open = number;
        row->cum = checked_add(row->cum, amount);
    }
    if (depth)
        totals->rows[frames[0]].self = checked_add(totals->rows[frames[0]].self, amount);
}

/* Adds what others have come to, which were met after these. */
void function_totals_add(struct function_totals *to, const struct function_totals *from);

/* Numbers them by their frames instead. */
void function_totals_sort(struct function_totals *totals);

/* Makes the flat level of them, in the order of their numbers, and frees them. Without `calls`
 * calls are UNKNOWN, and without `has_extremes` there are no columns of the shortest and
 * longest. */
void function_totals_finish(struct function_totals *totals, bool has_extremes,
                            struct functions *functions);

void function_totals_free(struct function_totals *totals);

#endif
