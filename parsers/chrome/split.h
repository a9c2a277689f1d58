/* split.h — reads the events of a large plain file with several threads
 *
 * The file is cut at guesses: places that look like the beginning of an event. Threads share the
 * parts out. A guess is proved when the reader of what comes before arrives there between two
 * events; it stops, and the part's events follow its own. When it passes the place instead, the
 * guess was wrong: that part is thrown away, and the reader before goes on to the next. So the graph is the one that a single thread makes, number by number. */
#ifndef PTK_PARSERS_CHROME_SPLIT_H
#define PTK_PARSERS_CHROME_SPLIT_H

#include "parsers/chrome/reader.h"

/* Like reader_events(), with up to so many threads, the caller's among them. */
enum events_end split_events(struct reader *reader, size_t threads);

#endif
