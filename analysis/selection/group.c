/* SPDX-License-Identifier: Apache-2.0 */
/* The same profile by something other than functions: --by file, module, kind, track, step,
 * label. */
#include <stdio.h>
#include <stdlib.h>

#include "analysis/functions/call_edges.h"
#include "analysis/selection/select.h"
#include "analysis/timeline/inventory.h"
#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/classify/event_class.h"
#include "graph/classify/function_class.h"
#include "graph/derive/derive.h"
#include "graph/model/calltree_builder.h"

const char *const group_names[] = {GROUP_NAMES, NULL};

bool group_is_of_events(enum group_by by)
{
    return by == BY_TRACK || by == BY_THREAD || by == BY_CATEGORY || by == BY_STEP || by == BY_STAGE ||
           by == BY_DETAIL;
}

bool group_parts_worlds(enum group_by by)
{
    return by == BY_KIND || by == BY_TRACK || by == BY_THREAD || by == BY_CATEGORY;
}

/* ---- frames to groups ---- */

/* Groups that are functions still, one below another of which can be the same one again. */
static bool is_of_functions(enum group_by by)
{
    return by == BY_NAME || by == BY_FILE_FUNCTION || by == BY_DETAIL;
}

/* "[libm.so.6]": what code without a name or a file is known by. */
static str_id module_name(struct graph *graph, const struct frame *frame)
{
    struct span module = graph_text(graph, frame->module);
    char room[300];
    int len = snprintf(room, sizeof(room), "[%.*s]", module.len < 256 ? (int)module.len : 256,
                       module.len ? module.at : "");

    return module.len ? strings_intern(&graph->strings, (struct span){room, (size_t)len}) : 0;
}

/* As its events were marked (group_events.c), else what the device computes there, or what kind it
 * is of. */
static str_id category_name(struct graph *graph, frame_id id)
{
    str_id marked = frame_group(&graph->frames, id);
    enum kernel_family family = graph_class(graph, id).family;

    if (marked)
        return marked;
    return strings_intern(&graph->strings,
                          span_of(family == FAMILY_NONE
                                      ? frame_kind_name(graph_frame(graph, id)->kind)
                                      : kernel_family_name(family)));
}

/* The text that a group is known by: one for all frames that belong to it. */
static str_id group_name(struct graph *graph, frame_id id, enum group_by by)
{
    const struct frame *frame = graph_frame(graph, id);

    if (by != BY_KIND && graph_is_idle(graph, id)) /* is no work, and in no group of such */
        return frame->name;
    switch (by) {
    case BY_NAME:
    case BY_FILE_FUNCTION:
        return frame->is_nameless ? module_name(graph, frame) : frame->name;
    case BY_FILE:
        return frame->file ? frame->file : module_name(graph, frame);
    case BY_PACKAGE:
        return strings_intern(&graph->strings, frame_package(graph, id));
    case BY_MODULE:
        return frame->module;
    case BY_CATEGORY:
        return category_name(graph, id);
    case BY_TRACK:
    case BY_THREAD:
    case BY_STEP:
    case BY_STAGE:
    case BY_DETAIL:
        return frame_group(&graph->frames, id);
    case BY_LABEL:
        return frame->name;
    default:
        return strings_intern(&graph->strings, span_of(frame_kind_name(frame->kind)));
    }
}

frame_id *group_frames(struct graph *graph, enum group_by by, struct arena *arena)
{
    bool has_file = by == BY_FILE || by == BY_FILE_FUNCTION;
    size_t count = graph->frames.count;
    frame_id *group = arena_array(arena, count, sizeof(*group));
    struct idmap known = {0};

    for (frame_id id = 1; id < count; id++) {
        struct frame frame = *graph_frame(graph, id);
        str_id named = group_name(graph, id, by);
        str_id name = named ? named : strings_intern(&graph->strings, SPAN("(none)"));
        uint32_t *at = idmap_at(&known, idmap_pair(name, has_file ? frame.file : 0));

        if (*at == IDMAP_NONE)
            *at = frame_intern(&graph->frames,
                               &(struct frame){.name = name,
                                               .file = has_file ? frame.file : 0,
                                               .module = by >= BY_KIND ? 0 : frame.module,
                                               .kind = frame.kind});
        group[id] = *at;
        if (is_of_functions(by) && frame_inlining(&graph->frames, id))
            frame_add_inlining(&graph->frames, *at, frame_inlining(&graph->frames, id));
    }
    idmap_free(&known);
    return group;
}

/* ---- call tree ---- */

/* A frame below one of its own group is part of it, unless groups are functions. All below a label
 * is part of that. */
