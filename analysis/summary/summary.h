/* SPDX-License-Identifier: Apache-2.0 */
/* summary.h — the tables of a trace: devices, operators, kernels, memory, steps */
#ifndef PTK_ANALYSIS_SUMMARY_SUMMARY_H
#define PTK_ANALYSIS_SUMMARY_SUMMARY_H

#include "analysis/summary/host_tree.h"
#include "analysis/timeline/inventory.h"
#include "graph/classify/kernel_class.h"
#include "graph/model/property.h"

/* ---- how well steps use the device: what their time went to, how full the device was ---- */

/* The definitions are those of PyTorch's TensorBoard plugin, torch-tb-profiler. */

/* ---- steps ---- */

/* Time is given to the first of these that is going on. */
enum step_part {
    PART_KERNEL, /* that do not communicate */
    PART_MEMCPY,
    PART_MEMSET,
    PART_COMMUNICATION, /* on the device or the host */
    PART_RUNTIME,
    PART_DATALOADER,
    PART_OPERATOR, /* and named ranges */
    PART_OTHER,
    PART_COUNT
};

/* A step lasts until the last device work that it launched has ended, and begins when the one
 * before it has. */
struct step_time {
    struct span name;
    struct interval span;
    int64_t parts[PART_COUNT]; /* ns */
    struct span stage;         /* of a step of serving; empty: it is none */
    int64_t requests, tokens;  /* likewise; UNKNOWN */
    int64_t busy;              /* ns of device work that it launched, likewise */
};

struct step_times {
    struct step_time *rows; /* in the arena; one for the whole timeline when it has no steps */
    uint32_t count;
};

void summary_step_times(const struct host_tree *tree, struct arena *arena,
                        struct step_times *steps);

/* The same but for the parts, which stay 0. */
void summary_step_spans(const struct host_tree *tree, struct arena *arena,
                        struct step_times *steps);

/* ---- devices ---- */

struct device_use {
    int32_t device;
    int64_t span;         /* ns, from the first step's begin to the last one's end */
    int64_t busy;         /* ns of it in which a kernel runs */
    double utilization;   /* busy / span */
    double sm_efficiency; /* part of the SMs that have a block, over the span; NaN: not known */
    double occupancy;     /* of kernels by their time; NaN: not known */
    double tensor_share; /* time of kernels that use tensor cores / of all; NaN: none is known to */
    int64_t kernels;
};

struct device_uses {
    struct device_use *rows; /* in the arena */
    uint32_t count;
};

/* SM efficiency and occupancy are estimates: from the launch shapes that the producer wrote. */
void summary_device_use(const struct host_tree *tree, struct arena *arena,
                        struct device_uses *uses);

/* ---- memory in use over time, where allocators tell ---- */

/* How much memory was in use on a place after each change. */
struct memory_point {
    struct span place;
    int64_t time;                /* ns since the first event that takes time */
    int64_t allocated, reserved; /* bytes, or UNKNOWN */
};

struct memory_curve {
    struct memory_point *rows; /* in the arena; by time */
    uint32_t count;
};

/* `peaks_only`: of each place the point of most allocated memory, with the most reserved, which may
 * have been at another time. */
void summary_memory_curve(const struct host_tree *tree, bool peaks_only, struct arena *arena,
                          struct memory_curve *curve);

/* ---- kernels by launch shape and operators by input shape ---- */

/* Kernels of one name that one operator launched with one grid, block, and use of registers and
 * shared memory; the costliest first. */
struct kernel_shape {
    struct span name, operator_name;  /* no text: no operator is known */
    int64_t grid, block;              /* packed: property_unpack3(); or UNKNOWN */
    int64_t registers, shared_memory; /* of a thread; bytes of a block; or UNKNOWN */
    int64_t calls;
    struct spread time;
    double share;           /* of all kernels */
    double blocks_per_sm;   /* mean by time; NaN: not known */
    double occupancy;       /* likewise, 1 is all */
    bool uses_tensor_cores; /* by its name */
};

struct kernel_shapes {
    struct kernel_shape *rows; /* in the arena */
    uint32_t kept, count;      /* rows, and what there are */
};

/* `limit`: so many rows are kept; 0: all. */
void summary_kernel_shapes(const struct host_tree *tree, uint32_t limit, struct arena *arena,
                           struct kernel_shapes *shapes);

/* Operators of one name with inputs of one shape; the costliest on the device first, then on the
 * host. */
struct operator_shape {
    struct span name, shapes; /* no text: the file has no shapes */
    int64_t calls;
    int64_t host, host_self;     /* ns; self is without the host events inside */
    int64_t device, device_self; /* ns; self is what no operator inside launched */
};

struct operator_shapes {
    struct operator_shape *rows; /* in the arena */
    uint32_t kept, count;
};

void summary_operator_shapes(const struct host_tree *tree, uint32_t limit, struct arena *arena,
                             struct operator_shapes *shapes);

/* ---- the tables of Paddle's profiler, for every timeline ---- */

/* Figures follow Paddle's profiler_statistic.py; where that is wrong they are right, unless the
 * tree was made with is_paddle_compat: then they are Paddle's. What differs is stated at each
 * table. */

