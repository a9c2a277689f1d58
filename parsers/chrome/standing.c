#include "parsers/chrome/standing.h"

#include <string.h>

/* ---- what is remembered ---- */

static bool is_same(struct token token, const char *text, size_t len)
{
    return token.len == len && memcmp(token.at, text, len) == 0;
}

/* Whether the last event of this shape stood in the same row. Its category is the same: that is what
 * makes a shape. */
static bool holds(const struct event *event)
{
    const struct place *place = &event->place;

    return place->is_known && is_same(event->field[FIELD_TID], place->tid, place->tid_len) &&
           is_same(event->field[FIELD_PID], place->pid, place->pid_len);
}

static void keep(struct event *event, uint32_t class, uint32_t row)
{
    struct token pid = event->field[FIELD_PID], tid = event->field[FIELD_TID];
    struct place *place = &event->place;

    place->is_known =
        pid.at && tid.at && pid.len <= sizeof(place->pid) && tid.len <= sizeof(place->tid);
    if (!place->is_known)
        return;
    place->class = class;
    place->row = row;
    place->pid_len = (uint8_t)pid.len;
    place->tid_len = (uint8_t)tid.len;
    memcpy(place->pid, pid.at, pid.len);
    memcpy(place->tid, tid.at, tid.len);
}

/* ---- what is found ---- */

static struct standing find(struct rows *rows, struct classes *classes, struct builder *builder,
                            struct event *event, enum role role)
{
    uint32_t index = classes_find(classes, builder, event->field[FIELD_CAT]);
    struct class *class = &classes->list[index];
    struct token pid = event->field[FIELD_PID], tid = event->field[FIELD_TID];
    struct standing standing = {.is_by_row = class->is_by_row && role == ROLE_THREAD &&
                                             rows_may_be_plane(rows, pid)};

    class->events++;
    standing.class = standing.is_by_row ? rows_class(rows, builder, event, *class) : *class;
    standing.row =
        rows_find(rows, builder, pid, tid, role == ROLE_THREAD ? standing.class.role : role);
    if (role == ROLE_THREAD && !standing.is_by_row)
        keep(event, index, standing.row);
    return standing;
}

struct standing standing_of(struct rows *rows, struct classes *classes, struct builder *builder,
                            struct event *event, enum role role)
{
    struct class *class = &classes->list[event->place.class];

    if (role != ROLE_THREAD || !holds(event) || (class->is_by_row && rows->has_planes))
        return find(rows, classes, builder, event, role);
    class->events++;
    return (struct standing){*class, event->place.row, false};
}
