/* SPDX-License-Identifier: Apache-2.0 */
/* device_use.h — how well steps use the device: what their time went to, how full the device was
 *
 * The definitions are those of PyTorch's TensorBoard plugin, torch-tb-profiler. */
#ifndef PTK_ANALYSIS_SUMMARY_DEVICE_USE_H
#define PTK_ANALYSIS_SUMMARY_DEVICE_USE_H

#include "analysis/summary/host_tree.h"

/* ---- steps ---- */

/* Time is given to the first of these that is going on. */
enum step_part {
    PART_KERNEL, /* that do not communicate */
    PART_MEMCPY,
    PART_MEMSET,
    PART_COMMUNICATION, /* on the device or the host */
    PART_RUNTIME,
    PART_DATALOADER,
    PART_OPERATOR, /* and named ranges */
    PART_OTHER,
    PART_COUNT
};

/* A step lasts until the last device work that it launched has ended, and begins when the one
 * before it has. */
struct step_time {
    struct span name;
    struct interval span;
    int64_t parts[PART_COUNT]; /* ns */
};

struct step_times {
    struct step_time *rows; /* in the arena; one for the whole timeline when it has no steps */
    uint32_t count;
};

void summary_step_times(const struct host_tree *tree, struct arena *arena,
                        struct step_times *steps);

/* ---- devices ---- */

struct device_use {
    int32_t device;
    int64_t span;         /* ns, from the first step's begin to the last one's end */
    int64_t busy;         /* ns of it in which a kernel runs */
    double utilization;   /* busy / span */
    double sm_efficiency; /* part of the SMs that have a block, over the span; NaN: not known */
    double occupancy;     /* of kernels by their time; NaN: not known */
    double tensor_share; /* time of kernels that use tensor cores / of all; NaN: none is known to */
    int64_t kernels;
};

struct device_uses {
    struct device_use *rows; /* in the arena */
    uint32_t count;
};

/* SM efficiency and occupancy are estimates: from the launch shapes that the producer wrote. */
void summary_device_use(const struct host_tree *tree, struct arena *arena,
                        struct device_uses *uses);

#endif
