/* SPDX-License-Identifier: Apache-2.0 */
/* callgrind_fields.h — what the lines of a callgrind file are written in: its events, and
 * abbreviated names */
#ifndef PTK_PARSERS_CALLGRIND_CALLGRIND_FIELDS_H
#define PTK_PARSERS_CALLGRIND_CALLGRIND_FIELDS_H

#include "base/memory/idmap.h"
#include "base/memory/vector.h"
#include "graph/build/builder.h"

/* ---- callgrind's compressed names: "(12) main" the first time, "(12)" from then on ---- */

/* One number space: files, functions or objects. Ready for use when zeroed. */
struct compressed_names {
    struct idmap places;
    struct VECTOR_OF(str_id) names;
    uint64_t undefined; /* numbers used before they were given a name */
};

/* The name that the text stands for. One without a number is itself; a number that no line has
 * named yet is its own name, and counted. */
str_id compressed_name(struct compressed_names *names, struct builder *builder, struct span text);

void compressed_names_free(struct compressed_names *names);

/* ---- what a callgrind file counts: "events: Ir sysTime", "events: Time_(10ns)" ---- */

enum { EVENTS_MAX = 64 };

struct event_column {
    struct span name; /* without the unit; in the arena */
    enum unit unit;
    int64_t scale; /* base units in one of the file's */
};

/* Ready for use when zeroed. */
struct event_columns {
    struct event_column list[EVENTS_MAX];
    uint32_t count;
    const char *line; /* as the file has it; in the arena */
    struct arena arena;
};

/* Reads the names behind "events:". False when there are none, or too many. */
bool events_read(struct event_columns *events, struct span names);

/* What "event: sysTime : sysTime (elapsed ns)" says of one column's unit. It comes before the
 * list of the columns, so it is kept until then. */
void events_describe(struct event_columns *events, struct span text);

/* Gives a column its unit where that is known from who wrote the file. */
void events_know(struct event_columns *events, struct span name, enum unit unit, int64_t scale);

void events_free(struct event_columns *events);

#endif
