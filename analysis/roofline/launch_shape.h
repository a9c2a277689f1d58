/* SPDX-License-Identifier: Apache-2.0 */
/* launch_shape.h — how a kernel's blocks fill the device that it runs on */
#ifndef PTK_ANALYSIS_ROOFLINE_LAUNCH_SHAPE_H
#define PTK_ANALYSIS_ROOFLINE_LAUNCH_SHAPE_H

#include "graph/model/graph.h"

/* Blocks of the grid / blocks that the device can hold at once: more than 1 run in waves. Blocks
 * are limited by threads, registers and shared memory of a multiprocessor, as far as those are
 * known; 0 where the grid or the device's multiprocessors and threads are not. Needs PROP_GRID,
 * PROP_BLOCK, PROP_REGISTERS and PROP_SHARED_MEMORY. */
double launch_waves(const struct graph *graph, int32_t device, event_id kernel);

/* What keeps more blocks from being on a multiprocessor at once. */
enum block_limit { LIMITED_BY_THREADS, LIMITED_BY_REGISTERS, LIMITED_BY_SHARED_MEMORY };

struct occupancy {
    double blocks, threads;           /* resident blocks, and threads of one */
    double share;                     /* of the threads that a multiprocessor can hold */
    int64_t registers, shared_memory; /* of a thread, bytes of a block */
    enum block_limit limit;
};

/* False where the file says too little of the launch or its device. Registers go to warps in
 * multiples of 256, and a block's shared memory has 1 KiB for the system (NVIDIA, the latter since
 * capability 8). */
bool launch_occupancy(const struct graph *graph, int32_t device, event_id kernel,
                      struct occupancy *occupancy);

#endif
