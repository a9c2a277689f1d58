/* SPDX-License-Identifier: Apache-2.0 */
/* event.h — one trace event's members as they stand in the buffer */
#ifndef PTK_PARSERS_CHROME_SCAN_EVENT_H
#define PTK_PARSERS_CHROME_SCAN_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text/span.h"
#include "parsers/shared/json.h"

/* ---- the members that a trace event has by its format ---- */

/* Which member of an event, or of its args, a value is. */
enum field {
    FIELD_PH,
    FIELD_NAME,
    FIELD_CAT,
    FIELD_PID,
    FIELD_TID,
    FIELD_TS,
    FIELD_DUR,
    FIELD_ARGS,
    FIELD_ID,
    FIELD_ID2,
    FIELD_SCOPE,
    FIELD_BP,
    FIELD_SF,
    FIELD_BIND_ID,
    FIELD_FLOW_IN,
    FIELD_FLOW_OUT,
    FIELD_FIRST_ARG, /* from here on they are members of args, which who takes the */
    FIELD_COUNT = FIELD_FIRST_ARG + 96, /* events numbers as it likes */
    FIELD_OTHER = 255,                  /* nobody wants it */
};

/* The field of a member of an event, FIELD_OTHER when it means nothing. */
enum field field_of_event(struct span key);

/* ---- one trace event's members as they stand in the buffer ---- */

enum { SHAPES_MAX = 128, NO_SHAPE = 0 };

struct event {
    struct token field[FIELD_COUNT];
    uint8_t set[FIELD_COUNT];                         /* those that have a token, each once */
    uint8_t arguments[FIELD_COUNT - FIELD_FIRST_ARG]; /* of these the members of args */
    uint32_t set_count, argument_count;
    uint32_t
        shape; /* its number, at most SHAPES_MAX: who takes events may keep something for each */
    uint32_t constant; /* bit i: member i, none of args, is the same in all events of the shape */
    bool is_unwanted;  /* nothing is made of such events: said by who takes them */
    uint64_t offset;   /* of its '{' in the input */
};

static inline void event_set(struct event *event, enum field field, struct token token)
{
    if (!event->field[field].at) {
        event->set[event->set_count++] = (uint8_t)field;
        if (field >= FIELD_FIRST_ARG)
            event->arguments[event->argument_count++] = (uint8_t)field;
    }
    event->field[field] = token;
}

static inline bool event_is_constant(const struct event *event, enum field field)
{
    return event->constant >> field & 1;
}

static inline void event_clear(struct event *event)
{
    for (uint32_t i = 0; i < event->set_count; i++)
        event->field[event->set[i]] = (struct token){.len = 0};
    event->set_count = event->argument_count = 0;
    event->constant = 0;
    event->is_unwanted = false;
}

#endif
