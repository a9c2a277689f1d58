/* SPDX-License-Identifier: Apache-2.0 */
/* ptk report: one page of all chapters that a profile, several ranks or two runs have an answer
 * for. */
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
    for (; picture < content->picture_count; picture++)
        page_picture(&out->page, &content->pictures[picture]);
    page_report(&out->page, report, context->limit);
    if (content->has_segments)
        page_segments(&out->page, &context->profile->graph, out->size);
    if (content->functions)
        page_calls(&out->page, &context->profile->graph, content->functions);
}

/* ---- what chapters and cards share ---- */

/* What chapters and cards share. All is the arena's but for the execution graph. */
struct shared_results {
    struct execution execution;
    struct ceilings ceilings;
    struct critical_path path;
    struct advice advice;
    struct page_data data;
    uint64_t page_size;
    struct arena arena;
};

static void find_advice(struct report_context *context, struct shared_results *shared)
{
    struct thresholds thresholds;

    thresholds_default(&thresholds);
    advice_give(&context->profile->graph, context->execution, &context->devices, &thresholds,
                &shared->ceilings, &shared->arena, &shared->advice);
    context->advice = &shared->advice;
}

/* Whose events the page's script shows. */
static const struct graph *graph_of_events(const struct report_context *context)
{
    return context->times ? &context->times->graph : &context->profile->graph;
}

static bool has_events(const struct report_context *context)
{
    const struct timeline *timeline = &graph_of_events(context)->timeline;

    return timeline->count || timeline->series.count;
}

static void make_data(struct report_context *context, struct shared_results *shared)
{
    struct window_bounds *places;
    struct path_pieces pieces = {0};
    struct page_data_options wanted = {
        .size = page_timelines_size(shared->page_size, context->ranks != NULL),
        .devices = &context->devices};

    wanted.window_count = page_places(context, &shared->arena, &places);
    wanted.windows = places;
    if (context->path) {
        path_pieces_find(context->execution, context->path, page_path_most(wanted.size), &pieces);
        wanted.path = &pieces;
    }
    page_data_make(graph_of_events(context), &wanted, &shared->arena, &shared->data);
    free(pieces.list);
}

/* ---- chapters, filled by several threads at once, then written in order ---- */

struct filled_chapter {
    struct report_input input;
    struct chapter_content content;
    struct arena arena;
    struct error err;
    bool is_left_out, ok;
};

struct chapter_filling {
    struct report_context *context;
    struct shared_results *shared;
    struct filled_chapter *filled; /* by chapter; the arena's */
    uint32_t count;
};

static void fill_chapter(const struct chapter_filling *filling, size_t at)
{
    struct profile *profile = filling->context->profile;
    struct filled_chapter *filled = &filling->filled[at];

    filled->input = (struct report_input){profile->path, &profile->graph};
    filled->content.input = &filled->input;
    filled->content.report = (struct report){
        .command = "report", .inputs = &filled->input, .input_count = 1, .arena = &filled->arena};
    filled->is_left_out = profile->graph.native < chapters[at].level;
    filled->ok = filled->is_left_out || chapters[at].fill(filling->context, &filled->arena,
                                                          &filled->content, &filled->err);
}

/* Advice takes longest, with the events that it points to; of the chapters the last ones do. */
static void fill_beside_others(void *state, size_t piece)
{
    struct chapter_filling *filling = state;
    size_t at = filling->count - piece;

    if (piece == 0) {
        find_advice(filling->context, filling->shared);
        if (filling->context->data)
            make_data(filling->context, filling->shared);
    } else if (chapters[at].when == CHAPTER_BESIDE_OTHERS) {
        fill_chapter(filling, at);
    }
}

static void free_chapter(struct filled_chapter *filled)
{
    for (uint32_t i = 0; i < filled->content.picture_count; i++) {
        free(filled->content.pictures[i].svg);
        free(filled->content.pictures[i].narrow);
    }
    job_shard_free(&filled->content.shard);
    arena_free(&filled->arena);
}

/* Short names are found when they are asked for first, which only one thread may do: so all are found before.
 * How many threads may fill chapters then; 1 where there are too many names for that, or too little to share. */
static size_t find_names(const struct report_context *context)
{
    enum { NAMES_MOST = 100000 };
    const struct graph *graph = &context->profile->graph;

    if (!context->execution || graph->frames.count > NAMES_MOST)
        return 1;
    for (frame_id i = 1; i < graph->frames.count; i++)
        graph_short_name(graph, i);
    return thread_budget();
}

