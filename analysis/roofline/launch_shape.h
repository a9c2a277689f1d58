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

#endif
