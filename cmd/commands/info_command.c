/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/answer/profile_command.h"
#include "cmd/answer/report_output.h"
#include "cmd/help/command.h"
#include "cmd/load/profile_load.h"
#include "cmd/options/common_options.h"
#include "graph/derive/derive.h"
#include "render/reports/reports.h"

enum { SEGMENTS_SHOWN = 10 };

static const struct option options[] = {
    OPT_ROWS(report_options),
    OPT_ROWS(part_options),
    OPT_ROWS(input_options),
    OPT_ROWS(capture_options),
    OPT_ROWS(output_options),
    OPT_END,
};

static bool fill_report(struct profile *profile, const void *asked, struct arena *arena,
                        struct report *report, struct error *err)
{
    struct graph *graph = &profile->graph;
    /* Who calls whom is what call graphs and stacks hold; of a timeline it had to be derived. */
    bool has_calls = graph->native >= LEVEL_CALLGRAPH && graph->native != LEVEL_TIMELINE;

    (void)asked;
    if (!graph_need(graph, has_calls ? LEVEL_CALLGRAPH : LEVEL_FLAT, "there is nothing to show",
                    err))
        return false;
    profile_info_report(profile, arena, report);
    segments_report(graph, SEGMENTS_SHOWN, arena, report);
    return true;
}

static const struct profile_command profile_command = {
    .size = sizeof(struct common),
    .defaults = &(const struct common){.tells_warnings = true, .content = CONTENT_ANY},
    .wanted = {.need = LEVEL_CALLGRAPH, .properties = PROPERTY_BIT(PROP_STEP)},
    .fill = fill_report,
};

const struct command command_info = {
    .name = "info",
    .summary = "what is in a profile, and how far it can be trusted",
    .operands = "[FILE]",
    .examples = "ptk info profile.out\n"
                "ptk info -f json profile.out\n",
    .options = options,
    .profile = &profile_command,
};
