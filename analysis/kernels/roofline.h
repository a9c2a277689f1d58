/* SPDX-License-Identifier: Apache-2.0 */
/* roofline.h — what kernels attain of what their device can do, and what tells it */
#ifndef PTK_ANALYSIS_KERNELS_ROOFLINE_H
#define PTK_ANALYSIS_KERNELS_ROOFLINE_H

#include <stdint.h>

#include "base/memory/memory.h"
#include "base/memory/span.h"
#include "graph/classify/kernel_class.h"
#include "graph/model/graph.h"

/* ---- what GPUs can do at most, by the names that profiles have for them ----
 *
 * The table is analysis/kernels/gpus.txt, which says where each row is from. */

struct gpu {
    const char *pattern;
    double flops[PRECISION_COUNT]; /* a second, dense; 0: none, or not known */
    double memory, link;           /* bytes a second; the link's one way */
    double last_cache;             /* bytes of the cache before memory; 0: not known */
    int units;                     /* multiprocessors, compute units */
    const char *source;            /* letters that gpus.txt explains */
};

extern const struct gpu gpus[]; /* ends with a pattern of NULL */

extern const char *const precision_names[]; /* "fp64" …; ends with NULL */

/* The row with the longest pattern that the name contains, in any case; NULL when none does, and
 * for parts of a GPU (MIG) and laptops' slower ones. */
const struct gpu *gpu_named(struct span name);

/* What share of the peak in 16 bits the best products of matrices were measured to reach
 * (ml-engineering's MAMF); 0: not known. */
double gpu_achievable(const struct gpu *gpu);

/* Bytes a second, one way, that it reaches to the other GPUs of a host, over NVLink or Infinity Fabric; 0: not known. */
double gpu_peer_link(const struct gpu *gpu);

/* The rows whose pattern contains the text, in any case: the first `limit` of them. */
uint32_t gpus_like(struct span text, const struct gpu **found, uint32_t limit);

/* ---- the roofline model: how close work comes to what the hardware can do ----
 *
 * Williams, Waterman, Patterson 2009. W FLOP and Q bytes in t seconds attain P = W/t and B = Q/t.
 * At the intensity W/Q the hardware allows min(P_peak, W/Q · B_peak), and so in every case
 *
 *     efficiency = P / attainable = max(P/P_peak, B/B_peak)
 *
 * which also holds for work without FLOPs (copies) and for work whose bytes are not known. */

/* 0: not known. */
struct roof {
    double flops; /* a second */
    double bytes; /* a second */
};

enum bound {
    BOUND_UNKNOWN, /* nothing to compare with */
    BOUND_MEMORY, /* busy with the bandwidth (60 % or more), and nearer to it than to the compute peak */
    BOUND_COMPUTE, /* busy with the compute peak */
    BOUND_LATENCY, /* busy with neither: neither holds it up */
    BOUND_LINK,    /* a copy between host and device, busy with what lies between them */
    BOUND_L2, /* like BOUND_MEMORY, of a cache that is nearer to its bandwidth than memory is */
    BOUND_L1,
};

#define ROOF_BUSY 0.6 /* as NVIDIA's tools have it */

struct roof_limits {
    double busy;       /* the share of a roof from which on it is what limits work */
    double small_copy; /* bytes: copies below them cannot fill a link */
};

extern const struct roof_limits roof_limits_default;

/* FLOP a byte where the two roofs meet; 0 when one is not known. */
double roof_ridge(const struct roof *roof);

/* `compute` and `memory`: the shares of the peaks that are attained, NaN when not known. */
double roof_efficiency(double compute, double memory);

/* Without one of the two nothing is said of latency: the other may be what holds it up. */
enum bound roof_bound(double compute, double memory, double busy);

/* "memory", "compute", "latency", "link", "L2", "L1"; NULL for BOUND_UNKNOWN. */
const char *bound_name(enum bound bound);

