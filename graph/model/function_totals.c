/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/model/function_totals.h"

#include <stdlib.h>

void function_totals_add(struct function_totals *to, const struct function_totals *from)
{
    for (size_t i = 0; i < from->count; i++) {
        frame_id frame = from->met[i];
        struct function_total *row = function_totals_at(to, frame);

        row->self = checked_add(row->self, from->rows[frame].self);
        row->cum = checked_add(row->cum, from->rows[frame].cum);
        if (to->calls && from->calls) {
            struct function_calls *calls = &to->calls[frame];
            const struct function_calls *more = &from->calls[frame];

            calls->all = checked_add(calls->all, more->all);
            calls->primitive = checked_add(calls->primitive, more->primitive);
            calls->min = more->min < calls->min ? more->min : calls->min;
            calls->max = more->max > calls->max ? more->max : calls->max;
        }
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

void function_totals_finish(struct function_totals *totals, bool has_extremes, struct functions *f)
{
    if (has_extremes) {
        f->min = grow_to(NULL, totals->count + 1, sizeof(*f->min));
        f->max = grow_to(NULL, totals->count + 1, sizeof(*f->max));
    }
    for (size_t i = 0; i < totals->count; i++) {
        const struct function_total *row = &totals->rows[totals->met[i]];
        const struct function_calls *calls =
            totals->calls ? &totals->calls[totals->met[i]] : &(struct function_calls){0};
        uint32_t at = functions_add(f, totals->met[i]);

        f->self[at] = row->self;
        f->cum[at] = row->cum;
        f->calls[at] = totals->calls ? calls->all : UNKNOWN;
        f->primitive_calls[at] = totals->calls ? calls->primitive : UNKNOWN;
        if (has_extremes) {
            f->min[at] = calls->min <= calls->max ? calls->min : UNKNOWN;
            f->max[at] = calls->min <= calls->max ? calls->max : UNKNOWN;
        }
    }
    f->listed = f->count;
    function_totals_free(totals);
}

void function_totals_free(struct function_totals *totals)
{
    free(totals->rows);
    free(totals->calls);
    free(totals->met);
    *totals = (struct function_totals){0};
}
