/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/selection/group.h"
#include "cmd/shared/command.h"
#include "cmd/shared/export.h"
#include "cmd/shared/load.h"
#include "graph/derive/need.h"

enum { TO_NOTHING = -1 };

struct fields {
    struct common common;
    struct selection selection;
    int to;
};

static const struct option options[] = {
    OPT_CHOICE('t', "to", struct fields, to, "FORMAT", "the format to write", writer_names),
    OPT_INCLUDE(struct fields, selection, struct selection, selection_options),
    OPT_INCLUDE(struct fields, common, struct common, input_options),
    OPT_INCLUDE(struct fields, common, struct common, output_options),
    OPT_END,
};

static struct builder_options wanted_of(const struct fields *fields, const struct writer *writer)
{
    struct builder_options wanted = selection_wanted(&fields->selection, writer->level);

    export_want(writer, &wanted);
    if (writer->wants_places && fields->selection.by.index == BY_FUNCTION)
        wanted.detail = DETAIL_ADDRESS;
    wanted.label_sets = writer->wants_labels && selection_is_all(&fields->selection);
    return wanted;
}

static bool run(char **argv, struct error *err)
{
    struct fields fields = {.to = TO_NOTHING};
    struct builder_options wanted;
    struct profile profile;
    const struct writer *writer;
    size_t operands;
    bool ok;

    if (!option_parse(options, &fields, argv, &operands, err))
        return false;
    if (fields.to == TO_NOTHING) {
        error_set(err, ERROR_USAGE, "--to is missing: which format is to be written?");
        return error_hint(err, "'ptk help convert' lists them");
    }
    writer = writers[fields.to];
    wanted = wanted_of(&fields, writer);
    if (!export_check(writer, &fields.common, err) ||
        !profile_load_operand(&profile, argv, operands, &wanted, &fields.common, err))
        return false;
    ok = graph_need(&profile.graph, writer->level, writer->question, err) &&
         profile_select(&profile, &fields.selection, err) &&
         graph_need(&profile.graph, writer->level, writer->question, err) &&
         export_write(&profile.graph, profile.path, writer, &fields.common, err);
    profile_free(&profile);
    return ok;
}

const struct command command_convert = {
    .name = "convert",
    .summary = "the same profile in another tool's format",
    .operands = "[FILE]",
    .examples = "ptk convert --to folded heap.pb.gz\n"
                "ptk convert --to pprof -o small.pb.gz stacks.folded\n"
                "ptk convert --to callgrind -o callgrind.out.1 profile.out\n"
                "ptk convert --to speedscope -o trace.speedscope.json node.json\n"
                "ptk convert --to chrome -o trace.json.gz paddle.json\n"
                "ptk convert --to folded --focus parse stacks.folded\n",
    .options = options,
    .run = run,
};
