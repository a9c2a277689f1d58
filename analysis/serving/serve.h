/* SPDX-License-Identifier: Apache-2.0 */
/* serve.h — how a server of language models spends its steps: by stage, between steps, by batch, against its bound */
#ifndef PTK_ANALYSIS_SERVING_SERVE_H
#define PTK_ANALYSIS_SERVING_SERVE_H

#include <stdint.h>

#include "analysis/kernels/roofline.h"
#include "analysis/timeline/serving_steps.h"
#include "base/memory/memory.h"
#include "graph/model/graph.h"

/* ---- figures of many steps ----
 *
 * Percentiles are by nearest rank, the value at ceil(p n / 100) of those in order: a step that was
 * recorded. */

/* From `from` up to the next edge; edges are 1, 2 and 5 times powers of ten. */
struct serve_bin {
    int64_t from; /* ns */
    uint32_t steps;
};

struct serve_spread {
    uint32_t count; /* 0: nothing else is known */
    int64_t sum, least, p50, p95, p99, most;
    struct serve_bin *bins; /* those with steps, in order; the arena's */
    uint32_t bin_count;
};

/* Puts `values` in order. */
void serve_spread_of(int64_t *values, uint32_t count, struct arena *arena,
                     struct serve_spread *spread);

/* ---- between steps ----
 *
 * Where the device work of a step ends before that of the next begins, the device has nothing to do.
 * What the host was in then owns the time: the innermost Python function, or a call that blocks; without
 * Python functions the innermost event. A wait owns what comes after that which it waited for. */

struct serve_owner {
    frame_id frame; /* 0: no event of the host */
    int64_t time;   /* ns that it was open innermost in gaps */
    uint32_t gaps;  /* that it has most of */
};

struct serve_gaps {
    int64_t total;
    uint32_t count;
    struct serve_owner *owners; /* the longest first; the arena's */
    uint32_t owner_count;
    int64_t of_requests; /* ns in which the server waited for requests */
    bool has_functions;  /* Python's are on record */
    int64_t *after;      /* by step, ns of the gap behind it; 0: none */
    uint32_t *owner;     /* by step, the owner of that gap, in `owners` */
};

void serve_gaps_find(const struct graph *graph, const struct serving_steps *steps,
                     struct arena *arena, struct serve_gaps *gaps);

/* ---- batch against time ----
 *
 * Of decode steps: busy = fixed + each · tokens (+ key · cached tokens), by least squares. Steps that
 * compute prompts again are left out, unless `has_recomputing`. */

enum serve_fit_by { FIT_TOKENS, FIT_PADDED, FIT_TOKENS_AND_KEYS };

struct serve_fit {
    enum serve_fit_by by;
    bool has_recomputing;
    uint32_t count;
    int64_t from, to;            /* tokens */
    double fixed, each, per_key; /* ns */
    double r2;
};

enum { FITS_MAX = 4 };

/* Fewer than three steps, or all of one size: no fit. Returns how many. */
uint32_t serve_fits_find(const struct serving_steps *steps, struct serve_fit *fits);

/* ---- all ---- */

struct serve_stage {
    struct span name;
    enum serving_stage stage;
    uint32_t steps, recomputing;
    int64_t prompts, generations, tokens; /* sums; UNKNOWN where a label does not say */
    struct serve_spread busy, period;
    int64_t host;              /* ns of the labels */
    int64_t gaps;              /* ns between these steps and the next */
    int64_t device_span;       /* ns from the first to the last device work of each */
    int64_t graph_steps;       /* that launched a graph */
    int64_t real, padded;      /* requests, and what graphs held; of steps that say both */
    int64_t bound_low, bound_high; /* ns a step at least, as weights and cached keys are read once, or
                                    * FLOPs take; the mean; UNKNOWN */
    double known;                  /* share of the device time whose work is known */
};

/* What holds a stage's steps up: the device waits between them (for the host, or for requests), or
 * within them for launches; or their kernels are near to the bound. thresholds_of_serving() fills it. */
struct serve_limits {
    double known; /* share of the device time whose work is known: a bound of less says little */
    double idle;  /* share of the time that the device waits */
    double bound; /* share of the device time that the bound is */
};

enum serve_limit { SERVE_BY_KERNELS, SERVE_BY_HOST, SERVE_BY_REQUESTS, SERVE_BY_LAUNCHES, SERVE_BY_BOUND };

/* "host", "memory or compute". */
const char *serve_limit_name(enum serve_limit limit);

struct serve {
    struct serve_limits limits;
    struct serving_steps steps;
    struct serve_stage *stages; /* prefill, decode, mixed …; the arena's */
    uint32_t stage_count;
    struct serve_gaps gaps;
    struct serve_fit fits[FITS_MAX];
    uint32_t fit_count;
    struct serve_spread between_tokens; /* from start to start of steps that generate, */
    struct serve_spread busy_between;   /* and that without the idle time between steps */
    int64_t span;                       /* ns from the first device work of a step to the last */
    uint32_t dummies;
    uint32_t overlapping; /* steps whose device work takes longer than their period: beside the next step's, or on
                           * several devices at once */
    int64_t tokens;                          /* that were processed; UNKNOWN */
    int64_t generated_low, generated_high;   /* likewise */
    bool lacks_peaks; /* the bandwidth of the memory is not known, so no bound is */
    bool has_stacks; /* Python's functions are on record: the host was slower than without */
};

enum serve_limit serve_limit_of(const struct serve *serve, const struct serve_stage *stage);

/* Whether there are steps that a server labelled: serve_compute() infers some where there are none. */
bool serve_has_labels(const struct graph *graph);

/* Needs LEVEL_TIMELINE with launches, and what kernel owners want. `ceilings`: NULL where no bound is
 * asked for. */
void serve_compute(const struct graph *graph, const struct ceilings *ceilings,
                   struct serve_limits limits, struct arena *arena, struct serve *serve);

#endif
