/* SPDX-License-Identifier: Apache-2.0 */
/* The groups of nodes of a graph for Graphviz. */
#include "render/dot/dot.h"

#include <inttypes.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "base/text/escape.h"
#include "base/text/format.h"

/* Functions by side and module. */
struct dot_grouping {
    const struct graph *graph;
    const uint32_t *functions;
    uint32_t *order, count;
    bool by_module, has_both;
    FILE *out;
};

static const struct frame *frame_of(const struct dot_grouping *grouping, uint32_t at)
{
    const struct graph *graph = grouping->graph;

    return graph_frame(graph, graph->functions.frame[grouping->functions[at]]);
}

static bool is_device(const struct dot_grouping *grouping, uint32_t at)
{
    return frame_kind_is_device(frame_of(grouping, at)->kind);
}

static bool is_before(const void *context, uint32_t a, uint32_t b)
{
    const struct dot_grouping *grouping = context;

    if (is_device(grouping, a) != is_device(grouping, b))
        return is_device(grouping, b);
    return grouping->by_module && frame_of(grouping, a)->module < frame_of(grouping, b)->module;
}

static void begin_group(const struct dot_grouping *grouping, uint32_t id, struct span title)
{
    fprintf(
        grouping->out,
        "\tsubgraph cluster_%" PRIu32
        " { style=\"rounded\"; color=\"#8c959f\"; fontcolor=\"#59636e\"; fontname=Arial; label=\"",
        id);
    escape_dot(grouping->out, title);
    fputs("\";\n", grouping->out);
}

/* The functions from `at` on that have its module, where they have one. */
static uint32_t write_module(const struct dot_grouping *grouping, uint32_t at, uint32_t end)
{
    str_id module = grouping->by_module ? frame_of(grouping, grouping->order[at])->module : 0;
    uint32_t first = at;

    if (module)
        begin_group(grouping, first + 2, graph_text(grouping->graph, module));
    for (; at < end &&
           (!grouping->by_module || frame_of(grouping, grouping->order[at])->module == module);
         at++)
        fprintf(grouping->out, "\t%" PRIu32 ";\n", grouping->functions[grouping->order[at]]);
    if (module)
        fputs("\t}\n", grouping->out);
    return at;
}

static void write_side(const struct dot_grouping *grouping, uint32_t first, uint32_t end)
{
    bool device = first < end && is_device(grouping, grouping->order[first]);

    if (grouping->has_both)
        begin_group(grouping, device, device ? SPAN("device") : SPAN("host"));
    for (uint32_t at = first; at < end;)
        at = write_module(grouping, at, end);
    if (grouping->has_both)
        fputs("\t}\n", grouping->out);
}

void dot_groups_write(const struct dot_groups *groups, const struct graph *graph,
                      const uint32_t *functions, uint32_t count, FILE *out)
{
    struct arena arena = {0};
    struct dot_grouping grouping = {.graph = graph,
                                    .functions = functions,
                                    .count = count,
                                    .by_module = groups->by_module,
                                    .out = out};
    uint32_t hosts = 0;

    grouping.order = arena_array(&arena, count, sizeof(*grouping.order));
    for (uint32_t i = 0; i < count; i++) {
        grouping.order[i] = i;
        hosts += !is_device(&grouping, i);
    }
    grouping.has_both = hosts && hosts < count;
    if (grouping.has_both || grouping.by_module) {
        sort_stable(grouping.order, count, is_before, &grouping);
        /* ranks by cluster are where Graphviz gives up on some graphs: "trouble in init_rank" */
        fputs("\tnewrank=true;\n", out);
        write_side(&grouping, 0, hosts);
        write_side(&grouping, hosts, count);
    }
    arena_free(&arena);
}

/* Arrows that are not seen hold a column together. */
enum { COLUMN = 8 };

void dot_columns_write(const bool *is_joined, const uint32_t *functions, uint32_t count, FILE *out)
{
    uint32_t loose = 0, above = 0;

    for (uint32_t i = 0; i < count; i++) {
        if (is_joined[functions[i]])
            continue;
        if (loose == 1)
            fputs("\tedge [style=invis];\n", out);
        if (loose % COLUMN)
            fprintf(out, "\t%" PRIu32 " -> %" PRIu32 ";\n", above, functions[i]);
        above = functions[i];
        loose++;
    }
}

static bool is_on_path(const struct dot_groups *groups, uint32_t function)
{
    return groups->path_time && groups->path_time[function] > 0;
}

const char *dot_groups_mark(const struct dot_groups *groups, uint32_t function)
{
    return is_on_path(groups, function) ? ", peripheries=2" : "";
}

void dot_groups_note(const struct dot_groups *groups, uint32_t function, FILE *out)
{
    char share[FORMAT_LEN];

    if (is_on_path(groups, function))
        fprintf(out, "\\n%s of the critical path",
                format_share(share, share_of(groups->path_time[function], groups->path_length)));
}
