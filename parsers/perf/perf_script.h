/* SPDX-License-Identifier: Apache-2.0 */
/* perf_script.h — the two kinds of lines of what `perf script` prints */
#ifndef PTK_PARSERS_PERF_PERF_SCRIPT_H
#define PTK_PARSERS_PERF_PERF_SCRIPT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory/span.h"

/* The first line of a sample. */
struct perf_header {
    struct span command, event; /* the event may be empty */
    struct span rest;           /* what follows the event: a frame, or a tracepoint's arguments */
    struct span thread; /* "4711/4712", or what stands in its place */
    struct span time;   /* "1234.567890:"; empty: the line has none */
    struct span record; /* "MMAP2 4711/4711: [0x…": no sample, but of the process; else empty */
    int64_t period;     /* 0 when the line has none */
};

/* False: the line is none. All parts are of the line. */
bool perf_header_read(struct span line, struct perf_header *header);

/* ns of "1234.567890:" */
int64_t perf_time_ns(struct span token);

/* "4711", "4711/4712" and "-1" */
bool perf_is_thread(struct span token);

/* "55d0c0a01139 name+0x10 (/usr/bin/prog)" in its parts; the library may be missing. */
struct perf_call {
    struct span name, library;
    uint64_t address;
};

bool perf_call_read(struct span line, struct perf_call *call);

#endif
