/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/chrome/chrome_events.h"

#include <stdlib.h>

#include "base/memory/memory.h"
#include "parsers/device/kernel_counters.h"
#include "parsers/json/json.h"

bool is_profiler_range(const struct event *event)
{
    return token_is(event->field[FIELD_CAT], SPAN("cuda_profiler_range"));
}

void profiler_ranges_add(struct profiler_ranges *ranges, struct builder *builder,
                         const struct event *event, int64_t start)
{
    struct json_walk walk = walk_into(event->field[FIELD_ARGS]);
    struct arena scratch = {0};
    struct profiler_range range = {
        .kernel = builder_intern(builder, token_text(event->field[FIELD_NAME], &scratch)),
        .device = builder_intern(builder, token_raw_text(event->field[FIELD_PID])),
        .start = start};
    struct span key;
    struct token value;
    int64_t total;

    while (walk_member(&walk, &key, &value))
        if (token_scaled(value, 0, &total) && total >= 0)
            vector_add(&ranges->metrics,
                       (struct range_metric){(uint32_t)ranges->list.count,
                                             builder_intern(builder, key), total});
    vector_add(&ranges->list, range);
    arena_free(&scratch);
}

void profiler_ranges_absorb(struct profiler_ranges *ranges, const struct profiler_ranges *part,
                            const str_id *texts)
{
    uint32_t first = (uint32_t)ranges->list.count;

    for (size_t i = 0; i < part->list.count; i++) {
        const struct profiler_range *range = &part->list.list[i];

        vector_add(&ranges->list, (struct profiler_range){texts[range->kernel],
                                                          texts[range->device], range->start});
    }
    for (size_t i = 0; i < part->metrics.count; i++) {
        const struct range_metric *metric = &part->metrics.list[i];

        vector_add(&ranges->metrics, (struct range_metric){first + metric->range,
                                                           texts[metric->name], metric->total});
    }
}

static bool is_before(const void *context, uint32_t a, uint32_t b)
{
    const struct profiler_range *list = context;

    return list[a].start < list[b].start;
}

void profiler_ranges_finish(struct profiler_ranges *ranges, struct builder *builder)
{
    const struct profiler_range *list = ranges->list.list;
    uint32_t *order = sorted_order(ranges->list.count, is_before, list);
    uint32_t *launch_of = grow_to(NULL, ranges->list.count + 1, sizeof(*launch_of));
    struct kernel_counters counters = {0};

    for (size_t i = 0; i < ranges->list.count; i++) {
        struct frame kernel = {.name = list[order[i]].kernel, .kind = KIND_KERNEL};

        launch_of[order[i]] = kernel_counters_launch(&counters, builder_frame(builder, &kernel),
                                                     list[order[i]].device);
    }
    for (size_t i = 0; i < ranges->metrics.count; i++) {
        const struct range_metric *metric = &ranges->metrics.list[i];

        kernel_counters_add(
            &counters, builder, launch_of[metric->range],
            kernel_counters_metric(&counters, builder, builder_text(builder, metric->name)),
            metric->total);
    }
    if (ranges->list.count)
        builder_fact(builder, "counted_launches", (int64_t)ranges->list.count, UNIT_COUNT);
    kernel_counters_give(&counters, &(struct kernel_totals){0}, builder);
    kernel_counters_free(&counters);
    free(order);
    free(launch_of);
}

void profiler_ranges_free(struct profiler_ranges *ranges)
{
    free(ranges->list.list);
    free(ranges->metrics.list);
}
