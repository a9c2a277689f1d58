/* SPDX-License-Identifier: Apache-2.0 */
/* measured_ceilings.h — what rocprof-compute measured that a device can do: roofline.csv */
#ifndef PTK_PARSERS_CSV_MEASURED_CEILINGS_H
#define PTK_PARSERS_CSV_MEASURED_CEILINGS_H

#include <stdbool.h>

#include "base/memory/memory.h"
#include "graph/classify/kernel_class.h"

/* FLOP and bytes a second; 0 where it was not measured. Of the vector units and of the matrix units
 * the faster counts, because counters add up the work of both. */
struct measured_ceilings {
    double flops[PRECISION_COUNT];
    double memory, l2, l1;
};

/* Reads roofline.csv beside a profile that is pmc_perf.csv. Of several devices the first, which are
 * of one kind. False where there is none, or none that can be read. */
bool measured_ceilings_beside(const char *profile, struct measured_ceilings *measured);

#endif
