#include "graph/derive/function_totals.h"

#include <stdlib.h>

void function_totals_add(struct function_totals *to, const struct function_totals *from)
{
    for (size_t i = 0; i < from->count; i++) {
        const struct function_total *more = &from->rows[from->met[i]];
        struct function_total *row = function_totals_at(to, from->met[i]);

        row->calls = checked_add(row->calls, more->calls);
        row->primitive_calls = checked_add(row->primitive_calls, more->primitive_calls);
        row->self = checked_add(row->self, more->self);
        row->cum = checked_add(row->cum, more->cum);
        function_total_extremes(row, more->min, more->max);
    }
}

static int compare_frames(const void *a, const void *b)
{
    frame_id one = *(const frame_id *)a, other = *(const frame_id *)b;

    return (one > other) - (one < other);
}

void function_totals_sort(struct function_totals *totals)
{
    if (totals->count)
        qsort(totals->met, totals->count, sizeof(*totals->met), compare_frames);
    for (size_t i = 0; i < totals->count; i++)
        totals->rows[totals->met[i]].number = (uint32_t)i + 1;
}

void function_totals_finish(struct function_totals *totals, unsigned figures, struct functions *f)
{
    if (figures & FIGURES_EXTREMES) {
        f->min = grow_to(NULL, totals->count + 1, sizeof(*f->min));
        f->max = grow_to(NULL, totals->count + 1, sizeof(*f->max));
    }
    for (size_t i = 0; i < totals->count; i++) {
        const struct function_total *row = &totals->rows[totals->met[i]];
        uint32_t at = functions_add(f, totals->met[i]);

        f->calls[at] = figures & FIGURES_CALLS ? row->calls : UNKNOWN;
        f->primitive_calls[at] = figures & FIGURES_CALLS ? row->primitive_calls : UNKNOWN;
        f->self[at] = row->self;
        f->cum[at] = row->cum;
        if (figures & FIGURES_EXTREMES) {
            f->min[at] = row->min <= row->max ? row->min : UNKNOWN;
            f->max[at] = row->min <= row->max ? row->max : UNKNOWN;
        }
    }
    f->listed = f->count;
    function_totals_free(totals);
}

void function_totals_free(struct function_totals *totals)
{
    free(totals->rows);
    free(totals->met);
    *totals = (struct function_totals){0};
}
