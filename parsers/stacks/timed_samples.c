/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/stacks/timed_samples.h"

#include "base/checked.h"
#include "base/memory/memory.h"

bool timed_samples_begin(struct timed_samples *samples, struct builder *builder, struct error *err)
{
    *samples = (struct timed_samples){.builder = builder};
    sampled_node(&samples->sampled, 0);
    samples->sampled.nodes.list[0] = (struct sampled_node){0, NO_STACK};
    return builder_begin_timeline(builder, err);
}

uint32_t timed_samples_track(struct timed_samples *samples, uint64_t key, str_id name, int64_t pid, int64_t tid)
{
    uint32_t *track = idmap_at(&samples->tracks, key);

    if (*track == IDMAP_NONE)
        *track = builder_track(builder_timeline(samples->builder),
                               &(struct track){.name = name, .kind = TRACK_SAMPLES, .device = -1, .pid = pid, .tid = tid});
    return *track;
}

/* Nodes of callers are shared by all stacks. */
static uint32_t node_of(struct timed_samples *samples, const frame_id *stack, size_t count)
{
    uint32_t node = 0;

    for (size_t i = count; i-- > 0;) {
        uint32_t *child = idmap_at(&samples->children, idmap_pair(node, stack[i]));

        if (*child == IDMAP_NONE) {
            *child = sampled_node(&samples->sampled, samples->sampled.nodes.count);
            samples->sampled.nodes.list[*child] = (struct sampled_node){stack[i], node};
        }
        node = *child;
    }
    return node;
}

void timed_samples_add(struct timed_samples *samples, uint32_t track, int64_t time, const frame_id *stack, size_t count)
{
    sampled_add(&samples->sampled, track, time, node_of(samples, stack, count));
}

void timed_samples_end(struct timed_samples *samples, uint64_t bytes)
{
    struct sampled_budget budget = sampled_budget(samples->sampled.samples.count, bytes);
    uint64_t count = samples->sampled.samples.count;

    sampled_end_gaps(&samples->sampled);
    sampled_emit(&samples->sampled, samples->builder, INT64_MIN, &budget);
    sampled_warn(&budget, samples->builder);
    warning_count_many(builder_warnings(samples->builder), WARNING_NOTE,
                       "samples: times and calls of functions are estimates", count);
    idmap_free(&samples->children);
    idmap_free(&samples->tracks);
    sampled_free(&samples->sampled);
}
