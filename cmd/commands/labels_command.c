/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/functions/hotspots.h"
#include "cmd/answer/profile_command.h"
#include "cmd/help/command.h"
#include "cmd/load/profile_load.h"
#include "cmd/options/common_options.h"

#include "graph/derive/derive.h"
#include "render/reports/reports.h"

static const struct option options[] = {
    OPT_ROWS(report_options),
    OPT_ROWS(label_options),
    OPT_ROWS(input_options),
    OPT_ROWS(output_options),
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

static const struct profile_command profile_command = {
    .size = sizeof(struct common),
    .wanted = {.need = LEVEL_FLAT, .labels = true},
    .fill = fill_report,
};

const struct command command_labels = {
    .name = "labels",
    .summary = "what samples are labelled with, and what each label costs",
    .operands = "[FILE]",
    .reads = "labels: pprof, goroutines, and gperftools' heaps",
    .examples = "ptk labels labels.pb\n"
                "ptk hotspots --by label:worker labels.pb\n"
                "ptk labels --focus-label 'worker=.*' labels.pb\n",
    .options = options,
    .profile = &profile_command,
};
