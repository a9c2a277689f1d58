/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/shared/command.h"
#include "cmd/shared/profile_command.h"
#include "graph/derive/derive.h"

struct info_arguments {
    struct common common;
};

static const struct option options[] = {
    OPT_INCLUDE(struct info_arguments, common, struct common, report_options),
    OPT_INCLUDE(struct info_arguments, common, struct common, input_options),
    OPT_INCLUDE(struct info_arguments, common, struct common, capture_options),
    OPT_INCLUDE(struct info_arguments, common, struct common, output_options),
    OPT_END,
};

static bool fill_report(struct profile *profile, const void *asked, struct arena *arena,
                        struct report *report, struct error *err)
{
    struct graph *graph = &profile->graph;
    /* Who calls whom is what call graphs and stacks hold; of a timeline it had to be derived. */
    bool has_calls = graph->native >= LEVEL_CALLGRAPH && graph->native != LEVEL_TIMELINE;

    (void)asked;
    if (!graph_need(graph, has_calls ? LEVEL_CALLGRAPH : LEVEL_FLAT, "there is nothing to tell",
                    err))
        return false;
    profile_info_report(profile, arena, report);
    return true;
}

static bool run(char **argv, struct error *err)
{
    const struct builder_options wanted = {.need = LEVEL_CALLGRAPH,
                                           .properties = property_bit(PROP_STEP)};
    struct info_arguments fields = {0};
    const struct profile_command request = {"info", &wanted, &fields.common, fill_report, &fields};
    size_t operands;

    if (!option_parse(options, &fields, argv, &operands, err))
        return false;
    fields.common.tells_warnings = true;
    fields.common.content = CONTENT_ANY;
    return profile_command_run(&request, argv, operands, err);
}

const struct command command_info = {
    .name = "info",
    .summary = "what is in a profile, and how far it can be trusted",
    .operands = "[FILE]",
    .examples = "ptk info profile.out\n"
                "ptk info -f json profile.out\n",
    .options = options,
    .run = run,
};
