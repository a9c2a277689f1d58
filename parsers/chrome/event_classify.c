/* SPDX-License-Identifier: Apache-2.0 */
/* What kind of work an event is, from its category, and in which row it stands. */
#include "parsers/chrome/chrome_events.h"

#define XXH_INLINE_ALL
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/memory/memory.h"

/* ---- what kind of work an event is: from its category, never from where it ran ---- */

void classes_init(struct classes *classes, struct timeline_builder *builder)
{
    *classes = (struct classes){.count = 1};
    classes->list = grow_zeroed(1, sizeof(*classes->list));
    classes->list[0].category = builder_category_number(builder, 0);
    classes->list[0].kind = KIND_HOST;
    classes->list[0].is_by_row = true;
}

static uint32_t find_class(struct classes *classes, struct builder *builder, struct span text)
{
    struct event_category known;
    uint32_t *index;
    str_id name;

    if (text.len == 0)
        return 0;
    index = idmap_at(&classes->by_hash, XXH3_64bits(text.at, text.len));
    if (*index == IDMAP_NONE) {
        *index = classes->count;
        classes->list = grow_to(classes->list, (size_t)classes->count + 1, sizeof(*classes->list));
        known = event_category_named(text);
        name = builder_intern(builder, text);
        classes->list[classes->count++] =
            (struct class){.name = name,
                           .category = builder_category_number(builder_timeline(builder), name),
                           .kind = known.kind,
                           .role = known.row,
                           .is_by_row = known.is_by_row};
    }
    return *index;
}

uint32_t classes_find(struct classes *classes, struct builder *builder, struct token category)
{
    return category.at ? find_class(classes, builder, token_raw_text(category)) : 0;
}

void classes_absorb(struct classes *classes, struct builder *builder, const struct classes *part,
                    const str_id *texts)
{
    for (uint32_t i = 0; i < part->count; i++) {
        uint32_t here =
            find_class(classes, builder, builder_text(builder, texts[part->list[i].name]));

        classes->list[here].events += part->list[i].events;
    }
}

void classes_free(struct classes *classes)
{
    free(classes->list);
    idmap_free(&classes->by_hash);
    *classes = (struct classes){0};
}

/* ---- what kind of work an event is, and in which row it stands ---- */

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

static struct classified_event classify_anew(struct chrome_rows *rows,
                                             const struct classes *classes, uint32_t index,
                                             struct builder *builder, const struct event *event,
                                             enum row_role role)
{
    struct token pid = event->field[FIELD_PID], tid = event->field[FIELD_TID];
    struct class class = classes->list[index];
    struct classified_event classified = {.class = index,
                                          .is_by_row = class.is_by_row && role == ROW_THREAD &&
                                                       rows_may_be_plane(rows, pid)};

    if (classified.is_by_row)
        class = rows_class(rows, builder, event, class);
    classified.kind = class.kind;
    classified.role = class.role;
    classified.category = class.category;
    classified.row = rows_find(rows, builder, pid, tid, role == ROW_THREAD ? class.role : role);
    return classified;
}

const struct classified_event *classify_event(struct places *places, struct chrome_rows *rows,
                                              struct classes *classes, struct builder *builder,
                                              const struct event *event, enum row_role role)
{
    struct place *place = &places->of_shape[event->shape];

    if (role != ROW_THREAD || !holds(place, event) || (place->may_change && rows->has_planes)) {
        uint32_t index = classes_find(classes, builder, event->field[FIELD_CAT]);

        place->classified = classify_anew(rows, classes, index, builder, event, role);
        place->may_change = classes->list[index].is_by_row;
        place->is_known = false;
        if (role == ROW_THREAD && !place->classified.is_by_row)
            remember(place, event);
    }
    classes->list[place->classified.class].events++;
    return &place->classified;
}
