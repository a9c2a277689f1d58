/* SPDX-License-Identifier: Apache-2.0 */
/* roofs.h — the roofline model: how close work comes to what the hardware can do
 *
 * Williams, Waterman, Patterson 2009. W FLOP and Q bytes in t seconds attain P = W/t and B = Q/t.
 * At the intensity W/Q the hardware allows min(P_peak, W/Q · B_peak), and so in every case
 *
 *     efficiency = P / attainable = max(P/P_peak, B/B_peak)
 *
 * which also holds for work without FLOPs (copies) and for work whose bytes are not known. */
#ifndef PTK_ANALYSIS_ROOFLINE_ROOFS_H
#define PTK_ANALYSIS_ROOFLINE_ROOFS_H

/* 0: not known. */
struct roof {
    double flops; /* a second */
    double bytes; /* a second */
};

enum bound {
    BOUND_UNKNOWN, /* nothing to compare with */
    BOUND_MEMORY,  /* at 60 % or more of the bandwidth, and nearer to it than to the compute peak */
    BOUND_COMPUTE, /* at 60 % or more of the compute peak */
    BOUND_LATENCY, /* below 60 % of both: neither holds it up */
    BOUND_LINK,    /* a copy between host and device, at 60 % or more of what lies between them */
    BOUND_L2, /* like BOUND_MEMORY, of a cache that is nearer to its bandwidth than memory is */
    BOUND_L1,
};

extern const double ROOF_BUSY; /* 0.6, as NVIDIA's tools have it */

/* FLOP a byte where the two roofs meet; 0 when one is not known. */
double roof_ridge(const struct roof *roof);

/* `compute` and `memory`: the shares of the peaks that are attained, NaN when not known. */
double roof_efficiency(double compute, double memory);

/* Without one of the two nothing is said of latency: the other may be what holds it up. */
enum bound roof_bound(double compute, double memory);

/* "memory", "compute", "latency", "link", "L2", "L1"; NULL for BOUND_UNKNOWN. */
const char *bound_name(enum bound bound);

#endif
