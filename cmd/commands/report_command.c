/* SPDX-License-Identifier: Apache-2.0 */
/* ptk report: one page of all chapters that a profile, several ranks or two runs have an answer
 * for. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/io/io.h"
#include "base/memory/heap.h"
#include "base/parallel/parallel.h"
#include "cmd/answer/open_page.h"
#include "cmd/answer/profile_command.h"
#include "cmd/answer/report_output.h"
#include "cmd/help/command.h"
#include "cmd/help/messages.h"
#include "cmd/load/profile_load.h"
#include "cmd/load/source_files.h"
#include "cmd/options/ceiling_choice.h"
#include "cmd/options/common_options.h"
#include "cmd/report/chapters.h"
#include "cmd/report/report_inputs.h"
#include "graph/classify/event_class.h"
#include "graph/derive/derive.h"
#include "graph/names/names.h"
#include "render/page/page.h"
#include "render/svg/svg.h"

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
    const char *no_finding; /* the answer begins with that; or NULL */
    bool has_answer;
    uint64_t size; /* bytes that the page has, about */
    struct arena arena;
};

/* Its first line, unless that only counts findings: then the first of these. */
static const char *answer_text(const struct report_page *out, const struct chapter *chapter,
                               const struct report *report, const struct page_cards *cards,
                               struct arena *arena)
{
    const char *line = report->before_count ? page_words(report->before[0], arena) : NULL;

    if (chapter->fill == chapter_advice && report->before_count == 1 && cards->count)
        return cards->list[0].place
                   ? arena_printf(arena, "%s: %s", cards->list[0].cause, cards->list[0].place)
                   : cards->list[0].cause;
    if (!line || !out->no_finding)
        return line ? line : out->no_finding;
    return arena_printf(arena, "%s %s", out->no_finding, line);
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
    page_answer(&out->page, answer_text(out, chapter, report, &cards, &arena),
                content->picture_count ? &content->pictures[0] : NULL, has_bar ? &bar : NULL);
    page_findings(&out->page, &cards);
    if (context->data)
        page_timeline(&out->page, context->data, page_ranks_note(context, &arena));
    arena_free(&arena);
}

static const char *heading_of(const struct chapter *chapter, const struct graph *graph)
{
    if (chapter->fill == chapter_hotspots && graph_unit(graph) == UNIT_BYTES)
        return "Where the memory goes";
    if (chapter->fill == chapter_hotspots && graph_unit(graph) != UNIT_NS)
        return "Functions with the most";
    return chapter->heading;
}

static void print(struct report_page *out, const struct chapter *chapter,
                  struct chapter_content *content)
{
    const struct report_context *context = out->context;
    const struct page_rank rank = page_rank_own(context);
    struct report *report = &content->report;
    uint32_t picture = 0;

    if (content->picture_count + report->before_count + report->table_count + report->after_count ==
        0)
        return;
    if (chapter->fill == chapter_advice && !context->advice->reported && !out->has_answer) {
        out->no_finding = arena_copy(&out->arena, span_of(report->before[0]));
        return;
    }
    if (!out->has_answer) {
        print_answer(out, chapter, content);
        picture = content->picture_count > 0;
        report->before += report->before_count > 0;
        report->before_count -= report->before_count > 0;
    }
    page_section(&out->page, chapter->id, heading_of(chapter, &context->profile->graph));
    if (rank.is_known && chapter->fill != chapter_job && chapter->fill != chapter_ranks)
        page_paragraph(&out->page, arena_printf(&out->arena, "This is about rank %" PRId64 ".", rank.number));
    for (; picture < content->picture_count; picture++)
        page_picture(&out->page, &content->pictures[picture]);
    page_report(&out->page, report, context->limit);
    if (content->has_segments)
        page_segments(&out->page, &context->profile->graph, out->size);
    if (content->functions)
        page_calls(&out->page, &context->profile->graph, content->functions);
}

/* ---- all of it ---- */

