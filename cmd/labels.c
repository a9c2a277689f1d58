#include "analysis/labels.h"

#include "cmd/answer.h"
#include "cmd/command.h"
#include "graph/need.h"
#include "render/labels_report.h"

struct fields {
    struct common common;
    struct selection selection;
};

static const struct option options[] = {
    OPT_INCLUDE(struct fields, common, struct common, report_options),
    OPT_INCLUDE(struct fields, selection, struct selection, label_options),
    OPT_INCLUDE(struct fields, common, struct common, input_options),
    OPT_INCLUDE(struct fields, common, struct common, output_options),
    OPT_END,
};

static bool answer(struct profile *profile, const struct fields *fields, struct error *err)
{
    struct report_input input = {profile->path, &profile->graph};
    struct report report = {.command = "labels", .inputs = &input, .input_count = 1};
    struct arena arena = {0};
    struct labels labels;
    bool ok;

    if (!graph_need(&profile->graph, LEVEL_FLAT, "there are no samples", err))
        return false;
    labels_rank(&profile->graph, &arena, &labels);
    labels_report(&labels, &arena, &report);
    ok = answer_write(&report, &fields->common, err);
    arena_free(&arena);
    return ok;
}

static bool run(char **argv, struct error *err)
{
    struct fields fields = {0};
    struct builder_options wanted;
    struct profile profile;
    size_t operands;
    bool ok;

    if (!option_parse(options, &fields, argv, &operands, err))
        return false;
    wanted = selection_wanted(&fields.selection, LEVEL_FLAT);
    wanted.labels = true;
    if (!profile_load_operand_events(&profile, argv, operands, &wanted, &fields.common, err))
        return false;
    ok = answer(&profile, &fields, err);
    profile_free(&profile);
    return ok;
}

const struct command command_labels = {
    .name = "labels",
    .summary = "what samples are labelled with, and what each label costs",
    .operands = "[FILE]",
    .examples = "ptk labels testdata/pprof/labels.pb\n"
                "ptk hotspots --by label:worker testdata/pprof/labels.pb\n"
                "ptk labels --focus-label 'worker=.*' testdata/pprof/labels.pb\n",
    .options = options,
    .run = run,
};
