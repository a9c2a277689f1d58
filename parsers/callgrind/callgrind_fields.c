/* SPDX-License-Identifier: Apache-2.0 */
/* callgrind_fields.c — compressed names, and which events a file counts in which unit */
#include "parsers/callgrind/callgrind.h"

#include <stdlib.h>

#include "base/memory/memory.h"

/* ---- callgrind's compressed names: "(12) main" the first time, "(12)" from then on ---- */

/* "(12) main" → 12, and what follows it. */
static bool split_number(struct span text, uint64_t *number, struct span *name)
{
    struct span inner;

    if (!span_starts(text, SPAN("(")) || !memchr(text.at, ')', text.len))
        return false;
    *name = span_after(text, 1);
    inner = span_split(name, ')');
    *name = span_trim(*name);
    return span_to_u64(inner, number);
}

str_id compressed_name(struct compressed_names *names, struct builder *builder, struct span text)
{
    struct span name;
    uint64_t number;
    uint32_t *place;
    str_id *slot;

    text = span_trim(text);
    if (!split_number(text, &number, &name))
        return builder_intern(builder, text);
    place = idmap_at(&names->places, number);
    if (*place == IDMAP_NONE) {
        *place = (uint32_t)names->names.count;
        vector_add(&names->names, 0);
    }
    slot = &names->names.list[*place];
    if (name.len)
        *slot = builder_intern(builder, name);
    if (*slot == 0) {
        names->undefined++;
        *slot = builder_intern(builder, text);
    }
    return *slot;
}

void compressed_names_free(struct compressed_names *names)
{
    idmap_free(&names->places);
    free(names->names.list);
}

/* ---- what a callgrind file counts: "events: Ir sysTime", "events: Time_(10ns)" ---- */

static const struct unit_word {
    const char *word;
    enum unit unit;
    int64_t scale;
} unit_words[] = {
    {"ns", UNIT_NS, 1},
    {"nanoseconds", UNIT_NS, 1},
    {"us", UNIT_NS, 1000},
    {"usec", UNIT_NS, 1000},
    {"microseconds", UNIT_NS, 1000},
    {"ms", UNIT_NS, 1000000},
    {"milliseconds", UNIT_NS, 1000000},
    {"s", UNIT_NS, 1000000000},
    {"seconds", UNIT_NS, 1000000000},
    {"bytes", UNIT_BYTES, 1},
    {"B", UNIT_BYTES, 1},
    {"kB", UNIT_BYTES, 1 << 10}, /* pprof's: powers of two */
    {"MB", UNIT_BYTES, 1 << 20},
    {"GB", UNIT_BYTES, 1 << 30},
};

/* "ns" and "10ns" */
static bool read_unit(struct span text, struct event_column *column)
{
    size_t digits = span_digits(text);
    uint64_t factor = 1;

    if (digits && (!span_to_u64((struct span){text.at, digits}, &factor) || factor > 1000000))
        return false;
    text = span_after(text, digits);
    for (size_t i = 0; i < COUNT_OF(unit_words); i++)
        if (span_eq(text, span_of(unit_words[i].word))) {
            column->unit = unit_words[i].unit;
            column->scale = unit_words[i].scale * (int64_t)factor;
            return true;
        }
    return false;
}

/* "cpu(ms)" of pprof and "Time_(10ns)" of Xdebug lose the unit; "Ir" and "odd(x)" stay. */
static void split_unit(struct event_column *column)
{
    size_t open = span_rfind(column->name, '(');

    if (open == SIZE_MAX || open == 0 || !span_ends(column->name, SPAN(")")) ||
        !read_unit((struct span){column->name.at + open + 1, column->name.len - open - 2}, column))
        return;
    column->name.len = open;
    if (open > 1 && column->name.at[open - 1] == '_')
        column->name.len--;
}

bool events_read(struct event_columns *events, struct span names)
{
    struct event_columns described = *events; /* by events_describe() */

    events->line = arena_copy(&events->arena, span_trim(names));
    names = span_of(events->line);
    for (events->count = 0; (names = span_trim(names)).len; events->count++) {
        struct event_column *column = &events->list[events->count];

        if (events->count == EVENTS_MAX)
            return false;
        *column = (struct event_column){span_split(&names, ' '), UNIT_COUNT, 1};
        split_unit(column);
        for (uint32_t i = 0; i < described.count; i++)
            if (span_eq(described.list[i].name, column->name))
                *column = described.list[i];
    }
    return events->count > 0;
}

void events_describe(struct event_columns *events, struct span text)
{
    struct event_column *column = &events->list[events->count];
    struct span name = span_trim(span_split(&text, ':'));
    size_t open, blank;

    text = span_trim(text);
    open = span_rfind(text, '(');
    if (events->count == EVENTS_MAX || open == SIZE_MAX || !span_ends(text, SPAN(")")))
        return;
    text = (struct span){text.at + open + 1, text.len - open - 2};
    blank = span_rfind(text, ' ');
    if (!read_unit(blank == SIZE_MAX ? text : span_after(text, blank + 1), column))
        return;
    column->name = (struct span){arena_copy(&events->arena, name), name.len};
    events->count++;
}

void events_know(struct event_columns *events, struct span name, enum unit unit, int64_t scale)
{
    for (uint32_t i = 0; i < events->count; i++)
        if (span_eq(events->list[i].name, name)) {
            events->list[i].unit = unit;
            events->list[i].scale = scale;
        }
}

void events_free(struct event_columns *events)
{
    arena_free(&events->arena);
}
