/* SPDX-License-Identifier: Apache-2.0 */
/* ptk report: one page of all chapters that a profile, several ranks or two runs have an answer
 * for. */
#include <stdlib.h>
#include <string.h>

#include "analysis/ranks/shard_file.h"
#include "base/io/io.h"
#include "cmd/answer/overlap_ranks.h"
#include "cmd/answer/profile_command.h"
#include "cmd/answer/report_output.h"
#include "cmd/help/command.h"
#include "cmd/help/messages.h"
#include "cmd/load/job_inputs.h"
#include "cmd/load/profile_load.h"
#include "cmd/load/rank_files.h"
#include "cmd/load/source_files.h"
#include "cmd/options/ceiling_choice.h"
#include "cmd/options/common_options.h"
#include "cmd/report/chapters.h"
#include "graph/derive/derive.h"
#include "render/page/page.h"
#include "render/svg/svg.h"

struct report_arguments {
    struct common common;
    struct ceiling_choice ceilings;
    struct source_choice sources;
    const char *title;
    uint32_t limit;
    uint64_t page_size; /* bytes */
    bool is_diff, is_ranks;
};

static const struct option options[] = {
    OPT_COUNT('n', "limit", struct report_arguments, limit, "N",
              "at most N rows a table, 0 for all [300]"),
    OPT_TEXT(0, "title", struct report_arguments, title, "TEXT",
             "above the page [the file's name]"),
    OPT_SIZE(
        0, "page-size", struct report_arguments, page_size, "SIZE",
        "about the size of the page; the shortest events are counted, where all take more [6M]"),
    OPT_FLAG(0, "diff", struct report_arguments, is_diff,
             "two profiles are one before and one after, whatever they say"),
    OPT_FLAG(0, "ranks", struct report_arguments, is_ranks,
             "profiles are ranks of one job, whatever they say"),
    OPT_INCLUDE(struct report_arguments, sources, struct source_choice, source_options),
    OPT_INCLUDE(struct report_arguments, ceilings, struct ceiling_choice, ceiling_options),
    OPT_INCLUDE(struct report_arguments, common, struct common, filter_options),
    OPT_INCLUDE(struct report_arguments, common, struct common, part_options),
    OPT_INCLUDE(struct report_arguments, common, struct common, input_options),
    OPT_INCLUDE(struct report_arguments, common, struct common, capture_options),
    OPT_INCLUDE(struct report_arguments, common, struct common, output_options),
    OPT_END,
};

/* ---- the page ---- */

/* What is written, chapter by chapter. */
struct report_page {
    struct page page;
    struct report_context *context;
    bool has_answer;
};

/* Its first line, unless that only counts findings: then the first of these. */
static const char *answer_text(const struct chapter *chapter, const struct report *report,
                               const struct page_cards *cards, struct arena *arena)
{
    if (chapter->fill == chapter_advice && report->before_count == 1 && cards->count)
        return cards->list[0].place
                   ? arena_printf(arena, "%s: %s", cards->list[0].cause, cards->list[0].place)
                   : cards->list[0].cause;
    return report->before_count ? page_words(report->before[0], arena) : NULL;
}

/* The first chapter that has words begins the page: its first line is the answer, its picture shows it. */
static void print_answer(struct report_page *out, const struct chapter *chapter,
                         const struct chapter_content *content)
{
    const struct report *report = &content->report;
    const struct report_context *context = out->context;
    struct arena arena = {0};
    struct page_bar bar;
    struct page_cards cards;
    bool has_bar = page_bar_fill(context, &arena, &bar);

    out->has_answer = true;
    page_findings_fill(context, &arena, &cards);
    page_answer(&out->page, answer_text(chapter, report, &cards, &arena),
                content->picture_count ? content->pictures[0].svg : NULL, has_bar ? &bar : NULL);
    page_findings(&out->page, &cards);
    if (context->data)
        page_timeline(&out->page, context->data);
    arena_free(&arena);
}

static void print(struct report_page *out, const struct chapter *chapter,
                  struct chapter_content *content)
{
    const struct report_context *context = out->context;
    struct report *report = &content->report;
    uint32_t picture = 0;

    if (content->picture_count + report->before_count + report->table_count + report->after_count ==
        0)
        return;
    if (!out->has_answer) {
        print_answer(out, chapter, content);
        picture = content->picture_count > 0;
        report->before += report->before_count > 0;
        report->before_count -= report->before_count > 0;
    }
    page_section(&out->page, chapter->id, chapter->heading);
    for (; picture < content->picture_count; picture++)
        page_picture(&out->page, content->pictures[picture].svg);
    page_report(&out->page, report, context->limit);
    if (content->functions)
        page_calls(&out->page, &context->profile->graph, content->functions);
}

