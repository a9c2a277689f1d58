#include "cmd/chapters.h"

#include <stdlib.h>

#include "analysis/advice/advice.h"
#include "analysis/bottleneck.h"
#include "analysis/process.h"
#include "base/oom.h"
#include "cmd/sources.h"
#include "graph/need.h"
#include "render/advice_report.h"
#include "render/amdahl_chart.h"
#include "render/amdahl_report.h"
#include "render/bound_report.h"
#include "render/critical_path_report.h"
#include "render/diff_chart.h"
#include "render/diff_report.h"
#include "render/flame_svg.h"
#include "render/hotspots_report.h"
#include "render/info_report.h"
#include "render/labels_report.h"
#include "render/lines_report.h"
#include "render/memory_chart.h"
#include "render/overlap_chart.h"
#include "render/overlap_report.h"
#include "render/roofline_chart.h"
#include "render/roofline_report.h"
#include "render/steps_chart.h"
#include "render/summary_report.h"
#include "render/timeline_svg.h"

enum {
    PICTURE_WIDTH = 1200,
    TRACKS = 30,
    DEPTH = 6,
    BOXES = 3000,
    GAPS = 300,
    PARTS = 40,
    LINED = 20,
    CHANGES = 15,
    CURVES = 6,
    DOTS = 15
};

struct builder_options chapters_wanted(void)
{
    return (struct builder_options){.need = LEVEL_TIMELINE,
                                    .launches = true,
                                    .flows = true,
                                    .categories = true,
                                    .labels = true,
                                    .series = true,
                                    .properties = advice_properties() | bottleneck_properties() |
                                                  roofline_properties() | summary_properties() |
                                                  property_bit(PROP_WAIT_STREAM)};
}

/* ---- pictures ---- */

static FILE *open_picture(struct chapter_content *content)
{
    struct picture *picture = &content->pictures[content->picture_count++];
    FILE *out = open_memstream(&picture->svg, &picture->size);

    if (!out)
        oom();
    return out;
}

static void close_picture(FILE *out)
{
    if (fclose(out) != 0)
        oom();
}

/* The lines stand below the picture on the page, not in it as well. */
static struct report without_lines(const struct report *report)
{
    struct report bare = *report;

    bare.before_count = bare.after_count = 0;
    return bare;
}

static uint32_t at_most(uint32_t count, uint32_t most)
{
    return count < most ? count : most;
}

/* ---- what comes first ---- */

static bool fill_advice(const struct book *book, struct arena *arena,
                        struct chapter_content *content, struct error *err)
{
    const struct advice_view view = {.limit = 0};
    struct thresholds thresholds;
    struct advice advice;

    (void)err;
    thresholds_default(&thresholds);
    advice_give(&book->profile->graph, STRETCH_AUTO, &thresholds, arena, &advice);
    advice_report(&advice, &thresholds, &view, arena, &content->report);
    return true;
}

static bool fill_bound(const struct book *book, struct arena *arena,
                       struct chapter_content *content, struct error *err)
{
    const struct graph *graph = &book->profile->graph;
    struct process_bottleneck process = {.cpus = 0};
    struct bottlenecks devices = {.count = 0};
    struct thresholds thresholds;

    (void)err;
    thresholds_default(&thresholds);
    if (graph->has[LEVEL_TIMELINE])
        bottleneck_find(graph, STRETCH_AUTO, &thresholds, arena, &devices);
    if (devices.count)
        bound_report(&devices, &thresholds, arena, &content->report);
    else if (!graph->has[LEVEL_TIMELINE] && process_judge_functions(graph, &thresholds, &process))
        bound_report_process(&process, &thresholds, arena, &content->report);
    return true;
}

static void draw_diff(const struct difference *difference, const struct diff *diff,
                      struct chapter_content *content)
{
    const struct report report = without_lines(&content->report);
    struct difference few = *difference;
    FILE *out = open_picture(content);

    few.count = at_most(few.count, CHANGES);
    diff_chart_write(&few, diff, &report, out);
    close_picture(out);
}

static bool fill_diff(const struct book *book, struct arena *arena, struct chapter_content *content,
                      struct error *err)
{
    const struct diff_options wanted = {.limit = book->limit, .fail_percent = -1};
    struct diff *diff = arena_alloc(arena, sizeof(*diff));
    struct difference difference;
    bool ok;

    if (!book->before || book->ranks)
        return true;
    ok = graph_need(&book->before->graph, LEVEL_FLAT, "there is nothing to compare", err) &&
         diff_add(diff, DIFF_BEFORE, &book->before->graph, err) &&
         diff_add(diff, DIFF_AFTER, &book->profile->graph, err);
    if (ok) {
        diff_compute(diff, &wanted, arena, &difference);
        diff_report(&difference, diff, arena, &content->report);
        draw_diff(&difference, diff, content);
    }
    diff_free(diff);
    return ok;
}

