/* How much faster the whole can get, and how far from the peak its kernels are */
#include "cmd/chapters/fill.h"

#include "cmd/chapters/picture.h"
#include "graph/need.h"
#include "render/amdahl_chart.h"
#include "render/amdahl_report.h"
#include "render/roofline_chart.h"
#include "render/roofline_report.h"

enum { PARTS = 40, CURVES = 6, DOTS = 15 };

static void draw_roofline(const struct roofline *roofline, const struct roofline_options *wanted,
                          struct chapter_content *content)
{
    const struct report report = report_without_lines(&content->report);
    struct roofline few = *roofline;
    FILE *out = chapter_picture_open(content);

    few.count = at_most(few.count, DOTS);
    roofline_chart_write(&few, wanted, &report, out);
    chapter_picture_close(out);
}

bool fill_roofline(const struct book *book, struct arena *arena, struct chapter_content *content,
                   struct error *err)
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
    const struct report report = report_without_lines(&content->report);
    struct amdahl few = *amdahl;
    FILE *out = chapter_picture_open(content);

    few.count = at_most(few.count, CURVES);
    amdahl_chart_write(&few, wanted, &report, out);
    chapter_picture_close(out);
}

bool fill_amdahl(const struct book *book, struct arena *arena, struct chapter_content *content,
                 struct error *err)
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