static bool print_chapter(struct report_page *out, const struct chapter *chapter, struct error *err)
{
    const struct report_context *context = out->context;
    struct graph *graph = &context->profile->graph;
    struct report_input input = {context->profile->path, graph};
    struct arena arena = {0};
    struct chapter_content content = {
        .input = &input,
        .report = {.command = "report", .inputs = &input, .input_count = 1, .arena = &arena}};
    bool ok = true;

    if (graph->native >= chapter->level) {
        ok = chapter->fill(context, &arena, &content, err);
        if (ok)
            print(out, chapter, &content);
    }
    for (uint32_t i = 0; i < content.picture_count; i++)
        free(content.pictures[i].svg);
    arena_free(&arena);
    return ok;
}

/* What chapters and cards share. All is the arena's but for the execution graph. */
struct shared_results {
    struct execution execution;
    struct ceilings ceilings;
    struct critical_path path;
    struct advice advice;
    struct page_data data;
    struct arena arena;
};

static bool find_advice(struct report_context *context, struct shared_results *shared,
                        struct error *err)
{
    const struct report_input input = {context->profile->path, &context->profile->graph};
    struct report report = {.arena = &shared->arena};
    struct thresholds thresholds;

    if (!ceilings_find(context->ceilings, &input, 1, &shared->arena, &shared->ceilings, &report,
                       err))
        return false;
    thresholds_default(&thresholds);
    if (context->execution)
        bottleneck_find(context->execution, WINDOW_AUTO, &thresholds, &shared->arena,
                        &context->devices);
    if (!context->devices.count &&
        !graph_need(&context->profile->graph, LEVEL_FLAT, "there is nothing to look at", err))
        return false;
    advice_give(&context->profile->graph, context->execution, &context->devices, &thresholds,
                &shared->ceilings, &shared->arena, &shared->advice);
    context->advice = &shared->advice;
    return true;
}

static void make_data(struct report_context *context, struct shared_results *shared, uint64_t size)
{
    const struct graph *graph = &context->profile->graph;
    struct window_bounds *places;
    struct path_pieces pieces = {0};
    struct page_data_options wanted = {.size = size / 8 * 7, /* the rest is for the chapters */
                                       .devices = &context->devices};

    if (!graph->has[LEVEL_TIMELINE] || (!graph->timeline.count && !graph->timeline.series.count))
        return;
    wanted.window_count = page_places(context, &shared->arena, &places);
    wanted.windows = places;
    if (context->path) {
        path_pieces_find(context->execution, context->path, &pieces);
        wanted.path = &pieces;
    }
    page_data_make(graph, &wanted, &shared->arena, &shared->data);
    context->data = &shared->data;
    free(pieces.list);
}

/* Asked before anything is written. */
static bool prepare(struct report_context *context, struct shared_results *shared,
                    const struct report_arguments *fields, struct error *err)
{
    struct graph *graph = &context->profile->graph;

    if (!graph_need(graph, graph->native < LEVEL_CALLGRAPH ? LEVEL_FLAT : LEVEL_CALLGRAPH,
                    "there is nothing to report", err) ||
        !xml_stream_check(err))
        return false;
    if (graph->has[LEVEL_TIMELINE]) {
        execution_build(graph, &shared->execution);
        context->execution = &shared->execution;
        critical_path_compute(&shared->execution, &shared->arena, &shared->path);
        context->path = &shared->path;
    }
    if (!find_advice(context, shared, err))
        return false;
    make_data(context, shared, fields->page_size);
    return true;
}

static bool write_page(struct report_context *context, struct shared_results *shared,
                       const struct report_arguments *fields, FILE *file, struct error *err)
{
    struct report_page out = {.context = context};
    const struct page_head head = {
        .title =
            fields->title ? fields->title : page_short_name(context->profile->path, &shared->arena),
        .path = context->profile->path,
        .facts = page_facts(context, &shared->arena)};
    bool ok = true;

    page_open(&out.page, file, &head);
    for (const struct chapter *chapter = chapters; ok && chapter->id; chapter++) {
        ok = print_chapter(&out, chapter, err);
        if (chapter->ends_execution) {
            execution_free(&shared->execution);
            context->execution = NULL;
        }
    }
    if (context->data)
        page_embed_data(&out.page, context->data);
    page_close(&out.page);
    return ok;
}

static bool answer(struct report_context *context, const struct report_arguments *fields,
                   struct error *err)
{
    struct shared_results shared = {.advice = {.count = 0}};
    struct output out;
    bool ok =
        prepare(context, &shared, fields, err) && output_open(&out, fields->common.output, err);

