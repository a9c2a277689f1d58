/* SPDX-License-Identifier: Apache-2.0 */
/* advice.h — what to fix first: rules, their findings and gains */
#ifndef PTK_ANALYSIS_ADVICE_ADVICE_H
#define PTK_ANALYSIS_ADVICE_ADVICE_H

#include "analysis/advice/bottleneck.h"
#include "analysis/advice/causes.h"
#include "analysis/execution/replay.h"

/* ---- what to fix first: rules that look for known troubles, each with its evidence ---- */

/* A rule reports a finding when its ratio passes its threshold. It says the most that fixing the trouble
 * can save: never more than the time in which the trouble was there, so what other activities hide
 * of it is not promised away. Rules look at the same time from several sides: savings do not add
 * up. */

/* What a rule found. */
struct finding {
    const struct rule *rule;
    bool is_reported;
    bool outweighs;      /* below its limit, but larger than each loss that is not: said with them */
    bool is_verdict;     /* it is about what `ptk bound` says holds the device up */
    bool leads;          /* the first of them, and of the advice */
    bool is_minor;       /* beside a device that computes it is not worth a verdict: it does not lead */
    const char *why_not; /* why not, where there is no figure: a literal */
    struct check check;
    int64_t low, high; /* ns of the whole that it can save: at least, at most; UNKNOWN */
    int64_t gain;      /* ns by which the run is shorter when replayed without it; UNKNOWN */
    int64_t gain_least, gain_most; /* ... and between which that lies, whatever waits for what */
    const char *doubt; /* what the file lacks, so that the gain is no figure: a literal; or NULL */
    int32_t device;                /* ordinal; -1: none in particular */
    const frame_id *kernels;       /* that would be faster by `factor` without it; the arena's */
    uint32_t kernel_count;
    double factor;
    bool is_to_roof; /* the factor is the most that better kernels can be faster by */
    event_id event;  /* where the trouble shows most; NO_EVENT */
    frame_id frame;  /* who; 0: nobody in particular */
    double place_share;   /* of the trouble, what that place has; NaN: not known */
    const char *place_of; /* what that is a share of instead: a literal; or NULL */
    frame_id inside; /* what the host was in there: a Python function, a range; 0: not known */
    frame_id owner;  /* what the host ran after that, while the device was idle; 0: not known */
    int64_t step;    /* its number; UNKNOWN */
};

/* The function that a finding points at; 0: none. */
static inline frame_id finding_place(const struct graph *graph, const struct finding *finding)
{
    return finding->event == NO_EVENT ? finding->frame : graph->timeline.frame[finding->event];
}

enum { CHAIN_LINKS = 3 };

/* What decides how long the run takes once what came before is gone: the first finding's trouble, and the links
 * before. */
struct chain_link {
    const char
        *what; /* "data loader", "compute": a class of idle time or a part of a path; a literal */
    frame_id frame; /* what most of that is; 0: nothing in particular */
    int64_t after;  /* ns: how long the run takes, replayed */
    int64_t time;   /* ns: how much of that it decides */
    int64_t batch;  /* ns: what a data loader takes for one; UNKNOWN */
};

/* What the profiler wrote down of the host while a device was looked at: each costs the host some time, which the run
 * without it does not take. */
struct recorded_host {
    int64_t calls;  /* of operators, of the runtime and of Python's functions */
    int64_t python; /* the latter alone */
    int64_t span;   /* ns */
};

struct advice {
    struct finding
        *findings; /* those that are reported first: the one that leads, symptoms after causes,
                                 then by what they can save; the arena's */
    uint32_t count, reported;
    bool has_only_collectives; /* the file: then no check applies */
    int64_t whole; /* ns: what savings are of; 0: not known */
    int64_t gain;  /* ns: of all that is replayed, together; UNKNOWN */
    struct chain_link links[CHAIN_LINKS];
    uint32_t link_count;
    uint32_t steps;       /* that the whole consists of; 0: it is no steps */
    int64_t start;        /* of the timeline: where positions count from */
    bool is_of_functions; /* no device did anything: the whole is what functions took, */
    struct cost_shares costs; /* ... and this what of it is overhead */
    struct check recording;   /* calls of the host recorded; it holds where a part of the loss that leads can be the
                                 profiler's */
};