static void group_tree(struct graph *graph, const frame_id *group, enum group_by by)
{
    struct calltree old = graph->tree;
    bool *has_value = grow_zeroed(graph->values.count, sizeof(*has_value));
    struct tree_shape shape = tree_shape_of(&old, has_value);
    node_id *new_of = grow_zeroed(old.count, sizeof(*new_of));
    struct calltree_builder tree_builder;

    calltree_builder_begin(&tree_builder, &graph->tree, &shape);
    for (node_id node = 1; node < old.count; node++) {
        node_id above = new_of[calltree_parent(&old, node)];
        frame_id frame = group[old.frame[node]];
        bool is_inside = above && (by == BY_LABEL ||
                                   (!is_of_functions(by) && graph->tree.frame[above] == frame));

        new_of[node] = is_inside ? above : calltree_builder_child(&tree_builder, above, frame);
        calltree_builder_add_self(&tree_builder, new_of[node], &old, node);
        calltree_builder_add_calls(&tree_builder, new_of[node], &old, node);
    }
    calltree_builder_end(&tree_builder);
    calltree_free(&old);
    free(has_value);
    free(new_of);
    functions_free(&graph->functions);
    calls_free(&graph->calls);
    graph->native = LEVEL_CALLTREE;
    graph->has[LEVEL_TIMELINE] = graph->has[LEVEL_CALLGRAPH] = graph->has[LEVEL_FLAT] = false;
}

/* ---- call graph ---- */

/* The grouped graph while it is made from the old one. */
struct regrouping {
    struct functions functions;
    struct calls calls;
    struct idmap function_of, edge_of; /* frame → function, (caller, callee) → call */
    uint32_t *new_of;                  /* by old function */
};

static void group_functions(const struct graph *graph, const frame_id *group, struct regrouping *re)
{
    const struct functions *f = &graph->functions;

    for (uint32_t i = 0; i < f->count; i++) {
        uint32_t *at = idmap_at(&re->function_of, group[f->frame[i]]);

        if (*at == IDMAP_NONE)
            *at = functions_add(&re->functions, group[f->frame[i]]);
        re->new_of[i] = *at;
        if (i >= f->listed)
            continue;
        re->functions.listed = re->functions.count;
        re->functions.calls[*at] = sum_known(re->functions.calls[*at], f->calls[i]);
        re->functions.primitive_calls[*at] =
            sum_known(re->functions.primitive_calls[*at], f->primitive_calls[i]);
        re->functions.self[*at] = checked_add(re->functions.self[*at], f->self[i]);
    }
}

static void group_calls(const struct graph *graph, struct regrouping *re)
{
    const struct calls *c = &graph->calls;

    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t caller = re->new_of[c->caller[i]], callee = re->new_of[c->callee[i]], *at;

        if (caller == callee)
            continue;
        at = idmap_at(&re->edge_of, idmap_pair(caller, callee));
        if (*at == IDMAP_NONE)
            *at = calls_add(&re->calls, caller, callee);
        calls_sum(&re->calls, *at, c, i);
    }
}

/* What enters a group: from outside the profile, and from other groups. A group of one function has
 * what that has: what enters it twice, by recursion, is not in it twice. True when some have
 * more. */
static bool group_cum(const struct graph *graph, struct regrouping *re, int64_t whole,
                      struct arena *arena)
{
    int64_t *cum = re->functions.cum;
    uint32_t *members = arena_array(arena, re->functions.count, sizeof(*members));
    struct entries entries;
    struct edge_totals made = {0};
    bool has_several = false;

    entries_find(graph, graph_edge_totals(graph, &made), arena, &entries);
    edge_totals_free(&made);
    for (uint32_t i = 0; i < entries.count; i++) {
        uint32_t at = re->new_of[entries.list[i].function];

        cum[at] = checked_add(cum[at], entries.list[i].cum);
    }
    for (uint32_t i = 0; i < re->calls.count; i++)
        if (re->calls.cum[i] != UNKNOWN)
            cum[re->calls.callee[i]] = checked_add(cum[re->calls.callee[i]], re->calls.cum[i]);
    for (uint32_t i = 0; i < re->functions.listed; i++) {
        if (cum[i] > whole)
            cum[i] = whole;
        if (cum[i] < re->functions.self[i])
            cum[i] = re->functions.self[i];
    }
    for (uint32_t i = 0; i < graph->functions.count; i++)
        has_several |= ++members[re->new_of[i]] > 1;
    for (uint32_t i = 0; i < graph->functions.listed; i++)
        if (members[re->new_of[i]] == 1)
            cum[re->new_of[i]] = graph->functions.cum[i];
    return has_several;
}

