/* SPDX-License-Identifier: Apache-2.0 */
/* Which hue each function has in a flame graph, by kind, package, module or heat, or by how it
 * changed. */
#include "analysis/layout/flame.h"

#include <math.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/classify/function_class.h"

const char *const coloring_names[] = {"auto", "package", "module", "kind", "heat", NULL};

/* Kinds keep their hue in every picture: what is compared across pictures must not change. */
static const uint8_t hue_of_kind[KIND_COUNT] = {
    [KIND_HOST] = 1,   [KIND_RUNTIME] = 2, [KIND_PYTHON] = 3, [KIND_COMMUNICATION] = 4,
    [KIND_MEMCPY] = 5, [KIND_MEMSET] = 5,  [KIND_KERNEL] = 6, [KIND_OPERATOR] = 7,
};

static void add_self(int64_t *self, frame_id frame, int64_t value)
{
    if (value > 0)
        self[frame] = checked_add(self[frame], value);
}

/* Of what is drawn, the merged boxes too: they do not say what is in them. */
static int64_t *self_by_frame(const struct graph *graph, const struct flame *flame,
                              struct arena *arena)
{
    int64_t *self = arena_array(arena, graph->frames.count, sizeof(*self));
    const struct calltree *tree = &graph->tree;
    const struct functions *functions = &graph->functions;
    bool has_tree = graph->has[LEVEL_CALLTREE];

    for (uint32_t i = 0; flame->is_by_time && i < flame->count; i++)
        add_self(self, flame->boxes[i].frame, flame->boxes[i].self);
    for (node_id node = 0; !flame->is_by_time && has_tree && node < tree->count; node++)
        add_self(self, tree->frame[node], calltree_self(tree, graph->values.selected, node));
    for (uint32_t i = 0; !flame->is_by_time && !has_tree && i < functions->listed; i++)
        add_self(self, functions->frame[i], functions->self[i]);
    return self;
}

uint8_t coloring_of_kind(enum frame_kind kind)
{
    return hue_of_kind[kind];
}

/* Frames that have a box: only those have a say in what is worth a colour. */
static bool *drawn_frames(const struct graph *graph, const struct flame *flame, struct arena *arena)
{
    bool *is_drawn = arena_array(arena, graph->frames.count, sizeof(*is_drawn));

    for (uint32_t i = 0; i < flame->count; i++)
        is_drawn[flame->boxes[i].frame] = true;
    is_drawn[0] = false;
    return is_drawn;
}

static void color_heat(const struct graph *graph, const int64_t *self, struct coloring *coloring)
{
    for (frame_id frame = 1; frame < graph->frames.count; frame++)
        if (self[frame] > coloring->most_self)
            coloring->most_self = self[frame];
    for (frame_id frame = 1; frame < graph->frames.count; frame++) {
        double heat = sqrt(share_of(self[frame], coloring->most_self));

        coloring->hue[frame] = (uint8_t)(1 + lround(heat * (COLORING_HUES - 1)));
    }
}

static struct span name_of(const struct graph *graph, frame_id frame, enum coloring_by by)
{
    if (by == COLORING_MODULE)
        return graph_text(graph, graph_frame(graph, frame)->module);
    if (by == COLORING_PACKAGE)
        return frame_package(graph, frame);
    return span_of(frame_kind_name(graph_frame(graph, frame)->kind));
}

static bool has_more(const void *context, uint32_t a, uint32_t b)
{
    const struct coloring_entry *entries = context;

    return entries[a].self > entries[b].self;
}

/* One entry for each name, with its self value; `entry_of` is by frame. */
static void sum_self_by_name(const struct graph *graph, const bool *is_drawn, const int64_t *self,
                             uint32_t *entry_of, struct coloring *coloring)
{
    struct strings names = {0};
    struct idmap known = {0};

    for (frame_id frame = 1; frame < graph->frames.count; frame++) {
        struct coloring_entry *entry;
        struct span name;
        uint32_t *at;

        if (!is_drawn[frame] && self[frame] == 0)
            continue;
        name = name_of(graph, frame, coloring->by);
        at = idmap_at(&known, strings_intern(&names, name));
        if (*at == IDMAP_NONE) {
            *at = coloring->count++;
            coloring->entries[*at] = (struct coloring_entry){
                .name = name, .hue = hue_of_kind[graph_frame(graph, frame)->kind]};
        }
        entry_of[frame] = *at;
        entry = &coloring->entries[*at];
        entry->is_drawn |= is_drawn[frame];
        entry->self = checked_add(entry->self, self[frame]);
    }
    idmap_free(&known);
    strings_free(&names);
}

