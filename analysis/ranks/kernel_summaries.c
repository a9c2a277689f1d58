/* SPDX-License-Identifier: Apache-2.0 */
/* What is kept of a trace of kernels: operations, what each waits for, and collectives,
 * within bounds. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "analysis/ranks/job.h"
#include "analysis/ranks/job_shard.h"
#include "analysis/ranks/kernel_work.h"
#include "analysis/ranks/participation.h"
#include "analysis/ranks/rank_overlap.h"
#include "analysis/ranks/rank_summaries.h"
#include "analysis/ranks/rank_work.h"
#include "analysis/ranks/summary_rows.h"
#include "base/memory/memory.h"

/* ---- participations ---- */

/* "nccl:allreduce:DATA_PARALLEL_GROUP": groups of one use do the same work. */
static str_id collective_label(struct participation_finder *finder,
                               const struct collective *collective, uint32_t group,
                               struct arena *scratch)
{
    struct job_shard *shard = finder->rows->shard;
    struct span use = shard_text(shard, shard->groups[group].use);
    struct span name = shard_text(shard, shard->groups[group].name);
    struct span operation = graph_text(finder->graph, collective->operation);

    if (!collective->is_named)
        return strings_intern(&shard->strings, operation);
    use = use.len ? use : name;
    return strings_intern(
        &shard->strings,
        span_of(arena_printf(scratch, "nccl:%.*s:%.*s", (int)(operation.len & 0xffff), operation.at,
                             (int)(use.len & 0xffff), use.at)));
}

/* A collective that ended; its label goes to `label`. */
static uint32_t add_participation(struct participation_finder *finder, const struct work_item *item,
                                  uint32_t step, str_id *label)
{
    struct job_shard *shard = finder->rows->shard;
    uint32_t at = idmap_find(&finder->by_event, item->event), group, participation;
    const struct collective *collective;
    struct arena scratch = {0};
    int64_t origin = finder->graph->timeline.origin;

    if (at == IDMAP_NONE)
        return NO_PARTICIPATION;
    collective = &finder->collectives.list[at];
    group = participation_group(finder, collective, &scratch);
    *label = collective_label(finder, collective, group, &scratch);
    if (!participation_is_known(finder, collective)) {
        arena_free(&scratch);
        return NO_PARTICIPATION;
    }
    participation = summary_add_participation(
        finder->rows, &(struct participation_row){
                          .group = group,
                          .sequence = participation_sequence(finder, collective, group,
                                                             finder->rows->steps.list[step].number),
                          .size = collective_bytes(collective),
                          .start = checked_add(item->start, origin),
                          .lasted = item->end - item->start,
                          .operation = strings_intern(
                              &shard->strings, graph_text(finder->graph, collective->operation)),
                          .step = step});
    arena_free(&scratch);
    return participation;
}

/* ---- operations ---- */

static bool is_joint(const struct work_item *item)
{
    return item->is_collective && !item->is_folded;
}

/* Consecutive work of one stream that nothing waits for or holds back is one operation, typical of
 * those that run the same kernels. The first of a step is by itself: what it is late by is another thing
 * than what comes between kernels. */
static bool continues(const struct kernel_work *work, const struct work_item *item)
{
    const struct work_item *before = item->before == NO_ITEM ? NULL : &work->items[item->before];

    return before && !is_joint(before) && !is_joint(item) && before->step == item->step &&
           before->label == item->label && !before->is_source && item->wait_count == 0 &&
           before->before != NO_ITEM && work->items[before->before].step == item->step;
}

static void add_operation(struct participation_finder *finder, const struct kernel_work *work,
                          uint32_t at, uint32_t step)
{
    struct summary_rows *rows = finder->rows;
    struct job_shard *shard = rows->shard;
    struct work_item *item = &work->items[at];
    struct operation_row op = {.kind = is_joint(item) ? OPERATION_TRANSFER : OPERATION_COMPUTE,
                               .length = item->end - item->start + item->held,
                               .delay = item->delay,
                               .participation = NO_PARTICIPATION};

    if (is_joint(item))
        op.participation = add_participation(finder, item, step, &op.label);
    if (!op.label)
        op.label =
            strings_intern(&shard->strings,
                           item->label ? graph_text(finder->graph, item->label) : SPAN("kernels"));
    op.type = op.label;
    item->op = summary_add_operation(rows, &op);
    if (item->before != NO_ITEM && work->items[item->before].step == item->step)
        summary_add_dependency(rows, item->op, work->items[item->before].op);
    for (uint32_t i = 0; i < item->wait_count; i++)
        summary_add_dependency(rows, item->op,
                               work->items[work->waits.list[item->first_wait + i]].op);
}

