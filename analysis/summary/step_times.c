/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "analysis/summary/summary.h"
#include "base/checked.h"
#include "base/memory/sort.h"
#include "base/memory/vector.h"

static enum step_part part_of(const struct host_tree *tree, event_id event)
{
    switch (role_of(tree, event)) {
    case ROLE_KERNEL:
        return tree->transfer_marks[tree->graph->timeline.frame[event]] & TRANSFER_KIND
                   ? PART_COMMUNICATION
                   : PART_KERNEL;
    case ROLE_MEMCPY:
        return PART_MEMCPY;
    case ROLE_MEMSET:
        return PART_MEMSET;
    case ROLE_COMMUNICATION:
        return PART_COMMUNICATION;
    case ROLE_RUNTIME:
        return PART_RUNTIME;
    case ROLE_DATALOADER:
        return PART_DATALOADER;
    case ROLE_OPERATOR:
    case ROLE_INNER:
    case ROLE_FORWARD:
    case ROLE_BACKWARD:
    case ROLE_OPTIMIZATION:
    case ROLE_USER:
    case ROLE_PYTHON_USER:
    case ROLE_PYTHON_OP:
        return PART_OPERATOR;
    default:
        return PART_OTHER;
    }
}

/* ---- when steps are ---- */

static uint32_t step_with(const struct host_tree *tree, event_id call)
{
    const struct timeline *t = &tree->graph->timeline;

    SEARCH(uint32_t, at, tree->step_count, tree->step_span[at].start <= t->start[call]);
    return at && end_of(tree, call) <= tree->step_span[at - 1].end ? at - 1 : UINT32_MAX;
}

/* Work that nothing in the file launched, and that began before any that the first step did, is
 * the tail of what came before the steps. */
static bool is_left_over(const struct host_tree *tree, event_id work, int64_t first_work)
{
    const struct timeline *t = &tree->graph->timeline;

    return t->launch[work] == NO_EVENT && t->start[work] < first_work;
}

/* When the first work begins that a step launched. */
static int64_t first_work_of(const struct host_tree *tree)
{
    const struct timeline *t = &tree->graph->timeline;
    int64_t first = INT64_MAX;

    for (uint32_t i = 0; t->launch && i < tree->work_count; i++) {
        event_id e = tree->work[i].event;

        if (t->launch[e] != NO_EVENT && t->start[e] < first &&
            step_with(tree, t->launch[e]) != UINT32_MAX)
            first = t->start[e];
    }
    return first;
}

/* The work that a step launched prolongs it; what was launched before all of them delays the
 * first. */
static void stretch(const struct host_tree *tree, struct step_times *times)
{
    const struct timeline *t = &tree->graph->timeline;
    int64_t first = times->rows[0].span.start, delayed = first;
    int64_t first_work = first_work_of(tree);

    for (uint32_t i = 0; t->launch && i < tree->work_count; i++) {
        event_id e = tree->work[i].event;
        uint32_t step;

        if (is_left_over(tree, e, first_work) && end_of(tree, e) > delayed)
            delayed = end_of(tree, e);
        if (t->launch[e] == NO_EVENT)
            continue;
        step = step_with(tree, t->launch[e]);
        if (step != UINT32_MAX && end_of(tree, e) > times->rows[step].span.end)
            times->rows[step].span.end = end_of(tree, e);
        else if (step == UINT32_MAX && t->start[t->launch[e]] < first && end_of(tree, e) > delayed)
            delayed = end_of(tree, e);
    }
    times->rows[0].span.start = delayed;
}

static void find_spans(const struct host_tree *tree, struct step_times *times)
{
    for (uint32_t i = 0; i < times->count; i++)
        times->rows[i] =
            (struct step_time){.name = graph_text(tree->graph, name_of(tree, tree->step[i])),
                               .span = tree->step_span[i]};
    stretch(tree, times);
    for (uint32_t i = 1; i < times->count; i++) {
        struct interval *span = &times->rows[i].span;
        int64_t before = times->rows[i - 1].span.end;

        span->start = before > span->start ? before : span->start;
        span->end = span->start > span->end ? span->start : span->end;
    }
}

static void take_whole(const struct host_tree *tree, struct step_time *row)
{
    const struct timeline *t = &tree->graph->timeline;

    *row = (struct step_time){.name = SPAN("all"), .span = {INT64_MAX, INT64_MIN}};
    for (event_id e = 0; e < t->count; e++)
        if (role_of(tree, e) != ROLE_NONE) {
            row->span.start = t->start[e] < row->span.start ? t->start[e] : row->span.start;
            row->span.end = end_of(tree, e) > row->span.end ? end_of(tree, e) : row->span.end;
        }
    if (row->span.start > row->span.end)
        row->span = (struct interval){0, 0};
}

/* ---- what they are spent on ---- */

/* Adds to each step what it has of a set; both are in order. */
static void share_out(const struct intervals *set, enum step_part part, struct step_times *times)
{
    uint32_t i = 0;

    for (size_t k = 0; k < set->count; k++) {
        struct interval at = set->list[k];

        while (i < times->count && times->rows[i].span.end <= at.start)
            i++;
        for (uint32_t j = i; j < times->count && times->rows[j].span.start < at.end; j++) {
            struct interval step = times->rows[j].span;
            int64_t from = at.start > step.start ? at.start : step.start;
            int64_t to = at.end < step.end ? at.end : step.end;

            if (from < to)
                times->rows[j].parts[part] = checked_add(times->rows[j].parts[part], to - from);
        }
    }
}

static void spend(const struct host_tree *tree, struct step_times *times)
{
    const struct timeline *t = &tree->graph->timeline;
    struct intervals sets[PART_COUNT] = {0}, taken = {0};

    for (event_id e = 0; e < t->count; e++)
        if (part_of(tree, e) != PART_OTHER)
            intervals_cover(&sets[part_of(tree, e)], t->start[e], end_of(tree, e));
    for (enum step_part part = 0; part < PART_OTHER; part++) {
        struct intervals rest = {0};

        intervals_unite(&sets[part]);
        intervals_subtract(&sets[part], &taken, &rest);
        share_out(&rest, part, times);
        intervals_add_all(&taken, &rest);
        intervals_unite(&taken);
        intervals_free(&rest);
        intervals_free(&sets[part]);
    }
    intervals_free(&taken);
    for (uint32_t i = 0; i < times->count; i++) {
        int64_t other = times->rows[i].span.end - times->rows[i].span.start;

        for (enum step_part part = 0; part < PART_OTHER; part++)
            other -= times->rows[i].parts[part];
        times->rows[i].parts[PART_OTHER] = other;
    }
}

void summary_step_times(const struct host_tree *tree, struct arena *arena, struct step_times *steps)
{
    steps->count = tree->step_count ? tree->step_count : 1;
    steps->rows = arena_array(arena, steps->count, sizeof(*steps->rows));
    if (tree->step_count)
        find_spans(tree, steps);
    else
        take_whole(tree, &steps->rows[0]);
    spend(tree, steps);
}