/* All results live in the arena given. Shares are 0 when there is nothing to be a share of. */

/* ---- Device: how busy ---- */

struct summary_device {
    int32_t device;
    int64_t busy; /* ns, union of its kernels */
    double share; /* of the time of all steps; above 1 when work outlasts them */
};

struct summary_devices {
    double process_cpu, system_cpu; /* 1 is one core, or all; NaN when the file does not say */
    struct summary_device *rows;
    uint32_t count;
};

void summary_devices(const struct host_tree *tree, struct arena *arena,
                     struct summary_devices *devices);

/* ---- Overview: by type of event ---- */

struct summary_type {
    struct span name;
    int64_t calls;
    int64_t time; /* ns, union over threads and devices */
    double share; /* of the time of all steps */
    bool is_device;
};

/* Host types by time, then device types as they are first seen. In Paddle's way of counting,
 * communications that begin and end together are one. */
struct summary_overview {
    struct summary_type *rows;
    uint32_t count, host_count;
};

struct summary_model;
struct summary_distribution;

/* Phases are as in the model's table, and communications as in the distribution's. */
void summary_overview(const struct host_tree *tree, const struct summary_model *model,
                      const struct summary_distribution *distribution, struct arena *arena,
                      struct summary_overview *overview);

/* ---- Model: the parts of a step ---- */

struct summary_phase {
    enum event_role role;     /* ROLE_NONE: what is in none of the parts */
    struct summary_item item; /* gpu: kernels only */
    double cpu_share;         /* of the time of all steps */
    double gpu_share;         /* of the kernel time of all steps */
};

/* A phase inside another counts to the outer one. `Others` is the part of the steps in which no
 * phase runs on any thread, and the kernels that steps launch outside of phases; Paddle takes
 * differences of sums, which can be negative. */
struct summary_model {
    struct summary_phase rows[6];
    uint32_t count; /* 0 when the timeline has no two of them */
};

void summary_model(const struct host_tree *tree, struct summary_model *model);

/* ---- Distribution: communication beside computation ---- */

struct summary_distribution {
    bool has_communication;
    int64_t calls;                               /* communications on the host */
    int64_t gpu_calls;                           /* kernels that communicate */
    int64_t host_time;                           /* ns, union of communications on the host */
    int64_t gpu_time;                            /* ns, union of the kernels that communicate */
    int64_t total_time;                          /* of all steps */
    int64_t communication, computation, overlap; /* ns, unions */
};

void summary_distribution(const struct host_tree *tree, struct summary_distribution *distribution);

/* ---- Operators ---- */

enum operator_level { OPERATOR_ITSELF, OPERATOR_INNER, OPERATOR_INNER_WORK, OPERATOR_WORK };

struct summary_operator {
    enum operator_level level;   /* a row belongs to the last row of a lower level above it */
    uint32_t thread;             /* index into `threads` */
    struct summary_item item;    /* of work on the device: gpu only */
    double cpu_share, gpu_share; /* an operator's of all, what is inside it of that */
};

struct summary_operators {
    struct summary_operator *rows;
    uint32_t count;
    int64_t *threads; /* their numbers, as in the file */
    uint32_t thread_count;
    bool is_by_thread;     /* or all threads are one */
    bool has_paddle_flops; /* by Paddle's formulas: its tables print 0 for what they do not tell */
};

struct summary_options {
    uint32_t views, asked_for; /* sets of summary_view_bit(): what is shown; of that, by its name */
    enum summary_sort sort;
    bool is_paddle_compat; /* Paddle's own figures where they differ */
    bool is_by_thread;
    bool has_no_detail;            /* operators only, nothing of what is inside them */
    uint32_t limit;                /* rows of tables by shape: the costliest; 0: all */
    const frame_id *kernel_groups; /* by frame, what its kernels are a row of; NULL: their names */
};

/* Operators by name. One inside another counts in both rows. */
void summary_operators(const struct host_tree *tree, const struct summary_options *options,
                       struct arena *arena, struct summary_operators *operators);

/* ---- rows by name ---- */

struct summary_named {
    struct summary_item item;
    double cpu_share, gpu_share;
    uint32_t thread;
};

struct summary_list {
    struct summary_named *rows;
    uint32_t count;
    int64_t *threads;
    uint32_t thread_count;
    bool is_by_thread;
};

/* Kernels: shares are of the time of all kernels. */
void summary_kernels(const struct host_tree *tree, const struct summary_options *options,
                     struct arena *arena, struct summary_list *kernels);

/* Ranges that copy or set memory by their name; all others that the user named. Shares are of all
 * steps: their time, and the device work that they launch. */
void summary_manipulations(const struct host_tree *tree, struct arena *arena,
                           struct summary_list *list);
void summary_user_defined(const struct host_tree *tree, const struct summary_options *options,
                          struct arena *arena, struct summary_list *list);

/* ---- Memory: who allocates ---- */

struct summary_allocation {
    struct span name; /* of the operator or range around it */
    bool is_reserved; /* from the device; otherwise from the framework's allocator */
    int64_t allocations, frees;
    int64_t allocated, freed; /* bytes, both positive */
};