static bool fill_ranks(const struct book *book, struct arena *arena,
                       struct chapter_content *content, struct error *err)
{
    (void)err;
    if (book->ranks)
        overlap_ranks_report(book->ranks, PARTS, arena, &content->report);
    return true;
}

/* ---- functions ---- */

static bool fill_hotspots(const struct book *book, struct arena *arena,
                          struct chapter_content *content, struct error *err)
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

static bool fill_flame(const struct book *book, struct arena *arena,
                       struct chapter_content *content, struct error *err)
{
    const struct flame_options wanted = {.min_percent = 0.1};
    const struct flame_style style = {.title = book->profile->path, .width = PICTURE_WIDTH};
    struct graph *graph = &book->profile->graph;
    struct coloring coloring;
    struct flame flame;
    FILE *out = open_picture(content);

    (void)err;
    flame_lay_out(graph, &wanted, arena, &flame);
    coloring_choose(graph, &flame, COLORING_MODULE, arena, &coloring);
    flame_svg_write(graph, &flame, &coloring, &style, out);
    close_picture(out);
    return true;
}

static bool fill_lines(const struct book *book, struct arena *arena,
                       struct chapter_content *content, struct error *err)
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

static bool fill_labels(const struct book *book, struct arena *arena,
                        struct chapter_content *content, struct error *err)
{
    struct labels labels;

    (void)err;
    labels_rank(&book->profile->graph, arena, &labels);
    if (labels.count)
        labels_report(&labels, arena, &content->report);
    return true;
}

/* ---- events over time ---- */

static bool fill_timeline(const struct book *book, struct arena *arena,
                          struct chapter_content *content, struct error *err)
{
    const struct strip_options wanted = {.tracks = TRACKS,
                                         .depth = DEPTH,
                                         .boxes = BOXES,
                                         .columns =
                                             PICTURE_WIDTH - TIMELINE_NAMES - 2 * TIMELINE_MARGIN};
    const struct graph *graph = &book->profile->graph;
    struct steps steps;
    struct gaps gaps;
    struct strips strips;
    struct devices_work devices;
    const struct timeline_picture picture = {.graph = graph,
                                             .strips = &strips,
                                             .steps = &steps,
                                             .gaps = &gaps,
                                             .origin = strips_origin(graph),
                                             .title = book->profile->path,
                                             .width = PICTURE_WIDTH};
    FILE *out = open_picture(content);

    (void)err;
    steps_find(graph, arena, &steps);
    device_work_collect(graph, arena, &devices);
    gaps_find(graph, &devices, GAPS, arena, &gaps);
    strips_lay_out(graph, &wanted, arena, &strips);
    timeline_svg_write(&picture, out);
    close_picture(out);
    return true;
}

static bool fill_overlap(const struct book *book, struct arena *arena,
                         struct chapter_content *content, struct error *err)
{
    const struct overlap_options wanted = {.by_step = true, .gap_limit = PARTS};
    struct overlap *overlap = arena_alloc(arena, sizeof(*overlap));

    (void)err;
    overlap_compute(&book->profile->graph, &wanted, arena, overlap);
    overlap_report(overlap, arena, &content->report);
    if (overlap->device_count) {
        const struct report report = without_lines(&content->report);
        FILE *out = open_picture(content);

        overlap_chart_write(overlap, &report, out);
        close_picture(out);
    }
    return true;
}

static bool fill_critical_path(const struct book *book, struct arena *arena,
                               struct chapter_content *content, struct error *err)
{
    struct critical_path path;

    (void)err;
    critical_path_compute(&book->profile->graph, arena, &path);
    critical_path_report(&path, PARTS, arena, &content->report);
    return true;
}

static void draw_summary(const struct host_tree *tree, struct arena *arena,
                         struct chapter_content *content)
{
    const struct report report = without_lines(&content->report);
    struct memory_curve curve;
    struct step_times steps;
    FILE *out;

    if (tree->step_count) {
        summary_step_times(tree, arena, &steps);
        out = open_picture(content);
        steps_chart_write(&steps, &report, out);
        close_picture(out);
    }
    if (tree->graph->timeline.properties[PROP_ALLOCATED].count) {
        summary_memory_curve(tree, false, arena, &curve);
        out = open_picture(content);
        memory_chart_write(&curve, strips_origin(tree->graph), &report, out);
        close_picture(out);
    }
}

static bool fill_summary(const struct book *book, struct arena *arena,
                         struct chapter_content *content, struct error *err)
{
    const struct summary_options wanted = {.is_by_thread = false};
    struct host_tree tree;

