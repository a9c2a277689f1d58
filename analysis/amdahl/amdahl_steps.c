/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/amdahl/amdahl.h"

#include <stdlib.h>

#include "analysis/timeline/inventory.h"
#include "base/checked.h"
#include "base/memory/sort.h"
#include "base/memory/vector.h"

/* Figures of all parts in all steps are kept at once: this many. */
enum { FIGURES_MAX = 1 << 22 };

/* Steps that do not overlap, with what ran in each. */
struct slices {
    struct step *steps; /* the arena's */
    uint32_t count;
    struct activities *activities; /* by step; owned */
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

/* The first step that ends after `time`. */
static uint32_t first_step(const struct slices *slices, int64_t time)
{
    SEARCH(uint32_t, at, slices->count, slices->steps[at].end <= time);
    return at;
}

/* Each activity goes to every step that it is in, as far as it is. */
static void slice(const struct activities *all, struct slices *slices)
{
    slices->activities = grow_zeroed(slices->count + 1u, sizeof(*slices->activities));
    for (size_t i = 0; i < all->count; i++) {
        const struct activity *whole = &all->list[i];

        for (uint32_t s = first_step(slices, whole->start);
             s < slices->count && slices->steps[s].start < whole->end; s++) {
            const struct step *step = &slices->steps[s];
            struct activity part = *whole;

            part.start = part.start > step->start ? part.start : step->start;
            part.end = part.end < step->end ? part.end : step->end;
            activities_add(&slices->activities[s], &part);
        }
    }
}

/* ---- figures ---- */

/* Shares by frame, then step. */
struct step_figures {
    double *united, *exposed;
    uint32_t steps;
};

static void measure(const struct graph *graph, struct slices *slices, struct step_figures *figures)
{
    uint32_t frames = (uint32_t)graph->frames.count;

    for (uint32_t s = 0; s < slices->count; s++) {
        int64_t span = checked_sub(slices->steps[s].end, slices->steps[s].start);
        struct speedup_bounds bounds;

        speedup_bounds_compute(&slices->activities[s], span, frames, graph->timeline.track_count,
                               &bounds);
        for (uint32_t f = 0; f < frames; f++) {
            figures->united[(size_t)f * figures->steps + s] = share_of(bounds.united[f], span);
            figures->exposed[(size_t)f * figures->steps + s] = share_of(bounds.exposed[f], span);
        }
        speedup_bounds_free(&bounds);
        activities_free(&slices->activities[s]);
    }
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
    workload_collect(graph, NULL, part_of, &workload);
    slice(&workload.activities, &slices);
    activities_free(&workload.activities);

    size_t all = (size_t)frames * slices.count;
    struct step_figures figures = {grow_zeroed(all, sizeof(double)),
                                   grow_zeroed(all, sizeof(double)), slices.count};

    measure(graph, &slices, &figures);
    found->of = arena_array(arena, frames, sizeof(*found->of));
    spread(&figures, frames, found);
    measure_steps(&slices, found);
    free(figures.united);
    free(figures.exposed);
    free(slices.activities);
}