/* What kernels each operation ran, as a number: with its label that is its type in the end. */
static void extend(struct summary_rows *rows, const struct kernel_work *work,
                   struct work_item *item, uint64_t *signature)
{
    struct operation_row *op;

    item->op = work->items[item->before].op;
    op = &rows->ops.list[item->op];
    op->length = checked_add(op->length, checked_add(item->end - item->start, item->held));
    op->delay = checked_add(op->delay, item->delay);
    signature[item->op] =
        XXH3_64bits_withSeed(&item->name_hash, sizeof(item->name_hash), signature[item->op]);
}

static void name_types(struct summary_rows *rows, const uint64_t *signature)
{
    for (size_t i = 0; i < rows->ops.count; i++) {
        struct operation_row *op = &rows->ops.list[i];
        struct span label = shard_text(rows->shard, op->label);
        char type[17];

        if (op->kind != OPERATION_COMPUTE)
            continue;
        snprintf(type, sizeof(type), "%016" PRIx64,
                 XXH3_64bits_withSeed(label.at, label.len, signature[i]));
        op->type = strings_intern(&rows->shard->strings, span_of(type));
    }
}

static void add_step(struct participation_finder *finder, struct kernel_work *work, uint32_t first,
                     uint32_t end, uint64_t *signature)
{
    struct summary_rows *rows = finder->rows;
    struct step_row *step = summary_add_step(rows, work->items[first].step);
    uint32_t at = (uint32_t)rows->steps.count - 1;
    int64_t origin = finder->graph->timeline.origin;

    kernel_work_measure(work, first, end, step->figure);
    step->begin = checked_add(work->items[first].start, origin);
    step->end = checked_add(step->begin, step->figure[ROW_LENGTH]);
    for (uint32_t i = first; i < end; i++) {
        struct work_item *item = &work->items[i];

        if (continues(work, item)) {
            extend(rows, work, item, signature);
        } else {
            add_operation(finder, work, i, at);
            signature[item->op] = item->name_hash;
        }
    }
}

static void add_steps(struct participation_finder *finder, struct kernel_work *work)
{
    uint64_t *signature = grow_zeroed((size_t)work->count + 1, sizeof(*signature));

    idmap_free(&finder->counted);
    for (uint32_t i = 0, end; i < work->count; i = end) {
        for (end = i + 1; end < work->count && work->items[end].step == work->items[i].step;)
            end++;
        add_step(finder, work, i, end, signature);
    }
    name_types(finder->rows, signature);
    free(signature);
}

/* ---- bounds ---- */

/* From what is hardly missed to what is. */
enum fold_level {
    FOLD_WAITS,  /* those that held nothing back */
    FOLD_NAMES,  /* what tells kernels under no range apart, so that they are one operation */
    FOLD_RANGES, /* and those of different ranges */
    FOLD_GAPS,   /* waits that held work back for less than 1 us, then 8 us ... */
    FOLD_COLLECTIVES = FOLD_GAPS + 5, /* of groups with more than 4096 a step, then 2048 ... */
    FOLD_LAST = FOLD_COLLECTIVES + 12
};

enum { SHORT_GAP = 1000, LONG_GAP = 100000000, COLLECTIVES_MOST = 4096 };

static const struct collective *collective_of(const struct participation_finder *finder,
                                              const struct work_item *item)
{
    uint32_t at = item->is_collective ? idmap_find(&finder->by_event, item->event) : IDMAP_NONE;

    return at == IDMAP_NONE || finder->collectives.list[at].sequence == UNKNOWN
               ? NULL
               : &finder->collectives.list[at];
}

static uint64_t group_key(const struct collective *collective)
{
    return idmap_pair((uint32_t)collective->group, (uint32_t)collective->group_ranks);
}

/* Of groups that have more than `most` collectives a step those are kept whose numbers are multiples of a power
 * of two: all members keep the same. The last stays, which tells what the group had ended. */
