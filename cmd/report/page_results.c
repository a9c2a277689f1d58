/* SPDX-License-Identifier: Apache-2.0 */
/* page_results.c — finds the results that the chapters of a page share, and fills the chapters, with several threads
 *
 * One thread derives the graph's levels and fills the chapters that need nothing else. Another one makes the results
 * that need each other, in order: execution, bottlenecks, advice, and the events that the advice points to. */
#include <stdlib.h>

#include "analysis/timeline/device_work.h"
#include "base/memory/heap.h"
#include "base/parallel/parallel.h"
#include "cmd/answer/trace_job.h"
#include "cmd/report/chapters.h"
#include "cmd/report/report_inputs.h"
#include "graph/classify/event_class.h"
#include "graph/derive/derive.h"
#include "graph/names/names.h"
#include "render/svg/svg.h"

/* Pieces of the job; the pieces after them are chapters. */
enum { PIECE_LEVELS, PIECE_SHARED, PIECE_CHAPTERS };

struct chapter_filling {
    struct report_context *context;
    struct page_results *results;
    struct latch *levels, *shared; /* open once these are there */
    bool has_levels, has_shared;
    struct error err; /* why one of both is missing */
    uint32_t *order; /* of the chapters that are filled at once: in the order in which they are begun */
    uint32_t count;
};

static void find_devices(struct report_context *context, struct page_results *results)
{
    struct thresholds thresholds;

    thresholds_default(&thresholds);
    bottleneck_find(context->execution, WINDOW_AUTO, &thresholds, &results->arena,
                    &context->devices);
}

const struct kernel_owners *page_owners_find(const struct report_context *context)
{
    struct page_owners *owners = context->owners;

    if (latch_claim(owners->found)) {
        kernel_owners_find(&owners->of_kernels, &context->profile->graph);
        latch_open(owners->found);
    }
    latch_wait(owners->found);
    return &owners->of_kernels;
}