/* "before → after" of two, where they differ. */
static const char *pair_text(const char *before, const char *after, struct arena *arena)
{
    return before && strcmp(before, after) ? arena_printf(arena, "%s → %s", before, after) : after;
}

static void write_page(struct report_context *context, struct page_results *results,
                       const struct report_arguments *fields, FILE *file)
{
    struct report_page out = {.context = context, .size = fields->page_size};
    const char *path = context->folder ? context->folder : context->profile->path;
    const char *name = page_short_name(path, &results->arena);
    const char *before = context->before ? page_short_name(context->before, &results->arena) : NULL;
    const struct page_head head = {
        .title = fields->title ? fields->title : pair_text(before, name, &results->arena),
        .path = pair_text(context->before, path, &results->arena),
        .facts = page_facts(context, &results->arena)};

    page_open(&out.page, file, &head);
    for (uint32_t i = 0; i < results->count; i++) {
        struct filled_chapter *filled = &results->chapters[i];

        if (!filled->is_left_out)
            print(&out, &chapters[i], &filled->content);
        filled_chapter_free(filled);
    }
    if (context->data)
        page_ranks_embed(context, &out.page);
    page_close(&out.page);
    arena_free(&out.arena);
}

static bool answer(struct report_context *context, const struct report_arguments *fields,
                   struct error *err)
{
    struct page_results results = {.size = fields->page_size};
    struct output out;
    bool ok = page_results_begin(context, &results, err) &&
              output_open(&out, fields->common.output, err);

    if (ok) {
        ok = page_results_find(context, &results, err);
        if (ok)
            write_page(context, &results, fields, out.file);
        else
            output_abandon(&out);
        ok = ok && output_commit(&out, err);
    }
    page_results_free(context, &results);
    return ok;
}

static bool read_and_write(struct profile_request *request, struct error *err)
{
    const struct report_arguments *fields = request->asked;
    struct report_context context = {.ceilings = &fields->ceilings,
                                     .sources = &fields->sources,
                                     .limit = fields->limit,
                                     .is_quiet = fields->common.is_quiet};
    struct report_inputs inputs = {.has_before = false};
    bool ok;

    heap_share();
    ok = terminal_check("an HTML page", fields->common.output, err) &&
         report_inputs_load(&context, &inputs, request->operands, request->count, fields, err) &&
         answer(&context, fields, err);

    report_inputs_free(&context, &inputs);
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

/* ---- ptk web ---- */

static bool show(struct profile_request *request, struct error *err)
{
    struct report_arguments fields = *(const struct report_arguments *)request->asked;
    struct profile_request wanted = *request;
    char path[OPEN_PAGE_PATH_MAX];

    if (!fields.common.output) {
        if (!open_page_new(path, err))
            return false;
        fields.common.output = path;
    }
    wanted.asked = &fields;
    return read_and_write(&wanted, err) && open_page(fields.common.output, err);
}

static const struct profile_command web_profile_command = {
    .size = sizeof(struct report_arguments),
    .defaults = &(const struct report_arguments){.limit = 300,
                                                 .page_size = 6000000,
                                                 .common.content = CONTENT_FIGURES},
    .filtering = FILTERS_EVENTS,
    .answer = show,
};

const struct command command_web = {
    .name = "web",
    .summary = "the page of `ptk report' in the browser that is there",
    .operands = "[BEFORE] [FILE...]",
    .examples = "ptk web -o page.html profile.out\n",
    .options = options,
    .profile = &web_profile_command,
};

const struct command command_report = {
    .name = "report",
    .summary = "one page with all that a profile shows, for any browser, without a network",
    .operands = "[BEFORE] [FILE...]",
    .examples = "ptk report -o report.html profile.out\n"
                "ptk report --title 'Epoch 3' -o report.html trace.json\n"
                "ptk report -o changes.html before.out after.out\n"
                "ptk report -o job.html rank-*.json\n",
    .options = options,
    .profile = &profile_command,
};
