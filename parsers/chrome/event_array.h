/* SPDX-License-Identifier: Apache-2.0 */
/* event_array.h — finds the events of an array, whole, cut off or broken, and hands them on */
#ifndef PTK_PARSERS_CHROME_EVENT_ARRAY_H
#define PTK_PARSERS_CHROME_EVENT_ARRAY_H

#include "base/io/input.h"
#include "parsers/chrome/event_fields.h"
#include "parsers/chrome/event_sink.h"
#include "parsers/chrome/scan/scanner.h"

struct event_array {
    struct input *in;
    struct sink *sink;
    struct scanner scanner;
    scan_function *scan;
    const uint64_t *starts; /* where other threads began, in ascending order ... */
    size_t start_count;     /* ... those that have not been passed yet */
};

/* How an array of events ended. */
enum array_end {
    ARRAY_CLOSED, /* with its bracket, which has been consumed */
    ARRAY_CUT,    /* the input ends inside */
    ARRAY_MET,    /* at starts[0], between two events */
};

/* What is in an array of events, after its bracket or any comma. */
enum array_end event_array_read(struct event_array *array);

/* The next byte that is no blank; 0 at the end. */
char event_array_peek(struct input *in);

/* ---- reads the events of a large plain file with several threads ---- */

/* The file is cut at guesses: places that look like the beginning of an event. Threads share the
 * parts out. A guess is proved when the reader of what comes before arrives there between two
 * events; it stops, and the part's events follow its own. When it passes the place instead, the
 * guess was wrong: that part is thrown away, and the reader before goes on to the next. So the
 * graph is the one that a single thread makes, number by number. */

/* Like event_array_read(), with up to so many threads, the caller's among them, in parts of at
 * least so many bytes. */
enum array_end split_events(struct event_array *whole, size_t threads, uint64_t part_min);

#endif
