/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/execution/amdahl.h"

#include <math.h>

double speedup_overall(double share, double factor)
{
    double left = 1 - share + share / factor;

    return left > 0 ? 1 / left : INFINITY;
}

double speedup_limit(double share)
{
    return speedup_overall(share, INFINITY);
}

double speedup_needed(double share, double target)
{
    double left = 1 / target - (1 - share);

    if (target <= 1)
        return 1;
    return left > 0 ? share / left : INFINITY;
}

double speedup_scaled(double share, double workers)
{
    return 1 - share + share * workers;
}

double speedup_serial_share(double measured, double workers)
{
    return (1 / measured - 1 / workers) / (1 - 1 / workers);
}

double speedup_share_error(double share, int64_t samples)
{
    double variance = share * (1 - share);

    return samples > 0 && variance > 0 ? sqrt(variance / (double)samples) : 0;
}
