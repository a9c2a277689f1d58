/* SPDX-License-Identifier: Apache-2.0 */
/* Functions, and what they are made of and called from */
#include "cmd/report/chapters.h"

#include "analysis/functions/hotspots.h"
#include "base/io/source_text.h"
#include "cmd/load/profile_load.h"
#include "cmd/load/source_files.h"
#include "cmd/options/common_options.h"
#include "graph/derive/derive.h"
#include "render/pictures/pictures.h"
#include "render/reports/reports.h"

enum { LINED = 20 };

bool chapter_hotspots(const struct report_context *context, struct arena *arena,
                      struct chapter_content *content, struct error *err)
{
    struct hotspots_options wanted = {.limit = context->limit};
    struct hotspots *hotspots = arena_alloc(arena, sizeof(*hotspots));

    if (!order_parse(&wanted.order, "self", err))
        return false;
    hotspots_compute(&context->profile->graph, &wanted, arena, hotspots);
    hotspots_report(hotspots, arena, &content->report);
    content->functions = hotspots;
    return true;
}

bool chapter_flame(const struct report_context *context, struct arena *arena,
                   struct chapter_content *content, struct error *err)
{
    /* Of a timeline the page has calls by time as well. */
    const struct flame_options wanted = {.min_percent = context->data ? 0.5 : 0.1};
    const struct flame_style style = {.title = context->profile->path, .width = PICTURE_WIDTH};
    const struct graph *graph = &context->profile->graph;
    struct coloring coloring;
    struct flame flame;
    FILE *out = chapter_picture_open(content);

    (void)err;
    flame_lay_out(graph, &wanted, arena, &flame);
    coloring_choose(graph, &flame, COLORING_AUTO, arena, &coloring);
    flame_svg_write(graph, &flame, &coloring, &style, out);
    chapter_picture_close(content, out);
    return true;
}

bool chapter_lines(const struct report_context *context, struct arena *arena,
                   struct chapter_content *content, struct error *err)
{
    struct code_text *sources;
    struct lines lines;

    if (!context->lines)
        return true;
    if (!graph_need(&context->lines->graph, LEVEL_FLAT, "there are no lines to show", err))
        return false;
    lines_compute(&context->lines->graph, NULL, LINED, arena, &lines);
    *content->input = (struct report_input){context->lines->path, &context->lines->graph};
    sources = sources_of_lines(&lines, &context->lines->graph, context->sources, arena);
    lines_report(&lines, sources, arena, &content->report);
    sources_write_missing(sources, lines.count, context->is_quiet, arena, &content->report);
    return true;
}

bool chapter_labels(const struct report_context *context, struct arena *arena,
                    struct chapter_content *content, struct error *err)
{
    struct labels labels;

    (void)err;
    labels_rank(&context->profile->graph, arena, &labels);
    if (labels.count)
        labels_report(&labels, arena, &content->report);
    return true;
}
