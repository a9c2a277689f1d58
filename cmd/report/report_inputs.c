/* SPDX-License-Identifier: Apache-2.0 */
/* report_inputs.c — reads what a report's page is about: a profile, two runs, the ranks of a job, or parts of one */
#include "cmd/report/report_inputs.h"

#include <string.h>

#include "analysis/ranks/shard_file.h"
#include "base/parallel/parallel.h"
#include "cmd/help/messages.h"
#include "cmd/load/rank_files.h"
#include "graph/derive/derive.h"

uint64_t page_timelines_size(uint64_t size, bool has_ranks)
{
    return size / 8 * 7 / (has_ranks ? 2 : 1);
}

/* Once more, where samples may have been kept with their times: all other chapters are of their sums. */
static bool load_times(struct report_context *context, struct profile *times,
                       const struct report_arguments *fields, struct error *err)
{
    const struct profile *profile = context->profile;
    struct builder_options by_time = selection_wanted(&fields->common.selection, LEVEL_TIMELINE);
    struct common common = fields->common;

    common.is_quiet = true;
    by_time.sample_times = by_time.series = true;
    if (profile->graph.native == LEVEL_TIMELINE || profile->richest != LEVEL_TIMELINE ||
        strcmp(profile->path, "-") == 0)
        return true;
    if (!profile_load(times, profile->path, &by_time, &common, err))
        return false;
    if (times->graph.native == LEVEL_TIMELINE || times->graph.timeline.series.count)
        context->times = times;
    else
        profile_free(times);
    return !context->times || profile_select(times, &common.selection, err);
}

/* Once more, where its lines may be distinguished: all other chapters are about functions. */
static bool load_lines(struct report_context *context, struct profile *lines,
                       const struct report_arguments *fields, struct error *err)
{
    struct builder_options by_line = selection_wanted(&fields->common.selection, LEVEL_FLAT);
    struct common common = fields->common;

    common.is_quiet = true;
    by_line.detail = DETAIL_LINE;
    if (context->profile->graph.native == LEVEL_TIMELINE ||
        strcmp(context->profile->path, "-") == 0)
        return true;
    if (!profile_load(lines, context->profile->path, &by_line, &common, err))
        return false;
    if (lines->graph.frames.detail == DETAIL_LINE)
        context->lines = lines;
    else
        profile_free(lines);
    return !context->lines || profile_select(lines, &common.selection, err);
}

/* Both, by two threads. */
struct second_loads {
    struct report_context *context;
    struct report_inputs *inputs;
    const struct report_arguments *fields;
    struct error err[2];
    bool ok[2];
};

static void load_again(void *context, size_t piece)
{
    struct second_loads *loads = context;

    loads->ok[piece] = piece == 0 ? load_times(loads->context, &loads->inputs->times, loads->fields,
                                               &loads->err[piece])
                                  : load_lines(loads->context, &loads->inputs->lines, loads->fields,
                                               &loads->err[piece]);
}

static bool load_times_and_lines(struct report_context *context, struct report_inputs *inputs,
                                 const struct report_arguments *fields, struct error *err)
{
    struct second_loads loads = {.context = context, .inputs = inputs, .fields = fields};

    parallel_for(thread_budget(), 2, load_again, &loads);
    if (!loads.ok[0] || !loads.ok[1])
        *err = loads.err[loads.ok[0]];
    return loads.ok[0] && loads.ok[1];
}

static bool load_job(struct report_context *context, struct report_inputs *inputs, char **operands,
                     size_t count, const struct common *common, struct error *err)
{
    bool ok =
        job_inputs_read(&inputs->job, operands, count, &(struct job_input_options){0}, common, err);

    context->job = ok ? &inputs->job.shard : NULL;
    return ok;
}

/* Files of ranks, and how they were named. */
struct rank_operands {
    char **list, **named;
    const bool *may_be_other; /* by file; or NULL */
    size_t count, named_count;
    size_t own; /* the file that the page is about */
};

