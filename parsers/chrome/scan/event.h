/* SPDX-License-Identifier: Apache-2.0 */
/* event.h — one trace event's members as they stand in the buffer */
#ifndef PTK_PARSERS_CHROME_SCAN_EVENT_H
#define PTK_PARSERS_CHROME_SCAN_EVENT_H

#include "parsers/chrome/event_classes.h"
#include "parsers/chrome/scan/scan_fields.h"
#include "parsers/shared/json_token.h"

enum { PLACE_TEXT_MAX = 24 };

/* What kind of work an event is, and in which row it stands: event_classify.h. */
struct standing {
    uint32_t class, row;
    enum frame_kind kind;
    enum row_role role;
    uint16_t category;
    bool is_by_row; /* kind and role come from the row */
};

/* That of the last event of a shape, and by what the next is known to stand there, too. */
struct place {
    struct standing standing;
    bool is_known, may_change; /* when the row is named */
    uint8_t pid_len, tid_len;
    char pid[PLACE_TEXT_MAX], tid[PLACE_TEXT_MAX]; /* as they stand in the file */
};

struct event {
    struct token field[FIELD_COUNT];
    uint8_t set[FIELD_COUNT];                         /* those that have a token, each once */
    uint8_t arguments[FIELD_COUNT - FIELD_FIRST_ARG]; /* of these the members of args */
    uint32_t set_count, argument_count;
    bool has_constant_pid, has_constant_tid; /* in all events of the shape */
    bool is_unwanted; /* nothing is made of such events: said by who takes them */
    uint64_t offset;  /* of its '{' in the input */
    struct place place;
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

static inline void event_clear(struct event *event)
{
    for (uint32_t i = 0; i < event->set_count; i++)
        event->field[event->set[i]] = (struct token){.len = 0};
    event->set_count = event->argument_count = 0;
    event->has_constant_pid = event->has_constant_tid = false;
    event->is_unwanted = false;
    event->place.is_known = false;
}

#endif
