/* What comes first: what to fix, what holds the run up, what changed, who was late */
#include "cmd/chapters/fill.h"

#include "analysis/advice/advice.h"
#include "analysis/bottleneck.h"
#include "analysis/process.h"
#include "cmd/chapters/picture.h"
#include "graph/need.h"
#include "render/advice_report.h"
#include "render/bound_report.h"
#include "render/diff_chart.h"
#include "render/diff_report.h"
#include "render/ranks_chart.h"

enum { CHANGES = 15, COLLECTIVES = 40 };

bool fill_advice(const struct book *book, struct arena *arena, struct chapter_content *content,
                 struct error *err)
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

bool fill_bound(const struct book *book, struct arena *arena, struct chapter_content *content,
                struct error *err)
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
    const struct report report = report_without_lines(&content->report);
    struct difference few = *difference;
    FILE *out = chapter_picture_open(content);

    few.count = at_most(few.count, CHANGES);
    diff_chart_write(&few, diff, &report, out);
    chapter_picture_close(out);
}

bool fill_diff(const struct book *book, struct arena *arena, struct chapter_content *content,
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

bool fill_ranks(const struct book *book, struct arena *arena, struct chapter_content *content,
                struct error *err)
{
    const struct ranks *found;
    struct report bare;
    FILE *out;

    (void)err;
    if (!book->ranks)
        return true;
    found = overlap_ranks_report(book->ranks, COLLECTIVES, arena, &content->report);
    bare = report_without_lines(&content->report);
    out = chapter_picture_open(content);
    ranks_chart_write(found, &bare, out);
    chapter_picture_close(out);
    return true;
}