static bool load_ranks(struct report_context *context, struct report_inputs *inputs,
                       const struct rank_operands *operands, const struct report_arguments *fields,
                       struct error *err)
{
    struct common common = fields->common;
    struct error why = {0};
    const struct page_rank_keeping keeping = {.own = operands->own,
                                              .size = page_timelines_size(fields->page_size, true) /
                                                      (operands->count - 1)};
    const struct overlap_ranks_options asked = {
        .also = page_rank_keep, .context = &keeping, .may_be_other = operands->may_be_other};
    bool ok;

    common.is_quiet = true; /* one of them has been read, and the others are its like */
    ok = overlap_ranks_read(&inputs->ranks, operands->list, operands->count, &common, &asked, err);
    if (!ok) {
        overlap_ranks_free(&inputs->ranks);
        return false;
    }
    context->ranks = &inputs->ranks;
    if (!load_job(context, inputs, operands->named, operands->named_count, &common, &why) &&
        !fields->common.is_quiet)
        message_note("what slows the job is not shown: %s", why.text);
    return true;
}

/* Shards of one job, and traces of its other ranks: the page is about all of them. */
static bool load_shards(struct report_context *context, struct report_inputs *inputs,
                        char **operands, size_t count, const struct report_arguments *fields,
                        struct error *err)
{
    struct profile *profile = &inputs->profile;
    struct builder *builder;

    if (!load_job(context, inputs, operands, count, &fields->common, err))
        return false;
    builder = builder_new(&(struct builder_options){.need = LEVEL_FLAT});
    if (!shard_to_profile(context->job, builder, err)) {
        builder_abandon(builder);
        return false;
    }
    builder_finish(builder, &profile->graph);
    profile->path = operands[0];
    profile->graph.source.format = inputs->job.inputs[0].graph->source.format;
    profile->graph.source.format_title = inputs->job.inputs[0].graph->source.format_title;
    context->profile = profile;
    return true;
}

static bool compare(struct report_context *context, struct report_inputs *inputs, struct error *err)
{
    struct graph *before = &inputs->before.graph, *after = &inputs->profile.graph;

    context->diff = &inputs->diff;
    context->before = inputs->before.path;
    context->structure = &inputs->structure;
    structure_add(&inputs->structure, DIFF_BEFORE, before);
    structure_add(&inputs->structure, DIFF_AFTER, after);
    return diff_add_whole(&inputs->diff, DIFF_BEFORE, before, err) &&
           diff_add_whole(&inputs->diff, DIFF_AFTER, after, err);
}

/* Two shards that cannot be of one job are of two runs of it, and the page is about the second. */
static bool load_shards_compared(struct report_context *context, struct report_inputs *inputs,
                                 char **operands, size_t count,
                                 const struct report_arguments *fields, struct error *err)
{
    const struct builder_options flat = {.need = LEVEL_FLAT};

    if (count != 2 || !is_shard_among(operands, 1) || !is_shard_among(operands + 1, 1)) {
        if (fields->is_diff)
            error_set(err, ERROR_USAGE, "--diff takes two parts or two traces, not one of each");
        return false;
    }
    job_inputs_free(&inputs->job);
    *err = (struct error){0};
    inputs->has_before = load_shards(context, inputs, operands + 1, 1, fields, err) &&
                         profile_load(&inputs->before, operands[0], &flat, &fields->common, err);
    return inputs->has_before && compare(context, inputs, err);
}

static bool check_choice(const struct report_arguments *fields, size_t count, struct error *err)
{
    if (fields->is_diff && fields->is_ranks)
        return error_set(err, ERROR_USAGE, "--diff and --ranks exclude each other");
    if (fields->is_diff && count != 2)
        return error_set(err, ERROR_USAGE, "--diff takes two profiles, not %zu", count);
    if (fields->is_ranks && count < 2)
        return error_set(err, ERROR_USAGE, "--ranks takes two profiles or more, not %zu", count);
    return true;
}

