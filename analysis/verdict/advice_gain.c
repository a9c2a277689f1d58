/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/verdict/advice.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory/vector.h"

/* Changes of functions: gone, as they are even inside others that are gone, or faster: from there
 * on one a finding. */
enum { GOES = 1, STAYS = 2, FASTER = 3 };

/* Where the trouble is a function: whose. */
static frame_id culprit_of(const struct graph *graph, const struct finding *finding)
{
    return finding->event == NO_EVENT ? finding->frame : graph->timeline.frame[finding->event];
}

static bool has_cure(const struct graph *graph, const struct finding *finding)
{
    enum cure cure = finding->rule->cure;

    if (finding->speaks && finding->kernel_count)
        return true;
    return finding->speaks && cure != CURE_NONE &&
           (cure != CURE_FUNCTION || culprit_of(graph, finding) != 0);
}

static void apply(struct scenario *scenario, const struct finding *finding, uint8_t faster)
{
    frame_id culprit = culprit_of(scenario->execution->graph, finding);

    scenario->factors[GOES] = (double)INFINITY;
    scenario->factors[faster] = finding->kernel_count ? finding->factor : 1;
    for (uint32_t i = 0; i < finding->kernel_count; i++)
        if (scenario->of_frame[finding->kernels[i]] == 0)
            scenario->of_frame[finding->kernels[i]] = faster;
    if (finding->kernel_count)
        return;
    if (finding->rule->cure == CURE_FUNCTION)
        scenario_remove_function(scenario, culprit, GOES, STAYS);
    else
        scenario_apply(scenario, finding->rule->cure, GOES);
}

/* How much shorter the run is. */
static int64_t replay(const struct scenario *scenario)
{
    const struct execution *execution = scenario->execution;
    int64_t *length = grow_to(NULL, execution->count, sizeof(*length));
    int64_t *end = grow_to(NULL, execution->count, sizeof(*end));
    int64_t gain;

    replay_lengths(execution, &scenario->change, length);
    gain = execution->run_end - replay_run(execution, &scenario->change, length, end);
    free(length);
    free(end);
    return gain > 0 ? gain : 0;
}

static void replay_one(const struct execution *execution, struct finding *finding)
{
    int64_t span = execution_span(execution);
    struct replay_bounds bounds;
    struct scenario scenario;

    scenario_begin(&scenario, execution);
    apply(&scenario, finding, FASTER);
    finding->gain = replay(&scenario);
    replay_bound(execution, &scenario.change, &bounds);
    finding->gain_least = span > bounds.most ? span - bounds.most : 0;
    finding->gain_most = span > bounds.least ? span - bounds.least : 0;
    scenario_free(&scenario);
}

/* Functions last: what others are to take out stays in none of them. */
int64_t advice_replay(const struct execution *execution, struct finding *findings, uint32_t count)
{
    struct scenario all;
    int64_t gain = UNKNOWN;
    int part = FASTER;

    scenario_begin(&all, execution);
    for (int is_function = 0; is_function < 2; is_function++)
        for (uint32_t i = 0; i < count; i++) {
            if (!has_cure(execution->graph, &findings[i]) ||
                (findings[i].rule->cure == CURE_FUNCTION) != is_function)
                continue;
            assert(part <= REPLAY_CHANGES_MAX);
            replay_one(execution, &findings[i]);
            apply(&all, &findings[i], (uint8_t)part++);
            gain = 0;
        }
    if (gain != UNKNOWN)
        gain = replay(&all);
    scenario_free(&all);
    return gain;
}