/* Of one device's collectives in the window that is looked at; ns. */
struct collective_waits {
    int64_t time, waited; /* all of it, and for other ranks */
    event_id longest;     /* that waited; NO_EVENT */
};

/* What a rule sees. On flat levels there are no devices. */
struct advice_context {
    const struct graph *graph;
    const struct thresholds *thresholds;
    const struct device_work *work;         /* of the device that is looked at, */
    const struct device_bottleneck *device; /* ... and where its time went */
    const struct bottlenecks *all;
    const struct devices_work *works;
    const struct kernel_causes *causes;      /* of the device that is looked at */
    const struct kernel_causes *causes_of;   /* of timelines, by device as `works` is, */
    const struct collective_waits *waits;    /* of the device that is looked at */
    const struct collective_waits *waits_of; /* of timelines, by device as `works` is */
    struct recorded_host recorded;           /* while the first device ran; zeros without one */
    const struct ceilings *ceilings;
    const struct rule *cause_rules; /* and the rules about them: advice_causes.c */
    struct property_cursors *near;  /* rules ask for work by time */
    struct arena *arena;
    const struct cost_shares *costs; /* of a program without a device */
    const bool *is_own;              /* the costs' */
    bool has_ranks;                  /* likewise: its functions are phases of a job's ranks */
    int64_t whole;                   /* ns */
};

enum rule_scope {
    RULE_DEVICE,   /* asked of each device; the one that could save most answers */
    RULE_TIMELINE, /* asked once of a timeline */
    RULE_FLAT,     /* asked once of functions */
    RULE_MEMORY,   /* asked once of a snapshot of an allocator */
};

struct rule {
    const char *name;        /* "small-copies" */
    const char *source;      /* whose rule it is: "nvvp" */
    const char *title;       /* what the trouble is */
    const char *remedy_text; /* how to fix it */
    enum rule_scope scope;
    bool is_symptom; /* it sees what other rules know the causes of: comes after them */

    /* Fills the check (unless ->why_not says why there is none), and what could be saved. */
    void (*judge)(const struct advice_context *context, struct finding *finding);
    enum remedy remedy;
    enum cost_class cost; /* that it is about; COST_NONE */
    enum bottleneck loss; /* of `ptk bound`, that it is about; HELD_BY_NOTHING */
    const char *on_page;  /* how to fix it, without commands and options; NULL: remedy_text has none */
};

extern const struct rule rules[]; /* ends with a name of NULL */

/* How to fix it in the words of a page. */
static inline const char *rule_page_remedy(const struct rule *rule)
{
    return rule->on_page ? rule->on_page : rule->remedy_text;
}

/* What the rules want of a parser, as builder_options.properties; besides, launches and
 * categories. */
uint64_t advice_properties(void);

/* `execution`, and the bottlenecks found with it: of a timeline, else NULL and zeroed. `ceilings`:
 * what kernels are compared with, zeroed where nothing is known. Where no device is among the
 * bottlenecks it is about functions, and needs LEVEL_FLAT. `owners`: of its kernels, where they are known; or NULL. */
void advice_give(const struct graph *graph, const struct execution *execution,
                 const struct bottlenecks *all, const struct thresholds *thresholds,
                 const struct ceilings *ceilings, const struct kernel_owners *owners,
                 struct arena *arena, struct advice *advice);

/* Whether any check applies to what the profile contains. */
bool advice_applies(const struct advice *advice);

/* ---- what replays say of findings: advice_replay.c ---- */

/* Reports waits for a device that cost more than the idle time after them: the run gains more without them. */
void advice_reconsider(const struct advice_context *context, const struct execution *execution,
                       struct finding *findings, uint32_t count);