/* The order of the legend; packages and modules get their hues in it. */
static void rank(struct coloring *coloring, struct arena *arena)
{
    struct coloring_entry *ranked = arena_array(arena, coloring->count + 1, sizeof(*ranked));
    uint32_t *order = arena_array(arena, coloring->count, sizeof(*order)), shown = 0;
    struct coloring_entry rest = {0};
    uint8_t hues = 0;

    for (uint32_t i = 0; i < coloring->count; i++)
        order[i] = i;
    sort_stable(order, coloring->count, has_more, coloring->entries);
    for (uint32_t i = 0; i < coloring->count; i++) {
        struct coloring_entry *entry = &coloring->entries[order[i]];

        if (coloring->by != COLORING_KIND)
            entry->hue = entry->is_drawn && hues < COLORING_HUES ? ++hues : 0;
        if (entry->hue && entry->is_drawn) {
            ranked[shown++] = *entry;
        } else {
            rest.self = checked_add(rest.self, entry->self);
            rest.is_drawn |= entry->is_drawn;
        }
    }
    if (rest.is_drawn || rest.self > 0)
        ranked[shown++] = rest;
    coloring->entries = ranked;
    coloring->count = shown;
}

static void color_names(const struct graph *graph, const bool *is_drawn, const int64_t *self,
                        struct arena *arena, struct coloring *coloring)
{
    uint32_t *entry_of = arena_array(arena, graph->frames.count, sizeof(*entry_of));
    struct coloring_entry *gathered;

    coloring->entries = arena_array(arena, graph->frames.count, sizeof(*coloring->entries));
    gathered = coloring->entries;
    sum_self_by_name(graph, is_drawn, self, entry_of, coloring);
    rank(coloring, arena);
    for (frame_id frame = 1; frame < graph->frames.count; frame++)
        if (is_drawn[frame])
            coloring->hue[frame] = gathered[entry_of[frame]].hue;
}

static bool has_packages(const struct graph *graph, const bool *is_drawn, const int64_t *self)
{
    struct span first = {0};

    for (frame_id frame = 1; frame < graph->frames.count; frame++) {
        struct span package = {0};

        if (is_drawn[frame] || self[frame] > 0)
            package = frame_package(graph, frame);
        if (package.len && first.len && !span_eq(package, first))
            return true;
        first = package.len ? package : first;
    }
    return false;
}

void coloring_choose(const struct graph *graph, const struct flame *flame, enum coloring_by by,
                     struct arena *arena, struct coloring *coloring)
{
    const int64_t *self = self_by_frame(graph, flame, arena);
    const bool *is_drawn = drawn_frames(graph, flame, arena);

    if (by == COLORING_AUTO)
        by = has_packages(graph, is_drawn, self) ? COLORING_PACKAGE : COLORING_KIND;
    *coloring = (struct coloring){.by = by};
    coloring->hue = arena_array(arena, graph->frames.count, sizeof(*coloring->hue));
    if (by == COLORING_HEAT)
        color_heat(graph, self, coloring);
    else
        color_names(graph, is_drawn, self, arena, coloring);
}

/* ---- change ---- */

static int64_t change_of(const struct flame_box *box, const struct coloring *coloring)
{
    int64_t now = coloring->is_cum ? box->total : box->self;
    int64_t before = coloring->is_cum ? box->total_before : box->self_before;

    return checked_sub(coloring->is_difference ? checked_sub(now, before) : now, before);
}

void coloring_choose_change(const struct flame *flame, bool is_cum, struct coloring *coloring)
{
    *coloring = (struct coloring){
        .by = COLORING_CHANGE, .is_cum = is_cum, .is_difference = flame->is_difference};
    for (uint32_t i = 0; i < flame->count; i++) {
        int64_t change = change_of(&flame->boxes[i], coloring);

        change = change < 0 ? checked_sub(0, change) : change;
        if (change > coloring->most_change)
            coloring->most_change = change;
    }
}

uint8_t coloring_hue(const struct coloring *coloring, const struct flame_box *box)
{
    int64_t change;
    double share;
    int step;

    if (coloring->by != COLORING_CHANGE)
        return coloring->hue[box->frame];
    /* three steps each way, so that the largest changes stand out and small ones are still seen */
    change = change_of(box, coloring);
    share = fabs((double)change) / (coloring->most_change ? (double)coloring->most_change : 1);
    step = share < 0.01 ? 0 : share < 0.1 ? 1 : share < 0.5 ? 2 : 3;
    return (uint8_t)(COLORING_SAME + (change < 0 ? -step : step));
}