    if (ok) {
        ok = write_page(context, &shared, fields, out.file, err);
        if (!ok)
            output_abandon(&out);
        ok = ok && output_commit(&out, err);
    }
    page_data_free(&shared.data);
    execution_free(&shared.execution);
    arena_free(&shared.arena);
    return ok;
}

/* ---- what is read ---- */

struct report_inputs {
    struct profile profile, before, lines;
    bool has_before;
    struct diff diff; /* of `before` and `profile`, whose texts it has copied */
    struct overlap_ranks ranks;
    struct job_inputs job;
};

/* Once more, where its lines may be told apart: all other chapters are about functions. */
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

static bool load_job(struct report_context *context, struct report_inputs *inputs, char **operands,
                     size_t count, const struct common *common, struct error *err)
{
    bool ok =
        job_inputs_read(&inputs->job, operands, count, &(struct job_input_options){0}, common, err);

    context->job = ok ? &inputs->job.shard : NULL;
    return ok;
}

static bool load_ranks(struct report_context *context, struct report_inputs *inputs,
                       char **operands, size_t count, const struct report_arguments *fields,
                       struct error *err)
{
    struct common common = fields->common;
    struct error why = {0};
    bool ok;

    common.is_quiet = true; /* one of them has been read, and the others are its like */
    ok = overlap_ranks_read(&inputs->ranks, operands, count, &common, 0, err);
    if (!ok) {
        overlap_ranks_free(&inputs->ranks);
        return false;
    }
    context->ranks = &inputs->ranks;
    if (!load_job(context, inputs, operands, count, &common, &why) && !fields->common.is_quiet)
        message_note("what slows the job is not told: %s", why.text);
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
    return graph_need(before, LEVEL_FLAT, "there is nothing to compare", err) &&
           graph_need(after, LEVEL_FLAT, "there is nothing to compare", err) &&
           diff_add(&inputs->diff, DIFF_BEFORE, before, err) &&
           diff_add(&inputs->diff, DIFF_AFTER, after, err);
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

/* Two profiles are one before and one after, unless they say that they are ranks of one job; more are
 * ranks, and the page is about the first. */
static bool load(struct report_context *context, struct report_inputs *inputs, char **operands,
                 size_t count, const struct report_arguments *fields, struct error *err)
{
    const struct selection *selection = &fields->common.selection;
    struct builder_options flat = {.need = LEVEL_FLAT}, wanted = chapters_wanted();
    size_t at = count == 2;

    if (!check_choice(fields, count, err))
        return false;
    if (is_shard_among(operands, count))
        return (!fields->is_diff && load_shards(context, inputs, operands, count, fields, err)) ||
               (!fields->is_ranks &&
                load_shards_compared(context, inputs, operands, count, fields, err));
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
        return load_ranks(context, inputs, operands, count, fields, err);
    if (count == 2 && !compare(context, inputs, err))
        return false;
    return load_lines(context, &inputs->lines, fields, err);
}

static void put_back(struct report_context *context, struct report_inputs *inputs)
{
    if (context->ranks)
        overlap_ranks_free(&inputs->ranks);
    if (context->lines)
        profile_free(context->lines);
    if (context->profile)
        profile_free(context->profile);
    if (inputs->has_before)
        profile_free(&inputs->before);
    diff_free(&inputs->diff);
    job_inputs_free(&inputs->job);
}

static bool read_and_write(struct profile_request *request, struct error *err)
{
    const struct report_arguments *fields = request->asked;
    struct report_context context = {.ceilings = &fields->ceilings,
                                     .sources = &fields->sources,
                                     .limit = fields->limit,
                                     .is_quiet = fields->common.is_quiet};
    struct report_inputs inputs = {.has_before = false};
    bool ok = terminal_check("an HTML page", fields->common.output, err) &&
              load(&context, &inputs, request->operands, request->count, fields, err) &&
              answer(&context, fields, err);

    put_back(&context, &inputs);
    return ok;
}

static const struct profile_command profile_command = {
    .size = sizeof(struct report_arguments),
    .defaults = &(const struct report_arguments){.limit = 300,
                                                 .page_size = 6000000,
                                                 .common.content = CONTENT_FIGURES},
    .filtering = FILTERS_EVENTS,
    .answer = read_and_write,
};

const struct command command_report = {
    .name = "report",
    .summary = "one page with all that a profile tells, for any browser, without a network",
    .operands = "[BEFORE] [FILE...]",
    .examples = "ptk report -o report.html profile.out\n"
                "ptk report --title 'Epoch 3' -o report.html trace.json\n"
                "ptk report -o changes.html before.out after.out\n"
                "ptk report -o job.html rank-*.json\n",
    .options = options,
    .profile = &profile_command,
};