/* ---- how close is each kernel to what the hardware can do? ----
 *
 * Work is counted (PROP_FLOP, PROP_DRAM_BYTES on the kernel), else follows from the shapes of the
 * operator that launched the kernel (analysis/kernels/work.h), which its kernels share by their time.
 * A copy's work is its bytes. What the user says counts before all. */

enum work_source {
    WORK_NONE,
    WORK_COUNTERS,
    WORK_SHAPES,
    WORK_COPIES,
    WORK_GIVEN,
    WORK_INFERRED, /* from the shapes of the same operator in another step */
    WORK_SHARES, /* none is known: the profiler itself says what share of the peaks was attained */
};

/* So caches may hold some of the bytes. */
static inline bool work_is_from_shapes(enum work_source source)
{
    return source == WORK_SHAPES || source == WORK_INFERRED;
}

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
    int64_t flops, bytes;             /* of those; UNKNOWN when not known for all of them; of a
                                       * bracket the high end, as far as the roofs allow it, */
    int64_t flops_low, bytes_low;     /* and the low one */
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
    double efficiency_low;               /* at the low end of a bracket; else the same */
    double headroom;                     /* ns that could be saved at the roof; 0 when not known */
    enum bound bound;
};

struct roofline {
    struct roofline_row *rows; /* the most that could be saved first, then those past a roof, which
                                * cannot be right; in the arena */
    uint32_t count, left_out;
    int64_t kernel_time, explained; /* ns of kernels, and of those whose work is known, */
    int64_t least;                  /* or of these what they need at least alone */
    struct roof_limits limits;      /* that the rows' bounds go by */
    uint32_t above;                 /* rows past a roof */
    uint32_t above_left_out;        /* of those that are left out */
};

struct roofline_options {
    struct ceilings ceilings;
    const struct roof_limits *limits; /* NULL: the default ones */
    const struct given_work *given;   /* by frame; NULL: nothing is given */
    const frame_id *rows;             /* by frame, which it is a part of; NULL: each is its own */
    bool by_operator;
    uint32_t limit; /* 0: all */
};

/* What the pass wants of a parser, as builder_options.properties. */
uint64_t roofline_properties(void);

/* From what counters say alone, where they tell times, too. */
void roofline_compute_counted(const struct graph *graph, const struct roofline_options *options,
                              struct arena *arena, struct roofline *roofline);

struct kernel_owners;

void roofline_compute(const struct kernel_owners *owners, const struct roofline_options *options,
                      struct arena *arena, struct roofline *roofline);

/* How far a kernel or copy is from its roof, over all of its launches. */
struct roof_distance {
    double efficiency; /* of those whose work is known; 0: of none */
    double factor;     /* by which all get faster when those reach the roof */
};

/* By frame; in the arena. Needs LEVEL_TIMELINE, with launches. */
struct roof_distance *roofline_distances(const struct graph *graph, const struct ceilings *ceilings,
                                         struct arena *arena);

/* ---- what the rows of a roofline add up, launch by launch ---- */

/* The work of a launch, or of several. */
struct effort {
    double flops[PRECISION_COUNT + 1]; /* NaN in the last: only the bytes are known */
    double bytes;                      /* NaN: not known */
    double traffic; /* those that pass the roof, which a copy within the device does twice */
    double roof;    /* bytes a second; 0: not known */
    double cache_bytes[CACHE_COUNT];    /* NaN: not known */
    double compute_share, memory_share; /* of the peaks, of WORK_SHARES */
    bool is_over_link;
    bool has_low;               /* flops and bytes are the high end of a bracket, */
    bool is_least;              /* or the low end alone is known, and they are NaN */
    double flops_low, bytes_low;
    enum work_source source;
    enum precision_source precision_source;
};

