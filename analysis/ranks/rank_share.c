/* SPDX-License-Identifier: Apache-2.0 */
/* A rank's collectives as a part of its job: all by which ranks are compared, without the work in between. */
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

static void add_join(struct participation *taking, const struct collective *collective,
                     int64_t step, struct arena *scratch)
{
    struct job_part *part = taking->draft->part;
    uint32_t group = participation_group(taking, collective, scratch);
    int64_t sequence = participation_sequence(taking, collective, group, step);

    draft_join(taking->draft,
               &(struct draft_join){
                   .group = group,
                   .sequence = sequence,
                   .size = collective_bytes(collective),
                   .start = checked_add(collective->start, taking->graph->timeline.origin),
                   .lasted = checked_sub(collective->end, collective->start),
                   .operation = strings_intern(&part->strings,
                                               graph_text(taking->graph, collective->operation))});
}

void rank_share_make(const struct graph *graph, const struct collectives *collectives,
                     const char *file, int64_t place, struct arena *arena, struct rank_share *share)
{
    struct job_part *part = &share->part;
    struct leaf_draft draft = {.part = part};
    struct group_draft groups = {.part = part};
    struct participation taking = {.graph = graph, .draft = &draft, .groups = &groups};
    struct arena scratch = {0};
    struct step_collective *list = arena_array(&scratch, collectives->count, sizeof(*list));
    const char *host = graph_fact_text(graph, FACT_HOSTNAME);
    uint32_t count = list_in_steps(graph, collectives, list, &scratch);
    struct part_leaf as = {0};

    *part = (struct job_part){0};
    share->collective = arena_array(arena, count, sizeof(*share->collective));
    as.rank = taking.rank = participation_rank(graph, file, -1, place, &as.flags);
    as.host = strings_intern(&part->strings, span_of(host ? host : ""));
    participation_groups(&taking);
    draft_step(&draft, 0)->begin = graph->timeline.origin;
    for (uint32_t i = 0; i < count; i++) {
        add_join(&taking, &collectives->list[list[i].at], list[i].step, &scratch);
        share->collective[i] = list[i].at;
    }
    as.flags |= taking.flags;
    draft_finish(&draft, &as);
    draft_groups_finish(&groups);
    idmap_free(&taking.counted);
    arena_free(&scratch);
}