static void fold_collectives(struct participation_finder *finder, struct kernel_work *work,
                             uint32_t most)
{
    struct idmap counts = {0}, lasts = {0};
    uint64_t steps = finder->rows->steps.count;

    for (uint32_t i = 0; i < work->count; i++) {
        const struct collective *collective = collective_of(finder, &work->items[i]);
        uint32_t *count;

        if (!collective)
            continue;
        count = idmap_at(&counts, group_key(collective));
        *count = *count == IDMAP_NONE ? 1 : *count + 1;
        *idmap_at(&lasts, group_key(collective)) = i;
    }
    for (uint32_t i = 0; i < work->count; i++) {
        struct work_item *item = &work->items[i];
        const struct collective *collective = collective_of(finder, item);
        uint64_t count, apart = 1;

        if (!collective || idmap_find(&lasts, group_key(collective)) == i)
            continue;
        for (count = idmap_find(&counts, group_key(collective)); count > most * steps; count /= 2)
            apart *= 2;
        item->is_folded = (uint64_t)collective->sequence % apart != 0;
        item->label = item->is_folded ? 0 : item->label;
    }
    idmap_free(&counts);
    idmap_free(&lasts);
}

static void fold(struct participation_finder *finder, struct kernel_work *work, unsigned level)
{
    bool is_of_names = level == FOLD_NAMES || level == FOLD_RANGES;

    if (level >= FOLD_COLLECTIVES)
        fold_collectives(finder, work, COLLECTIVES_MOST >> (level - FOLD_COLLECTIVES));
    for (uint32_t i = 0; i < work->count && is_of_names; i++)
        if (!work->items[i].is_collective && (level == FOLD_RANGES || !work->items[i].is_ranged))
            work->items[i].label = 0;
    if (!is_of_names)
        kernel_work_thin_waits(work, level < FOLD_GAPS ? 1
                                     : level < FOLD_COLLECTIVES
                                         ? SHORT_GAP << 3 * (level - FOLD_GAPS)
                                         : LONG_GAP);
}

/* Fills all steps, in as much detail as a summary may have. */
static void fill_within_bounds(struct participation_finder *finder, struct kernel_work *work,
                               struct rank_folds *folds)
{
    struct summary_rows *rows = finder->rows;
    uint64_t step_most = finder->flags & RANK_LOG ? SUMMARY_MOST : SUMMARY_STEP_MOST, exact = 0;

    for (unsigned level = FOLD_WAITS; level <= FOLD_LAST; level++) {
        uint64_t bytes;

        summary_rows_clear(rows);
        add_steps(finder, work);
        bytes = summary_rows_bytes(rows);
        exact = level ? exact : rows->ops.count;
        if (bytes <= step_most * (rows->steps.count + !rows->steps.count) &&
            (bytes <= SUMMARY_MOST || level > FOLD_RANGES))
            break;
        fold(finder, work, level);
    }
    folds->operations = exact - rows->ops.count;
    for (uint32_t i = 0; i < work->count; i++)
        folds->collectives += work->items[i].is_folded;
}

/* ---- what was called, but never ended ---- */

/* A file of collectives alone, which is more than what is left of a trace that is cut. */
static bool is_log(const struct graph *graph, const struct kernel_work *work)
{
    for (uint32_t i = 0; i < work->count; i++)
        if (!work->items[i].is_collective)
            return false;
    return !(work->flags & RANK_TRUNCATED) &&
           (work->count || graph->timeline.properties[PROP_BEGUN].count);
}

struct summary_call {
    event_id event;
    int64_t start;
};

static int by_start(const void *a, const void *b)
{
    const struct summary_call *first = a, *second = b;

    return (first->start > second->start) - (first->start < second->start);
}

static bool is_known(const struct summary_rows *rows, uint32_t group, int64_t sequence)
{
    for (size_t i = rows->participations.count; i-- > 0;)
        if (rows->participations.list[i].group == group &&
            rows->participations.list[i].sequence >= sequence)
            return true;
    return false;
}

/* The host's calls of collectives of which the device has no end: after the last that it has. A log of
 * communication numbers sends and receives, too; calls in traces do not. */