static void find_advice(struct report_context *context, struct page_results *results)
{
    struct thresholds thresholds;

    thresholds_default(&thresholds);
    advice_give(&context->profile->graph, context->execution, &context->devices, &thresholds,
                &results->ceilings,
                context->profile->graph.has[LEVEL_TIMELINE] ? page_owners_find(context) : NULL,
                &results->arena, &results->advice);
    context->advice = &results->advice;
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

static uint64_t size_of_data(const struct report_context *context,
                             const struct page_results *results)
{
    return page_timelines_size(results->size, context->ranks != NULL);
}

static void make_data(struct report_context *context, struct page_results *results)
{
    struct window_bounds *places;
    struct page_data_options wanted = {.size = size_of_data(context, results),
                                       .devices = &context->devices,
                                       .path = context->path ? &results->path_pieces : NULL};

    wanted.window_count = page_places(context, &results->arena, &places);
    wanted.windows = places;
    page_data_make(graph_of_events(context), &wanted, &results->arena, &results->data);
}

static void fill_chapter(const struct chapter_filling *filling, size_t at)
{
    struct profile *profile = filling->context->profile;
    struct filled_chapter *filled = &filling->results->chapters[at];

    filled->input = (struct report_input){profile->path, &profile->graph};
    filled->content.input = &filled->input;
    filled->content.report = (struct report){
        .command = "report", .inputs = &filled->input, .input_count = 1, .arena = &filled->arena};
    filled->is_left_out = profile->graph.native < chapters[at].level;
    filled->ok = filled->is_left_out || chapters[at].fill(filling->context, &filled->arena,
                                                          &filled->content, &filled->err);
}

static void fill_when(struct chapter_filling *filling, enum chapter_time when)
{
    for (uint32_t i = 0; i < filling->results->count; i++)
        if (chapters[i].when == when)
            fill_chapter(filling, i);
}

static bool has_device_work(const struct graph *graph)
{
    const struct timeline *timeline = &graph->timeline;

    for (uint32_t i = 0; i < timeline->track_count; i++) {
        const struct track *track = &timeline->tracks[i];

        for (event_id e = track->first; e < track->first + track->count; e++)
            if (track->kind == TRACK_STREAM && is_device_work(graph, e))
                return true;
    }
    return false;
}

static void find_levels(struct chapter_filling *filling)
{
    struct graph *graph = &filling->context->profile->graph;

    filling->has_levels =
        graph_need(graph, graph->native < LEVEL_CALLGRAPH ? LEVEL_FLAT : LEVEL_CALLGRAPH,
                   "there is nothing to report", &filling->err);
    if (filling->has_levels)
        fill_when(filling, CHAPTER_OF_TREE);
    if (graph->native == LEVEL_TIMELINE && has_device_work(graph)) {
        calltree_free(&graph->tree); /* no later chapter reads it */
        graph->has[LEVEL_CALLTREE] = false;
    }
    latch_open(filling->levels);
}

/* Each result needs the one before it; the advice needs the levels as well. */
static void find_shared(struct chapter_filling *filling)
{
    struct report_context *context = filling->context;
    struct page_results *results = filling->results;
    struct graph *graph = &context->profile->graph;

    if (graph->has[LEVEL_TIMELINE]) {
        execution_build(graph, &results->execution);
        context->execution = &results->execution;
        find_devices(context, results);
        path_pieces_find(&results->execution, page_path_most(size_of_data(context, results)),
                         &results->arena, &results->path, &results->path_pieces);
        context->path = &results->path;
    }
    latch_wait(filling->levels);
    filling->has_shared =
        filling->has_levels &&
        (context->devices.count ||
         graph_need(graph, LEVEL_FLAT, "there is nothing to look at", &filling->err));
    latch_open(filling->shared);
    if (!filling->has_shared)
        return;
    find_advice(context, results);
    if (context->data)
        make_data(context, results);
}

static void fill_piece(void *state, size_t piece)
{
    struct chapter_filling *filling = state;

    if (piece == PIECE_LEVELS) {
        find_levels(filling);
    } else if (piece == PIECE_SHARED) {
        find_shared(filling);
    } else {
        uint32_t at = filling->order[piece - PIECE_CHAPTERS];
        bool is_of_graph = chapters[at].when == CHAPTER_OF_GRAPH;

        latch_wait(is_of_graph ? filling->levels : filling->shared);
        if (is_of_graph ? filling->has_levels : filling->has_shared)
            fill_chapter(filling, at);
    }
}

/* Of the chapters the last ones take longest. */
static void order_when(struct chapter_filling *filling, enum chapter_time when)
{
    for (uint32_t i = filling->results->count; i-- > 0;)
        if (chapters[i].when == when)
            filling->order[filling->count++] = i;
}

/* Short names are found when they are asked for first, which only one thread may do: so all are found before.
 * How many threads may fill chapters then; 1 where there are too many names for that, or too little to share. */
static size_t find_names(const struct graph *graph)
{
    enum { NAMES_MOST = 100000 };

    if (!graph->has[LEVEL_TIMELINE] || graph->frames.count > NAMES_MOST)
        return 1;
    for (frame_id i = 1; i < graph->frames.count; i++)
        graph_short_name(graph, i);
    return thread_budget();
}

bool page_results_begin(struct report_context *context, struct page_results *results,
                        struct error *err)
{
    const struct report_input input = {context->profile->path, &context->profile->graph};
    struct report report = {.arena = &results->arena};

    if (!xml_stream_check(err) || !ceilings_find(context->ceilings, &input, 1, &results->arena,
                                                 &results->ceilings, &report, err))
        return false;
    context->job_result =
        context->job ? job_of_shard(context->job, &results->arena, &context->job_refused)
                     : job_of_trace(&context->profile->graph, context->profile->path, &results->shard,
                                    &results->arena, &context->job_refused);
    if (has_events(context))
        context->data = &results->data;
    return true;
}

bool page_results_find(struct report_context *context, struct page_results *results,
                       struct error *err)
{
    struct graph *graph = &context->profile->graph;
    struct chapter_filling filling = {.context = context,
                                      .results = results,
                                      .levels = latch_new(),
                                      .shared = latch_new()};
    bool ok;

    results->owners.found = latch_new();
    context->owners = &results->owners;
    heap_keep();
    graph_classify(graph); /* many rules ask for the class of a frame, once a node of its tree */
    while (chapters[results->count].id)
        results->count++;
    results->chapters = arena_array(&results->arena, results->count, sizeof(*results->chapters));
    filling.order = arena_array(&results->arena, results->count, sizeof(*filling.order));
    order_when(&filling, CHAPTER_OF_GRAPH);
    order_when(&filling, CHAPTER_BESIDE_OTHERS);
    parallel_for(find_names(graph), PIECE_CHAPTERS + filling.count, fill_piece, &filling);
    kernel_owners_free(&results->owners.of_kernels);
    latch_free(results->owners.found);
    latch_free(filling.levels);
    latch_free(filling.shared);
    ok = filling.has_shared;
    if (!ok)
        *err = filling.err;
    if (ok)
        fill_when(&filling, CHAPTER_AFTER_ADVICE);
    for (uint32_t i = 0; ok && i < results->count; i++)
        if (!results->chapters[i].ok) {
            *err = results->chapters[i].err;
            ok = false;
        }
    execution_free(&results->execution);
    context->execution = NULL;
    context->owners = NULL;
    return ok;
}

void filled_chapter_free(struct filled_chapter *filled)
{
    for (uint32_t i = 0; i < filled->content.picture_count; i++) {
        free(filled->content.pictures[i].svg);
        free(filled->content.pictures[i].narrow);
    }
    arena_free(&filled->arena);
    *filled = (struct filled_chapter){.is_left_out = true};
}

void page_results_free(struct report_context *context, struct page_results *results)
{
    for (uint32_t i = 0; i < results->count; i++)
        filled_chapter_free(&results->chapters[i]);
    page_data_free(&results->data);
    free(results->path_pieces.list);
    execution_free(&results->execution);
    job_shard_free(&results->shard);
    arena_free(&results->arena);
    context->execution = NULL;
    context->advice = NULL;
    context->data = NULL;
}
