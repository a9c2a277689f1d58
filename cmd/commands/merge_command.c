/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/merge/merge.h"
#include "cmd/answer/profile_command.h"
#include "cmd/answer/report_output.h"
#include "cmd/help/command.h"
#include "cmd/help/messages.h"
#include "cmd/load/files.h"
#include "cmd/load/profile_load.h"
#include "cmd/options/common_options.h"

#include "graph/derive/derive.h"

enum { TO_WHAT_FITS = -1 };

struct merge_arguments {
    struct common common;
    int to;
};

static const struct option options[] = {
    OPT_CHOICE('t', "to", struct merge_arguments, to, "FORMAT",
               "the format to write [pprof for call stacks, else pstats]", writer_names),
    OPT_INCLUDE(struct merge_arguments, common, struct common, filter_options),
    OPT_INCLUDE(struct merge_arguments, common, struct common, part_options),
    OPT_INCLUDE(struct merge_arguments, common, struct common, input_options),
    OPT_INCLUDE(struct merge_arguments, common, struct common, output_options),
    OPT_END,
};

/* A file that was found in a directory and is no profile is passed over. */
static bool add_file(struct merge *merge, const char *path, bool is_found,
                     const struct common *common, struct error *err)
{
    struct builder_options wanted = {.need = LEVEL_CALLTREE,
                                     .all_values = true,
                                     .detail = merge->keeps_labels ? DETAIL_LINE : DETAIL_FUNCTION,
                                     .label_sets = merge->keeps_labels &&
                                                   selection_is_all(&common->selection)};
    struct profile profile;
    struct graph *graph = &profile.graph;
    bool ok;

    selection_want(&common->selection, &wanted);
    if (!profile_load(&profile, path, &wanted, common, err)) {
        if (!is_found || err->kind != ERROR_INPUT)
            return false;
        if (!common->is_quiet)
            message_note("%s: passed over: %s", path, err->text);
        *err = (struct error){0};
        return true;
    }
    ok = profile_select(&profile, &common->selection, err) &&
         graph_need(graph, graph->native < LEVEL_CALLTREE ? graph->native : LEVEL_CALLTREE,
                    "it cannot be merged", err) &&
         merge_add(merge, graph, err);
    profile_free(&profile);
    return ok || error_file(err, path);
}

static bool write_merged(struct graph *graph, const struct merge_arguments *fields,
                         struct error *err)
{
    const struct writer *writer =
        fields->to != TO_WHAT_FITS ? writers[fields->to] : writer_for(graph->native);

    if (!export_check(writer, &fields->common, err))
        return false;
    for (size_t i = 0; i < graph->source.warnings.count && !fields->common.is_quiet; i++)
        message_warning("the merged profile", &graph->source.warnings.list[i]);
    return graph_need(graph, writer->level, writer->question, err) &&
           export_write(graph, "the merged profile", writer, NULL, &fields->common, err);
}

static bool read_and_write(struct profile_request *request, struct error *err)
{
    const struct merge_arguments *fields = request->asked;
    struct merge merge = {0};
    struct files files;
    struct graph graph;
    bool ok;

    if (request->count == 0)
        return error_set(err, ERROR_USAGE, "name the profiles, or directories of them");
    if (fields->to != TO_WHAT_FITS && !export_check(writers[fields->to], &fields->common, err))
        return false;
    merge.keeps_labels = fields->to == TO_WHAT_FITS || writers[fields->to]->wants_labels;
    ok = files_expand(&files, request->operands, request->count, err);
    for (size_t i = 0; ok && i < files.count; i++)
        ok = add_file(&merge, files.list[i], files.is_found[i], &fields->common, err);
    if (ok && !merge.profiles)
        ok = error_set(err, ERROR_INPUT, "there is no profile to merge");
    if (ok) {
        merge_finish(&merge, &graph);
        ok = write_merged(&graph, fields, err);
        graph_free(&graph);
    } else {
        merge_abandon(&merge);
    }
    files_free(&files);
    return ok;
}

static const struct profile_command profile_command = {
    .size = sizeof(struct merge_arguments),
    .defaults = &(const struct merge_arguments){.to = TO_WHAT_FITS},
    .answer = read_and_write,
};

const struct command command_merge = {
    .name = "merge",
    .summary = "one profile out of many",
    .operands = "FILE|DIRECTORY...",
    .examples = "ptk merge monday.pb tuesday.pb -o all.pb.gz\n"
                "ptk merge before.out after.out -o all.pstats\n"
                "ptk merge --to folded stacks.folded perf.txt\n",
    .options = options,
    .profile = &profile_command,
};