/* Sets what the run gains without each trouble that has a remedy. Returns what it gains without all of them;
 * UNKNOWN. */
int64_t advice_replay(const struct execution *execution, struct finding *findings, uint32_t count);

/* What the run gains without some of its work at once, and between what that lies; ns. */
struct replayed_gain {
    int64_t gain, least, most;
};

/* Without the troubles of two findings that have remedies. No more than the first one's device does not compute
 * in. */
void advice_replay_both(const struct execution *execution, const struct bottlenecks *all,
                        const struct thresholds *thresholds, const struct finding *first,
                        const struct finding *second, struct replayed_gain *gain);

/* ns that the run gains if kernels took no time: more than faster ones can give. */
int64_t advice_replay_kernels(const struct execution *execution,
                              const struct thresholds *thresholds);

/* Changes of functions: gone, as they are even inside others that are gone, or faster: from there
 * on one a finding. */
enum { REMEDY_GOES = 1, REMEDY_STAYS = 2, REMEDY_FASTER = 3 };

bool finding_has_remedy(const struct finding *finding);

/* Takes a finding's trouble out of a run. `faster`: the change of kernels that would be faster without it. */
void finding_apply(struct scenario *scenario, const struct finding *finding, uint8_t faster);

/* What decides once the first finding's trouble is gone, where a replay gains by that: advice_chain.c */
void advice_chain(const struct execution *execution, struct arena *arena, struct advice *advice);

/* Points findings about the host's other work at the function that gives most if it is twice as fast; where none owns
 * much, at what holds most; and those about copies that nothing hides at what decides. */
void advice_point(const struct advice_context *context, const struct execution *execution,
                  struct finding *findings, uint32_t count);

/* advice_spread.c: at the innermost function that holds most of a device's idle time of a class. False if a function
 * owns as much as the threshold "hot_function", or none holds most. */
bool point_at_holder(const struct advice_context *context, const struct execution *execution,
                     const struct device_bottleneck *device, enum idle_class class,
                     struct finding *finding);

/* advice_copies.c: the longest of a device's copies of that name which do not stay within it; NO_EVENT. */
event_id longest_copy(const struct advice_context *context, int32_t device, frame_id frame);

/* ---- the rules' functions, by the file that they are in; the table is in advice_rules.c ---- */

/* Sets the check, and what could be saved: from `low` to `high` ns. */
void finding_set(const struct advice_context *context, struct finding *finding,
                 const struct check *check, int64_t low, int64_t high);

/* Points it at a function, and at an event of it (or NO_EVENT), which has `part` of the whole trouble. */
void finding_point(struct finding *finding, frame_id frame, event_id event, int64_t part,
                   int64_t whole);

/* advice_idle.c */
void judge_input(const struct advice_context *context, struct finding *finding);
void judge_sync(const struct advice_context *context, struct finding *finding);
void judge_launch(const struct advice_context *context, struct finding *finding);
void judge_allocator(const struct advice_context *context, struct finding *finding);
void judge_host_late(const struct advice_context *context, struct finding *finding);
void judge_setup(const struct advice_context *context, struct finding *finding);
void judge_unrecorded(const struct advice_context *context, struct finding *finding);
void judge_small_kernels(const struct advice_context *context, struct finding *finding);
void judge_long_gaps(const struct advice_context *context, struct finding *finding);
void judge_idle_chunks(const struct advice_context *context, struct finding *finding);
void judge_low_use(const struct advice_context *context, struct finding *finding);
void judge_graph_holes(const struct advice_context *context, struct finding *finding);

/* advice_copies.c */
void judge_pageable(const struct advice_context *context, struct finding *finding);
void judge_small_copies(const struct advice_context *context, struct finding *finding);
void judge_slow_copies(const struct advice_context *context, struct finding *finding);
void judge_compute_to_copies(const struct advice_context *context, struct finding *finding);
void judge_copy_overlap(const struct advice_context *context, struct finding *finding);
void judge_device_copies(const struct advice_context *context, struct finding *finding);
void judge_copy_engines(const struct advice_context *context, struct finding *finding);

