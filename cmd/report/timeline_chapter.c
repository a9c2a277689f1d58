/* SPDX-License-Identifier: Apache-2.0 */
/* Events over time: the timeline, what overlaps, the path through it, the summary */
#include "cmd/report/chapters.h"

#include "analysis/execution/overlap.h"
#include "analysis/execution/replay.h"
#include "cmd/load/profile_load.h"
#include "cmd/options/common_options.h"
#include "render/charts/charts.h"
#include "render/pictures/pictures.h"
#include "render/reports/reports.h"

/* The picture is for paper and for browsers without scripts: others draw the events themselves. */
enum { TRACKS = 12, DEPTH = 5, BOXES = 600, GAPS = 100 };
enum { GAPS_LISTED = 40, PATH_ROWS = 40 };

bool chapter_timeline(const struct report_context *context, struct arena *arena,
                      struct chapter_content *content, struct error *err)
{
    const struct layout_options wanted = {.tracks = TRACKS,
                                          .depth = DEPTH,
                                          .boxes = BOXES,
                                          .columns =
                                              PICTURE_WIDTH - TIMELINE_NAMES - 2 * TIMELINE_MARGIN};
    const struct graph *graph = &context->profile->graph;
    struct steps steps;
    struct gaps gaps;
    struct timeline_layout layout;
    const struct timeline_picture picture = {.graph = graph,
                                             .layout = &layout,
                                             .steps = &steps,
                                             .gaps = &gaps,
                                             .origin = timeline_layout_origin(graph),
                                             .title = context->profile->path,
                                             .width = PICTURE_WIDTH};
    FILE *out = chapter_picture_open(content);

    (void)err;
    steps_find(graph, arena, &steps);
    gaps_find_largest(context->execution, &context->devices.works, GAPS, arena, &gaps);
    timeline_layout_compute(graph, &wanted, arena, &layout);
    timeline_svg_write(&picture, out);
    chapter_picture_close(content, out);
    return true;
}

bool chapter_overlap(const struct report_context *context, struct arena *arena,
                     struct chapter_content *content, struct error *err)
{
    struct overlap_options wanted = {
        .by_step = true, .gap_limit = GAPS_LISTED, .execution = context->execution,
        .works = &context->devices.works};
    const struct device_bottleneck *device = context->devices.devices;
    struct window_bounds window;
    struct overlap *overlap = arena_alloc(arena, sizeof(*overlap));

    (void)err;
    if (context->devices.count) { /* one window for all chapters */
        window = (struct window_bounds){device->start, device->end};
        wanted.window = &window;
        wanted.gaps = context->devices.count == 1 ? &device->gaps : NULL;
    }
    overlap_compute(&context->profile->graph, &wanted, arena, overlap);
    overlap_report(overlap, arena, &content->report);
    overlap_chart(overlap, &content->report);
    chapter_draw_chart(content);
    return true;
}

bool chapter_critical_path(const struct report_context *context, struct arena *arena,
                           struct chapter_content *content, struct error *err)
{
    (void)err;
    if (context->path)
        critical_path_report(context->path, PATH_ROWS, arena, &content->report);
    return true;
}

bool chapter_summary(const struct report_context *context, struct arena *arena,
                     struct chapter_content *content, struct error *err)
{
    const struct summary_options wanted = {.views = summary_view_bit(VIEW_COUNT) - 1,
                                           .limit = context->limit};
    uint32_t tables = wanted.views - summary_view_bit(VIEW_MEMORY_CURVE); /* that is a chart */
    struct summary *summary = arena_alloc(arena, sizeof(*summary));

    (void)err;
    summary_compute(&context->profile->graph, &wanted, arena, summary);
    summary_report(summary, tables, 0, context->limit, TIME_UNIT_MS, arena, &content->report);
    if (summary->steps && summary_chart(VIEW_STEPS, summary, &content->report))
        chapter_draw_chart(content);
    if (summary_chart(VIEW_MEMORY_CURVE, summary, &content->report))
        chapter_draw_chart(content);
    return true;
}
