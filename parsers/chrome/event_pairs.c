/* SPDX-License-Identifier: Apache-2.0 */
/* Events that belong together by their ids: begins and ends of one event, and the points of an arrow. */
#include "parsers/chrome/chrome_events.h"

#define XXH_INLINE_ALL
#include <stdlib.h>
#include <xxhash.h>

#include "base/memory/memory.h"
#include "parsers/json/json.h"

/* ---- which events belong together: those with the same id, however it is written ---- */

enum { SEED_OPERATION, SEED_NAMED, SEED_BINDING };

static bool read_number(struct token id, uint64_t *number)
{
    struct span text = token_raw_text(id);
    int64_t bits;

    if (span_to_u64(text, number))
        return true;
    if (!(span_starts(text, SPAN("0x")) || span_starts(text, SPAN("0X"))) ||
        !token_integer(id, &bits))
        return false;
    *number = (uint64_t)bits;
    return true;
}

uint64_t id_hash(struct token id, uint64_t seed)
{
    struct span text = token_raw_text(id);
    uint64_t number;

    if (read_number(id, &number))
        return XXH3_64bits_withSeed(&number, sizeof(number), seed);
    return XXH3_64bits_withSeed(text.at, text.len, seed);
}

static uint64_t hash_field(const struct event *event, enum field field, uint64_t seed)
{
    struct span text = token_raw_text(event->field[field]);

    return XXH3_64bits_withSeed(text.at, text.len, seed);
}

uint64_t id_group(const struct event *event, bool by_name)
{
    struct token id = event->field[FIELD_ID], id2 = event->field[FIELD_ID2];
    struct token local = id2.at ? walk_find(id2, SPAN("local")) : (struct token){0};
    uint64_t hash =
        hash_field(event, FIELD_CAT, by_name ? (uint64_t)SEED_NAMED : (uint64_t)SEED_OPERATION);

    if (id2.at)
        id = local.at ? local : walk_find(id2, SPAN("global"));
    hash = id_hash(id, hash);
    hash = hash_field(event, FIELD_SCOPE, hash);
    if (local.at)
        hash = hash_field(event, FIELD_PID, hash);
    if (by_name)
        hash = hash_field(event, FIELD_NAME, hash);
    return hash | (uint64_t)1 << 63; /* apart from rows */
}

uint64_t id_binding(const struct event *event)
{
    return id_hash(event->field[FIELD_BIND_ID], SEED_BINDING);
}

/* ---- events that a file writes as two: where they begin, and where they end ---- */

void marks_add(struct marks *marks, const struct mark *mark)
{
    vector_add(marks, *mark);
}

void marks_absorb(struct marks *marks, const struct marks *part, uint32_t first_event,
                  const uint32_t *row_of)
{
    for (uint32_t i = 0; i < part->cpu.count; i++)
        property_append(&marks->cpu, (uint32_t)marks->count + part->cpu.event[i],
                        part->cpu.value[i]);
    for (size_t i = 0; i < part->count; i++) {
        struct mark mark = part->list[i];

        if (mark.group == mark.row)
            mark.group = row_of[mark.row];
        mark.row = row_of[mark.row];
        if (mark.event != NO_EVENT)
            mark.event += first_event;
        marks_add(marks, &mark);
    }
}

static bool is_before(const void *context, uint32_t a, uint32_t b)
{
    const struct mark *list = context;

    if (list[a].group != list[b].group)
        return list[a].group < list[b].group;
    if (list[a].name != list[b].name)
        return list[a].name < list[b].name;
    return list[a].time < list[b].time;
}

/* What is open of the group and name at hand: indices of marks, the innermost last. */
struct open_marks {
    VECTOR(uint32_t);
};

/* What the thread's CPU clock went on between two marks. */
static void add_cpu_time(const struct marks *marks, uint32_t begin, uint32_t end,
                         struct builder *builder)
{
    int64_t from, to;

    if (property_of(&marks->cpu, begin, &from) && property_of(&marks->cpu, end, &to) && to >= from)
        builder_property(builder_timeline(builder), marks->list[begin].event, PROP_CPU_TIME,
                         checked_sub(to, from));
}

/* An end is of the innermost that is open. */
static void close_one(struct marks *marks, struct open_marks *open, uint32_t at,
                      struct builder *builder)
{
    const struct mark *begin, *end = &marks->list[at];