/* A folder's files are ranks of a job: the first of them that is a profile is what the page is about. */
static bool load_folder(struct report_context *context, struct report_inputs *inputs,
                        char **operands, size_t operand_count, const struct builder_options *wanted,
                        const struct report_arguments *fields, struct error *err)
{
    char **list = (char **)inputs->files.list;
    size_t count = inputs->files.count, own = 0;
    struct rank_operands ranks = {.named = operands, .named_count = operand_count};
    bool is_there = false;

    for (; own < count; own++) {
        *err = (struct error){0};
        is_there = profile_load(&inputs->profile, list[own], wanted, &fields->common, err);
        if (is_there)
            break;
        if (!inputs->files.is_found[own])
            return false;
    }
    if (!is_there) {
        error_set(err, ERROR_INPUT, "no profile is in the folder");
        return error_file(err, operands[0]);
    }
    context->profile = &inputs->profile;
    if (!profile_select(&inputs->profile, &fields->common.selection, err))
        return false;
    if (own + 1 == count)
        return load_lines(context, &inputs->lines, fields, err);
    context->folder = operand_count == 1 ? operands[0] : NULL;
    ranks.list = list + own;
    ranks.count = count - own;
    ranks.may_be_other = inputs->files.is_found + own;
    return load_ranks(context, inputs, &ranks, fields, err);
}

bool report_inputs_load(struct report_context *context, struct report_inputs *inputs,
                        char **operands, size_t count, const struct report_arguments *fields,
                        struct error *err)
{
    const struct selection *selection = &fields->common.selection;
    struct builder_options flat = {.need = LEVEL_FLAT}, wanted = chapters_wanted();
    size_t at = count == 2;

    if (!check_choice(fields, count, err))
        return false;
    if (is_folder_among(operands, count) && !is_shard_among(operands, count)) {
        selection_want(selection, &wanted);
        return files_expand(&inputs->files, operands, count, err) &&
               load_folder(context, inputs, operands, count, &wanted, fields, err);
    }
    if (is_shard_among(operands, count))
        return (!fields->is_diff && load_shards(context, inputs, operands, count, fields, err)) ||
               (!fields->is_ranks &&
                load_shards_compared(context, inputs, operands, count, fields, err));
    if (count == 2) { /* two traces may be compared by parts of the program */
        flat = (struct builder_options){.need = LEVEL_CALLGRAPH,
                                        .launches = true,
                                        .properties = structure_properties() | run_measures_properties()};
        wanted.properties |= structure_properties() | run_measures_properties();
    }
    selection_want(selection, &flat);
    selection_want(selection, &wanted);
    if (!profile_load_operand(&inputs->profile, operands + at, count > 1 ? 1 : count, &wanted,
                              &fields->common, err))
        return false;
    context->profile = &inputs->profile;
    if (!profile_select(&inputs->profile, selection, err))
        return false;
    if (count == 2) {
        inputs->has_before =
            profile_load(&inputs->before, operands[0], &flat, &fields->common, err);
        if (!inputs->has_before || !profile_select(&inputs->before, selection, err))
            return false;
    }
    if (count > 2 || fields->is_ranks ||
        (count == 2 && !fields->is_diff &&
         is_of_one_job(&inputs->before.graph, &inputs->profile.graph)))
        return load_ranks(context, inputs,
                          &(struct rank_operands){.list = operands,
                                                  .named = operands,
                                                  .count = count,
                                                  .named_count = count,
                                                  .own = at},
                          fields, err);
    if (count == 2 && !compare(context, inputs, err))
        return false;
    return load_times_and_lines(context, inputs, fields, err);
}

void report_inputs_free(struct report_context *context, struct report_inputs *inputs)
{
    if (context->ranks)
        overlap_ranks_free(&inputs->ranks);
    if (context->lines)
        profile_free(context->lines);
    if (context->times)
        profile_free(context->times);
    if (context->profile)
        profile_free(context->profile);
    if (inputs->has_before)
        profile_free(&inputs->before);
    diff_free(&inputs->diff);
    structure_free(&inputs->structure);
    job_inputs_free(&inputs->job);
    files_free(&inputs->files);
}