static void group_graph(struct graph *graph, const frame_id *group, struct arena *arena)
{
    struct regrouping re = {0};
    bool has_several;

    re.new_of = arena_array(arena, graph->functions.count, sizeof(*re.new_of));
    group_functions(graph, group, &re);
    group_calls(graph, &re);
    has_several = group_cum(graph, &re, graph_whole(graph), arena);
    functions_free(&graph->functions);
    calls_free(&graph->calls);
    graph->functions = re.functions;
    graph->calls = re.calls;
    idmap_free(&re.function_of);
    idmap_free(&re.edge_of);
    if (re.calls.count && has_several)
        warning_say(&graph->source.warnings, WARNING_NOTE,
                    "cumulative times of groups are estimates: a call graph does not know "
                    "whether groups that call each other overlap");
}

/* ---- either ---- */

static bool lacks(const struct graph *graph, enum group_by by, struct error *err)
{
    error_set(err, ERROR_LACK,
              "%s do not say which %s something belongs to, so it cannot be "
              "grouped by that",
              graph->source.format_title, by >= BY_LABEL ? "label" : group_names[by]);
    return error_hint(err, "function, name, filefunction, file, module, package, line and kind are "
                           "always there");
}

/* Derives the levels that are grouped, from which the others follow. */
static bool need_grouped(struct graph *graph, struct error *err)
{
    static const char question[] = "they cannot be grouped";
    enum level grouped = graph->native >= LEVEL_CALLTREE ? LEVEL_CALLTREE : LEVEL_FLAT;

    if (!graph_need(graph, grouped, question, err) || !graph_need(graph, LEVEL_FLAT, question, err))
        return false;
    if (!graph->selection.is_narrowed)
        graph_narrow(graph);
    return true;
}

static void group_levels(struct graph *graph, const frame_id *group, enum group_by by,
                         struct arena *arena)
{
    if (graph->native >= LEVEL_CALLTREE)
        group_tree(graph, group, by);
    else
        group_graph(graph, group, arena);
}

bool group_functions_as(struct graph *graph, const frame_id *group, struct error *err)
{
    struct arena arena = {0};

    if (!need_grouped(graph, err))
        return false;
    group_levels(graph, group, BY_NAME, &arena);
    arena_free(&arena);
    return true;
}

bool group_apply(struct graph *graph, enum group_by by, struct error *err)
{
    struct arena arena = {0};
    bool is_known = by == BY_ADDRESS ? graph->frames.detail == DETAIL_ADDRESS
                    : by >= BY_LABEL ? graph->selection.has_label_frames
                                     : by < BY_TRACK || graph->frames.group;

    for (frame_id id = 1; by == BY_CATEGORY && !is_known && id < graph->frames.count; id++)
        is_known = frame_kind_is_device(graph_frame(graph, id)->kind);
    if (!is_known)
        return lacks(graph, by, err);
    if (by == BY_FUNCTION || by == BY_LINE || by == BY_ADDRESS) {
        /* what the parser has distinguished; of a function's lines, where there is none finer */
        if (graph->frames.detail == DETAIL_LINE || graph->frames.detail == DETAIL_ADDRESS)
            graph->selection.grouped_by =
                group_names[graph->frames.detail == DETAIL_LINE ? BY_LINE : BY_ADDRESS];
        return true;
    }
    if (by > BY_LABEL)
        return true;
    if (graph->values.is_inclusive) {
        error_set(err, ERROR_LACK,
                  "times here are with what a function calls: those of one %s do not add up",
                  group_names[by]);
        return error_hint(err, "--by function and --by line show them one by one");
    }
    if (!need_grouped(graph, err))
        return false;
    group_levels(graph, group_frames(graph, by, &arena), by, &arena);
    graph->selection.grouped_by = by == BY_LABEL ? "label" : group_names[by];
    if (by == BY_FILE_FUNCTION)
        graph->frames.detail = DETAIL_FILE;
    arena_free(&arena);
    return true;
}

bool group_rows(struct graph *graph, enum group_by by, struct arena *arena, const frame_id **rows,
                struct error *err)
{
    *rows = NULL;
    if (by == BY_FUNCTION)
        return true;
    if (by == BY_LINE || by == BY_ADDRESS || by >= BY_LABEL ||
        (by != BY_CATEGORY && group_is_of_events(by))) {
        error_set(err, ERROR_USAGE, "the rows of a path cannot be distinguished by %s",
                  by >= BY_LABEL ? "label" : group_names[by]);
        return error_hint(err, "function, name, filefunction, file, module, package, kind and "
                               "category are what they can be of");
    }
    graph->selection.grouped_by = group_names[by];
    *rows = group_frames(graph, by, arena);
    return true;
}
