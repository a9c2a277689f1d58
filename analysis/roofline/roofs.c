/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/roofline/roofline.h"

#include <math.h>
#include <stddef.h>

const double ROOF_BUSY = 0.6;

double roof_ridge(const struct roof *roof)
{
    return roof->flops > 0 && roof->bytes > 0 ? roof->flops / roof->bytes : 0;
}

double roof_efficiency(double compute, double memory)
{
    return fmax(compute, memory); /* of a number and a NaN, the number */
}

enum bound roof_bound(double compute, double memory)
{
    if (memory >= ROOF_BUSY && !(compute >= memory))
        return BOUND_MEMORY;
    if (compute >= ROOF_BUSY)
        return BOUND_COMPUTE;
    return isnan(compute) || isnan(memory) ? BOUND_UNKNOWN : BOUND_LATENCY;
}

const char *bound_name(enum bound bound)
{
    static const char *const names[] = {NULL, "memory", "compute", "latency", "link", "L2", "L1"};

    return names[bound];
}
