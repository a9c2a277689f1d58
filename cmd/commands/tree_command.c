/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/functions/tree.h"
#include "cmd/answer/profile_command.h"
#include "cmd/answer/report_output.h"
#include "cmd/help/command.h"
#include "cmd/help/messages.h"
#include "cmd/load/profile_load.h"
#include "cmd/options/common_options.h"

#include "graph/derive/derive.h"
#include "render/reports/reports.h"

struct tree_arguments {
    struct common common;
    struct tree_options tree;
};

enum { PEOPLE_ROWS = 10000 }; /* more nobody reads */

static const struct option options[] = {
    OPT_INCLUDE(struct tree_arguments, common, struct common, report_options),
    OPT_FLAG('b', "bottom-up", struct tree_arguments, tree.is_bottom_up,
             "from the functions that spend the time up to their callers"),
    OPT_COUNT('d', "depth", struct tree_arguments, tree.depth, "N",
              "at most N levels, 0 for all [0]"),
    OPT_COUNT('n', "limit", struct tree_arguments, tree.limit, "N",
              "at most N branches at each fork, 0 for all [0]"),
    OPT_NUMBER(0, "min-percent", struct tree_arguments, tree.min_percent, "P",
               "leave out branches of less than P percent of the whole [1]"),
    OPT_INCLUDE(struct tree_arguments, common, struct common, selection_options),
    OPT_INCLUDE(struct tree_arguments, common, struct common, part_options),
    OPT_INCLUDE(struct tree_arguments, common, struct common, input_options),
    OPT_INCLUDE(struct tree_arguments, common, struct common, capture_options),
    OPT_INCLUDE(struct tree_arguments, common, struct common, base_options),
    OPT_INCLUDE(struct tree_arguments, common, struct common, output_options),
    OPT_END,
};

static bool fill_report(struct profile *profile, const void *asked, struct arena *arena,
                        struct report *report, struct error *err)
{
    const struct tree_arguments *fields = asked;
    struct graph *graph = &profile->graph;
    struct output out = {.file = stdout};
    struct tree_options wanted = fields->tree;
    struct tree tree;

    if (report_is_for_people((enum report_format)fields->common.format))
        wanted.most_rows = PEOPLE_ROWS;
    if (!graph_need_paths(graph, "there is no tree to draw", err))
        return false;
    tree_grow(graph, &wanted, arena, &tree);
    if (!wanted.most_rows && tree.min_percent > wanted.min_percent) {
        struct warnings *warnings = &graph->source.warnings;

        warning_say(warnings, WARNING_LOSS,
                    "%u branches below %g %% left out: the tree has more than %d rows", tree.hidden,
                    tree.min_percent, TREE_ROWS_MAX);
        if (!fields->common.is_quiet)
            message_warning(profile->path, &warnings->list[warnings->count - 1]);
    }
    tree_report(&tree, &wanted, report_output_style(&fields->common, &out).is_unicode, arena,
                report);
    return true;
}

static const struct profile_command profile_command = {
    .size = sizeof(struct tree_arguments),
    .defaults = &(const struct tree_arguments){.tree = {.min_percent = 1}},
    .wanted = {.need = LEVEL_CALLGRAPH},
    .fill = fill_report,
};

const struct command command_tree = {
    .name = "tree",
    .summary = "a tree of time: from the top down, or from the bottom up",
    .operands = "[FILE]",
    .reads = "a timeline, a call tree or a call graph",
    .examples = "ptk tree profile.out\n"
                "ptk tree --bottom-up --depth 2 profile.out\n",
    .options = options,
    .profile = &profile_command,
};
