/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/functions/hotspots.h"

#include "cmd/shared/command.h"
#include "cmd/shared/profile_command.h"
#include "graph/derive/derive.h"
#include "render/reports/reports.h"

struct labels_arguments {
    struct common common;
    struct selection selection;
};

static const struct option options[] = {
    OPT_INCLUDE(struct labels_arguments, common, struct common, report_options),
    OPT_INCLUDE(struct labels_arguments, selection, struct selection, label_options),
    OPT_INCLUDE(struct labels_arguments, common, struct common, input_options),
    OPT_INCLUDE(struct labels_arguments, common, struct common, output_options),
    OPT_END,
};

static bool fill_report(struct profile *profile, const void *asked, struct arena *arena,
                        struct report *report, struct error *err)
{
    struct labels labels;

    (void)asked;
    if (!graph_need(&profile->graph, LEVEL_FLAT, "there are no samples", err))
        return false;
    labels_rank(&profile->graph, arena, &labels);
    labels_report(&labels, arena, report);
    return true;
}

static bool run(char **argv, struct error *err)
{
    struct labels_arguments fields = {0};
    struct builder_options wanted;
    const struct profile_command request = {"labels", &wanted, &fields.common, fill_report,
                                            &fields};
    size_t operands;

    if (!option_parse(options, &fields, argv, &operands, err))
        return false;
    wanted = selection_wanted(&fields.selection, LEVEL_FLAT);
    wanted.labels = true;
    return profile_command_run(&request, argv, operands, err);
}

const struct command command_labels = {
    .name = "labels",
    .summary = "what samples are labelled with, and what each label costs",
    .operands = "[FILE]",
    .reads = "labels: pprof, goroutines, and gperftools' heaps",
    .examples = "ptk labels labels.pb\n"
                "ptk hotspots --by label:worker labels.pb\n"
                "ptk labels --focus-label 'worker=.*' labels.pb\n",
    .options = options,
    .run = run,
};
