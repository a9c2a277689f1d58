/* SPDX-License-Identifier: Apache-2.0 */
/* blocking_function.h — functions that wait and do nothing else, as far as names tell
 *
 * In a profile by the wall clock their own time is waiting. Nothing but the name tells: Python's
 * built-ins that read, lock, sleep and poll, and the C library's and Go's calls of the same
 * kind. */
#ifndef PTK_GRAPH_CLASSIFY_BLOCKING_FUNCTION_H
#define PTK_GRAPH_CLASSIFY_BLOCKING_FUNCTION_H

#include "base/text/span.h"

enum blocking {
    BLOCKING_NOT,
    BLOCKING_IO,    /* reads, writes, connects */
    BLOCKING_POLL,  /* waits for whatever comes first, as event loops do */
    BLOCKING_LOCK,  /* waits for another thread or process */
    BLOCKING_SLEEP, /* waits for time to pass */
    BLOCKING_COUNT
};

enum blocking blocking_function(struct span name);

#endif
