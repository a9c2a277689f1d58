/* SPDX-License-Identifier: Apache-2.0 */
/* Applies the filters of a selection, in their order, to the level that the profile has. */
#include <stdlib.h>

#include "analysis/selection/select.h"
#include "base/memory/memory.h"
#include "graph/classify/function_class.h"
#include "graph/derive/derive.h"
#include "graph/model/calltree_builder.h"

/* ---- keeping some functions ---- */

static void move_function(struct functions *f, uint32_t to, uint32_t from)
{
    f->frame[to] = f->frame[from];
    f->calls[to] = f->calls[from];
    f->primitive_calls[to] = f->primitive_calls[from];
    f->self[to] = f->self[from];
    f->cum[to] = f->cum[from];
    if (f->min) {
        f->min[to] = f->min[from];
        f->max[to] = f->max[from];
    }
    if (f->estimates)
        f->estimates[to] = f->estimates[from];
}

void functions_mark(struct functions *functions, uint32_t function, enum estimate estimate,
                    bool is_one)
{
    if (is_one && !functions->estimates)
        functions->estimates = grow_zeroed(functions->count, sizeof(*functions->estimates));
    if (is_one)
        functions->estimates[function] |= (uint8_t)estimate;
}

void move_call(struct calls *c, uint32_t to, uint32_t from)
{
    c->caller[to] = c->caller[from];
    c->callee[to] = c->callee[from];
    c->calls[to] = c->calls[from];
    c->primitive_calls[to] = c->primitive_calls[from];
    c->self[to] = c->self[from];
    c->cum[to] = c->cum[from];
}

void keep_functions(struct graph *graph, const bool *keeps)
{
    struct functions *f = &graph->functions;
    struct calls *c = &graph->calls;
    uint32_t *place = grow_zeroed(f->count, sizeof(*place));
    uint32_t kept = 0, listed = 0, kept_calls = 0;

    for (uint32_t i = 0; i < f->count; i++) {
        if (!keeps[i])
            continue;
        listed += i < f->listed;
        place[i] = kept;
        move_function(f, kept++, i);
    }
    for (uint32_t i = 0; i < c->count; i++) {
        if (!keeps[c->caller[i]] || !keeps[c->callee[i]])
            continue;
        move_call(c, kept_calls, i);
        c->caller[kept_calls] = place[c->caller[kept_calls]];
        c->callee[kept_calls] = place[c->callee[kept_calls]];
        kept_calls++;
    }
    f->count = kept;
    f->listed = listed;
    c->count = kept_calls;
    free(place);
}

/* By function, whether its frame matches. */
static bool *function_matches(const struct graph *graph, const bool *matches, struct arena *arena)
{
    const struct functions *f = &graph->functions;
    bool *result = arena_array(arena, f->count, sizeof(*result));

    for (uint32_t i = 0; i < f->count; i++)
        result[i] = matches[f->frame[i]];
    return result;
}

/* `matches` says of every frame whether the filter's pattern does. */
static void select_calls(struct graph *graph, enum filter_kind kind, const bool *matches)
{
    struct arena arena = {0};
    bool *is_match = function_matches(graph, matches, &arena);

    if (kind == FILTER_SHOW)
        for (uint32_t i = 0; i < graph->functions.count; i++)
            is_match[i] = !is_match[i];
    if (kind == FILTER_FOCUS || kind == FILTER_IGNORE)
        focus_calls(graph, is_match, kind == FILTER_FOCUS);
    else
        hide_functions(graph, is_match);
    arena_free(&arena);
}

/* `matches` says of every frame whether the filter's pattern does. */
static void select_rows(struct graph *graph, enum filter_kind kind, const bool *matches)
{
    struct arena arena = {0};
    bool *keeps = function_matches(graph, matches, &arena);

    if (kind == FILTER_IGNORE || kind == FILTER_HIDE)
        for (uint32_t i = 0; i < graph->functions.count; i++)
            keeps[i] = !keeps[i];
    keep_functions(graph, keeps);
    arena_free(&arena);
}

/* The tree that is left, and where each old node went. */
struct regrowing {
    const struct calltree *old;
    struct calltree tree;
    struct calltree_builder tree_builder;
    node_id *place; /* by old node */
};