static void fill_when(struct chapter_filling *filling, enum chapter_time when)
{
    for (uint32_t i = 0; i < filling->count; i++)
        if (chapters[i].when == when)
            fill_chapter(filling, i);
}

static void fill_chapters(struct report_context *context, struct shared_results *shared,
                          struct chapter_filling *filling)
{
    *filling = (struct chapter_filling){.context = context, .shared = shared};
    while (chapters[filling->count].id)
        filling->count++;
    filling->filled = arena_array(&shared->arena, filling->count, sizeof(*filling->filled));
    fill_when(filling, CHAPTER_ALONE);
    parallel_for(find_names(context), filling->count + 1, fill_beside_others, filling);
    fill_when(filling, CHAPTER_AFTER_ADVICE);
}

static void find_devices(struct report_context *context, struct shared_results *shared)
{
    struct thresholds thresholds;

    thresholds_default(&thresholds);
    bottleneck_find(context->execution, WINDOW_AUTO, &thresholds, &shared->arena,
                    &context->devices);
}

/* What is read off the run and its execution, by two threads at once: levels of the graph, which none of the
 * others looks at. */
struct preparation {
    struct report_context *context;
    struct shared_results *shared;
    struct arena arena; /* of the second piece */
    struct error *err;
    bool ok;
};

static void prepare_piece(void *context, size_t piece)
{
    struct preparation *preparation = context;
    struct report_context *report = preparation->context;
    struct shared_results *shared = preparation->shared;
    struct graph *graph = &report->profile->graph;

    if (piece == 0) {
        preparation->ok =
            graph_need(graph, graph->native < LEVEL_CALLGRAPH ? LEVEL_FLAT : LEVEL_CALLGRAPH,
                       "there is nothing to report", preparation->err);
        return;
    }
    if (!report->execution)
        return;
    find_devices(report, shared);
    critical_path_compute(&shared->execution, &preparation->arena, &shared->path);
    report->path = &shared->path;
}

/* Asked before anything is written. */
static bool prepare(struct report_context *context, struct shared_results *shared,
                    const struct report_arguments *fields, struct error *err)
{
    const struct report_input input = {context->profile->path, &context->profile->graph};
    struct preparation preparation = {.context = context, .shared = shared, .err = err};
    struct report report = {.arena = &shared->arena};
    struct graph *graph = &context->profile->graph;

    heap_keep();
    graph_classify(graph); /* many rules ask for the class of a frame, once a node of its tree */
    if (graph->has[LEVEL_TIMELINE]) {
        execution_build(graph, &shared->execution);
        context->execution = &shared->execution;
    }
    parallel_for(thread_budget(), 2, prepare_piece, &preparation);
    arena_absorb(&shared->arena, &preparation.arena);
    if (!preparation.ok || !xml_stream_check(err) ||
        (!context->devices.count &&
         !graph_need(graph, LEVEL_FLAT, "there is nothing to look at", err)) ||
        !ceilings_find(context->ceilings, &input, 1, &shared->arena, &shared->ceilings, &report,
                       err))
        return false;
    if (context->job)
        context->job_result = page_job(context->job, &shared->arena, &context->job_refused);
    shared->page_size = fields->page_size;
    if (has_events(context))
        context->data = &shared->data;
    return true;
}

static bool write_page(struct report_context *context, struct shared_results *shared,
                       const struct report_arguments *fields, FILE *file, struct error *err)
{
    struct report_page out = {.context = context, .size = fields->page_size};
    const struct page_head head = {
        .title =
            fields->title ? fields->title : page_short_name(context->profile->path, &shared->arena),
        .path = context->profile->path,
        .facts = page_facts(context, &shared->arena)};
    struct chapter_filling filling;
    bool ok = true;

    fill_chapters(context, shared, &filling);
    execution_free(&shared->execution);
    context->execution = NULL;
    page_open(&out.page, file, &head);
    for (uint32_t i = 0; i < filling.count; i++) {
        struct filled_chapter *filled = &filling.filled[i];

        if (ok && !filled->ok)
            *err = filled->err;
        ok = ok && filled->ok;
        if (ok && !filled->is_left_out)
            print(&out, &chapters[i], &filled->content);
        free_chapter(filled);
    }
    if (context->data)
        page_ranks_embed(context, &out.page);
    page_close(&out.page);
    arena_free(&out.arena);
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
