/* blocking_calls.h — functions that wait and do nothing else, as far as names tell
 *
 * In a profile by the wall clock their own time is waiting. Nothing but the name tells: Python's
 * built-ins that read, lock, sleep and poll, and the C library's and Go's calls of the same
 * kind. */
#ifndef PTK_ANALYSIS_EXECUTION_BLOCKING_CALLS_H
#define PTK_ANALYSIS_EXECUTION_BLOCKING_CALLS_H

#include "graph/model/graph.h"

enum blocking {
    BLOCKING_NOT,
    BLOCKING_IO,    /* reads, writes, polls, connects */
    BLOCKING_LOCK,  /* waits for another thread or process */
    BLOCKING_SLEEP, /* waits for time to pass */
    BLOCKING_COUNT
};

enum blocking blocking_of(struct span name);

#endif
