/* SPDX-License-Identifier: Apache-2.0 */
/* One harness for every format: PTK_FUZZ names it ("input": whatever is recognised). Whatever the
 * bytes, reading must return; and a graph that is accepted must survive every analysis. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/functions/hotspots.h"
#include "analysis/functions/tree.h"
#include "analysis/selection/prune.h"
#include "analysis/selection/select.h"
#include "graph/derive/derive.h"
#include "parsers/parser.h"
#include "render/dot/dot.h"
#include "render/pictures/pictures.h"
#include "render/reports/reports.h"
#include "tests/fuzz/answers.h"
#include "tests/fuzz/charts.h"
#include "tests/fuzz/conversions.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void write_answers(struct graph *graph, FILE *out)
{
    struct report_input input = {"fuzz", graph};
    struct hotspots_options options = {.order = {.keys = {ORDER_SELF, ORDER_LABEL}, .count = 2}};
    struct text_style style = {.has_color = true, .is_unicode = true, .columns = 80};
    struct arena arena = {0};
    struct hotspots hotspots;

    hotspots_compute(graph, &options, &arena, &hotspots);
    for (int format = REPORT_TEXT; format <= REPORT_MARKDOWN; format++) {
        struct report report = {
            .command = "hotspots", .inputs = &input, .input_count = 1, .arena = &arena};

        hotspots_report(&hotspots, &arena, &report);
        report_write(&report, (enum report_format)format, &style, out);
    }
    arena_free(&arena);
}

static void draw_timeline(const struct graph *graph, FILE *out)
{
    struct layout_options options = {.depth = 8, .boxes = 1000, .columns = 1000};
    struct arena arena = {0};
    struct devices_work devices;
    struct timeline_layout layout;
    struct steps steps;
    struct gaps gaps;
    struct timeline_picture picture = {.graph = graph,
                                       .layout = &layout,
                                       .steps = &steps,
                                       .gaps = &gaps,
                                       .origin = timeline_layout_origin(graph),
                                       .title = "fuzz",
                                       .width = 1200};

    steps_find(graph, &arena, &steps);
    device_work_collect(graph, &arena, &devices);
    gaps_of_graph(graph, &devices, 100, &arena, &gaps);
    timeline_layout_compute(graph, &options, &arena, &layout);
    timeline_svg_write(&picture, out);
    arena_free(&arena);
}

static void draw_flame(struct graph *graph, FILE *out)
{
    struct flame_options options = {.min_percent = 0.1};
    struct flame_style style = {.title = "fuzz", .width = 1200};
    struct arena arena = {0};
    struct coloring coloring;
    struct flame flame;

    flame_lay_out(graph, &options, &arena, &flame);
    for (int by = COLORING_MODULE; by <= COLORING_HEAT; by++) {
        coloring_choose(graph, &flame, (enum coloring_by)by, &arena, &coloring);
        flame_svg_write(graph, &flame, &coloring, &style, out);
    }
    arena_free(&arena);
}

static void analyse_calls(struct graph *graph, FILE *out)
{
    struct prune_options prune_options = {.node_percent = 0.5};
    struct dot_options dot = {
        .skew = 1, .strips_arguments = true, .wraps = true};
    struct arena arena = {0};
    struct error err = {0};
    struct pruned pruned;
    struct integrity integrity;

    draw_flame(graph, out);
    if (graph->has[LEVEL_TIMELINE])
        draw_timeline(graph, out);
    integrity_check(graph, &arena, &integrity);
    for (int up = 0; up < 2; up++) {
        struct tree_options options = {.is_bottom_up = up, .min_percent = 1, .depth = 20};
        struct tree tree;

        tree_grow(graph, &options, &arena, &tree);
    }
    if (prune(graph, &prune_options, &arena, &pruned, &err))
        dot_write(graph, &pruned, &dot, out);
    arena_free(&arena);
}

static void narrow(struct graph *graph)
{
    struct filter filters[] = {
        {.kind = FILTER_HIDE}, {.kind = FILTER_FOCUS}, {.kind = FILTER_IGNORE}};
    static const char *const patterns[] = {"a", "e|o|_", "^b"};

    for (size_t i = 0; i < COUNT_OF(filters); i++)
        name_pattern_set(&filters[i].pattern, patterns[i], i == 0);
    select_apply(graph, filters, COUNT_OF(filters));
    for (size_t i = 0; i < COUNT_OF(filters); i++)
        name_pattern_free(&filters[i].pattern);
}

static void use(struct graph *graph, FILE *out)
{
    struct error err = {0};

    graph->source.format = graph->source.format_title = "fuzz";
    integrity_warn(graph);
    if (graph_need(graph, LEVEL_FLAT, "", &err)) {
        write_answers(graph, out);
        write_reports(graph, out);
        draw_chart(graph, out);
    }
    if (graph_need(graph, LEVEL_CALLGRAPH, "", &err))
        analyse_calls(graph, out);
    write_conversions(graph, out);
    narrow(graph);
    if (group_apply(graph, BY_MODULE, &err) && graph_need(graph, LEVEL_FLAT, "", &err))
        write_answers(graph, out);
    write_masked(graph, out);
    graph_free(graph);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *format = getenv("PTK_FUZZ");
    struct input_options options = {.max_size = 64 << 20};
    struct error err = {0};
    struct input in;
    struct graph graph;
    FILE *out = fopen("/dev/null", "w");

    if (input_open_memory(&in, (struct span){(const char *)data, size}, &options, &err)) {
        const struct parser *parser = !format || strcmp(format, "input") == 0
                                          ? parser_sniff(&in, &err)
                                          : parser_named(format, &err);
        struct builder *builder = builder_new(&(struct builder_options){.need = LEVEL_CALLGRAPH,
                                                                        .launches = true,
                                                                        .sample_times = size & 1,
                                                                        .series = true,
                                                                        .categories = true,
                                                                        .flows = true,
                                                                        .properties = UINT64_MAX,
                                                                        .all_values = size & 2,
                                                                        .label_sets = size & 4});

        if (parser && parser->parse(&in, builder, &err)) {
            builder_finish(builder, &graph);
            use(&graph, out);
        } else {
            builder_abandon(builder);
        }
        input_close(&in);
    }
    fclose(out);
    return 0;
}
