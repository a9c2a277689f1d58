/* SPDX-License-Identifier: Apache-2.0 */
/* callgrind_events.h — what a callgrind file counts: "events: Ir sysTime", "events: Time_(10ns)" */
#ifndef PTK_PARSERS_CALLGRIND_CALLGRIND_EVENTS_H
#define PTK_PARSERS_CALLGRIND_CALLGRIND_EVENTS_H

#include "graph/build/builder.h"

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
