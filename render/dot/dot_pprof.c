/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes and colours are pprof's: design notes, semantics/pprof.md §8. */
#include "render/dot/dot.h"

#include <inttypes.h>
#include <math.h>

#include "base/text/escape.h"
#include "base/text/format.h"

struct dot_pprof_drawing {
    const struct graph *graph;
    const struct trimmed *trimmed;
    const struct dot_pprof_options *options;
    double most_self; /* of a function that is drawn */
    char value[FORMAT_LEN], share[FORMAT_LEN];
    FILE *out;
};

static double size_of(int64_t value)
{
    return fabs((double)value);
}

static double score_of(const struct dot_pprof_drawing *drawing, int64_t value)
{
    double total = size_of(drawing->trimmed->total);
    double score = total > 0 ? (double)value / total : 0;

    return score < -1 ? -1 : score > 1 ? 1 : score;
}

static const char *value_text(struct dot_pprof_drawing *drawing, int64_t value)
{
    return format_value(drawing->value, value, graph_unit(drawing->graph));
}

static const char *share_text(struct dot_pprof_drawing *drawing, int64_t value)
{
    return format_share(drawing->share, score_of(drawing, value));
}

/* Grey where there is little, red for what is there, green for what is less than nothing. */
static const char *color(char out[COLORMAP_LEN], double score, double saturation, double value)
{
    double size = fabs(score), strength = pow(size, 0.3), red = value, green = value;

    if (size < 0.2)
        saturation *= size / 0.2;
    if (score < 0)
        red *= 1 - saturation * strength;
    else
        green *= 1 - saturation * strength;
    snprintf(out, COLORMAP_LEN, "#%02x%02x%02x", (unsigned)(red * 255) & 255,
             (unsigned)(green * 255) & 255, (unsigned)(value * (1 - saturation) * 255) & 255);
    return out;
}

/* ---- legend ---- */

static void write_legend(struct dot_pprof_drawing *drawing)
{
    const struct trimmed *trimmed = drawing->trimmed;
    const struct graph *graph = drawing->graph;
    FILE *out = drawing->out;

    fputs("subgraph cluster_legend { color=\"#cccccc\"; legend [shape=plaintext, fontsize=14, "
          "label=\"",
          out);
    escape_dot(out, span_of(drawing->options->title));
    fputs("\\l", out);
    if (graph->values.count) {
        fputs("Type: ", out);
        escape_dot(out, graph_text(graph, graph->values.list[graph->values.selected].name));
        fputs("\\l", out);
    }
    fprintf(out, "Showing functions accounting for %s, ", value_text(drawing, trimmed->shown));
    fprintf(out, "%s of ", share_text(drawing, trimmed->shown));
    fprintf(out, "%s\\l", value_text(drawing, trimmed->total));
    if (trimmed->light_functions)
        fprintf(out, "Dropped %" PRIu32 " functions (total < %s)\\l", trimmed->light_functions,
                value_text(drawing, trimmed->least_cum));
    if (trimmed->light_calls)
        fprintf(out, "Dropped %" PRIu32 " calls (total < %s)\\l", trimmed->light_calls,
                value_text(drawing, trimmed->least_edge));
    if (trimmed->function_count < trimmed->known_functions)
        fprintf(out, "Showing top %" PRIu32 " functions out of %" PRIu32 "\\l",
                trimmed->function_count, trimmed->known_functions);
    fputs("\"]; }\n", out);
}

/* ---- boxes and arrows ---- */

static void write_figures(struct dot_pprof_drawing *drawing, int64_t self, int64_t cum)
{
    FILE *out = drawing->out;

    if (self == 0) {
        fputs("0", out);
    } else {
        fputs(value_text(drawing, self), out);
        fprintf(out, " (%s)", share_text(drawing, self));
    }
    if (cum == self)
        return;
    fprintf(out, "%sof %s", self ? "\\n" : " ", value_text(drawing, cum));
    fprintf(out, " (%s)", share_text(drawing, cum));
}

