/* SPDX-License-Identifier: Apache-2.0 */
/* launches.h — from the host to the device: how long work waits, how much waits, how fast copies
 * are */
#ifndef PTK_ANALYSIS_SUMMARY_LAUNCHES_H
#define PTK_ANALYSIS_SUMMARY_LAUNCHES_H

#include "analysis/summary/items.h"

/* Work launched by calls of one name. A delay is from the end of the call to the start of the
 * work, and 0 when that began before the call was over. */
struct launch_row {
    struct span name;               /* of the call */
    int64_t calls, works;           /* a call may launch many pieces of device work: a graph does */
    int64_t call_time, work_time;   /* ns */
    int64_t delay_total, delay_max; /* ns */
    int64_t shorter_than_call;      /* pieces of work that take less time than their call */
    int64_t slow_calls, late_starts; /* calls above 50 us; delays above 100 us */
};

struct launch_rows {
    struct launch_row *rows; /* in the arena; the most work first */
    uint32_t count;
};

void summary_launches(const struct host_tree *tree, struct arena *arena,
                      struct launch_rows *launches);

/* What waits on a stream: launched, and not begun. */
struct queue_row {
    struct span device, stream;
    int64_t launches;
    int64_t longest;
    double mean;       /* by time, from the first launch to the last start */
    int64_t full_time; /* ns with 1024 or more: the host cannot launch more then */
};

struct queue_rows {
    struct queue_row *rows; /* in the arena; streams with launches */
    uint32_t count;
};

void summary_queues(const struct host_tree *tree, struct arena *arena, struct queue_rows *queues);

/* Copies and fills of one name whose size is known. */
struct copy_row {
    struct span name;
    int64_t calls, time;   /* ns */
    int64_t bytes;         /* of those whose size the file has; UNKNOWN where it has none */
    int64_t sized_time;    /* ns, of the same */
    double rate, max_rate; /* bytes a second: bytes / sized_time, and the fastest one's; NAN */
};

struct copy_rows {
    struct copy_row *rows; /* in the arena; the most time first */
    uint32_t count;
};

void summary_copies(const struct host_tree *tree, struct arena *arena, struct copy_rows *copies);

#endif
