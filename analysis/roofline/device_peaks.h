/* SPDX-License-Identifier: Apache-2.0 */
/* device_peaks.h — what a device can do at most, from what the profile says of its parts
 *
 *     FLOP a second = multiprocessors · lanes · 2 · clock       (a fused multiply-add is two FLOP)
 *     bytes a second = transfers a second · bus width / 8
 *
 * Lanes follow from the compute capability (NVIDIA's programming guide, table of throughputs). */
#ifndef PTK_ANALYSIS_ROOFLINE_DEVICE_PEAKS_H
#define PTK_ANALYSIS_ROOFLINE_DEVICE_PEAKS_H

#include "analysis/roofline/gpus.h"
#include "graph/model/graph.h"

struct device_peaks {
    double flops[PRECISION_COUNT]; /* a second; 0: not known */
    double memory;                 /* bytes a second; 0: not known */
};

/* The row of the device's name; else of what its capability, multiprocessors and memory are only
 * known of ("AMD Radeon Graphics", "NVIDIA H100" of several sorts). NULL: not known. */
const struct gpu *device_gpu(const struct device *device, struct span name, bool *is_by_parts);

/* `clock` in Hz replaces the file's; 0: the file's. False when nothing follows. */
bool device_peaks_find(const struct device *device, double clock, struct device_peaks *peaks);

#endif
