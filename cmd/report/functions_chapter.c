/* Functions, and what they are made of and called from */
#include "cmd/chapters/fill.h"

#include "cmd/report/picture_chapter.h"
#include "cmd/shared/source_files.h"
#include "graph/derive/need.h"
#include "render/pictures/flame_svg.h"
#include "render/reports/hotspots_report.h"
#include "render/reports/labels_report.h"
#include "render/reports/lines_report.h"

enum { LINED = 20 };

bool fill_hotspots(const struct book *book, struct arena *arena, struct chapter_content *content,
                   struct error *err)
{
    struct hotspots_options wanted = {.limit = book->limit};
    struct hotspots *hotspots = arena_alloc(arena, sizeof(*hotspots));

    if (!order_parse(&wanted.order, "self", err))
        return false;
    hotspots_compute(&book->profile->graph, &wanted, arena, hotspots);
    hotspots_report(hotspots, arena, &content->report);
    content->functions = hotspots;
    return true;
}

bool fill_flame(const struct book *book, struct arena *arena, struct chapter_content *content,
                struct error *err)
{
    const struct flame_options wanted = {.min_percent = 0.1};
    const struct flame_style style = {.title = book->profile->path, .width = PICTURE_WIDTH};
    struct graph *graph = &book->profile->graph;
    struct coloring coloring;
    struct flame flame;
    FILE *out = chapter_picture_open(content);

    (void)err;
    flame_lay_out(graph, &wanted, arena, &flame);
    coloring_choose(graph, &flame, COLORING_AUTO, arena, &coloring);
    flame_svg_write(graph, &flame, &coloring, &style, out);
    chapter_picture_close(out);
    return true;
}

bool fill_lines(const struct book *book, struct arena *arena, struct chapter_content *content,
                struct error *err)
{
    struct lines lines;

    if (!book->lines)
        return true;
    if (!graph_need(&book->lines->graph, LEVEL_FLAT, "there are no lines to show", err))
        return false;
    lines_compute(&book->lines->graph, NULL, LINED, arena, &lines);
    *content->input = (struct report_input){book->lines->path, &book->lines->graph};
    lines_report(&lines, sources_read(&lines, &book->lines->graph, book->directories, arena), arena,
                 &content->report);
    return true;
}

bool fill_labels(const struct book *book, struct arena *arena, struct chapter_content *content,
                 struct error *err)
{
    struct labels labels;

    (void)err;
    labels_rank(&book->profile->graph, arena, &labels);
    if (labels.count)
        labels_report(&labels, arena, &content->report);
    return true;
}
