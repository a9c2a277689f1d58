/* SPDX-License-Identifier: Apache-2.0 */
/* device_work.h — what each device did, in the order in which it began
 *
 * Device work is what a stream holds that keeps the device busy: kernels, copies, fills and
 * collectives. Rows about waiting, and ranges that the host named, are not. */
#ifndef PTK_ANALYSIS_TIMELINE_DEVICE_WORK_H
#define PTK_ANALYSIS_TIMELINE_DEVICE_WORK_H

#include "analysis/timeline/intervals.h"
#include "graph/model/graph.h"

/* What device work is for. Fills count as computing: they run where kernels do. */
enum work_class { WORK_COMPUTE, WORK_COMMUNICATION, WORK_MEMORY, WORK_COUNT };

enum work_class work_of(enum frame_kind kind);

/* Events of one device, over all its streams, by start; ties in the order of tracks. */
struct device_work {
    int32_t device; /* ordinal, or -1 */
    event_id *events;
    uint32_t count;
};

struct devices_work {
    struct device_work *list; /* those that did anything, in the order of the tracks */
    uint32_t count;
};

/* Needs LEVEL_TIMELINE. All memory is the arena's: four bytes an event. */
void device_work_collect(const struct graph *graph, struct arena *arena,
                         struct devices_work *devices);

/* Whether an event of a stream is device work. */
bool is_device_work(const struct graph *graph, event_id event);

/* When a device computed, communicated and copied, over all its streams. Owned: see device_times_free(). */
struct device_times {
    struct intervals of[WORK_COUNT];
};

/* The lengths of those sets, in ns, and of what each hides: compute first, then communication. */
struct device_shares {
    int64_t compute, communication, memory;
    int64_t exposed_communication; /* communication − compute */
    int64_t exposed_memory;        /* copies − compute − communication */
    int64_t busy;                  /* of all together */
};

void device_times_collect(const struct graph *graph, const struct device_work *work,
                          struct device_times *times);

/* The part of `times` between two times. `out` must be empty. */
void device_times_clip(const struct device_times *times, int64_t start, int64_t end,
                       struct device_times *out);

void device_times_measure(const struct device_times *times, struct device_shares *shares);

void device_times_free(struct device_times *times);

/* How the copies of a device went: sums over copies, not unions. */
struct copy_sum {
    int64_t time, bytes; /* ns; bytes where the file has them */
    uint32_t count;
};

struct copies {
    struct copy_sum all, sized, pageable, small;
    event_id longest_pageable; /* NO_EVENT: none */
};

/* Those that begin in [start, end). `small` is below so many bytes; `sized` those whose size is
 * known. Needs PROP_BYTES, PROP_SRC_KIND and PROP_DST_KIND. */
void copies_sum(const struct graph *graph, const struct device_work *work, int64_t start,
                int64_t end, int64_t small, struct copies *copies);

#endif
