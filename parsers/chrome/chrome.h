/* SPDX-License-Identifier: Apache-2.0 */
/* chrome.h — traces in the Trace Event Format: PyTorch, Paddle, Chrome, Node, clang … */
#ifndef PTK_PARSERS_CHROME_CHROME_H
#define PTK_PARSERS_CHROME_CHROME_H

#include "parsers/chrome/event_array.h"
#include "parsers/chrome/event_sink.h"

struct chrome_reader {
    struct event_array array;
    struct wanted_args wanted; /* set before reading; the array's scanner asks it */
    uint64_t documents; /* complete ones */
    size_t threads;     /* that may read at once; 0 and 1: the caller's alone */
    uint64_t part_min;  /* bytes for which another thread is worth its start */
};

/* Reads all documents of the input; false only when there is no event to be had. */
bool reader_read(struct chrome_reader *reader, struct error *err);

#endif
