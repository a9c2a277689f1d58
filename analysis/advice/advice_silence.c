/* SPDX-License-Identifier: Apache-2.0 */
/* Findings that are not reported: those that gain hardly anything, and symptoms of another finding */
#include "analysis/advice/advice.h"

/* Whether the run takes as long, or almost, when it is replayed without the trouble. */
static bool gains_little(const struct finding *finding, int64_t petty)
{
    return finding->gain != UNKNOWN && (finding->gain == 0 || finding->gain < petty);
}

/* Whether its device computes, and what is lost to that is below the threshold of its own verdict. */
static bool is_below_verdict(const struct advice_context *context, const struct finding *finding)
{
    const struct bottlenecks *all = context->all;

    for (uint32_t i = 0; i < all->count; i++) {
        const struct device_bottleneck *device = &all->devices[i];

        if (device->device == finding->device)
            return device->verdict == HELD_BY_COMPUTE &&
                   finding->rule->loss != HELD_BY_NOTHING &&
                   !bottleneck_passes(device, finding->rule->loss);
    }
    return false;
}

/* What gains hardly anything when the run is replayed does not lead: it is silent where it could hardly gain more, or
 * where nothing else comes before it. Beside a device that computes, that is what gains less than a cause of slow
 * kernels must cost. */
void silence_idle(const struct advice_context *context, struct finding *found, uint32_t count,
                  int64_t petty)
{
    int64_t least = (int64_t)(context->thresholds->of[LIMIT_CAUSE] * (double)context->whole);
    bool has_lead = false;

    for (uint32_t i = 0; i < count; i++) {
        found[i].is_minor = found[i].is_reported && is_below_verdict(context, &found[i]) &&
                            gains_little(&found[i], least);
        has_lead |= found[i].is_reported && !found[i].rule->is_symptom && !found[i].is_minor &&
                    !gains_little(&found[i], petty);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!found[i].is_reported || !(found[i].is_minor || gains_little(&found[i], petty)) ||
            (has_lead && found[i].gain_most >= petty))
            continue;
        found[i].is_reported = false;
        found[i].why_not = found[i].gain ? "replayed without it, the run takes almost as long"
                                          : "replayed without it, the run takes as long";
    }
}

/* Whether another finding is about the same function, and most of what is lost to this one. */
static bool is_explained(const struct graph *graph, const struct finding *found, uint32_t count,
                         const struct finding *finding)
{
    frame_id place = finding_place(graph, finding);

    for (uint32_t i = 0; i < count; i++)
        if (found[i].is_reported && &found[i] != finding && !found[i].rule->is_symptom &&
            finding_place(graph, &found[i]) == place && found[i].high != UNKNOWN &&
            found[i].high >= finding->high / 2)
            return true;
    return false;
}

/* That some steps are long is no finding where another one says what made them so. */
void silence_uneven_steps(const struct graph *graph, struct finding *found, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!found[i].is_reported || found[i].rule->remedy != REMEDY_UNEVEN_STEPS ||
            found[i].event == NO_EVENT || !is_explained(graph, found, count, &found[i]))
            continue;
        found[i].is_reported = false;
        found[i].why_not = "another finding names what makes them long";
    }
}

/* That a device is idle is no finding where another one names the cause. */
void silence_symptoms(struct finding *found, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        bool has_cause = false;
        enum bottleneck most =
            found[i].rule->judge == judge_long_gaps ? HELD_BY_HOST : HELD_BY_COMMUNICATION;

        if (!found[i].is_reported || !found[i].rule->is_symptom ||
            found[i].rule->scope != RULE_DEVICE || found[i].rule->judge == judge_unrecorded)
            continue;
        for (uint32_t k = 0; k < count; k++)
            has_cause |= found[k].is_reported && found[k].rule->loss >= HELD_BY_INPUT &&
                         found[k].rule->loss <= most;
        if (!has_cause)
            continue;
        found[i].is_reported = false;
        found[i].why_not = "another finding names a cause";
    }
}