static void add_unended(struct participation_finder *finder)
{
    const struct graph *graph = finder->graph;
    const struct property_column *column = &graph->timeline.properties[PROP_COLLECTIVE_SEQ];
    struct summary_call *calls = grow_zeroed((size_t)column->count + 1, sizeof(*calls));
    struct idmap groups = {0};
    uint32_t count = 0;
    int64_t source;

    for (uint32_t i = 0; i < column->count; i++) {
        event_id event = column->event[i];

        if (!frame_kind_is_device(graph_frame(graph, graph->timeline.frame[event])->kind) &&
            (finder->flags & RANK_LOG ||
             !property_of(&graph->timeline.properties[PROP_SRC_RANK], event, &source)))
            calls[count++] = (struct summary_call){event, graph->timeline.start[event]};
    }
    qsort(calls, count, sizeof(*calls), by_start);
    for (uint32_t i = (uint32_t)graph->source.groups.count; i-- > 0;)
        *idmap_at(&groups, graph->source.groups.list[i].name) = i;
    for (uint32_t i = 0; i < count; i++) {
        struct collective call = collective_describe(graph, &groups, calls[i].event);
        struct arena scratch = {0};
        int64_t begun = 0;
        uint32_t group;

        property_of(&graph->timeline.properties[PROP_BEGUN], calls[i].event, &begun);
        if (call.group == UNKNOWN || call.group_ranks == UNKNOWN || !call.is_named ||
            !participation_is_known(finder, &call))
            continue;
        group = participation_group(finder, &call, &scratch);
        arena_free(&scratch);
        if (!is_known(finder->rows, group, call.sequence))
            summary_add_participation(
                finder->rows, &(struct participation_row){
                                  .group = group,
                                  .sequence = call.sequence,
                                  .size = collective_bytes(&call),
                                  .start = checked_add(calls[i].start, graph->timeline.origin),
                                  .lasted = NOT_KNOWN,
                                  .operation = strings_intern(&finder->rows->shard->strings,
                                                              graph_text(graph, call.operation)),
                                  .step = UINT32_MAX,
                                  .is_begun = begun});
    }
    idmap_free(&groups);
    free(calls);
}

/* ---- the summary ---- */

/* Of a trace that is cut the last step is not whole. One that marks no steps is kept as it is. */
static void drop_last_step(struct kernel_work *work)
{
    uint32_t end = work->flags & RANK_NO_STEPS ? 0 : work->count;

    if (!end)
        return;

    while (end > 0 && work->items[end - 1].step == work->items[work->count - 1].step)
        end--;
    work->count = end;
}

bool summaries_of_kernels(const struct graph *graph, const struct rank_summaries_options *options,
                          struct job_shard *shard)
{
    struct kernel_work work;
    struct summary_rows rows = {.shard = shard};
    struct group_list groups = {.shard = shard};
    struct participation_finder finder = {.graph = graph, .rows = &rows, .groups = &groups};
    struct arena arena = {0};
    struct rank_summary as = {0};
    const char *host = graph_fact_text(graph, FACT_HOSTNAME);
    int64_t world = 0, ends_together;

    kernel_work_find(graph, &work);
    if (!work.count && !graph->timeline.properties[PROP_COLLECTIVE_SEQ].count) {
        kernel_work_free(&work);
        return false;
    }
    if (options->is_truncated) {
        drop_last_step(&work);
        work.flags |= RANK_TRUNCATED;
    }
    as.flags = work.flags;
    as.rank = finder.rank =
        participation_rank(graph, options->file, options->rank, options->place, &as.flags);
    graph_fact(graph, FACT_WORLD_SIZE, &world);
    as.world = world > 0 && world < UINT32_MAX ? (uint32_t)world : 0;
    if (graph->source.devices.count)
        as.device =
            strings_intern(&shard->strings, graph_text(graph, graph->source.devices.list[0].name));
    as.host = strings_intern(&shard->strings, span_of(host ? host : ""));
    as.file = strings_intern(&shard->strings, span_of(options->file));
    as.bytes = options->bytes;
    collectives_find(graph, &arena, &finder.collectives);
    for (uint32_t i = 0; i < finder.collectives.count; i++)
        *idmap_at(&finder.by_event, finder.collectives.list[i].event) = i;
    participation_groups(&finder);
    if (is_log(graph, &work))
        finder.flags |= RANK_LOG;
    if (graph_fact(graph, FACT_END_TOGETHER, &ends_together) && ends_together)
        finder.flags |= RANK_END_TOGETHER;
    fill_within_bounds(&finder, &work, &as.folds);
    add_unended(&finder);
    as.folds.steps = summary_rows_fit_steps(&rows);
    job_place(shard, options->sizes, &as);
    as.folds.names = rank_work_by_name(shard, &work, graph, as.stage);
    as.flags |= finder.flags;
    summary_rows_finish(&rows, &as);
    group_list_finish(&groups);
    idmap_free(&finder.by_event);
    idmap_free(&finder.counted);
    kernel_work_free(&work);
    arena_free(&arena);
    return true;
}
