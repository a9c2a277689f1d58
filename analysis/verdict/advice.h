/* SPDX-License-Identifier: Apache-2.0 */
/* advice.h — what to fix first: rules that look for known troubles, each with its evidence
 *
 * A rule speaks when its division passes its threshold. It says the most that fixing the trouble
 * can save: never more than the time in which the trouble was there, so what other activities hide
 * of it is not promised away. Rules look at the same time from several sides: savings do not add
 * up. */
#ifndef PTK_ANALYSIS_VERDICT_ADVICE_H
#define PTK_ANALYSIS_VERDICT_ADVICE_H

#include "analysis/causes/kernel_causes.h"
#include "analysis/execution/scenario.h"
#include "analysis/verdict/bottleneck.h"
#include "analysis/verdict/cost_shares.h"

/* What a rule found. */
struct finding {
    const struct rule *rule;
    bool speaks;
    bool is_verdict;     /* it is about what `ptk bound` says holds the device up */
    const char *silence; /* why not, where there is no figure: a literal */
    struct check check;
    int64_t low, high; /* ns of the whole that it can save: at least, at most; UNKNOWN */
    int64_t gain;      /* ns by which the run is shorter when replayed without it; UNKNOWN */
    int64_t gain_least, gain_most; /* ... and between which that lies, whatever waits for what */
    int32_t device;                /* ordinal; -1: none in particular */
    const frame_id *kernels;       /* that would be faster by `factor` without it; the arena's */
    uint32_t kernel_count;
    double factor;
    event_id event;  /* where the trouble shows most; NO_EVENT */
    frame_id frame;  /* who; 0: nobody in particular */
    frame_id inside; /* what the host was in there: a Python function, a range; 0: not known */
    int64_t step;    /* its number; UNKNOWN */
};

struct advice {
    struct finding *findings; /* those that speak first; symptoms after causes, then by
                                 what they can save; the arena's */
    uint32_t count, speaking;
    int64_t whole;  /* ns: what savings are of; 0: not known */
    int64_t gain;   /* ns: of all that is replayed, together; UNKNOWN */
    uint32_t steps; /* that the whole consists of; 0: it is no steps */
    int64_t start;  /* of the timeline: where positions count from */
};

/* What a rule sees. On flat levels there are no devices. */
struct scene {
    const struct graph *graph;
    const struct thresholds *thresholds;
    const struct device_work *work;         /* of the device that is looked at, */
    const struct device_bottleneck *device; /* ... and where its time went */
    const struct bottlenecks *all;
    const struct devices_work *works;
    const struct kernel_causes *causes; /* of timelines, */
    const struct ceilings *ceilings;
    const struct rule *cause_rules; /* and the rules about them: advice_causes.h */
    struct arena *arena;
    const struct cost_shares *costs; /* of a profile that is no timeline */
    int64_t whole;                   /* ns */
};

enum rule_scope {
    RULE_DEVICE,   /* asked of each device; the one that could save most answers */
    RULE_TIMELINE, /* asked once of a timeline */
    RULE_FLAT,     /* asked once of functions */
};

struct rule {
    const char *name;   /* "small-copies" */
    const char *source; /* whose rule it is: "nvvp" */
    const char *title;  /* what the trouble is */
    const char *remedy; /* what people do about it */
    enum rule_scope scope;
    bool is_symptom; /* it sees what other rules know the causes of: comes after them */

    /* Fills the check (unless ->silence says why there is none), and what could be saved. */
    void (*judge)(const struct scene *scene, struct finding *finding);
    enum cure cure;
    enum cost_class cost; /* that it is about; COST_NONE */
    enum bottleneck loss; /* of `ptk bound`, that it is about; HELD_BY_NOTHING */
};

extern const struct rule rules[]; /* ends with a name of NULL */

/* What the rules want of a parser, as builder_options.properties; besides, launches and
 * categories. */
uint64_t advice_properties(void);

/* `execution`: of a timeline, else NULL. `ceilings`: what kernels are compared with, zeroed where
 * nothing is known. Needs LEVEL_TIMELINE or LEVEL_FLAT. */
void advice_give(const struct graph *graph, const struct execution *execution, enum stretch stretch,
                 const struct thresholds *thresholds, const struct ceilings *ceilings,
                 struct arena *arena, struct advice *advice);

#endif
