/* SPDX-License-Identifier: Apache-2.0 */
/* ptk convert: a profile in another tool's format, with the critical path marked where that is
 * asked. */
#include "analysis/functions/tree.h"
#include "analysis/selection/select.h"
#include "cmd/answer/profile_command.h"
#include "cmd/answer/report_output.h"
#include "cmd/help/command.h"
#include "cmd/help/messages.h"
#include "cmd/load/profile_load.h"
#include "cmd/options/common_options.h"
#include "graph/derive/derive.h"

enum { TO_NOTHING = -1 };

struct convert_arguments {
    struct common common;
    int to;
    bool marks_path, is_masked;
};

static const struct option options[] = {
    OPT_CHOICE('t', "to", struct convert_arguments, to, "FORMAT", "the format to write",
               writer_names),
    OPT_FLAG(0, "critical-path", struct convert_arguments, marks_path,
             "mark the critical path, with arrows along it (chrome)"),
    OPT_FLAG(0, "mask", struct convert_arguments, is_masked,
             "for others to see: names of your code, paths, labels and arguments become tokens"),
    OPT_INCLUDE(struct convert_arguments, common, struct common, selection_options),
    OPT_INCLUDE(struct convert_arguments, common, struct common, part_options),
    OPT_INCLUDE(struct convert_arguments, common, struct common, input_options),
    OPT_INCLUDE(struct convert_arguments, common, struct common, output_options),
    OPT_END,
};

static bool write_marked(const struct profile *profile, const struct writer *writer,
                         const struct common *common, struct error *err)
{
    struct execution execution;
    struct critical_path path;
    struct path_marks marks;
    struct arena arena = {0};
    bool ok;

    execution_build(&profile->graph, &execution);
    critical_path_compute(&execution, &arena, &path);
    path_marks_find(&execution, &path, &arena, &marks);
    execution_free(&execution);
    ok = export_write(&profile->graph, profile->path, writer, &marks, common, err);
    arena_free(&arena);
    return ok;
}

/* What writes the richest level reads none that is made of it. */
static enum level level_of(const struct writer *writer, const struct graph *graph)
{
    return writer->wants_richest && graph->native >= LEVEL_CALLTREE ? graph->native : writer->level;
}

/* Formats of stacks are written of call graphs as well, by estimate. What is by event is grouped in
 * the timeline, before a level is made of it. */
static bool need(struct profile *profile, const struct writer *writer,
                 const struct convert_arguments *fields, struct error *err)
{
    struct graph *graph = &profile->graph;
    bool is_estimated = graph->native == LEVEL_CALLGRAPH && writer->level == LEVEL_CALLTREE;
    enum level level = is_estimated ? LEVEL_CALLGRAPH : level_of(writer, graph);

    if ((graph->native != LEVEL_TIMELINE && !graph_need(graph, level, writer->question, err)) ||
        !profile_select(profile, &fields->common.selection, err) ||
        !graph_need(graph, is_estimated ? level : level_of(writer, graph), writer->question, err))
        return false;
    if (is_estimated) {
        size_t printed = graph->source.warnings.count;

        estimate_stacks(graph);
        for (size_t i = printed; !fields->common.is_quiet && i < graph->source.warnings.count; i++)
            message_warning(profile->path, &graph->source.warnings.list[i]);
    }
    return true;
}

static bool prepare(struct profile_request *request, struct error *err)
{
    struct convert_arguments *fields = request->asked;
    struct selection *selection = &fields->common.selection;
    struct builder_options *wanted = &request->wanted;
    const struct writer *writer;

    if (fields->to == TO_NOTHING) {
        error_set(err, ERROR_USAGE, "--to is missing: which format is to be written?");
        return error_hint(err, "'ptk help convert' lists them");
    }
    writer = writers[fields->to];
    if (fields->marks_path && !(writer->shows_path && selection_is_all(selection))) {
        error_set(err, ERROR_USAGE, "--critical-path marks all of a run, for --to chrome");
        return error_hint(err, "'ptk critical-path' shows it in words");
    }
    selection->is_of_events = writer->level == LEVEL_TIMELINE && selection_is_by_function(selection);
    *wanted = selection_wanted(selection, writer->level);
    export_want(writer, wanted);
    if (writer->wants_places && selection_is_by_function(selection))
        wanted->detail = DETAIL_ADDRESS;
    wanted->label_sets = writer->wants_labels && selection_is_all(selection);
    return export_check(writer, &fields->common, err);
}

static bool write_converted(struct profile *profile, const void *asked, struct arena *arena,
                            struct error *err)
{
    const struct convert_arguments *fields = asked;
    const struct writer *writer = writers[fields->to];

    (void)arena;
    if (!need(profile, writer, fields, err))
        return false;
    if (fields->is_masked) {
        graph_mask(&profile->graph);
        profile->path = "masked";
    }
    return fields->marks_path
               ? write_marked(profile, writer, &fields->common, err)
               : export_write(&profile->graph, profile->path, writer, NULL, &fields->common, err);
}

static const struct profile_command profile_command = {
    .size = sizeof(struct convert_arguments),
    .defaults = &(const struct convert_arguments){.to = TO_NOTHING},
    .prepare = prepare,
    .write = write_converted,
};

const struct command command_convert = {
    .name = "convert",
    .summary = "the same profile in another tool's format",
    .operands = "[FILE]",
    .examples = "ptk convert --to folded heap.pb.gz\n"
                "ptk convert --to pprof -o small.pb.gz stacks.folded\n"
                "ptk convert --to callgrind -o callgrind.out.1 profile.out\n"
                "ptk convert --to speedscope -o trace.speedscope.json node.json\n"
                "ptk convert --to chrome -o trace.json.gz paddle.json\n"
                "ptk convert --to chrome --critical-path -o path.json.gz trace.json\n"
                "ptk convert --to folded --focus parse stacks.folded\n",
    .options = options,
    .profile = &profile_command,
};
