/* SPDX-License-Identifier: Apache-2.0 */
/* runtime_call.h — what a call of a device's runtime or driver does, and whether it blocks
 *
 * Of CUDA, HIP, MUSA, Level Zero, OpenCL and SYCL, by the name alone: nothing else in a profile
 * tells. Versions and variants of one function ("cuMemcpyHtoDAsync_v2_ptsz") are one. */
#ifndef PTK_GRAPH_CLASSIFY_RUNTIME_CALL_H
#define PTK_GRAPH_CLASSIFY_RUNTIME_CALL_H

#include <stdbool.h>

#include "base/text/span.h"
#include "graph/classify/memory_copy.h"

/* ---- functions that wait and do nothing else, as far as names tell ---- */

/* In a profile by the wall clock their own time is waiting. Nothing but the name tells: Python's
 * built-ins that read, lock, sleep and poll, and the C library's and Go's calls of the same kind. */

enum blocking {
    BLOCKING_NOT,
    BLOCKING_IO,    /* reads, writes, connects */
    BLOCKING_POLL,  /* waits for whatever comes first, as event loops do */
    BLOCKING_LOCK,  /* waits for another thread or process */
    BLOCKING_SLEEP, /* waits for time to pass */
    BLOCKING_COUNT
};

enum blocking blocking_function(struct span name);

/* ---- what a call of a device's runtime or driver does, and whether it blocks ---- */

enum runtime_call {
    CALL_NONE,         /* no call of a runtime */
    CALL_OTHER,        /* asks, sets up, compiles: nothing that a device does */
    CALL_LAUNCH,       /* enqueues a kernel */
    CALL_GRAPH_LAUNCH, /* enqueues all the work of a recorded graph */
    CALL_COPY,
    CALL_FILL,
    CALL_EVENT_RECORD, /* enqueues a mark in a stream */
    CALL_STREAM_WAIT,  /* makes a stream wait for a mark; the host goes on */
    CALL_QUERY,        /* asks whether a stream or an event is done; the host goes on */
    CALL_SYNC_EVENT,   /* the host waits for a mark, */
    CALL_SYNC_STREAM,  /* for all that is in a stream by now, */
    CALL_SYNC_DEVICE,  /* for all that is in any stream of the device */
    CALL_ALLOCATE,
    CALL_FREE,
    CALL_CAPTURE_BEGIN, /* from here on calls of the thread are recorded as a graph, and do nothing */
    CALL_CAPTURE_END,
    CALL_COUNT
};

struct runtime_call_class {
    enum runtime_call call;
    enum copy_direction copy; /* of a copy whose name tells; COPY_UNKNOWN */
    bool may_block; /* may return only after work on the device is done: copies, memory, */
    bool blocks;    /* and it does so by contract, unless nothing is under way */
};

/* `name`: of a frame of KIND_RUNTIME. Never CALL_NONE. */
struct runtime_call_class runtime_call_class(struct span name);

/* Whether it is one, for producers that call it what they call all other host work: "cudaMalloc",
 * but not "cudart" or "hip_forward". */
bool is_runtime_call(struct span name);

/* Whether a range of device or host rows about waiting (KIND_SYNC) is for an event, a stream or all
 * of a device: "Stream Wait Event", "Context Sync". CALL_SYNC_DEVICE where it does not say. */
enum runtime_call sync_row_scope(struct span name);

/* The calls that are waiting and nothing else, whoever looks at them. */
bool is_waiting_call(struct span name);

#endif
