/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/ranks/rank_work.h"

#include "analysis/ranks/job_shard.h"
#include "base/memory/memory.h"

/* Names are kept that have one part in LITTLE of the time, and so many at most, of so many bytes. */
enum { LITTLE = 10000, NAMES_MOST = 512, TEXT_MOST = 1 << 17 };

/* By frame, a row each; in the order in which they come. */
static void count_events(struct job_shard *shard, const struct kernel_work *work,
                         const struct graph *graph, int32_t stage)
{
    struct idmap rows = {0};

    for (uint32_t i = 0; i < work->count; i++) {
        const struct work_item *item = &work->items[i];
        const struct frame *frame = graph_frame(graph, graph->timeline.frame[item->event]);
        uint32_t *at = idmap_at(&rows, idmap_pair(frame->name, frame->kind));

        if (*at == IDMAP_NONE) {
            *at = shard->hot_count;
            shard_add_hot(
                shard, &(struct shard_hot){
                           .name = strings_intern(&shard->strings, graph_text(graph, frame->name)),
                           .kind = (uint8_t)frame->kind,
                           .stage = stage});
        }
        distribution_add(&shard->hot[*at].events, item->end - item->start, &shard->arena);
    }
    idmap_free(&rows);
}

/* The most time first; those of equal time stay as they came. */
static bool takes_longer(const void *shard, uint32_t a, uint32_t b)
{
    const struct shard_hot *hot = ((const struct job_shard *)shard)->hot;

    return hot[a].events.sum > hot[b].events.sum;
}

/* Puts rows of little time, and those beyond so many, into one of their kind; how many. */
static uint32_t fold(struct job_shard *shard)
{
    struct arena scratch = {0};
    uint32_t *order = arena_array(&scratch, (size_t)shard->hot_count + 1, sizeof(*order));
    struct shard_hot *all = arena_array(&scratch, (size_t)shard->hot_count + 1, sizeof(*all));
    struct idmap others = {0}; /* kind → its row */
    uint32_t count = shard->hot_count, kept = 0;
    uint64_t time = 0, text = 0;

    for (uint32_t i = 0; i < count; i++) {
        order[i] = i;
        all[i] = shard->hot[i];
        time += all[i].events.sum;
    }
    sort_stable(order, count, takes_longer, shard);
    for (; kept < count && kept < NAMES_MOST && all[order[kept]].events.sum >= time / LITTLE;
         kept++) {
        text += shard_text(shard, all[order[kept]].name).len;
        if (text > TEXT_MOST)
            break;
    }
    shard->hot_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct shard_hot *row = &all[order[i]];
        uint32_t *at = i < kept ? NULL : idmap_at(&others, row->kind);

        if (at && *at != IDMAP_NONE) {
            distribution_merge(&shard->hot[*at].events, &row->events, &shard->arena);
            continue;
        }
        if (at) {
            *at = shard->hot_count;
            row->name = strings_intern(&shard->strings, SPAN("(other)"));
        }
        shard->hot[shard->hot_count++] = *row;
    }
    idmap_free(&others);
    arena_free(&scratch);
    return count - kept;
}

uint32_t rank_work_by_name(struct job_shard *shard, const struct kernel_work *work,
                           const struct graph *graph, int32_t stage)
{
    uint32_t folded;

    count_events(shard, work, graph, stage);
    folded = fold(shard);
    for (uint32_t i = 0; i < shard->hot_count; i++)
        distribution_add(&shard->hot[i].ranks, (int64_t)shard->hot[i].events.sum, &shard->arena);
    return folded;
}
