/* SPDX-License-Identifier: Apache-2.0 */
/* event_classify.h — what kind of work an event is, and in which row it stands
 *
 * Events of one shape mostly come from one thread, so both are remembered with the shape, and found
 * again only where the thread is another one. */
#ifndef PTK_PARSERS_CHROME_EVENT_CLASSIFY_H
#define PTK_PARSERS_CHROME_EVENT_CLASSIFY_H

#include "parsers/chrome/chrome_tracks.h"
#include "parsers/chrome/event_classes.h"
#include "parsers/chrome/scan/scanner.h"

struct standing {
    uint32_t class, row;
    enum frame_kind kind;
    enum row_role role;
    uint16_t category;
    bool is_by_row; /* kind and role come from the row */
};

enum { PLACE_TEXT_MAX = 24 };

/* By shape: that of its last event, and by what the next is known to stand there, too. */
struct place {
    struct standing standing;
    bool is_known, may_change; /* when the row is named */
    uint8_t pid_len, tid_len;
    char pid[PLACE_TEXT_MAX], tid[PLACE_TEXT_MAX]; /* as they stand in the file */
};

/* Ready for use when zeroed. */
struct places {
    struct place of_shape[SHAPES_MAX + 1];
};

/* Counts the event with its class. ROW_THREAD stands for the role that the class has. Valid until the
 * next call. */
const struct standing *standing_of(struct places *places, struct rows *rows,
                                   struct classes *classes, struct builder *builder,
                                   const struct event *event, enum row_role role);

#endif