/* advice_communication.c */
void judge_communication(const struct advice_context *context, struct finding *finding);
void judge_hidden(const struct advice_context *context, struct finding *finding);
void judge_stragglers(const struct advice_context *context, struct finding *finding);
void judge_tiny_collectives(const struct advice_context *context, struct finding *finding);

/* advice_collectives.c */
void judge_collective_waits(const struct advice_context *context, struct finding *finding);

/* Whether a device's collectives wait for other ranks most of their time. */
bool collectives_wait(const struct advice_context *context);

/* By device, as in `all`. */
struct collective_waits *collective_waits_find(const struct graph *graph,
                                               const struct bottlenecks *all, struct arena *arena);

/* advice_steps.c */

/* By the events that begin in the device's span. */
struct recorded_host recorded_find(const struct graph *graph, const struct device_bottleneck *device);

/* Whether the profiler's own cost can be a part of what the host loses, by the finding that leads. */
struct check judge_recording(const struct advice_context *context, const struct finding *leading);

void judge_uneven_steps(const struct advice_context *context, struct finding *finding);
void judge_profiler(const struct advice_context *context, struct finding *finding);

/* advice_kernels.c */
void judge_concurrency(const struct advice_context *context, struct finding *finding);
void judge_fill(const struct advice_context *context, struct finding *finding);
void judge_hot_kernel(const struct advice_context *context, struct finding *finding);
void judge_memory(const struct advice_context *context, struct finding *finding);

/* advice_functions.c */
void judge_hot_function(const struct advice_context *context, struct finding *finding);
void judge_copied_sum(const struct advice_context *context, struct finding *finding);
void judge_blocking(const struct advice_context *context, struct finding *finding);
void judge_cost(const struct advice_context *context, struct finding *finding);
void judge_collisions(const struct advice_context *context, struct finding *finding);

/* The function of the program's own, by frame, for which most bytes were allocated, where the profile has these
 * beside its samples; and who called it for most of them, or 0. 0: none. */
frame_id find_allocating(const struct graph *graph, const bool *is_own, frame_id *caller);

/* advice_silence.c: those that gain too little to be said when they are replayed, `petty`: ns; sets is_minor, too. */
void silence_idle(const struct advice_context *context, struct finding *found, uint32_t count,
                  int64_t petty);

/* That some steps are long, where another finding is about the event that makes them so. */
void silence_uneven_steps(const struct graph *graph, struct finding *found, uint32_t count);

/* That a device is idle, where another finding names the cause. */
void silence_symptoms(struct finding *found, uint32_t count);

/* advice_functions.c: of functions, a finding that another one explains is none. */
void silence_paths(struct finding *found, uint32_t count);

/* advice_calls.c */
void judge_imports(const struct advice_context *context, struct finding *finding);
void judge_hot_path(const struct advice_context *context, struct finding *finding);
void judge_library_call(const struct advice_context *context, struct finding *finding);

/* advice_memory.c */
void judge_oom_pieces(const struct advice_context *context, struct finding *finding);
void judge_oom_huge(const struct advice_context *context, struct finding *finding);
void judge_oom_full(const struct advice_context *context, struct finding *finding);
void judge_leak(const struct advice_context *context, struct finding *finding);
void judge_trapped(const struct advice_context *context, struct finding *finding);
void judge_awaiting(const struct advice_context *context, struct finding *finding);
void judge_private_pools(const struct advice_context *context, struct finding *finding);

/* ---- a rule for each cause that makes kernels slow: analysis/advice/ ---- */

/* One rule a cause, by enum kernel_cause; in the arena. */
const struct rule *cause_rules_make(const struct ceilings *ceilings, struct arena *arena);

/* Why a kernel is not reported for its time alone, a literal: its causes are named, or it
 * attains most of its roof. NULL: nothing is known against it. */
const char *known_causes(const struct advice_context *context, frame_id kernel);

#endif
