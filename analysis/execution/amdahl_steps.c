/* SPDX-License-Identifier: Apache-2.0 */
/* amdahl_steps.c — the shares of all parts step by step, their median and spread */
#include "analysis/execution/amdahl.h"

#include <stdlib.h>

#include "analysis/timeline/inventory.h"
#include "base/checked.h"
#include "base/memory/memory.h"

/* Figures of all parts in all steps are kept at once: this many. */
enum { FIGURES_MAX = 1 << 22 };

/* Steps that do not overlap. */
struct slices {
    struct step *steps; /* the arena's */
    uint32_t count;
};

/* Keeps those in one piece that begin after the one before has ended, and no more than there is
 * room for. */
static void choose(struct steps *all, uint32_t room, struct slices *slices)
{
    for (uint32_t i = 0; i < all->count && slices->count < room; i++) {
        const struct step *step = &all->list[i];

        if (step->length == checked_sub(step->end, step->start) &&
            (slices->count == 0 || step->start >= slices->steps[slices->count - 1].end))
            slices->steps[slices->count++] = *step;
    }
}

/* ---- figures ---- */

/* Shares by frame, then step. */
struct step_figures {
    double *united, *exposed;
    uint32_t steps;
};

/* The step at hand. An activity goes to every step that it is in, as far as it is. */
struct step_sweep {
    const struct graph *graph;
    const struct step *step;
    struct activity_sweep activities;
    struct speedup_bounds bounds;
    struct VECTOR_OF(struct activity) outlasting; /* it, or the one before */
};

static void add_clipped(struct step_sweep *sweep, struct activity activity)
{
    const struct step *step = sweep->step;

    activity.start = activity.start > step->start ? activity.start : step->start;
    activity.end = activity.end < step->end ? activity.end : step->end;
    speedup_bounds_add(&sweep->activities, &activity);
}

static void begin_step(struct step_sweep *sweep, const struct step *step)
{
    size_t kept = 0;

    sweep->step = step;
    speedup_bounds_begin(&sweep->activities, checked_sub(step->end, step->start),
                         (uint32_t)sweep->graph->frames.count, sweep->graph->timeline.track_count,
                         &sweep->bounds);
    for (size_t i = 0; i < sweep->outlasting.count; i++) {
        struct activity activity = sweep->outlasting.list[i];

        add_clipped(sweep, activity);
        if (activity.end > step->end)
            sweep->outlasting.list[kept++] = activity;
    }
    sweep->outlasting.count = kept;
}

static void end_step(struct step_sweep *sweep, struct step_figures *figures, uint32_t number)
{
    int64_t span = sweep->bounds.span;

    speedup_bounds_end(&sweep->activities);
    for (uint32_t f = 0; f < sweep->bounds.part_count; f++) {
        size_t at = (size_t)f * figures->steps + number;

        figures->united[at] = share_of(sweep->bounds.united[f], span);
        figures->exposed[at] = share_of(sweep->bounds.exposed[f], span);
    }
    speedup_bounds_free(&sweep->bounds);
}

static void measure(struct workload *workload, const struct slices *slices,
                    struct step_figures *figures)
{
    struct step_sweep sweep = {.graph = workload->graph};
    struct activity activity;
    uint32_t number = 0;

    begin_step(&sweep, &slices->steps[0]);
    while (workload_next(workload, &activity)) {
        while (activity.start >= slices->steps[number].end) {
            end_step(&sweep, figures, number);
            if (++number == slices->count)
                break;
            begin_step(&sweep, &slices->steps[number]);
        }
        if (number == slices->count)
            break;
        add_clipped(&sweep, activity);
        if (activity.end > sweep.step->end)
            vector_add(&sweep.outlasting, activity);
    }
    while (number < slices->count) {
        end_step(&sweep, figures, number);
        if (++number < slices->count)
            begin_step(&sweep, &slices->steps[number]);
    }
    free(sweep.outlasting.list);
}

static int compare(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;

    return (left > right) - (left < right);
}

static double median(double *values, uint32_t count)
{
    qsort(values, count, sizeof(*values), compare);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

static void spread(const struct step_figures *figures, uint32_t frames, struct amdahl_steps *found)
{
    for (uint32_t f = 0; f < frames; f++) {
        double *united = figures->united + (size_t)f * figures->steps;
        struct step_shares *shares = &found->of[f];

        shares->median = median(united, figures->steps);
        shares->least = united[0];
        shares->most = united[figures->steps - 1];
        shares->exposed = median(figures->exposed + (size_t)f * figures->steps, figures->steps);
    }
}

static void measure_steps(const struct slices *slices, struct amdahl_steps *found)
{
    double *spans = grow_zeroed(slices->count, sizeof(*spans));

    for (uint32_t s = 0; s < slices->count; s++)
        spans[s] = (double)checked_sub(slices->steps[s].end, slices->steps[s].start);
    found->median = (int64_t)median(spans, slices->count);
    found->shortest = (int64_t)spans[0];
    found->longest = (int64_t)spans[slices->count - 1];
    free(spans);
}

void amdahl_steps_find(const struct graph *graph, struct arena *arena, struct amdahl_steps *found)
{
    uint32_t frames = (uint32_t)graph->frames.count;
    uint32_t *part_of = arena_array(arena, frames, sizeof(*part_of));
    struct slices slices = {.count = 0};
    struct workload workload;
    struct steps steps;

    *found = (struct amdahl_steps){0};
    steps_find(graph, arena, &steps);
    slices.steps = arena_array(arena, steps.count, sizeof(*slices.steps));
    choose(&steps, FIGURES_MAX / (frames + 1), &slices);
    found->count = slices.count;
    found->left_out = steps.count - slices.count;
    if (slices.count == 0)
        return;
    for (uint32_t i = 0; i < frames; i++)
        part_of[i] = i;

    size_t all = (size_t)frames * slices.count;
    struct step_figures figures = {grow_zeroed(all, sizeof(double)),
                                   grow_zeroed(all, sizeof(double)), slices.count};

    workload_open(graph, NULL, part_of, &workload);
    measure(&workload, &slices, &figures);
    workload_close(&workload);
    found->of = arena_array(arena, frames, sizeof(*found->of));
    spread(&figures, frames, found);
    measure_steps(&slices, found);
    free(figures.united);
    free(figures.exposed);
}