static void write_node(struct dot_pprof_drawing *drawing, uint32_t function)
{
    const struct functions *f = &drawing->graph->functions;
    const struct frame *frame = graph_frame(drawing->graph, f->frame[function]);
    int64_t self = f->self[function], cum = f->cum[function];
    double score = score_of(drawing, cum);
    double size = self ? sqrt(size_of(self) / drawing->most_self) : 0;
    char line[COLORMAP_LEN], fill[COLORMAP_LEN];

    fprintf(drawing->out, "\t%" PRIu32 " [label=\"", function);
    dot_name_parts(drawing->out, drawing->graph, frame);
    fputs("\\n", drawing->out);
    write_figures(drawing, self, cum);
    dot_groups_note(&drawing->options->groups, function, drawing->out);
    fprintf(drawing->out, "\", fontsize=%d, color=\"%s\", fillcolor=\"%s\"%s, tooltip=\"",
            8 + (int)ceil(16 * size), color(line, score, 1, 0.7), color(fill, score, 0.1, 0.93),
            dot_groups_mark(&drawing->options->groups, function));
    dot_tooltip(drawing->out, drawing->graph, frame);
    fprintf(drawing->out, "\"];\n");
}

/* Whole hundredths and fifths of the total, as pprof rounds them. */
static int part_of(const struct dot_pprof_drawing *drawing, int64_t value, int parts)
{
    return (int)(fabs(score_of(drawing, value)) * parts);
}

static void write_call(struct dot_pprof_drawing *drawing, const struct trimmed_call *call)
{
    char line[COLORMAP_LEN];

    fprintf(drawing->out,
            "\t%" PRIu32 " -> %" PRIu32
            " [label=\" %s%s\", weight=%d, penwidth=%d, color=\"%s\"%s];\n",
            call->caller, call->callee, call->is_estimate ? "~" : "",
            value_text(drawing, call->cum), 1 + part_of(drawing, call->cum, 100),
            1 + part_of(drawing, call->cum, 5), color(line, score_of(drawing, call->cum), 1, 0.7),
            call->is_residual ? ", style=dotted" : "");
}

static void write_columns(struct dot_pprof_drawing *drawing)
{
    const struct trimmed *trimmed = drawing->trimmed;
    struct arena arena = {0};
    bool *is_joined = arena_array(&arena, drawing->graph->functions.count, sizeof(*is_joined));

    for (uint32_t i = 0; i < trimmed->call_count; i++)
        is_joined[trimmed->calls[i].caller] = is_joined[trimmed->calls[i].callee] = true;
    if (!drawing->options->groups.by_module)
        dot_columns_write(is_joined, trimmed->functions, trimmed->function_count, drawing->out);
    arena_free(&arena);
}

void dot_pprof_write(const struct graph *graph, const struct trimmed *trimmed,
                     const struct dot_pprof_options *options, FILE *out)
{
    struct dot_pprof_drawing drawing = {
        .graph = graph, .trimmed = trimmed, .options = options, .out = out};

    for (uint32_t i = 0; i < trimmed->function_count; i++)
        drawing.most_self =
            fmax(drawing.most_self, size_of(graph->functions.self[trimmed->functions[i]]));
    fputs("digraph {\n"
          "\ttooltip=\" \"\n"
          "\tnode [style=filled, fillcolor=\"#f8f8f8\", shape=box, fontname=Arial];\n"
          "\tedge [fontname=Arial, fontsize=10];\n\t",
          out);
    write_legend(&drawing);
    for (uint32_t i = 0; i < trimmed->function_count; i++)
        write_node(&drawing, trimmed->functions[i]);
    dot_groups_write(&options->groups, graph, trimmed->functions, trimmed->function_count, out);
    for (uint32_t i = 0; i < trimmed->call_count; i++)
        write_call(&drawing, &trimmed->calls[i]);
    write_columns(&drawing);
    fputs("}\n", out);
}
