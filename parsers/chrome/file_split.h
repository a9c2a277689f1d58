/* SPDX-License-Identifier: Apache-2.0 */
/* file_split.h — reads the events of a large plain file with several threads
 *
 * The file is cut at guesses: places that look like the beginning of an event. Threads share the
 * parts out. A guess is proved when the reader of what comes before arrives there between two
 * events; it stops, and the part's events follow its own. When it passes the place instead, the
 * guess was wrong: that part is thrown away, and the reader before goes on to the next. So the
 * graph is the one that a single thread makes, number by number. */
#ifndef PTK_PARSERS_CHROME_FILE_SPLIT_H
#define PTK_PARSERS_CHROME_FILE_SPLIT_H

#include "parsers/chrome/event_array.h"

/* Like event_array_read(), with up to so many threads, the caller's among them, in parts of at
 * least so many bytes. */
enum array_end split_events(struct event_array *whole, size_t threads, uint64_t part_min);

#endif
