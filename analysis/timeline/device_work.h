/* SPDX-License-Identifier: Apache-2.0 */
/* device_work.h — the device's work, and intervals of time */
#ifndef PTK_ANALYSIS_TIMELINE_DEVICE_WORK_H
#define PTK_ANALYSIS_TIMELINE_DEVICE_WORK_H

#include <stddef.h>
#include <stdint.h>

#include "base/memory/memory.h"
#include "graph/model/graph.h"

/* ---- sets of points in time: unions, intersections and differences of spans ---- */

/* Spans are half-open, [start, end). Those that touch are one. */

struct interval {
    int64_t start, end; /* ns; start < end */
};

/* Ready for use when zeroed. Spans may be added in any order; intervals_unite() makes it a set,
 * which is what the functions below it take. */
struct intervals {
    VECTOR(struct interval); /* owned; see intervals_free() */
};

/* An empty span is no span. */
static inline void intervals_add(struct intervals *set, int64_t start, int64_t end)
{
    if (start >= end)
        return;
    vector_add(set, (struct interval){start, end});
}

void intervals_add_all(struct intervals *set, const struct intervals *other);

/* The same where nobody counts the spans: one that begins within the one added last, or at its end,
 * extends that. So the events of a thread take no more room than the outermost of them. */
static inline void intervals_cover(struct intervals *set, int64_t start, int64_t end)
{
    struct interval *last = set->count ? &set->list[set->count - 1] : NULL;

    if (!last || start < last->start || start > last->end)
        intervals_add(set, start, end);
    else if (end > last->end)
        last->end = end;
}

/* Sorts, and merges what overlaps or touches. */
void intervals_unite(struct intervals *set);

/* How long the set is, in ns. */
int64_t intervals_length(const struct intervals *set);

/* `out` must be empty, and becomes a set. */
void intervals_intersect(const struct intervals *a, const struct intervals *b,
                         struct intervals *out);
void intervals_subtract(const struct intervals *from, const struct intervals *what,
                        struct intervals *out);

/* The part of a set between two times. `out` must be empty, and becomes a set. */
void intervals_clip(const struct intervals *set, int64_t start, int64_t end, struct intervals *out);

/* Makes it a set, takes away what of it is after `time`, and returns until when that lasted; `time` without any. All
 * spans must begin before then. */
int64_t intervals_cut(struct intervals *set, int64_t time);

/* Makes it a set, takes away what of it is before `time`, and returns how long that is, in ns: for
 * unions that nobody need hold as a whole. All spans must begin before then. */
int64_t intervals_take(struct intervals *set, int64_t time);

/* A copy that is the arena's, to which nothing can be added. */
void intervals_keep(const struct intervals *set, struct arena *arena, struct intervals *out);

void intervals_free(struct intervals *set);

/* ---- what each device did, in the order in which it began ---- */

/* Device work is what a stream holds that keeps the device busy: kernels, copies, fills and
 * collectives. Rows about waiting, and ranges that the host named, are not. */

/* What device work is for. Fills count as computing: they run where kernels do. */
enum work_class { WORK_COMPUTE, WORK_COMMUNICATION, WORK_MEMORY, WORK_COUNT };

enum work_class work_of(enum frame_kind kind);

/* When a device computed, communicated and copied, over all its streams. */
struct device_times {
    struct intervals of[WORK_COUNT];
};

/* Events of one device, over all its streams, by start; ties in the order of tracks. */
struct device_work {
    int32_t device; /* ordinal, or -1 */
    event_id *events;
    uint32_t count;
    struct device_times times; /* once device_work_time() has found them */
};

struct devices_work {
    struct device_work *list; /* those that did anything, in the order of the tracks */
    uint32_t count;
};

/* Needs LEVEL_TIMELINE. All memory is the arena's: four bytes an event. */
void device_work_collect(const struct graph *graph, struct arena *arena,
                         struct devices_work *devices);

/* Finds the times of each device; all memory is the arena's: 16 bytes a span. */
void device_work_time(const struct graph *graph, struct arena *arena,
                      struct devices_work *devices);

/* Whether a file has a host beside its devices: something on a thread takes time. */
bool timeline_has_host(const struct timeline *timeline);

/* Whether a file has no work but communication, and no host, as what recorders of collectives write: what ran
 * beside it is not recorded. */
bool has_only_collectives(const struct graph *graph, const struct devices_work *devices);

/* Whether an event of a stream is device work. */
bool is_device_work(const struct graph *graph, event_id event);

/* The lengths of those sets, in ns, and of what each hides: compute first, then communication. */
struct device_shares {
    int64_t compute, communication, memory;
    int64_t exposed_communication; /* communication − compute */
    int64_t exposed_memory;        /* copies − compute − communication */
    int64_t busy;                  /* of all together */
};

/* The part of `times` between two times. `out` must be empty; the caller frees it. */
void device_times_clip(const struct device_times *times, int64_t start, int64_t end,
                       struct device_times *out);

void device_times_measure(const struct device_times *times, struct device_shares *shares);

void device_times_free(struct device_times *times);

/* How the copies of a device went: sums over copies, not unions. */
enum { SMALL_COPY = 64000 /* bytes: fewer cannot fill a link */ };

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
