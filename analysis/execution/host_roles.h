/* SPDX-License-Identifier: Apache-2.0 */
/* host_roles.h — what functions mean for who waits for whom: they submit, block, sleep, or just
 * run */
#ifndef PTK_ANALYSIS_EXECUTION_HOST_ROLES_H
#define PTK_ANALYSIS_EXECUTION_HOST_ROLES_H

#include "graph/model/graph.h"

enum host_role {
    HOST_RUNS,
    HOST_RANGE,        /* named by somebody, or Python: it may wait for a helper inside */
    HOST_SUBMITS,      /* a call of the runtime: it blocks if work that it submitted ends in it */
    HOST_COPIES,       /* likewise, and copies of memory that is not pinned do so */
    HOST_COPIES_WAITS, /* likewise, by contract */
    HOST_FREES,        /* blocks until a device is done */
    HOST_ALLOCATES,    /* may do so */
    HOST_WAITS_EVENT,  /* waits for a mark in a stream, */
    HOST_WAITS_STREAM, /* for a stream, */
    HOST_WAITS_DEVICE, /* for all streams of a device */
    HOST_LOCKS,        /* waits for another thread or process */
    HOST_SLEEPS,       /* waits for time to pass */
};

/* By frame, enum host_role. The caller's to free. */
uint8_t *host_roles(const struct graph *graph);

/* Calls that wait for a device and do nothing else. */
static inline bool role_waits_for_device(uint8_t role)
{
    return role >= HOST_WAITS_EVENT && role <= HOST_WAITS_DEVICE;
}

static inline bool role_waits_for_threads(uint8_t role)
{
    return role == HOST_LOCKS || role == HOST_SLEEPS;
}

static inline bool role_waits(uint8_t role)
{
    return role_waits_for_device(role) || role_waits_for_threads(role);
}

#endif
