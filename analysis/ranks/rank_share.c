/* SPDX-License-Identifier: Apache-2.0 */
/* A rank's collectives as a shard of its job: all by which ranks are compared, without the work in between. */
#include <stdlib.h>

#include "analysis/ranks/kernel_work.h"
#include "analysis/ranks/participation.h"
#include "base/memory/memory.h"

struct step_collective {
    int64_t step;
    uint32_t at; /* which collective */
};

/* Collectives stand in the order of their starts. */
static int by_step_and_place(const void *a, const void *b)
{
    const struct step_collective *first = a, *second = b;

    if (first->step != second->step)
        return first->step < second->step ? -1 : 1;
    return (first->at > second->at) - (first->at < second->at);
}

static uint32_t list_in_steps(const struct graph *graph, const struct collectives *collectives,
                              struct step_collective *list, struct arena *scratch)
{
    struct steps steps;
    uint32_t count = 0;

    steps_find(graph, scratch, &steps);
    for (uint32_t i = 0; i < collectives->count; i++)
        if (work_step_of(graph, &steps, collectives->list[i].event, &list[count].step))
            list[count++].at = i;
    if (count)
        qsort(list, count, sizeof(*list), by_step_and_place);
    return count;
}

static void add_participation(struct participation_finder *finder,
                              const struct collective *collective, int64_t step,
                              struct arena *scratch)
{
    struct job_shard *shard = finder->rows->shard;
    uint32_t group = participation_group(finder, collective, scratch);
    int64_t sequence = participation_sequence(finder, collective, group, step);

    summary_add_participation(
        finder->rows, &(struct participation_row){
                          .group = group,
                          .sequence = sequence,
                          .size = collective_bytes(collective),
                          .start = checked_add(collective->start, finder->graph->timeline.origin),
                          .lasted = checked_sub(collective->end, collective->start),
                          .operation = strings_intern(
                              &shard->strings, graph_text(finder->graph, collective->operation))});
}

void rank_share_make(const struct graph *graph, const struct collectives *collectives,
                     const char *file, int64_t place, struct arena *arena, struct rank_share *share)
{
    struct job_shard *shard = &share->shard;
    struct summary_rows rows = {.shard = shard};
    struct group_list groups = {.shard = shard};
    struct participation_finder finder = {.graph = graph, .rows = &rows, .groups = &groups};
    struct arena scratch = {0};
    struct step_collective *list = arena_array(&scratch, collectives->count, sizeof(*list));
    const char *host = graph_fact_text(graph, FACT_HOSTNAME);
    uint32_t count = list_in_steps(graph, collectives, list, &scratch);
    struct rank_summary as = {0};

    *shard = (struct job_shard){0};
    share->collective = arena_array(arena, count, sizeof(*share->collective));
    as.rank = finder.rank = participation_rank(graph, file, -1, place, &as.flags);
    if (graph->source.devices.count)
        as.device =
            strings_intern(&shard->strings, graph_text(graph, graph->source.devices.list[0].name));
    as.host = strings_intern(&shard->strings, span_of(host ? host : ""));
    participation_groups(&finder);
    summary_add_step(&rows, 0)->begin = graph->timeline.origin;
    for (uint32_t i = 0; i < count; i++) {
        add_participation(&finder, &collectives->list[list[i].at], list[i].step, &scratch);
        share->collective[i] = list[i].at;
    }
    as.flags |= finder.flags;
    summary_rows_finish(&rows, &as);
    group_list_finish(&groups);
    idmap_free(&finder.counted);
    arena_free(&scratch);
}
