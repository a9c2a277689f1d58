#include "parsers/chrome/place.h"

#include <string.h>

static bool is_same(struct token token, const char *text, size_t len)
{
    return token.len == len && memcmp(token.at, text, len) == 0;
}

bool place_holds(const struct event *event)
{
    const struct place *place = &event->place;

    return place->is_known && is_same(event->field[FIELD_TID], place->tid, place->tid_len) &&
           is_same(event->field[FIELD_PID], place->pid, place->pid_len);
}

void place_keep(struct event *event, uint32_t class, uint32_t row)
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
