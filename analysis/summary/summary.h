/* SPDX-License-Identifier: Apache-2.0 */
/* summary.h — the tables of Paddle's profiler, for every timeline
 *
 * Figures follow Paddle's profiler_statistic.py; where that is wrong they are right, unless the
 * tree was made with is_paddle_compat: then they are Paddle's. What differs is told at each
 * table. */
#ifndef PTK_ANALYSIS_SUMMARY_SUMMARY_H
#define PTK_ANALYSIS_SUMMARY_SUMMARY_H

#include "analysis/summary/items.h"
#include "graph/classify/kernel_class.h"
#include "graph/model/operator_inputs.h"

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
    bool has_no_detail; /* operators only, nothing of what is inside them */
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
void summary_kernels(const struct host_tree *tree, enum summary_sort sort, struct arena *arena,
                     struct summary_list *kernels);

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

#endif
