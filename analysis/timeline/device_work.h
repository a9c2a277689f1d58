/* SPDX-License-Identifier: Apache-2.0 */
/* device_work.h — what each device did, in the order in which it began
 *
 * Device work is what a stream holds that keeps the device busy: kernels, copies, fills and
 * collectives. Rows about waiting, and ranges that the host named, are not. */
#ifndef PTK_ANALYSIS_TIMELINE_DEVICE_WORK_H
#define PTK_ANALYSIS_TIMELINE_DEVICE_WORK_H

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

#endif
