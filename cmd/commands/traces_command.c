/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/functions/tree.h"

#include "cmd/shared/command.h"
#include "cmd/shared/profile_command.h"
#include "graph/derive/derive.h"
#include "render/reports/reports.h"

struct traces_arguments {
    struct common common;
    struct selection selection;
    struct stacks_options stacks;
};

enum { BYTES_MAX = 400000000 };

static const struct option options[] = {
    OPT_INCLUDE(struct traces_arguments, common, struct common, report_options),
    OPT_COUNT('n', "limit", struct traces_arguments, stacks.limit, "N",
              "at most N stacks, 0 for all [20]"),
    OPT_NUMBER(0, "min-percent", struct traces_arguments, stacks.min_percent, "P",
               "leave out stacks of less than P percent of the whole [0]"),
    OPT_INCLUDE(struct traces_arguments, selection, struct selection, selection_options),
    OPT_INCLUDE(struct traces_arguments, common, struct common, window_options),
    OPT_INCLUDE(struct traces_arguments, common, struct common, input_options),
    OPT_INCLUDE(struct traces_arguments, common, struct common, base_options),
    OPT_INCLUDE(struct traces_arguments, common, struct common, output_options),
    OPT_END,
};

static bool fill_report(struct profile *profile, const void *asked, struct arena *arena,
                        struct report *report, struct error *err)
{
    const struct traces_arguments *fields = asked;
    struct stacks stacks;

    if (!profile_select(profile, &fields->selection, err) ||
        !graph_need(&profile->graph, LEVEL_CALLTREE, "there are no stacks to show", err) ||
        !graph_need(&profile->graph, LEVEL_FLAT, "there are no stacks to show", err))
        return false;
    stacks_rank(&profile->graph, &fields->stacks, arena, &stacks);
    traces_report(&stacks, arena, report);
    return true;
}

static bool run(char **argv, struct error *err)
{
    struct traces_arguments fields = {.stacks = {.limit = 20, .most_bytes = BYTES_MAX}};
    struct builder_options wanted;
    const struct profile_command request = {"traces", &wanted, &fields.common, fill_report,
                                            &fields};
    size_t operands;

    if (!option_parse(options, &fields, argv, &operands, err))
        return false;
    wanted = selection_wanted(&fields.selection, LEVEL_CALLTREE);
    wanted.label_sets = selection_is_all(&fields.selection); /* else they are in the way of it */
    return profile_command_run(&request, argv, operands, err);
}

const struct command command_traces = {
    .name = "traces",
    .summary = "the costliest stacks one by one, from the leaf up, with their labels",
    .operands = "[FILE]",
    .reads = "a timeline or a call tree",
    .examples = "ptk traces -n 5 cpu.pb\n"
                "ptk traces --focus makeRecord heap.pb.gz\n",
    .options = options,
    .run = run,
};