struct summary_place {
    struct span name;                      /* "Place(gpu:0)" */
    int64_t peak_allocated, peak_reserved; /* bytes, or UNKNOWN */
    uint32_t first, count;                 /* its rows */
};

struct summary_memory {
    struct summary_place *places;
    uint32_t place_count;
    struct summary_allocation *rows; /* what is not reserved first; by what is left, most first */
    uint32_t count;
};

void summary_memory(const struct host_tree *tree, struct arena *arena,
                    struct summary_memory *memory);

/* ---- Benchmark: how fast are batches ---- */

struct summary_rate {
    double average, max, min;
};

/* Every step of the trace is a batch: from its start to the next one's, the last to its own end.
 * Paddle leaves out the first ten, divides the batches' time by one too few, and never updates
 * the least when the most changes (so it can be infinite). */
struct summary_benchmark {
    int64_t steps; /* that are counted; 0: there is nothing to say */
    bool has_reader;
    struct summary_rate reader, batch; /* seconds */
    struct summary_rate ips;           /* steps a second */
    double reader_share;               /* of the batch */
};

void summary_benchmark(const struct host_tree *tree, struct summary_benchmark *benchmark);

/* ---- what tables share ---- */

/* Floating point operations of one operator by Paddle's formulas (utils/flops.py) from the shapes
 * of its inputs; 0 for those that Paddle has none for, or whose attributes it would need. */
int64_t summary_paddle_flops(struct operator_class operator, const struct operator_inputs * shapes);

/* All that `ptk summary` tells of a timeline: every table's figures, before
 * anybody lays them out. */

enum summary_view {
    VIEW_DEVICE,
    VIEW_OVERVIEW,
    VIEW_MODEL,
    VIEW_DISTRIBUTED,
    VIEW_OPERATOR,
    VIEW_KERNEL,
    VIEW_MEMORY_MANIPULATION,
    VIEW_USER_DEFINED,
    VIEW_MEMORY,
    VIEW_BENCHMARK,
    VIEW_OF_PADDLE_COUNT, /* those above are Paddle's, and shown when nothing else is asked for */
    VIEW_STEPS = VIEW_OF_PADDLE_COUNT,
    VIEW_GPU,
    VIEW_KERNEL_SHAPES,
    VIEW_OPERATOR_SHAPES,
    VIEW_LAUNCHES,
    VIEW_QUEUES,
    VIEW_COPIES,
    VIEW_GRAPHS, /* also shown where a capture is given */
    VIEW_MEMORY_PEAKS,
    VIEW_MEMORY_CURVE,
    VIEW_COUNT
};

/* Sets of views: summary_view_bit(VIEW_DEVICE) | summary_view_bit(VIEW_MODEL). */
static inline uint32_t summary_view_bit(enum summary_view view)
{
    return (uint32_t)1 << view;
}

/* What the passes of a view want of a parser, as builder_options.properties. */
uint64_t summary_view_properties(enum summary_view view);

/* All lives in the arena that it was computed with; of views that were not wanted nothing is
 * set. */
struct summary {
    uint32_t views;     /* those that are filled */
    int64_t total_time; /* ns, of all steps, or of the whole timeline where there are none */
    uint32_t steps;
    bool has_allocators; /* that tell how much memory is in use */

    struct summary_devices devices;
    struct summary_overview overview;
    struct summary_model model;
    struct summary_distribution distribution;
    struct summary_operators operators;
    struct summary_list kernels, manipulations, user_defined;
    struct summary_memory memory;
    struct summary_benchmark benchmark;

    struct step_times step_times;
    struct device_uses device_uses;
    struct kernel_shapes kernel_shapes;
    struct operator_shapes operator_shapes;
    struct launch_rows launches;
    struct queue_rows queues;
    struct copy_rows copies;
    struct graph_rows graphs;
    struct memory_curve memory_peaks, memory_curve;
};

/* Needs LEVEL_TIMELINE, and the properties of the views. */
void summary_compute(const struct graph *graph, const struct summary_options *options,
                     struct arena *arena, struct summary *summary);

/* ---- the steps of several ranks side by side: where each spends them, which is slow ---- */

/* All steps of one rank. */
struct rank_total {
    uint32_t steps;
    int64_t time;              /* ns, of all steps */
    int64_t parts[PART_COUNT]; /* likewise */
    struct extremes step;      /* of one step; its places are those in the rank's steps */
};

/* One step on the ranks that have it. */
struct rank_step {
    struct span name;
    uint32_t ranks;
    struct extremes time; /* its places are ranks */
};

struct rank_steps {
    struct rank_total *ranks; /* in the order given */
    struct rank_step *steps;  /* in the order in which they are first seen */
    uint32_t step_count;
    struct extremes parts[PART_COUNT]; /* of each part of a mean step; places are ranks */
    struct extremes time;              /* of the mean step */
};

/* `list`: the steps of each of `count` ranks, at least one. Steps are matched by name. */
void rank_steps_compare(const struct step_times *const *list, uint32_t count, struct arena *arena,
                        struct rank_steps *out);

#endif