/* Nodes whose stacks are kept, with what leads there. */
static void keep_nodes(struct regrowing *re, const bool *keeps)
{
    const struct calltree *old = re->old;
    bool *is_wanted = grow_to(NULL, (size_t)old->count + 1, sizeof(*is_wanted));

    memcpy(is_wanted, keeps, old->count * sizeof(*is_wanted));
    for (node_id node = old->count; node-- > 1;)
        is_wanted[calltree_parent(old, node)] |= is_wanted[node];
    for (node_id node = 1; node < old->count; node++) {
        if (!is_wanted[node])
            continue;
        re->place[node] = calltree_builder_child(
            &re->tree_builder, re->place[calltree_parent(old, node)], old->frame[node]);
        if (!keeps[node])
            continue; /* only on the way to a stack that is wanted */
        calltree_builder_add_self(&re->tree_builder, re->place[node], old, node);
        calltree_builder_add_calls(&re->tree_builder, re->place[node], old, node);
    }
    free(is_wanted);
}

/* Parents come before their children, so one sweep knows each node's path. */
static void keep_stacks(struct regrowing *re, enum filter_kind kind, const bool *matches)
{
    const struct calltree *old = re->old;
    bool *has_match = grow_zeroed(old->count, sizeof(*has_match));
    bool *keeps = grow_zeroed(old->count, sizeof(*keeps));

    for (node_id node = 1; node < old->count; node++) {
        has_match[node] = has_match[calltree_parent(old, node)] || matches[old->frame[node]];
        keeps[node] = has_match[node] == (kind == FILTER_FOCUS);
    }
    keep_nodes(re, keeps);
    free(has_match);
    free(keeps);
}

/* A hidden node's time goes to the nearest one above that is shown, or nowhere. */
static void drop_frames(struct regrowing *re, enum filter_kind kind, const bool *matches)
{
    const struct calltree *old = re->old;

    for (node_id node = 1; node < old->count; node++) {
        node_id above = re->place[calltree_parent(old, node)];
        bool is_hidden = matches[old->frame[node]] == (kind == FILTER_HIDE);

        re->place[node] =
            is_hidden ? above : calltree_builder_child(&re->tree_builder, above, old->frame[node]);
        if (!is_hidden)
            calltree_builder_add_calls(&re->tree_builder, re->place[node], old, node);
        if (re->place[node])
            calltree_builder_add_self(&re->tree_builder, re->place[node], old, node);
    }
}

static void begin_regrowing(struct regrowing *re, struct graph *graph)
{
    bool *has_value = grow_zeroed(graph->values.count, sizeof(*has_value));
    struct tree_shape shape = tree_shape_of(&graph->tree, has_value);

    *re = (struct regrowing){.old = &graph->tree};
    calltree_builder_begin(&re->tree_builder, &re->tree, &shape);
    re->place = grow_zeroed(graph->tree.count, sizeof(*re->place));
    free(has_value);
}

static void end_regrowing(struct regrowing *re, struct graph *graph)
{
    calltree_builder_end(&re->tree_builder);
    calltree_free(&graph->tree);
    graph->tree = re->tree;
    graph->native = LEVEL_CALLTREE;
    functions_free(&graph->functions);
    calls_free(&graph->calls);
    graph->has[LEVEL_TIMELINE] = graph->has[LEVEL_CALLGRAPH] = graph->has[LEVEL_FLAT] = false;
    free(re->place);
}

static void select_tree(struct graph *graph, enum filter_kind kind, const bool *matches)
{
    struct regrowing re;

    begin_regrowing(&re, graph);
    if (kind == FILTER_FOCUS || kind == FILTER_IGNORE)
        keep_stacks(&re, kind, matches);
    else
        drop_frames(&re, kind, matches);
    end_regrowing(&re, graph);
}

/* ---- the filters, one after the other ---- */

typedef void apply_filter(struct graph *graph, enum filter_kind kind, const bool *matches);

static apply_filter *part_for(const struct graph *graph)
{
    switch (graph->native) {
    case LEVEL_FLAT:
        return select_rows;
    case LEVEL_CALLGRAPH:
        return select_calls;
    default:
        return select_tree;
    }
}

