/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/advice/advice.h"

#include <math.h>

/* The groups of a device that have one cause. */
struct caused {
    const struct slow_group *worst; /* the most to save, of which the longest */
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

static struct caused kernels_with_cause(const struct scene *scene, enum kernel_cause cause)
{
    const struct kernel_causes *causes = scene->causes;
    struct caused all = {.kernels = arena_array(scene->arena, causes->count, sizeof(*all.kernels))};

    for (uint32_t i = 0; i < causes->count; i++) {
        const struct slow_group *slow = &causes->list[i];

        if (!kernel_has_cause(slow, cause))
            continue;
        all.worst = all.worst ? all.worst : slow;
        all.time += slow->group.time;
        all.calls += slow->group.calls;
        all.saving += slow->saving[cause];
        add_kernel(&all, slow->group.kernel);
    }
    return all;
}

static int64_t kernel_time(const struct scene *scene)
{
    int64_t time = 0;

    for (uint32_t i = 0; i < scene->causes->count; i++)
        time = llround((double)scene->causes->list[i].group.time / scene->causes->list[i].share);
    return time;
}

/* How much faster all launches of these kernels are together when some of them take less. */
static double factor_of(const struct scene *scene, const struct caused *all)
{
    const struct timeline *timeline = &scene->graph->timeline;
    double time = 0;

    for (uint32_t i = 0; i < scene->work->count; i++)
        for (uint32_t k = 0; k < all->kernel_count; k++)
            if (timeline->frame[scene->work->events[i]] == all->kernels[k])
                time += (double)timeline->duration[scene->work->events[i]];
    return all->saving < time ? time / (time - all->saving) : (double)INFINITY;
}

static const char *evidence(const struct scene *scene, const struct slow_group *slow,
                            enum kernel_cause cause)
{
    const struct graph *graph = scene->graph;
    struct span name = graph_text(graph, graph_frame(graph, slow->group.frame)->name);
    struct span shapes = graph_text(graph, slow->group.shapes);
    bool is_operator = slow->group.owner != NO_EVENT;
    const char *figures =
        kernel_cause_evidence(graph, scene->causes, slow, scene->ceilings, cause, scene->arena);

    return is_operator ? arena_printf(scene->arena, "%s; %.*s %.*s / kernels", figures,
                                      (int)name.len, name.at, (int)shapes.len, shapes.at)
                       : arena_printf(scene->arena, "%s / kernels", figures);
}

static void judge_cause(const struct scene *scene, struct finding *finding)
{
    enum kernel_cause cause = (enum kernel_cause)(finding->rule - scene->cause_rules);
    struct caused all = kernels_with_cause(scene, cause);
    int64_t saving = isnan(all.saving) ? UNKNOWN : llround(all.saving);
    struct check check = {.what = "time of kernels that have it / kernels",
                          .part = all.time,
                          .whole = kernel_time(scene),
                          .unit = UNIT_NS,
                          .limit = LIMIT_CAUSE};

    if (cause == CAUSE_CACHE_RESIDENT)
        finding->silence = "no fault: see `ptk roofline`";
    else if (check.whole == 0)
        finding->silence = "there are no kernels that take time";
    else if (!all.worst && !scene->causes->has_ceiling)
        finding->silence = "what the device can do is not known: --gpu NAME";
    else if (cause == CAUSE_TINY_KERNEL && all.worst &&
             (double)all.calls < scene->thresholds->of[LIMIT_TINY_CALLS])
        finding->silence = "there are few such kernels";
    if (all.worst) {
        check.what = evidence(scene, all.worst, cause);
        finding->event = all.worst->group.longest;
    }
    if (all.worst && saving != UNKNOWN && saving > 0) {
        finding->kernels = all.kernels;
        finding->kernel_count = all.kernel_count;
        finding->factor = factor_of(scene, &all);
    }
    finding_set(scene, finding, &check, saving == UNKNOWN ? UNKNOWN : 0,
                saving != UNKNOWN && saving > scene->device->compute ? scene->device->compute
                                                                     : saving);
}

const struct rule *cause_rules_make(struct arena *arena)
{
    struct rule *list = arena_array(arena, CAUSE_COUNT, sizeof(*list));

    for (int i = 0; i < CAUSE_COUNT; i++)
        list[i] = (struct rule){.name = cause_texts[i].name,
                                .source = "ptk",
                                .title = cause_texts[i].title,
                                .remedy = cause_texts[i].remedy,
                                .scope = RULE_DEVICE,
                                .judge = judge_cause};
    return list;
}

const char *causes_silence(const struct scene *scene, frame_id kernel)
{
    double roof = 0, time = 0;

    for (uint32_t i = 0; i < scene->causes->count; i++) {
        const struct slow_group *slow = &scene->causes->list[i];

        if (slow->group.kernel != kernel)
            continue;
        if (slow->causes)
            return "the causes of its time are named";
        roof += slow->roof;
        time += (double)slow->group.time;
    }
    return roof >= scene->thresholds->of[LIMIT_ROOF] * time && time > 0
               ? "the kernel that takes most attains most of its roof"
               : NULL;
}
