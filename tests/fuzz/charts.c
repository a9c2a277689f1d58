/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/fuzz/charts.h"

#include "analysis/advice/causes.h"
#include "analysis/compare/diff.h"
#include "analysis/execution/amdahl.h"
#include "analysis/execution/overlap.h"
#include "analysis/kernels/roofline.h"
#include "analysis/ranks/rank_overlap.h"
#include "base/checked.h"
#include "render/charts/charts.h"
#include "render/reports/reports.h"

/* A graph without devices has no chart of some kinds. */
static void draw(const struct report *report, FILE *out)
{
    if (report->chart.draw)
        report_write(report, REPORT_SVG, NULL, out);
}

static void draw_amdahl(const struct graph *graph, struct report *report, struct arena *arena,
                        FILE *out)
{
    struct amdahl_options options = {.target = 1.5, .has_curves = true};
    struct amdahl amdahl;

    amdahl_compute(graph, &options, arena, &amdahl);
    amdahl_report(&amdahl, &options, arena, report);
    amdahl_chart(&amdahl, &options, arena, report);
    draw(report, out);
}

static void draw_roofline(const struct graph *graph, struct report *report, struct arena *arena,
                          FILE *out)
{
    struct roofline_options options = {.ceilings = {.memory = 1e12, .link = 1e10}};
    struct kernel_owners owners;
    struct roofline roofline;

    for (uint32_t i = 0; i <= PRECISION_COUNT; i++)
        options.ceilings.flops[i] = 1e13 * (i + 1);
    kernel_owners_find(&owners, graph);
    roofline_compute(&owners, &options, arena, &roofline);
    kernel_owners_free(&owners);
    roofline_report(&roofline, &options, NULL, arena, report);
    roofline_chart(&roofline, &options, arena, report);
    draw(report, out);
}

/* Of a job in which one rank is there twice. */
static void draw_overlap(const struct graph *graph, struct report *report, struct arena *arena,
                         FILE *out)
{
    const struct report_input inputs[] = {report->inputs[0], report->inputs[0]};
    struct report ranks_of = {
        .command = "overlap", .inputs = inputs, .input_count = 2, .arena = arena};
    struct overlap_options options = {.by_step = true, .gap_limit = 10, .has_exposed = true};
    struct overlap overlap;
    struct collectives collectives;
    struct rank_share shares[2];
    struct ranks ranks;

    overlap_compute(graph, &options, arena, &overlap);
    overlap_report(&overlap, arena, report);
    overlap_chart(&overlap, report);
    draw(report, out);
    collectives_find(graph, arena, &collectives);
    for (size_t i = 0; i < COUNT_OF(shares); i++)
        rank_share_make(graph, &collectives, "", (int64_t)i, arena, &shares[i]);
    ranks_compare((struct rank[]){{graph, &overlap, &collectives, &shares[0], 0},
                                  {graph, &overlap, &collectives, &shares[1], INT64_MIN}},
                  2, 0.01, arena, &ranks);
    ranks_report(&ranks, 10, arena, &ranks_of);
    ranks_chart(&ranks, &ranks_of);
    draw(&ranks_of, out);
}

static void draw_summary(const struct graph *graph, struct report *report, struct arena *arena,
                         FILE *out)
{
    const struct summary_options wanted = {.views = summary_view_bit(VIEW_COUNT) - 1};
    struct summary summary;

    summary_compute(graph, &wanted, arena, &summary);
    for (enum summary_view view = 0; view < VIEW_COUNT; view++)
        if (summary_chart(view, &summary, report))
            draw(report, out);
}

static void draw_diff(const struct graph *graph, struct report *report, struct arena *arena,
                      FILE *out)
{
    struct diff diff = {0};
    struct error err = {0};

    if (diff_add(&diff, DIFF_BEFORE, graph, &err) && diff_add(&diff, DIFF_AFTER, graph, &err))
        for (int is_cum = 0; is_cum < 2; is_cum++) {
            struct diff_options options = {.is_cum = is_cum, .fail_percent = -1};
            struct difference difference;

            diff_compute(&diff, &options, arena, &difference);
            diff_report(&difference, &diff, arena, report);
            diff_chart(&difference, &diff, arena, report);
            draw(report, out);
        }
    diff_free(&diff);
}

void draw_chart(const struct graph *graph, FILE *out)
{
    static void (*const charts[])(const struct graph *, struct report *, struct arena *, FILE *) = {
        draw_amdahl, draw_diff, draw_roofline, draw_overlap, draw_summary};
    enum { OF_ANY_LEVEL = 2 };
    size_t count = graph->has[LEVEL_TIMELINE] ? COUNT_OF(charts) : OF_ANY_LEVEL;
    struct report_input input = {"fuzz", graph};
    struct arena arena = {0};
    struct report report = {.command = "fuzz", .inputs = &input, .input_count = 1, .arena = &arena};

    charts[graph->frames.count % count](graph, &report, &arena, out);
    arena_free(&arena);
}