    (void)err;
    host_tree_make(&book->profile->graph, false, &tree);
    for (enum summary_view view = 0; view < VIEW_COUNT; view++)
        if (view != VIEW_MEMORY_CURVE)
            summary_report(view, &tree, &wanted, TIME_UNIT_MS, false, arena, &content->report);
    draw_summary(&tree, arena, content);
    host_tree_free(&tree);
    return true;
}

/* ---- how much faster it can get ---- */

static void draw_roofline(const struct roofline *roofline, const struct roofline_options *wanted,
                          struct chapter_content *content)
{
    const struct report report = without_lines(&content->report);
    struct roofline few = *roofline;
    FILE *out = open_picture(content);

    few.count = at_most(few.count, DOTS);
    roofline_chart_write(&few, wanted, &report, out);
    close_picture(out);
}

static bool fill_roofline(const struct book *book, struct arena *arena,
                          struct chapter_content *content, struct error *err)
{
    const struct graph *graph = &book->profile->graph;
    struct roofline_options wanted = {.limit = book->limit};
    struct report report = content->report;
    struct roofline roofline;

    if (graph->native != LEVEL_TIMELINE && graph->counted_count == 0)
        return true;
    if (!ceilings_find(book->ceilings, content->input, 1, arena, &wanted.ceilings, &report, err))
        return false;
    if (graph->native == LEVEL_TIMELINE)
        roofline_compute(graph, &wanted, arena, &roofline);
    else
        roofline_compute_counted(graph, &wanted, arena, &roofline);
    if (roofline.explained > 0) {
        roofline_report(&roofline, &wanted, arena, &report);
        content->report = report;
        draw_roofline(&roofline, &wanted, content);
    }
    return true;
}

static void draw_amdahl(const struct amdahl *amdahl, const struct amdahl_options *wanted,
                        struct chapter_content *content)
{
    const struct report report = without_lines(&content->report);
    struct amdahl few = *amdahl;
    FILE *out = open_picture(content);

    few.count = at_most(few.count, CURVES);
    amdahl_chart_write(&few, wanted, &report, out);
    close_picture(out);
}

static bool fill_amdahl(const struct book *book, struct arena *arena,
                        struct chapter_content *content, struct error *err)
{
    const struct amdahl_options wanted = {.limit = PARTS, .has_curves = true};
    struct amdahl amdahl;

    (void)err;
    amdahl_compute(&book->profile->graph, &wanted, arena, &amdahl);
    amdahl_report(&amdahl, &wanted, arena, &content->report);
    if (amdahl.count)
        draw_amdahl(&amdahl, &wanted, content);
    return true;
}

/* ---- the file itself ---- */

static bool fill_info(const struct book *book, struct arena *arena, struct chapter_content *content,
                      struct error *err)
{
    struct graph *graph = &book->profile->graph;
    struct info info = {.packing = book->profile->packing,
                        .total = graph_total(graph),
                        .whole = graph_whole(graph)};

    (void)err;
    if (graph->native == LEVEL_CALLGRAPH) {
        struct integrity *integrity = arena_alloc(arena, sizeof(*integrity));

        integrity_check(graph, arena, integrity);
        info.integrity = integrity;
    }
    if (graph->native == LEVEL_TIMELINE) {
        struct inventory *inventory = arena_alloc(arena, sizeof(*inventory));

        inventory_take(graph, arena, inventory);
        info.inventory = inventory;
    }
    info_report(&info, arena, &content->report);
    return true;
}

const struct chapter chapters[] = {
    {"advice", "What to fix first", LEVEL_FLAT, fill_advice},
    {"bound", "What holds the run up", LEVEL_FLAT, fill_bound},
    {"changes", "What changed", LEVEL_FLAT, fill_diff},
    {"ranks", "Ranks beside one another", LEVEL_TIMELINE, fill_ranks},
    {"hotspots", "Where the time goes", LEVEL_FLAT, fill_hotspots},
    {"flame", "Flame graph", LEVEL_CALLGRAPH, fill_flame},
    {"timeline", "Timeline", LEVEL_TIMELINE, fill_timeline},
    {"overlap", "What overlaps", LEVEL_TIMELINE, fill_overlap},
    {"critical-path", "Critical path", LEVEL_TIMELINE, fill_critical_path},
    {"lines", "Lines", LEVEL_FLAT, fill_lines},
    {"labels", "Labels", LEVEL_CALLTREE, fill_labels},
    {"amdahl", "How much faster the whole can get", LEVEL_FLAT, fill_amdahl},
    {"roofline", "How far from the hardware's peak", LEVEL_FLAT, fill_roofline},
    {"summary", "Summary tables", LEVEL_TIMELINE, fill_summary},
    {"input", "What was read", LEVEL_FLAT, fill_info},
    {NULL, NULL, LEVEL_FLAT, NULL},
};
