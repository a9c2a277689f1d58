/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/build/event_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory/grow.h"

struct event_rows event_rows_of(const struct timeline *timeline, uint32_t *number,
                                const struct track *track)
{
    return (struct event_rows){
        .start = timeline->start + track->first,
        .duration = timeline->duration + track->first,
        .frame = timeline->frame + track->first,
        .category = timeline->category ? timeline->category + track->first : NULL,
        .number = number ? number + track->first : NULL,
    };
}

struct event_rows event_rows_like(const struct event_rows *rows, size_t count)
{
    return (struct event_rows){
        .start = grow_to(NULL, count, sizeof(*rows->start)),
        .duration = grow_to(NULL, count, sizeof(*rows->duration)),
        .frame = grow_to(NULL, count, sizeof(*rows->frame)),
        .category = rows->category ? grow_to(NULL, count, sizeof(*rows->category)) : NULL,
        .number = rows->number ? grow_to(NULL, count, sizeof(*rows->number)) : NULL,
    };
}

void event_rows_free(struct event_rows *rows)
{
    free(rows->start);
    free(rows->duration);
    free(rows->frame);
    free(rows->category);
    free(rows->number);
}

void event_rows_move(const struct event_rows *to, size_t at, const struct event_rows *from,
                     size_t i, size_t count)
{
    memmove(to->start + at, from->start + i, count * sizeof(*to->start));
    memmove(to->duration + at, from->duration + i, count * sizeof(*to->duration));
    memmove(to->frame + at, from->frame + i, count * sizeof(*to->frame));
    if (to->category)
        memmove(to->category + at, from->category + i, count * sizeof(*to->category));
    if (to->number)
        memmove(to->number + at, from->number + i, count * sizeof(*to->number));
}
