/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/functions/tree.h"
#include "cmd/answer/profile_command.h"
#include "cmd/help/command.h"
#include "cmd/load/profile_load.h"
#include "cmd/options/common_options.h"

#include "graph/derive/derive.h"
#include "render/reports/reports.h"

struct traces_arguments {
    struct common common;
    struct stacks_options stacks;
};

enum { BYTES_MAX = 400000000 };

static const struct option options[] = {
    OPT_INCLUDE(struct traces_arguments, common, struct common, report_options),
    OPT_COUNT('n', "limit", struct traces_arguments, stacks.limit, "N",
              "at most N stacks, 0 for all [20]"),
    OPT_NUMBER(0, "min-percent", struct traces_arguments, stacks.min_percent, "P",
               "leave out stacks of less than P percent of the whole [0]"),
    OPT_INCLUDE(struct traces_arguments, common, struct common, selection_options),
    OPT_INCLUDE(struct traces_arguments, common, struct common, part_options),
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

    if (!graph_need(&profile->graph, LEVEL_CALLTREE, "there are no stacks to show", err) ||
        !graph_need(&profile->graph, LEVEL_FLAT, "there are no stacks to show", err))
        return false;
    stacks_rank(&profile->graph, &fields->stacks, arena, &stacks);
    traces_report(&stacks, arena, report);
    return true;
}

static bool prepare(struct profile_request *request, struct error *err)
{
    const struct common *common = request->asked;

    (void)err;
    request->wanted.label_sets =
        selection_is_all(&common->selection); /* else they are in the way of it */
    return true;
}

static const struct profile_command profile_command = {
    .size = sizeof(struct traces_arguments),
    .defaults = &(const struct traces_arguments){.stacks = {.limit = 20, .most_bytes = BYTES_MAX}},
    .wanted = {.need = LEVEL_CALLTREE},
    .prepare = prepare,
    .fill = fill_report,
};

const struct command command_traces = {
    .name = "traces",
    .summary = "the costliest stacks one by one, from the leaf up, with their labels",
    .operands = "[FILE]",
    .reads = "a timeline or a call tree",
    .examples = "ptk traces -n 5 cpu.pb\n"
                "ptk traces --focus makeRecord heap.pb.gz\n",
    .options = options,
    .profile = &profile_command,
};
