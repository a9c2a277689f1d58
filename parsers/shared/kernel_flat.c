/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/shared/kernel_flat.h"

#include <stdlib.h>

#include "base/memory/grow.h"
#include "parsers/shared/metric_names.h"

/* The values that a file has, and what each is. */
struct values {
    struct value_name *names;
    uint32_t *metric; /* of a value; UINT32_MAX: launches */
    uint32_t count;
    uint32_t first_metric; /* those before are of the totals */
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

static void collect_values(struct values *values, const struct kernel_totals *totals,
                           const struct kernel_counters *counters, struct builder *builder)
{
    size_t room = TOTALS_VALUES + 1 + counters->metrics.count;

    values->names = grow_zeroed(room, sizeof(*values->names));
    values->metric = grow_zeroed(room, sizeof(*values->metric));
    for (uint32_t i = 0; totals->count && i < TOTALS_VALUES; i++)
        add_value(values, totals_values[i], UINT32_MAX);
    values->first_metric = values->count;
    if (counters->kernels.count)
        add_value(values, (struct value_name){SPAN("launches"), UNIT_COUNT}, UINT32_MAX);
    for (uint32_t i = 0; i < counters->metrics.count; i++) {
        struct span name = builder_text(builder, counters->metrics.list[i].name);

        if (counters->metrics.list[i].is_sum)
            add_value(values, (struct value_name){name, unit_of(name)}, i);
    }
}

bool kernel_flat(const struct kernel_totals *totals, const struct kernel_counters *counters,
                 struct builder *builder, struct error *err)
{
    struct values values = {0};
    uint32_t value;
    bool ok;

    collect_values(&values, totals, counters, builder);
    ok = builder_begin(builder, LEVEL_FLAT, values.names, values.count,
                       totals->count ? kernel_totals_standard(totals) : 0, err);
    value = ok ? builder_value(builder) : 0;
    if (ok && value < values.first_metric)
        kernel_totals_list(totals, builder, (enum totals_value)value);
    else if (ok)
        kernel_counters_list(counters, builder_callgraph(builder), values.metric[value]);
    if (ok)
        kernel_totals_tell(totals, builder);
    free(values.names);
    free(values.metric);
    return ok;
}