/* What a device does has no stack of functions to be the program's own on: of events it stays. */
static const bool *find_own(const struct graph *graph, bool is_of_events, struct arena *arena)
{
    bool *is_own = own_code_find(graph, arena);
    bool any = false;

    for (frame_id id = 1; id < graph->frames.count; id++)
        any |= is_own[id];
    for (frame_id id = 1; id < graph->frames.count && is_of_events; id++)
        is_own[id] |= frame_kind_is_device(graph_frame(graph, id)->kind);
    return any ? is_own : NULL;
}

/* Below it the program's code does next to nothing itself. */
#define OWN_LEAST 0.02

/* The package that has most self time, where the program's code has next to none. */
static void find_package(const struct graph *graph, const bool *is_own, struct filter *filter,
                         struct arena *arena)
{
    const struct functions *f = &graph->functions;
    struct strings packages = {0};
    int64_t *time = arena_array(arena, (size_t)f->listed + 2, sizeof(*time));
    int64_t own = 0, most = 0, whole = graph_work(graph);

    for (uint32_t i = 0; i < f->listed; i++) {
        struct span package = frame_package(graph, f->frame[i]);
        str_id id = strings_intern(&packages, package);

        if (is_own[f->frame[i]])
            own = checked_add(own, not_negative(f->self[i]));
        else if (id && package_is_fetched(graph, f->frame[i])) {
            time[id] = checked_add(time[id], not_negative(f->self[i]));
            if (time[id] > most) {
                most = time[id];
                filter->package = package;
            }
        }
    }
    filter->own_share = share_of(own, whole);
    filter->package_share = share_of(most, whole);
    if (whole <= 0 || filter->own_share >= OWN_LEAST || most <= own)
        filter->package = (struct span){0};
    strings_free(&packages);
}

/* `apply`: NULL where the graph changes with each filter, and decides. */
static void apply_each(struct graph *graph, struct filter *filters, uint32_t count,
                       apply_filter *apply)
{
    struct arena arena = {0};

    for (uint32_t i = 0; i < count; i++) {
        const bool *matches = filters[i].pattern.text
                                  ? name_pattern_select(graph, &filters[i].pattern, &arena)
                                  : find_own(graph, apply != NULL, &arena);
        enum filter_kind kind = filters[i].kind == FILTER_MINE ? FILTER_SHOW : filters[i].kind;

        filters[i].has_match = matches != NULL;
        if (matches && filters[i].kind == FILTER_MINE && !filters[i].pattern.text && i == 0 &&
            !apply)
            find_package(graph, matches, &filters[i], &arena);
        if (!matches)
            matches = arena_array(&arena, graph->frames.count, sizeof(*matches));
        (apply ? apply : part_for(graph))(graph, kind, matches);
    }
    arena_free(&arena);
}

void select_apply(struct graph *graph, struct filter *filters, uint32_t count)
{
    enum level least = graph->native < LEVEL_CALLGRAPH ? graph->native : LEVEL_CALLGRAPH;
    struct error none = {0};

    /* never more than the format has */
    if (count == 0 || !graph_need(graph, least, "", &none))
        return;
    if (!graph->selection.is_narrowed)
        graph_narrow(graph);
    apply_each(graph, filters, count, NULL);
}

void timeline_filter(struct graph *graph, struct filter *filters, uint32_t count)
{
    apply_each(graph, filters, count, timeline_select);
}

void select_nodes(struct graph *graph, const bool *keeps)
{
    struct regrowing re;

    begin_regrowing(&re, graph);
    keep_nodes(&re, keeps);
    end_regrowing(&re, graph);
}

void select_fold_recursion(struct graph *graph)
{
    struct regrowing re;

    begin_regrowing(&re, graph);
    for (node_id node = 1; node < re.old->count; node++) {
        node_id above = re.place[calltree_parent(re.old, node)];
        bool calls_itself = above && re.tree.frame[above] == re.old->frame[node];

        re.place[node] = calls_itself
                             ? above
                             : calltree_builder_child(&re.tree_builder, above, re.old->frame[node]);
        calltree_builder_add_self(&re.tree_builder, re.place[node], re.old, node);
        calltree_builder_add_calls(&re.tree_builder, re.place[node], re.old, node);
    }
    end_regrowing(&re, graph);
}
