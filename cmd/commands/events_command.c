/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/selection/select.h"
#include "analysis/timeline/instances.h"
#include "cmd/answer/profile_command.h"
#include "cmd/answer/report_output.h"
#include "cmd/help/command.h"
#include "cmd/load/profile_load.h"
#include "cmd/options/common_options.h"
#include "graph/derive/derive.h"
#include "render/reports/reports.h"

struct events_arguments {
    struct common common;
    int order; /* enum instance_order */
    uint32_t limit;
};

static const char *const order_choices[] = {
    [INSTANCES_BY_TIME] = "time", [INSTANCES_BY_DURATION] = "duration", NULL};

static const struct option options[] = {
    OPT_INCLUDE(struct events_arguments, common, struct common, report_options),
    OPT_GROUP("Order and size"),
    OPT_CHOICE('s', "sort", struct events_arguments, order, "KEY",
               "time: as they began; duration: the longest first [time]", order_choices),
    OPT_COUNT('n', "limit", struct events_arguments, limit, "N", "at most N events, 0 for all [20]"),
    OPT_INCLUDE(struct events_arguments, common, struct common, filter_options),
    OPT_INCLUDE(struct events_arguments, common, struct common, part_options),
    OPT_INCLUDE(struct events_arguments, common, struct common, input_options),
    OPT_INCLUDE(struct events_arguments, common, struct common, output_options),
    OPT_END,
};

static bool fill_report(struct profile *profile, const void *asked, struct arena *arena,
                        struct report *report, struct error *err)
{
    const struct events_arguments *fields = asked;
    struct graph *graph = &profile->graph;
    struct instances instances = {0};
    const bool *is_wanted;

    if (!graph_need(graph, LEVEL_TIMELINE, "single events are not recorded", err))
        return false;
    is_wanted = name_pattern_function(graph, &fields->common.function, arena);
    if (is_wanted)
        instances_find(graph, is_wanted, (enum instance_order)fields->order, fields->limit, arena,
                       &instances);
    if (!instances.total)
        return name_pattern_lack(&fields->common.function, err);
    events_report(graph, &instances, arena, report);
    return true;
}

static const struct profile_command profile_command = {
    .size = sizeof(struct events_arguments),
    .defaults = &(const struct events_arguments){.limit = 20},
    .wanted = {.need = LEVEL_TIMELINE,
               .properties = ~(uint64_t)0,
               .launches = true,
               .flows = true,
               .sample_times = true},
    .takes_function = true,
    .filtering = FILTERS_EVENTS,
    .fill = fill_report,
};

const struct command command_events = {
    .name = "events",
    .summary = "every call of a function: when, how long, where, launched by what",
    .operands = "FUNC [FILE]",
    .reads = "a timeline",
    .examples = "ptk events gemm trace.json\n"
                "ptk events --sort duration -n 5 AllReduce trace.json\n"
                "ptk events --step 1 -f csv aten::to trace.json\n",
    .options = options,
    .profile = &profile_command,
};
