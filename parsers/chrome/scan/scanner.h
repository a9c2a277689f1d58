/* SPDX-License-Identifier: Apache-2.0 */
/* scanner.h — one trace event after the other out of a buffer, at the speed of memory
 *
 * No document is built and nothing is validated that nobody reads. A producer writes all events
 * of a kind alike: same members, same order, same blanks. So the scanner learns shapes (shapes.h)
 * and matches most events by comparing a few runs of bytes; whatever matches no shape takes the
 * general path, which accepts any order and spacing and teaches the next shape. */
#ifndef PTK_PARSERS_CHROME_SCAN_SCANNER_H
#define PTK_PARSERS_CHROME_SCAN_SCANNER_H

#include "parsers/chrome/scan/event.h"
#include "parsers/chrome/scan/learned_shapes.h"

/* What who takes the events wants of their args. It is asked only of events of no known shape: what it
 * answers must follow from what events of a shape have in common. */
struct wanted {
    const void *context;

    /* The number of a member of args, from FIELD_FIRST_ARG on; FIELD_OTHER: not wanted. */
    enum field (*field_of)(const void *context, struct span key);

    /* Whether members of args are wanted at all, by the event's own that came before. NULL: no. */
    bool (*has_members)(const void *context, const struct event *event);

    /* Whether args are wanted as they stand, which events of a learned shape do not have. NULL:
     * no. */
    bool (*has_whole)(const void *context, const struct event *event);
};

struct scanner {
    struct wanted wanted; /* set before scanning */
    struct shapes shapes;
    struct event general; /* the one that matched no shape */
};

enum scan_result {
    SCAN_EVENT, /* an event was read; `*next` is past its '}' */
    SCAN_CUT,   /* the buffer ends before the event does */
    SCAN_BAD,   /* no JSON object: `*next` is where that showed */
};

/* `at` is at a '{'; `end` is followed by INPUT_PAD NULs. The event is the scanner's, and good until
 * the next call. */
typedef enum scan_result scan_function(struct scanner *scanner, const char *at, const char *end,
                                       struct event **event, const char **next);

/* The fastest that this machine has instructions for. */
scan_function *scanner_select(void);

/* One for each instruction set; NULL where the compiler or the machine type has none. */
extern scan_function *const scan_event_avx2, *const scan_event_sse2, *const scan_event_portable;

#endif
