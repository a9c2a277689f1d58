/* SPDX-License-Identifier: Apache-2.0 */
#include "render/reports/reports.h"

#include "analysis/execution/replay.h"
#include "cmd/answer/profile_command.h"
#include "cmd/help/command.h"
#include "cmd/load/profile_load.h"
#include "cmd/options/common_options.h"
#include "graph/derive/derive.h"

struct critical_path_arguments {
    struct common common;
    uint32_t limit;
    struct option_choice by; /* of group_rows() */
};

static const struct option options[] = {
    OPT_INCLUDE(struct critical_path_arguments, common, struct common, report_options),
    OPT_COUNT('n', "limit", struct critical_path_arguments, limit, "N",
              "show the N costliest rows; 0: all [20]"),
    OPT_NAMED(0, "by", struct critical_path_arguments, by, "WHAT", "what a row is of [function]",
              group_names),
    OPT_INCLUDE(struct critical_path_arguments, common, struct common, filter_options),
    OPT_INCLUDE(struct critical_path_arguments, common, struct common, part_options),
    OPT_INCLUDE(struct critical_path_arguments, common, struct common, input_options),
    OPT_INCLUDE(struct critical_path_arguments, common, struct common, output_options),
    OPT_END,
};

static bool fill_report(struct profile *profile, const void *asked, struct arena *arena,
                        struct report *report, struct error *err)
{
    const struct critical_path_arguments *fields = asked;
    const frame_id *rows;
    struct execution execution;
    struct critical_path path;

    if (!graph_need(&profile->graph, LEVEL_TIMELINE, "there is no path through it", err) ||
        !group_rows(&profile->graph, (enum group_by)fields->by.index, arena, &rows, err))
        return false;
    execution_build(&profile->graph, &execution);
    execution.row_of = rows;
    critical_path_compute(&execution, arena, &path);
    execution_free(&execution);
    critical_path_report(&path, fields->limit, arena, report);
    return true;
}

static const struct profile_command profile_command = {
    .size = sizeof(struct critical_path_arguments),
    .defaults = &(const struct critical_path_arguments){.limit = 20},
    .wants_execution = true,
    .filtering = FILTERS_EVENTS,
    .fill = fill_report,
};

const struct command command_critical_path = {
    .name = "critical-path",
    .summary = "the chain of work and waiting that decided when the run ended",
    .operands = "[FILE]",
    .reads = "a timeline",
    .examples = "ptk critical-path trace.json\n"
                "ptk critical-path -n 5 -f json trace.json\n",
    .options = options,
    .profile = &profile_command,
};
