/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/nvprof/nvprof_flat.h"

#include <stdlib.h>

#include "base/memory/grow.h"
#include "parsers/nvprof/metric_names.h"

/* The values that a file has, and what each is. */
struct values {
    struct value_name *names;
    uint32_t *metric; /* of a value; UINT32_MAX: launches */
    uint32_t count;
    uint32_t first_metric; /* those before are a summary's */
};

/* Transactions, and instructions that are two FLOP, are counts. */
static enum unit unit_of(struct span metric)
{
    const struct metric_meaning *meaning = metric_meaning(metric);

    if (!meaning || meaning->factor != 1)
        return UNIT_COUNT;
    return meaning->counter < COUNTER_DRAM_BYTES ? UNIT_FLOP : UNIT_BYTES;
}

static void add_value(struct values *values, struct value_name name, uint32_t metric)
{
    values->names[values->count] = name;
    values->metric[values->count++] = metric;
}

static void collect_values(struct values *values, const struct summary *summary,
                           const struct metrics *metrics, struct builder *builder)
{
    size_t room = SUMMARY_VALUES + 1 + metrics->count;

    values->names = grow_zeroed(room, sizeof(*values->names));
    values->metric = grow_zeroed(room, sizeof(*values->metric));
    for (uint32_t i = 0; summary->count && i < SUMMARY_VALUES; i++)
        add_value(values, summary_values[i], UINT32_MAX);
    values->first_metric = values->count;
    if (metrics->kernel_count)
        add_value(values, (struct value_name){SPAN("launches"), UNIT_COUNT}, UINT32_MAX);
    for (uint32_t i = 0; i < metrics->count; i++) {
        struct span name = builder_text(builder, metrics->list[i].name);

        if (metrics->list[i].is_sum)
            add_value(values, (struct value_name){name, unit_of(name)}, i);
    }
}

bool flat_finish(const struct summary *summary, const struct metrics *metrics,
                 struct builder *builder, struct error *err)
{
    struct values values = {0};
    uint32_t value;
    bool ok;

    collect_values(&values, summary, metrics, builder);
    ok = builder_begin(builder, LEVEL_FLAT, values.names, values.count,
                       summary->count ? summary_standard(summary) : 0, err);
    value = ok ? builder_value(builder) : 0;
    if (ok && value < values.first_metric)
        summary_list(summary, builder, (enum summary_value)value);
    else if (ok)
        metrics_list(metrics, builder, values.metric[value]);
    if (ok)
        summary_tell(summary, builder);
    free(values.names);
    free(values.metric);
    return ok;
}
