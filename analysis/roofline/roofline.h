/* SPDX-License-Identifier: Apache-2.0 */
/* roofline.h — how close is each kernel to what the hardware can do?
 *
 * Work is counted (PROP_FLOP, PROP_DRAM_BYTES on the kernel), else follows from the shapes of the
 * operator that launched the kernel (analysis/work/work.h), which its kernels share by
 * their time. A copy's work is its bytes. What the user says counts before all. See
 * analysis/roofline/roofs.h for the model. */
#ifndef PTK_ANALYSIS_ROOFLINE_ROOFLINE_H
#define PTK_ANALYSIS_ROOFLINE_ROOFLINE_H

#include "analysis/roofline/gpus.h"
#include "analysis/roofline/roofs.h"
#include "base/memory/arena.h"
#include "graph/model/graph.h"

enum work_source {
    WORK_NONE,
    WORK_COUNTERS,
    WORK_SHAPES,
    WORK_COPIES,
    WORK_GIVEN,
    WORK_SHARES, /* none is known: the profiler itself says what share of the peaks was attained */
};

/* Who says in which precision the work is done. */
enum precision_source {
    PRECISION_FROM_NOBODY, /* no FLOP, or several say several */
    PRECISION_FROM_COUNTERS,
    PRECISION_FROM_NAME, /* the kernel's */
    PRECISION_FROM_INPUTS,
    PRECISION_ASSUMED, /* single precision, or --precision */
};

/* What stands between the cores and memory. */
enum cache { CACHE_L2, CACHE_L1, CACHE_COUNT };

/* What the user says of one call of a kernel; NaN: nothing. */
struct given_work {
    double flops, bytes;
};

/* Bytes and FLOPs a second; 0: not known. */
struct ceilings {
    double flops[PRECISION_COUNT + 1]; /* by precision, also for the one not known */
    double memory, link;
    double cache[CACHE_COUNT];
    double achievable; /* share of the matrix units' peaks that the best products were measured to
                        * reach; 0: not known */
    double last_cache; /* bytes of the cache before memory; 0: not known */
    double units;      /* multiprocessors, compute units; 0: not known */
};

/* Kernels, copies or operators of one name. Rates are over `explained` alone. */
struct roofline_row {
    frame_id frame;
    int64_t calls, time;              /* ns */
    int64_t explained;                /* ns of those whose work is known */
    int64_t flops, bytes;             /* of those; UNKNOWN when not known for all of them */
    int64_t cache_bytes[CACHE_COUNT]; /* likewise, where counters saw them */
    enum work_source source;
    enum precision precision; /* in which most FLOP are done; PRECISION_UNKNOWN */
    enum precision_source precision_source;
    double intensity;                    /* NaN without bytes */
    double cache_intensity[CACHE_COUNT]; /* likewise */
    double achieved;                     /* FLOP a second; NaN when not known */
    double bandwidth;                    /* bytes a second; likewise */
    double attainable;                   /* FLOP a second; NaN when not known */
    double efficiency;                   /* NaN when there is no ceiling to compare with */
    double headroom;                     /* ns that could be saved at the roof; 0 when not known */
    enum bound bound;
};

struct roofline {
    struct roofline_row *rows; /* those past a roof, then the most that could be saved first; in
                                * the arena */
    uint32_t count, left_out;
    int64_t kernel_time, explained; /* ns of kernels, and of those whose work is known */
    uint32_t above;                 /* rows past a roof */
};

struct roofline_options {
    struct ceilings ceilings;
    const struct given_work *given; /* by frame; NULL: nothing is given */
    const frame_id *rows;           /* by frame, which it is a part of; NULL: each is its own */
    bool by_operator;
    uint32_t limit; /* 0: all */
};

/* What the pass wants of a parser, as builder_options.properties. */
uint64_t roofline_properties(void);

/* From what counters say alone, where they tell times, too. */
void roofline_compute_counted(const struct graph *graph, const struct roofline_options *options,
                              struct arena *arena, struct roofline *roofline);

/* Needs LEVEL_TIMELINE, with launches. */
void roofline_compute(const struct graph *graph, const struct roofline_options *options,
                      struct arena *arena, struct roofline *roofline);

/* How far a kernel or copy is from its roof, over all of its launches. */
struct roof_distance {
    double efficiency; /* of those whose work is known; 0: of none */
    double factor;     /* by which all get faster when those reach the roof */
};

/* By frame; in the arena. */
struct roof_distance *roofline_distances(const struct graph *graph, const struct ceilings *ceilings,
                                         struct arena *arena);

#endif
