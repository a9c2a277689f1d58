/* SPDX-License-Identifier: Apache-2.0 */
/* roofline_sum.h — what the rows of a roofline add up, launch by launch */
#ifndef PTK_ANALYSIS_ROOFLINE_ROOFLINE_SUM_H
#define PTK_ANALYSIS_ROOFLINE_ROOFLINE_SUM_H

#include "analysis/roofline/roofline.h"

/* The work of a launch, or of several. */
struct effort {
    double flops[PRECISION_COUNT + 1]; /* NaN in the last: only the bytes are known */
    double bytes;                      /* NaN: not known */
    double traffic; /* those that pass the roof, which a copy within the device does twice */
    double roof;    /* bytes a second; 0: not known */
    double cache_bytes[CACHE_COUNT];    /* NaN: not known */
    double compute_share, memory_share; /* of the peaks, of WORK_SHARES */
    bool is_over_link;
    enum work_source source;
    enum precision_source precision_source;
};

/* A row before its rates are known. Ready for use when zeroed. */
struct roofline_sum {
    double flops, bytes;
    double compute_ns, memory_ns; /* at the roofs; NaN when one is not known */
    double reachable_ns;          /* compute_ns, at what the best products reach */
    double flops_in[PRECISION_COUNT + 1];
    double cache_bytes[CACHE_COUNT];
    double cache_ns[CACHE_COUNT]; /* at the caches' roofs; likewise */
    bool is_over_link;
    bool lacks_peak; /* FLOPs in a precision that has none, of a device whose others are known */
    struct roofline_row row;
};

/* No caches were looked at. */
void effort_without_caches(struct effort *effort);

/* Replaces what the user has given, for so many calls. */
void effort_take_given(struct effort *effort, const struct roofline_options *options,
                       frame_id frame, int64_t calls);

/* So many calls that took `time` ns together. */
void roofline_sum_add(struct roofline_sum *sum, const struct ceilings *ceilings, int64_t calls,
                      int64_t time, const struct effort *effort);

/* Counts a kernel's time as known work, where its FLOPs are known, or only as time. */
void roofline_cover(struct roofline *roofline, int64_t time, const struct effort *effort);

/* Makes rows of sums, one a frame, that had any calls; the most that could be saved first. */
void roofline_rank(struct roofline_sum *sums, uint32_t count, uint32_t limit, struct arena *arena,
                   struct roofline *roofline);

#endif
