/* SPDX-License-Identifier: Apache-2.0 */
/* What each line of source costs, by function, with what it calls where stacks tell. */
#include "analysis/functions/hotspots.h"

#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/derive/derive.h"
#include "graph/model/walks.h"

static const struct frame *frame_at(const struct graph *graph, uint32_t row)
{
    return graph_frame(graph, graph->functions.frame[row]);
}

static int64_t begins_at(const struct graph *graph, uint32_t row)
{
    return frame_begins_at(&graph->frames, graph->functions.frame[row]);
}

/* Lines of one function beside each other and ascending; functions as their names were interned. */
static bool stands_before(const void *context, uint32_t a, uint32_t b)
{
    const struct frame *one = frame_at(context, a), *other = frame_at(context, b);

    if (one->file != other->file)
        return one->file < other->file;
    if (one->name != other->name)
        return one->name < other->name;
    if (begins_at(context, a) != begins_at(context, b))
        return begins_at(context, a) < begins_at(context, b);
    if (one->column != other->column)
        return one->column < other->column;
    return one->line < other->line;
}

static bool costs_more(const void *context, uint32_t a, uint32_t b)
{
    const struct lines_function *functions = context;

    return functions[a].self > functions[b].self;
}

static bool is_same_function(const struct graph *graph, uint32_t a, uint32_t b)
{
    const struct frame *one = frame_at(graph, a), *other = frame_at(graph, b);

    return one->file == other->file && one->name == other->name && one->column == other->column &&
           begins_at(graph, a) == begins_at(graph, b);
}

static void find_functions(const struct graph *graph, struct lines *lines, struct arena *arena)
{
    const struct functions *f = &graph->functions;

    lines->functions = arena_array(arena, lines->row_count, sizeof(*lines->functions));
    for (uint32_t i = 0; i < lines->row_count; i++) {
        uint32_t row = lines->rows[i];
        struct lines_function *last = &lines->functions[lines->count - 1];

        if (i == 0 || !is_same_function(graph, lines->rows[i - 1], row)) {
            last = &lines->functions[lines->count++];
            *last = (struct lines_function){.first = i, .frame = f->frame[row], .cum = UNKNOWN};
        }
        last->count++;
        last->self = checked_add(last->self, f->self[row]);
        lines->has_hits |= f->calls[row] != UNKNOWN && f->calls[row] != 0;
    }
}

void stack_parts_sum(const struct graph *graph, const uint32_t *part_of, uint32_t count, int64_t *flat,
                     int64_t *cum, struct arena *arena)
{
    const struct calltree *tree = &graph->tree;
    uint32_t value = graph->values.selected;
    int64_t *total = tree_totals(tree, value, arena);
    uint32_t *open = arena_array(arena, (size_t)count + 1, sizeof(*open));
    struct tree_links links;

    tree_link(tree, &links);

    struct walk walk = {.links = &links};

    while (walk_next(&walk)) {
        uint32_t part = walk.node ? part_of[tree->frame[walk.node]] : 0;

        if (!part)
            continue;
        if (walk.is_leaving) {
            open[part]--;
            continue;
        }
        if (flat)
            flat[part - 1] =
                checked_add(flat[part - 1], calltree_self(tree, value, walk.node));
        if (open[part]++ == 0)
            cum[part - 1] = checked_add(cum[part - 1], total[walk.node]);
    }
    tree_unlink(&links);
}

static void sum_stacks(const struct graph *graph, struct lines *lines, struct arena *arena)
{
    uint32_t *function_of = grow_zeroed(graph->frames.count, sizeof(*function_of));
    int64_t *cum = arena_array(arena, (size_t)lines->count + 1, sizeof(*cum));

    for (uint32_t i = 0; i < lines->count; i++)
        for (uint32_t row = 0; row < lines->functions[i].count; row++)
            function_of[graph->functions.frame[lines->rows[lines->functions[i].first + row]]] = i + 1;
    stack_parts_sum(graph, function_of, lines->count, NULL, cum, arena);
    for (uint32_t i = 0; i < lines->count; i++)
        lines->functions[i].cum = cum[i];
    free(function_of);
}

/* Of figures that the file has line by line: what the lines call is in none of the others. */
static void sum_lines(const struct graph *graph, struct lines *lines)
{
    for (uint32_t i = 0; i < lines->count; i++) {
        struct lines_function *function = &lines->functions[i];

        function->cum = 0;
        for (uint32_t row = 0; row < function->count && function->cum != UNKNOWN; row++) {
            int64_t cum = graph->functions.cum[lines->rows[function->first + row]];

            function->cum = cum == UNKNOWN ? UNKNOWN : checked_add(function->cum, cum);
        }
    }
}

static void rank(struct lines *lines, uint32_t limit, struct arena *arena)
{
    uint32_t count = limit_rows(lines->count, limit);

    lines->functions = sorted_copy(arena, lines->functions, sizeof(*lines->functions), lines->count,
                                   count, costs_more);
    lines->left_out = lines->count - count;
    lines->count = count;
}

void lines_compute(const struct graph *graph, const bool *is_wanted, uint32_t limit,
                   struct arena *arena, struct lines *lines)
{
    uint32_t count = graph->functions.listed;

    *lines = (struct lines){.rows = arena_array(arena, count, sizeof(*lines->rows))};
    for (uint32_t i = 0; i < count; i++) {
        if (graph_is_idle(graph, graph->functions.frame[i]))
            continue;
        lines->total = checked_add(lines->total, graph->functions.self[i]);
        if (!is_wanted || is_wanted[graph->functions.frame[i]])
            lines->rows[lines->row_count++] = i;
    }
    sort_stable(lines->rows, lines->row_count, stands_before, graph);
    find_functions(graph, lines, arena);
    if (graph->has[LEVEL_CALLTREE])
        sum_stacks(graph, lines, arena);
    else if (graph->native == LEVEL_FLAT && !graph->values.is_inclusive)
        sum_lines(graph, lines);
    if (graph->values.is_inclusive)
        lines->total = graph_total(graph);
    rank(lines, limit, arena);
}
