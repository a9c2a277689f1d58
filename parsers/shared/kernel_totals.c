/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/shared/kernel_totals.h"

#include <stdlib.h>

#include "base/checked.h"

void kernel_totals_add(struct kernel_totals *totals, const struct kernel_total *row)
{
    uint32_t *at = idmap_at(&totals->places, idmap_pair(row->frame, row->section));
    struct kernel_total *sum;

    totals->read[row->section]++;
    if (*at == IDMAP_NONE) {
        *at = (uint32_t)totals->count;
        vector_add(totals, *row);
        return;
    }
    sum = &totals->list[*at];
    sum->calls = checked_add(sum->calls, row->calls);
    sum->time = checked_add(sum->time, row->time);
    sum->min = row->min < sum->min ? row->min : sum->min;
    sum->max = row->max > sum->max ? row->max : sum->max;
}

void kernel_totals_add_launch(struct kernel_totals *totals, frame_id frame, int64_t ns)
{
    kernel_totals_add(totals, &(struct kernel_total){
                                  .frame = frame, .calls = 1, .time = ns, .min = ns, .max = ns});
}

const struct value_name totals_values[TOTALS_VALUES] = {
    [TOTALS_TIME] = {{"time", 4}, UNIT_NS},
    [TOTALS_HOST] = {{"host", 4}, UNIT_NS},
    [TOTALS_DEVICE] = {{"device", 6}, UNIT_NS},
};

enum totals_value kernel_totals_standard(const struct kernel_totals *totals)
{
    return totals->read[SECTION_GPU] ? TOTALS_DEVICE : TOTALS_HOST;
}

static bool is_part(const struct kernel_total *row, enum totals_value value)
{
    return value == TOTALS_TIME || (row->section == SECTION_GPU) == (value == TOTALS_DEVICE);
}

void kernel_totals_list(const struct kernel_totals *totals, struct builder *builder,
                        enum totals_value value)
{
    for (size_t i = 0; i < totals->count; i++) {
        const struct kernel_total *row = &totals->list[i];
        int64_t self = row->section == SECTION_RANGE ? 0 : row->time;
        uint32_t function;

        if (!is_part(row, value))
            continue;
        function = builder_function(builder_callgraph(builder), row->frame);
        builder_list(builder_callgraph(builder), function,
                     &(struct call_figures){row->calls, row->calls, self, row->time});
        builder_extremes(builder_callgraph(builder), function, row->min, row->max);
    }
    if (value == TOTALS_DEVICE && totals->read[SECTION_API])
        warning_say(builder_warnings(builder), WARNING_LOSS,
                    "only the device's time is counted here; --value host has the API calls, "
                    "--value time both");
}

void kernel_totals_tell(const struct kernel_totals *totals, struct builder *builder)
{
    static const char *const keys[SECTION_COUNT] = {
        [SECTION_GPU] = "device_rows",      [SECTION_API] = "api_rows",
        [SECTION_OPENACC] = "openacc_rows", [SECTION_OS] = "os_rows",
        [SECTION_RANGE] = "range_rows",
    };

    for (int i = 0; i < SECTION_COUNT; i++)
        if (totals->read[i])
            builder_fact(builder, keys[i], (int64_t)totals->read[i], UNIT_COUNT);
}

int64_t kernel_totals_mean(const struct kernel_totals *totals, frame_id frame)
{
    uint32_t at = idmap_find(&totals->places, idmap_pair(frame, SECTION_GPU));

    if (at == IDMAP_NONE || totals->list[at].calls == 0)
        return UNKNOWN;
    return totals->list[at].time / totals->list[at].calls;
}

void kernel_totals_free(struct kernel_totals *totals)
{
    free(totals->list);
    idmap_free(&totals->places);
}