    if (open->count == 0) {
        warning_count_many(builder_warnings(builder), WARNING_NOTE,
                           "ends of events that never began, left out", 1);
        return;
    }
    begin = &marks->list[open->list[--open->count]];
    builder_set_duration(builder_timeline(builder), begin->event, end->time - begin->time);
    add_cpu_time(marks, open->list[open->count], at, builder);
}

static void close_rest(struct marks *marks, struct open_marks *open, const struct chrome_rows *rows,
                       struct builder *builder)
{
    if (open->count == 0)
        return;
    warning_count_many(builder_warnings(builder), WARNING_NOTE,
                       "events that never end, shown until the last of their row", open->count);
    while (open->count) {
        const struct mark *begin = &marks->list[open->list[--open->count]];
        int64_t last = rows->list[begin->row].last_end;

        builder_set_duration(builder_timeline(builder), begin->event,
                             last > begin->time ? last - begin->time : 0);
    }
}

void marks_finish(struct marks *marks, const struct chrome_rows *rows, struct builder *builder)
{
    uint32_t *order = sorted_order(marks->count, is_before, marks->list);
    struct open_marks open = {0};
    const struct mark *before = NULL;

    for (size_t i = 0; i < marks->count; i++) {
        const struct mark *mark = &marks->list[order[i]];

        if (before && (mark->group != before->group || mark->name != before->name))
            close_rest(marks, &open, rows, builder);
        before = mark;
        if (mark->event == NO_EVENT) {
            close_one(marks, &open, order[i], builder);
            continue;
        }
        vector_add(&open, order[i]);
    }
    close_rest(marks, &open, rows, builder);
    free(open.list);
    free(order);
}

void marks_free(struct marks *marks)
{
    free(marks->list);
    property_column_free(&marks->cpu);
    *marks = (struct marks){0};
}

/* ---- the arrows of a trace: each point stands in a row, at a time, and belongs to an id ---- */

static const enum row_role roles[] = {ROW_THREAD, ROW_STREAM};

void flows_add(struct flows *flows, struct builder *builder, const struct event *event,
               const struct flow_point *point)
{
    struct flow flow = {.point = *point};

    flow.pid = builder_intern(builder, token_raw_text(event->field[FIELD_PID]));
    for (size_t r = 0; r < COUNT_OF(roles); r++)
        flow.tid[r] = builder_intern(
            builder, rows_thread(event->field[FIELD_PID], event->field[FIELD_TID], roles[r]));
    vector_add(flows, flow);
}

void flows_bind(struct flows *flows, const struct flow_point *point)
{
    vector_add(flows, (struct flow){.point = *point});
}

void flows_absorb(struct flows *flows, const struct flows *part, uint32_t first_event,
                  const str_id *texts)
{
    for (size_t i = 0; i < part->count; i++) {
        struct flow flow = part->list[i];

        if (flow.point.is_of_event)
            flow.point.event += first_event;
        flow.pid = texts[flow.pid];
        for (size_t r = 0; r < COUNT_OF(roles); r++)
            flow.tid[r] = texts[flow.tid[r]];
        vector_add(flows, flow);
    }
}

void flows_finish(const struct flows *flows, const struct chrome_rows *rows,
                  struct builder *builder)
{
    for (size_t i = 0; i < flows->count; i++) {
        const struct flow *flow = &flows->list[i];
        struct flow_point point = flow->point;

        if (!point.is_of_event)
            point.track = IDMAP_NONE;
        for (size_t r = 0; point.track == IDMAP_NONE && r < COUNT_OF(roles); r++)
            point.track = rows_known(rows, builder_text(builder, flow->pid),
                                     builder_text(builder, flow->tid[r]), roles[r]);
        if (point.track != IDMAP_NONE && !flow->is_forgotten)
            builder_flow(builder_timeline(builder), &point);
    }
}

void flows_forget(struct flows *flows, size_t count, int64_t time)
{
    struct flow *flow = count ? &flows->list[count - 1] : NULL;

    if (flow && !flow->point.is_start && flow->point.time == time)
        flow->is_forgotten = true;
}

void flows_free(struct flows *flows)
{
    free(flows->list);
    *flows = (struct flows){0};
}
