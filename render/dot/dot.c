/* SPDX-License-Identifier: Apache-2.0 */
/* A call graph as a graph for Graphviz. */
#include "render/dot/dot.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* ---- colours and sizes that grow with a weight ---- */

struct hsl {
    double hue, saturation, lightness; /* 0 … 1 */
};

/* Between two colours, as gprof2dot draws call graphs. */
struct colormap {
    struct hsl least, most;
    double gamma;
    double font_least, font_most; /* points */
    double pen_least, pen_most;
    int is_outlined; /* nodes have no fill: their text takes the colour */
};

const char *const colormap_names[] = {"color", "pink", "gray", "bw", "print", 0};

static const struct colormap colormaps[] = {
    {{2.0 / 3, 0.80, 0.25}, {0, 1, 0.5}, 1.0, 10, 10, 0.5, 4, 0},
    {{0, 1, 0.90}, {0, 1, 0.5}, 2.2, 10, 10, 0.5, 4, 0},
    {{0, 0, 0.85}, {0, 0, 0}, 2.2, 10, 10, 0.5, 4, 0},
    {{0, 0, 0}, {0, 0, 0}, 2.2, 8, 24, 0.1, 8, 0},
    {{0, 0, 0}, {0, 0, 0}, 2.2, 18, 30, 0.1, 8, 1},
};

/* One channel of CSS's HSL → RGB. */
static double channel(double low, double high, double hue)
{
    hue -= floor(hue);
    if (hue * 6 < 1)
        return low + (high - low) * hue * 6;
    if (hue * 2 < 1)
        return high;
    if (hue * 3 < 2)
        return low + (high - low) * (2.0 / 3 - hue) * 6;
    return low;
}

static int byte(double value, double gamma)
{
    return (int)(255 * pow(value, gamma) + 0.5);
}

static double between(double least, double most, double weight)
{
    return least + weight * (most - least);
}

/* "#rrggbb" for a weight from 0 to 1. `skew` 1 is linear; larger keeps the strong colours for the
 * largest weights. */
static const char *colormap_color(char out[COLORMAP_LEN], const struct colormap *map, double weight,
                                  double skew)
{
    double part = skew > 0 && skew != 1 ? (pow(skew, weight) - 1) / (skew - 1) : weight;
    double hue = between(map->least.hue, map->most.hue, part);
    double saturation = between(map->least.saturation, map->most.saturation, part);
    double lightness = between(map->least.lightness, map->most.lightness, part);

    saturation = fmin(fmax(saturation, 0), 1);
    lightness = fmin(fmax(lightness, 0), 1);
    double high = lightness <= 0.5 ? lightness * (saturation + 1)
                                   : lightness + saturation - lightness * saturation;
    double low = lightness * 2 - high;

    snprintf(out, COLORMAP_LEN, "#%02x%02x%02x",
             (unsigned)byte(channel(low, high, hue + 1.0 / 3), map->gamma) & 255,
             (unsigned)byte(channel(low, high, hue), map->gamma) & 255,
             (unsigned)byte(channel(low, high, hue - 1.0 / 3), map->gamma) & 255);
    return out;
}

static double colormap_font(const struct colormap *map, double weight)
{
    return fmax(weight * weight * map->font_most, map->font_least);
}

/* ---- the graph ---- */

struct dot_drawing {
    const struct graph *graph;
    const struct pruned *pruned;
    const struct dot_options *options;
    int64_t most_self; /* of a function that is drawn */
    struct arena arena;
    FILE *out;
};

static void write_head(const struct dot_drawing *drawing)
{
    bool is_outlined = colormaps[drawing->options->colormap].is_outlined;

    fprintf(drawing->out,
            "digraph {\n"
            "\ttooltip=\" \"\n"
            "\tgraph [fontname=Arial, nodesep=0.125, ranksep=0.25];\n"
            "\tnode [fontcolor=%s, fontname=Arial, height=0, shape=box, style=%s, width=0];\n"
            "\tedge [fontname=Arial];\n",
            is_outlined ? "black" : "white", is_outlined ? "solid" : "filled");
}

/* "12/3×": all calls, and those that are not recursive where they differ */
static void write_calls(FILE *out, int64_t calls, int64_t primitive)
{
    if (calls == UNKNOWN)
        return;
    fprintf(out, "\\n%" PRId64, calls);
    if (primitive != UNKNOWN && primitive != calls)
        fprintf(out, "/%" PRId64, primitive);
    fputs("×", out);
}

