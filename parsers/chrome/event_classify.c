/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/chrome/event_classify.h"

#include <string.h>

static bool is_same(struct token token, const char *text, size_t len)
{
    return token.len == len && memcmp(token.at, text, len) == 0;
}

/* Whether the last event of this shape stood in the same row. Its category is the same: that is
 * what makes a shape. */
static bool holds(const struct place *place, const struct event *event)
{
    return event->shape != NO_SHAPE && place->is_known &&
           (event_is_constant(event, FIELD_TID) ||
            is_same(event->field[FIELD_TID], place->tid, place->tid_len)) &&
           (event_is_constant(event, FIELD_PID) ||
            is_same(event->field[FIELD_PID], place->pid, place->pid_len));
}

static void remember(struct place *place, const struct event *event)
{
    struct token pid = event->field[FIELD_PID], tid = event->field[FIELD_TID];

    place->is_known =
        pid.at && tid.at && pid.len <= sizeof(place->pid) && tid.len <= sizeof(place->tid);
    if (!place->is_known)
        return;
    place->pid_len = (uint8_t)pid.len;
    place->tid_len = (uint8_t)tid.len;
    memcpy(place->pid, pid.at, pid.len);
    memcpy(place->tid, tid.at, tid.len);
}

static struct standing find(struct rows *rows, const struct classes *classes, uint32_t index,
                            struct builder *builder, const struct event *event, enum row_role role)
{
    struct token pid = event->field[FIELD_PID], tid = event->field[FIELD_TID];
    struct class class = classes->list[index];
    struct standing standing = {.class = index,
                                .is_by_row = class.is_by_row && role == ROW_THREAD &&
                                             rows_may_be_plane(rows, pid)};

    if (standing.is_by_row)
        class = rows_class(rows, builder, event, class);
    standing.kind = class.kind;
    standing.role = class.role;
    standing.category = class.category;
    standing.row = rows_find(rows, builder, pid, tid, role == ROW_THREAD ? class.role : role);
    return standing;
}

const struct standing *standing_of(struct places *places, struct rows *rows,
                                   struct classes *classes, struct builder *builder,
                                   const struct event *event, enum row_role role)
{
    struct place *place = &places->of_shape[event->shape];

    if (role != ROW_THREAD || !holds(place, event) || (place->may_change && rows->has_planes)) {
        uint32_t index = classes_find(classes, builder, event->field[FIELD_CAT]);

        place->standing = find(rows, classes, index, builder, event, role);
        place->may_change = classes->list[index].is_by_row;
        place->is_known = false;
        if (role == ROW_THREAD && !place->standing.is_by_row)
            remember(place, event);
    }
    classes->list[place->standing.class].events++;
    return &place->standing;
}
