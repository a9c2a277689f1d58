/* event.h — one trace event's members as they stand in the buffer */
#ifndef PTK_PARSERS_CHROME_SCAN_EVENT_H
#define PTK_PARSERS_CHROME_SCAN_EVENT_H

#include "parsers/chrome/scan/fields.h"
#include "parsers/json/token.h"

enum { PLACE_TEXT_MAX = 24 };

/* Where the last event of a shape stood: standing.h. */
struct place {
    uint32_t class, row;
    uint8_t pid_len, tid_len;
    bool is_known;
    char pid[PLACE_TEXT_MAX], tid[PLACE_TEXT_MAX]; /* as they stand in the file */
};

struct event {
    struct token field[FIELD_COUNT];
    uint8_t set[FIELD_COUNT]; /* those that have a token, each once */
    uint32_t set_count;
    bool has_arguments; /* some of them are members of args */
    uint64_t offset;    /* of its '{' in the input */
    struct place place;
};

static inline void event_set(struct event *event, enum field field, struct token token)
{
    if (!event->field[field].at)
        event->set[event->set_count++] = (uint8_t)field;
    event->field[field] = token;
    event->has_arguments |= field >= FIELD_FIRST_ARG;
}

static inline void event_clear(struct event *event)
{
    for (uint32_t i = 0; i < event->set_count; i++)
        event->field[event->set[i]] = (struct token){.len = 0};
    event->set_count = 0;
    event->has_arguments = event->place.is_known = false;
}

#endif
