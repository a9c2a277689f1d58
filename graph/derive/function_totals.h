/* function_totals.h — what each function comes to, whatever its figures are met in: the events of a
 * timeline, the nodes of a call tree or the stacks of samples
 *
 * A function that is inside itself adds to its cum and to its primitive calls once: a walk enters
 * and leaves functions as it goes, and only the outermost counts. */
#ifndef PTK_GRAPH_DERIVE_FUNCTION_TOTALS_H
#define PTK_GRAPH_DERIVE_FUNCTION_TOTALS_H

#include "base/checked.h"
#include "base/memory/grow.h"
#include "graph/model/graph.h"

/* In the graph's base units. */
struct function_total {
    int64_t calls, primitive_calls, self, cum;
    int64_t min, max; /* of one call; min > max: of none is it known */
    uint64_t open;    /* how often it is around the walk; of stacks: the last that had it */
    uint32_t number;  /* in the order of their coming, from 1; 0: has not come yet */
};

/* Ready for use when zeroed, but for `rows`: one for each frame that may come, zeroed. */
struct function_totals {
    struct function_total *rows; /* by frame */
    frame_id *met;               /* by number - 1 */
    size_t count, cap;
};

/* A walk over columns that never told calls apart has no extremes, and one over samples no calls. */
enum function_figures { FIGURES_CALLS = 1, FIGURES_EXTREMES = 2 };

static inline struct function_total *function_totals_at(struct function_totals *totals,
                                                        frame_id frame)
{
    struct function_total *row = &totals->rows[frame];

    if (!row->number) {
        totals->met = grow_one(totals->met, totals->count, &totals->cap, sizeof(*totals->met));
        totals->met[totals->count++] = frame;
        *row = (struct function_total){
            .min = INT64_MAX, .max = INT64_MIN, .number = (uint32_t)totals->count};
    }
    return row;
}

/* The walk enters the function once more: so many calls, and their figures. */
static inline struct function_total *function_totals_enter(struct function_totals *totals,
                                                           frame_id frame, int64_t calls,
                                                           int64_t self, int64_t cum)
{
    struct function_total *row = function_totals_at(totals, frame);

    row->calls = checked_add(row->calls, calls);
    row->self = checked_add(row->self, self);
    if (row->open++ == 0) {
        row->primitive_calls = checked_add(row->primitive_calls, calls);
        row->cum = checked_add(row->cum, cum);
    }
    return row;
}

static inline void function_totals_leave(struct function_totals *totals, frame_id frame)
{
    totals->rows[frame].open--;
}

static inline void function_total_extremes(struct function_total *row, int64_t min, int64_t max)
{
    row->min = min < row->min ? min : row->min;
    row->max = max > row->max ? max : row->max;
}

/* Adds what others have come to, which were met after these. */
void function_totals_add(struct function_totals *to, const struct function_totals *from);

/* Numbers them by their frames instead. */
void function_totals_sort(struct function_totals *totals);

/* Makes the flat level of them, in the order of their numbers, and frees them. `figures` is a set of
 * enum function_figures: what was not asked for becomes UNKNOWN, and extremes that no function has
 * no column. */
void function_totals_finish(struct function_totals *totals, unsigned figures,
                            struct functions *functions);

void function_totals_free(struct function_totals *totals);

#endif