static void write_node(struct dot_drawing *drawing, uint32_t function)
{
    const struct functions *f = &drawing->graph->functions;
    const struct dot_options *options = drawing->options;
    const struct frame *frame = graph_frame(drawing->graph, f->frame[function]);
    double weight = options->colors_by_self
                        ? prune_weight(f->self[function], drawing->most_self)
                        : prune_weight(f->cum[function], drawing->pruned->whole);
    char color[COLORMAP_LEN];

    colormap_color(color, &colormaps[options->colormap], weight, options->skew);
    fprintf(drawing->out,
            "\t%" PRIu32 " [color=\"%s\", fontcolor=\"%s\", fontsize=\"%.2f\", label=\"", function,
            color, colormaps[options->colormap].is_outlined ? color : "#ffffff",
            colormap_font(&colormaps[options->colormap], weight));
    dot_name(drawing->out, drawing->graph, frame, options->strips_arguments, options->wraps);
    fprintf(drawing->out, "\\n%.2f%%\\n(%.2f%%)",
            prune_weight(f->cum[function], drawing->pruned->whole) * 100,
            prune_weight(f->self[function], drawing->pruned->total) * 100);
    write_calls(drawing->out, f->calls[function], f->primitive_calls[function]);
    dot_groups_note(&options->groups, function, drawing->out);
    fprintf(drawing->out, "\"%s, tooltip=\"", dot_groups_mark(&options->groups, function));
    dot_tooltip(drawing->out, drawing->graph, frame);
    fputs("\"];\n", drawing->out);
}

static void write_edge(const struct dot_drawing *drawing, uint32_t edge)
{
    const struct calls *c = &drawing->graph->calls;
    const struct colormap *colors = &colormaps[drawing->options->colormap];
    double weight = prune_weight(drawing->pruned->edge_cum[edge], drawing->pruned->whole);
    double pen = fmax(weight * colors->pen_most, colors->pen_least);
    char color[COLORMAP_LEN];

    colormap_color(color, colors, weight, drawing->options->skew);
    fprintf(drawing->out,
            "\t%" PRIu32 " -> %" PRIu32 " [arrowsize=\"%.2f\", color=\"%s\", fontcolor=\"%s\", "
            "fontsize=\"%.2f\", label=\"%s%.2f%%",
            c->caller[edge], c->callee[edge], 0.5 * sqrt(pen), color, color,
            colormap_font(colors, weight), drawing->pruned->edge_estimate[edge] ? "~" : "",
            weight * 100);
    write_calls(drawing->out, c->calls[edge], c->primitive_calls[edge]);
    fprintf(drawing->out, "\", labeldistance=\"%.2f\", penwidth=\"%.2f\"];\n", pen, pen);
}

static void write_columns(struct dot_drawing *drawing)
{
    const struct pruned *pruned = drawing->pruned;
    const struct calls *c = &drawing->graph->calls;
    bool *is_joined =
        arena_array(&drawing->arena, drawing->graph->functions.count, sizeof(*is_joined));

    for (uint32_t i = 0; i < pruned->edge_count; i++)
        is_joined[c->caller[pruned->edges[i]]] = is_joined[c->callee[pruned->edges[i]]] = true;
    if (!drawing->options->groups.by_module)
        dot_columns_write(is_joined, pruned->functions, pruned->function_count, drawing->out);
    arena_free(&drawing->arena);
}

void dot_write(const struct graph *graph, const struct pruned *pruned,
               const struct dot_options *options, FILE *out)
{
    struct dot_drawing drawing = {.graph = graph, .pruned = pruned, .options = options, .out = out};
    uint32_t edge = 0;

    for (uint32_t i = 0; i < pruned->function_count; i++)
        if (graph->functions.self[pruned->functions[i]] > drawing.most_self)
            drawing.most_self = graph->functions.self[pruned->functions[i]];
    write_head(&drawing);
    /* before the calls: Graphviz loses its way otherwise ("trouble in init_rank") */
    dot_groups_write(&options->groups, graph, pruned->functions, pruned->function_count, out);
    for (uint32_t i = 0; i < pruned->function_count; i++) {
        write_node(&drawing, pruned->functions[i]);
        while (edge < pruned->edge_count &&
               graph->calls.caller[pruned->edges[edge]] == pruned->functions[i])
            write_edge(&drawing, pruned->edges[edge++]);
    }
    write_columns(&drawing);
    fputs("}\n", out);
}