/* A row before its rates are known. Ready for use when zeroed. */
struct roofline_sum {
    double flops, bytes;
    double compute_ns, memory_ns; /* at the roofs; NaN when one is not known */
    double reachable_ns;          /* compute_ns, at what the best products reach */
    double flops_low, bytes_low;  /* the low end of brackets, */
    double compute_low_ns, memory_low_ns; /* and that at the roofs */
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
void roofline_rank(struct roofline_sum *sums, uint32_t count,
                   const struct roofline_options *options, struct arena *arena,
                   struct roofline *roofline);

/* ---- what a device can do at most, from what the profile says of its parts ----
 *
 *     FLOP a second = multiprocessors · lanes · 2 · clock       (a fused multiply-add is two FLOP)
 *     bytes a second = transfers a second · bus width / 8
 *
 * Lanes follow from the compute capability (NVIDIA's programming guide, table of throughputs). */

struct device_peaks {
    double flops[PRECISION_COUNT]; /* a second; 0: not known */
    double memory;                 /* bytes a second; 0: not known */
};

/* The row of the device's name; else of what its capability, multiprocessors and memory are only
 * known of ("AMD Radeon Graphics", "NVIDIA H100" of several sorts). NULL: not known. */
const struct gpu *device_gpu(const struct device *device, struct span name, bool *is_by_parts);

/* `clock` in Hz replaces the file's; 0: the file's. False when nothing follows. */
bool device_peaks_find(const struct device *device, double clock, struct device_peaks *peaks);

/* ---- how a kernel's blocks fill the device that it runs on ---- */

/* NULL: the file does not say what it is. */
const struct device *device_of_ordinal(const struct graph *graph, int32_t ordinal);

/* Blocks of the grid / blocks that the device can hold at once: more than 1 run in waves. Blocks
 * are limited by threads, registers and shared memory of a multiprocessor, as far as those are
 * known; 0 where the grid or the device's multiprocessors and threads are not. Needs PROP_GRID,
 * PROP_BLOCK, PROP_REGISTERS and PROP_SHARED_MEMORY; `near`: the graph's. */
double launch_waves(const struct graph *graph, struct property_cursors *near, int32_t device,
                    event_id kernel);

/* What keeps more blocks from being on a multiprocessor at once. */
enum block_limit {
    LIMITED_BY_THREADS,
    LIMITED_BY_REGISTERS,
    LIMITED_BY_SHARED_MEMORY,
    LIMIT_NOT_KNOWN, /* the file has the share alone */
};

struct occupancy {
    double blocks, threads;           /* resident blocks, and threads of one */
    double share;                     /* of the threads that a multiprocessor can hold */
    int64_t registers, shared_memory; /* of a thread, bytes of a block */
    enum block_limit limit;
};

/* Of a launch whose registers and device are known, else as the file has it (PROP_OCCUPANCY, where small
 * grids count, too). False where the file says too little of either. Registers go to warps in
 * multiples of 256, and a block's shared memory has 1 KiB for the system (NVIDIA, the latter since
 * capability 8). */
bool launch_occupancy(const struct graph *graph, int32_t device, event_id kernel,
                      struct occupancy *occupancy);

/* NVIDIA's from Volta on; false where the file does not say what the device can do, and of AMD's, the names
 * of whose kernels do not tell what they use. */
bool device_has_tensor_cores(const struct graph *graph, int32_t ordinal);

/* ---- the kernels of a timeline get what counters saw of them in another run ----
 *
 * Counting slows a program down, so times and counters come from different runs of it. Launches are
 * one when their kernel, their grid and block (where both files have them) and their place among
 * such launches are; sums over all launches of a kernel are shared out evenly. */

struct counters_join {
    uint32_t launches, matched; /* kernels on the timeline, and those that were counted */
    uint32_t kernels, absent;   /* counted kernels, and those that the timeline has none of */
    bool by_short_names;        /* without template arguments and parameters */
    uint32_t uneven;            /* kernels that the two runs launched differently often */
};

/* Adds to `timeline` (LEVEL_TIMELINE) properties of events; `counted` may be the same graph. */
void counters_join(struct graph *timeline, const struct graph *counted, struct counters_join *join);

/* The same for a table of times (LEVEL_FLAT): takes over what was counted, each kernel with the
 * mean time that the table has for it, and as often as it was counted. */
void counters_take(struct graph *table, const struct graph *counted, struct counters_join *join);

#endif
