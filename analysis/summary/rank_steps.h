/* SPDX-License-Identifier: Apache-2.0 */
/* rank_steps.h — the steps of several ranks side by side: where each spends them, which is slow */
#ifndef PTK_ANALYSIS_SUMMARY_RANK_STEPS_H
#define PTK_ANALYSIS_SUMMARY_RANK_STEPS_H

#include "analysis/summary/device_use.h"
#include "analysis/timeline/extremes.h"

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
