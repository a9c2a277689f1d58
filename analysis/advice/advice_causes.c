/* SPDX-License-Identifier: Apache-2.0 */
/* advice_causes.c — one rule for each cause that makes kernels slow */
#include "analysis/advice/advice.h"

#include <math.h>

/* The groups of a device that have one cause. */
struct caused {
    const struct slow_group *worst; /* the most to save of this cause */
    int64_t time, calls;
    double saving;     /* ns; NaN: not known of one of them */
    frame_id *kernels; /* that take most of each group's time, each once */
    uint32_t kernel_count;
};

static void add_kernel(struct caused *all, frame_id kernel)
{
    for (uint32_t i = 0; i < all->kernel_count; i++)
        if (all->kernels[i] == kernel)
            return;
    all->kernels[all->kernel_count++] = kernel;
}

/* ns that this cause costs a kernel, in all its groups; NaN: not known of one of them. */
static double saving_of(const struct kernel_causes *causes, enum kernel_cause cause,
                        frame_id kernel)
{
    double saving = 0;

    for (uint32_t i = 0; i < causes->count; i++)
        if (causes->list[i].group.kernel == kernel && kernel_has_cause(&causes->list[i], cause))
            saving += causes->list[i].saving[cause];
    return saving;
}

static struct caused kernels_with_cause(const struct advice_context *context,
                                        enum kernel_cause cause)
{
    const struct kernel_causes *causes = context->causes;
    struct caused all = {.kernels =
                             arena_array(context->arena, causes->count, sizeof(*all.kernels))};

    for (uint32_t i = 0; i < causes->count; i++) {
        const struct slow_group *slow = &causes->list[i];

        if (!kernel_has_cause(slow, cause))
            continue;
        if (!all.worst || slow->saving[cause] > all.worst->saving[cause])
            all.worst = slow;
        all.time += slow->group.time;
        all.calls += slow->group.calls;
        all.saving += slow->saving[cause];
        add_kernel(&all, slow->group.kernel);
    }
    return all;
}

static int64_t kernel_time(const struct advice_context *context)
{
    int64_t time = 0;

    for (uint32_t i = 0; i < context->causes->count; i++)
        time =
            llround((double)context->causes->list[i].group.time / context->causes->list[i].share);
    return time;
}

/* How much faster all launches of these kernels are together when some of them take less. */
static double factor_of(const struct advice_context *context, const struct caused *all)
{
    const struct timeline *timeline = &context->graph->timeline;
    double time = 0;

    for (uint32_t i = 0; i < context->work->count; i++)
        for (uint32_t k = 0; k < all->kernel_count; k++)
            if (timeline->frame[context->work->events[i]] == all->kernels[k])
                time += (double)timeline->duration[context->work->events[i]];
    return all->saving < time ? time / (time - all->saving) : (double)INFINITY;
}

static const char *evidence(const struct advice_context *context, const struct slow_group *slow,
                            enum kernel_cause cause)
{
    const struct graph *graph = context->graph;
    struct span name = graph_text(graph, graph_frame(graph, slow->group.frame)->name);
    struct span shapes = graph_text(graph, slow->group.shapes);
    bool is_operator = slow->group.owner != NO_EVENT;
    const char *figures = kernel_cause_evidence(graph, context->causes, slow, context->ceilings,
                                                cause, context->arena);

    return is_operator ? arena_printf(context->arena, "%s; %.*s %.*s / kernels", figures,
                                      (int)name.len, name.at, (int)shapes.len, shapes.at)
                       : arena_printf(context->arena, "%s / kernels", figures);
}

static void judge_cause(const struct advice_context *context, struct finding *finding)
{
    enum kernel_cause cause = (enum kernel_cause)(finding->rule - context->cause_rules);
    struct caused all = kernels_with_cause(context, cause);
    int64_t saving = isnan(all.saving) ? UNKNOWN : llround(all.saving);
    struct check check = {.what = "time of kernels that have it / kernels",
                          .part = all.time,
                          .whole = kernel_time(context),
                          .unit = UNIT_NS,
                          .limit = LIMIT_CAUSE};

    if (cause == CAUSE_CACHE_RESIDENT)
        finding->why_not = "no fault: see `ptk roofline`";
    else if (check.whole == 0)
        finding->why_not = "there are no kernels that take time";
    else if (!all.worst && !context->causes->has_ceiling)
        finding->why_not = "what the device can do is not known: --gpu NAME";
    else if (cause == CAUSE_TINY_KERNEL && all.worst &&
             (double)all.calls < context->thresholds->of[LIMIT_TINY_CALLS])
        finding->why_not = "there are few such kernels";
    if (all.worst) {
        check.what = evidence(context, all.worst, cause);
        finding->event = all.worst->group.longest;
        finding->place_share =
            saving_of(context->causes, cause, all.worst->group.kernel) / all.saving;
    }
    if (all.worst && saving != UNKNOWN && saving > 0) {
        finding->kernels = all.kernels;
        finding->kernel_count = all.kernel_count;
        finding->factor = factor_of(context, &all);
        finding->is_to_roof = cause_is_to_roof(cause);
    }
    finding_set(context, finding, &check, saving == UNKNOWN ? UNKNOWN : 0,
                saving != UNKNOWN && saving > context->device->compute ? context->device->compute
                                                                       : saving);
}

const struct rule *cause_rules_make(const struct ceilings *ceilings, struct arena *arena)
{
    struct rule *list = arena_array(arena, CAUSE_COUNT, sizeof(*list));

    for (int i = 0; i < CAUSE_COUNT; i++)
        list[i] = (struct rule){.name = cause_texts[i].name,
                                .source = "ptk",
                                .title = cause_texts[i].title,
                                .remedy_text = cause_remedy((enum kernel_cause)i, ceilings),
                                .scope = RULE_DEVICE,
                                .judge = judge_cause};
    return list;
}

const char *known_causes(const struct advice_context *context, frame_id kernel)
{
    double roof = 0, time = 0;

    for (uint32_t i = 0; i < context->causes->count; i++) {
        const struct slow_group *slow = &context->causes->list[i];

        if (slow->group.kernel != kernel)
            continue;
        if (slow->causes)
            return "the causes of its time are named";
        roof += slow->roof;
        time += (double)slow->group.time;
    }
    return roof >= context->thresholds->of[LIMIT_ROOF] * time && time > 0
               ? "the kernel that takes most attains most of its roof"
               : NULL;
}
