/* SPDX-License-Identifier: Apache-2.0 */
/* Several profiles as one: functions by name, values by name and unit, figures added up. */
#include <stdlib.h>
#include <string.h>

#include "analysis/merge/merge.h"
#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/model/graph.h"

/* ---- names ---- */

static str_id text_here(struct merge *merge, const struct graph *graph, str_id id)
{
    return strings_intern(&merge->graph.strings, graph_text(graph, id));
}

/* By the graph's frame, the merged one; the caller frees it. */
static frame_id *add_frames(struct merge *merge, const struct graph *graph)
{
    frame_id *frame_of = grow_zeroed(graph->frames.count, sizeof(*frame_of));

    for (frame_id id = 1; id < graph->frames.count; id++) {
        struct frame frame = *graph_frame(graph, id);

        frame.name = text_here(merge, graph, frame.name);
        frame.file = text_here(merge, graph, frame.file);
        frame.module = text_here(merge, graph, frame.module);
        frame_of[id] = frame_intern_in(&merge->graph.frames, &frame,
                                       merge->graph.frames.detail == DETAIL_FUNCTION
                                           ? 0
                                           : frame_begins_at(&graph->frames, id));
        if (frame_inlining(&graph->frames, id))
            frame_add_inlining(&merge->graph.frames, frame_of[id],
                               frame_inlining(&graph->frames, id));
    }
    return frame_of;
}

/* ---- value types ---- */

#define NO_VALUE IDMAP_NONE

static bool has_column(const struct graph *graph, uint32_t value)
{
    return graph->has[LEVEL_CALLTREE] ? calltree_has_value(&graph->tree, value)
                                      : value == graph->values.selected;
}

/* By name, as the merged profile has it, and unit: the first value of a profile. */
static struct idmap values_by_name(struct merge *merge, const struct graph *graph)
{
    struct idmap values = {0};

    for (uint32_t v = 0; v < graph->values.count; v++) {
        const struct value_type *type = &graph->values.list[v];
        uint32_t *at;

        if (!has_column(graph, v))
            continue;
        at = idmap_at(&values, idmap_pair(type->unit, text_here(merge, graph, type->name)));
        *at = *at == IDMAP_NONE ? v : *at;
    }
    return values;
}

/* Leaves out what the new profile does not have. */
static bool keep_common(struct merge *merge, const struct graph *graph, uint32_t *value_of,
                        struct error *err)
{
    struct graph *merged = &merge->graph;
    struct idmap values = values_by_name(merge, graph);
    uint32_t last = 0, common = 0;

    for (uint32_t v = 0; v < merged->values.count; v++) {
        if (!has_column(merged, v))
            continue;
        value_of[v] = idmap_find(
            &values, idmap_pair(merged->values.list[v].unit, merged->values.list[v].name));
        if (value_of[v] == NO_VALUE && merge->level == LEVEL_CALLTREE)
            calltree_drop_value(&merged->tree, v);
        if (value_of[v] == NO_VALUE)
            continue;
        merge->orders_differ |= common++ > 0 && value_of[v] < last;
        last = value_of[v];
    }
    idmap_free(&values);
    if (!common) {
        error_set(err, ERROR_USAGE, "the profiles have no value type in common");
        return error_hint(err, "'ptk info' says which a profile has; --value selects one");
    }
    return true;
}

static uint32_t count_columns(const struct graph *graph)
{
    uint32_t count = 0;

    for (uint32_t v = 0; v < graph->values.count; v++)
        count += has_column(graph, v);
    return count;
}

/* Maps the value types that both have, and says when others are lost. */
static bool match_values(struct merge *merge, const struct graph *graph, uint32_t *value_of,
                         struct error *err)
{
    uint32_t before = count_columns(&merge->graph), after;

    if (!keep_common(merge, graph, value_of, err))
        return false;
    after = count_columns(&merge->graph);
    if (after != before || after != count_columns(graph))
        warning_count_many(&merge->graph.source.warnings, WARNING_LOSS,
                           "profiles with value types that not all have, which are left out", 1);
    return true;
}

static void select_value(struct merge *merge, const struct graph *graph)
{
    struct graph *merged = &merge->graph;
    struct span here = graph_text(merged, merged->values.list[merged->values.selected].name);
    struct span there = graph_text(graph, graph->values.list[graph->values.selected].name);

    merge->defaults_differ |= !span_eq(here, there) || !has_column(merged, merged->values.selected);
    for (uint32_t v = 0; merge->defaults_differ && v < merged->values.count; v++)
        if (has_column(merged, v))
            merged->values.selected = v;
}

/* ---- what is known of a profile as a whole ---- */

static bool is_duration(const struct fact *fact)
{
    return fact->id == FACT_DURATION && fact->unit == UNIT_NS;
}

/* Durations add up; of the rest stays what all profiles say alike: the first of each key. */
static void merge_facts(struct merge *merge, const struct graph *graph)
{
    struct graph *merged = &merge->graph;
    struct strings keys = {0};
    struct idmap first_of = {0};
    size_t kept = 0;

    for (size_t i = graph->source.facts.count; i-- > 0;)
        *idmap_at(&first_of, strings_intern(&keys, span_of(graph->source.facts.list[i].key))) =
            (uint32_t)i;
    for (size_t i = 0; i < merged->source.facts.count; i++) {
        struct fact *fact = &merged->source.facts.list[i];
        uint32_t first = idmap_find(&first_of, strings_intern(&keys, span_of(fact->key)));
        const struct fact *other;

        if (first == IDMAP_NONE)
            continue;
        other = &graph->source.facts.list[first];
        if (is_duration(fact) && is_duration(other))
            fact->figure = checked_add(fact->figure, other->figure);
        else if (fact->text && other->text
                     ? strcmp(fact->text, other->text) != 0
                     : fact->text != other->text || fact->figure != other->figure)
            continue;
        merged->source.facts.list[kept++] = *fact;
    }
    merged->source.facts.count = kept;
    strings_free(&keys);
    idmap_free(&first_of);
}

/* ---- paths of one call tree onto those of another ---- */

static void add_values(struct graph *merged, node_id to, const struct calltree *tree, node_id from,
                       const uint32_t *value_of)
{
    for (uint32_t v = 0; v < merged->values.count; v++)
        if (calltree_has_value(&merged->tree, v))
            calltree_add(&merged->tree, to, v, calltree_self(tree, value_of[v], from));
}

static node_id labelled_node(struct merge *merge, const struct graph *graph, uint32_t set)
{
    size_t count;
    const struct sample_label *labels = label_set_labels(&graph->label_sets, set, &count);
    struct VECTOR_OF(struct sample_label) here = {0};
    node_id node;

    for (size_t i = 0; i < count; i++) {
        struct sample_label label = {text_here(merge, graph, labels[i].key),
                                     text_here(merge, graph, labels[i].text),
                                     text_here(merge, graph, labels[i].unit), labels[i].is_number};

        vector_add(&here, label);
    }
    node = calltree_builder_labelled(
        &merge->tree_builder,
        label_set_intern(&merge->graph.label_sets, here.list, (uint32_t)here.count));
    free(here.list);
    return node;
}

static void merge_tree(struct merge *merge, const struct graph *graph, const frame_id *frame_of,
                       const uint32_t *value_of)
{
    const struct calltree *tree = &graph->tree;
    node_id *place = grow_zeroed(tree->count, sizeof(*place));

    /* Numbers of calls, and their extremes, only where all profiles have them. */
    if (!tree->calls) {
        free(merge->graph.tree.calls);
        merge->graph.tree.calls = NULL;
    }
    if (!tree->min) {
        free(merge->graph.tree.min);
        free(merge->graph.tree.max);
        merge->graph.tree.min = merge->graph.tree.max = NULL;
    }
    add_values(&merge->graph, 0, tree, 0, value_of);
    for (node_id node = 1; node < tree->count; node++) {
        if (calltree_set(tree, node))
            place[node] = labelled_node(merge, graph, calltree_set(tree, node));
        else
            place[node] =
                calltree_builder_child(&merge->tree_builder, place[calltree_parent(tree, node)],
                                       frame_of[tree->frame[node]]);
        add_values(&merge->graph, place[node], tree, node, value_of);
        calltree_builder_add_calls(&merge->tree_builder, place[node], tree, node);
    }
    free(place);
}

/* ---- call graphs ----
 *
 * As Python's pstats.Stats.add: everything is summed, cumulative times as well. */

static uint32_t function_here(struct merge *merge, frame_id frame)
{
    uint32_t *at = idmap_at(&merge->function_of, frame);

    if (*at == IDMAP_NONE) {
        *at = functions_add(&merge->graph.functions, frame);
        vector_add(&merge->is_listed, false);
    }
    return *at;
}

static void add_function(struct merge *merge, uint32_t to, const struct functions *from,
                         uint32_t function)
{
    struct functions *f = &merge->graph.functions;

    merge->is_listed.list[to] = true;
    f->calls[to] = sum_known(f->calls[to], from->calls[function]);
    f->primitive_calls[to] = sum_known(f->primitive_calls[to], from->primitive_calls[function]);
    f->self[to] = sum_known(f->self[to], from->self[function]);
    f->cum[to] = sum_known(f->cum[to], from->cum[function]);
}

static void merge_calls(struct merge *merge, const struct graph *graph, const frame_id *frame_of)
{
    const struct functions *from = &graph->functions;
    const struct calls *calls = &graph->calls;
    struct functions *functions = &merge->graph.functions;
    uint32_t *place = grow_zeroed(from->count, sizeof(*place)), old_count = functions->count;
    bool has_extremes = from->min && (functions->min || merge->profiles == 0);

    for (uint32_t i = 0; i < from->count; i++)
        place[i] = function_here(merge, frame_of[from->frame[i]]);
    if (has_extremes) {
        /* New functions have extremes that any call replaces. */
        functions->min = grow_to(functions->min, functions->cap, sizeof(*functions->min));
        functions->max = grow_to(functions->max, functions->cap, sizeof(*functions->max));
        for (uint32_t i = old_count; i < functions->count; i++) {
            functions->min[i] = INT64_MAX;
            functions->max[i] = INT64_MIN;
        }
    } else { /* where one profile does not tell calls apart they are gone for all */
        free(functions->min);
        free(functions->max);
        functions->min = functions->max = NULL;
    }
    for (uint32_t i = 0; i < from->listed; i++) {
        uint32_t to = place[i];

        add_function(merge, to, from, i);
        if (has_extremes && from->min[i] < functions->min[to])
            functions->min[to] = from->min[i];
        if (has_extremes && from->max[i] > functions->max[to])
            functions->max[to] = from->max[i];
    }
    for (uint32_t i = 0; i < calls->count; i++) {
        uint32_t caller = place[calls->caller[i]], callee = place[calls->callee[i]];
        uint32_t *at = idmap_at(&merge->call_of, idmap_pair(caller, callee));

        if (*at == IDMAP_NONE)
            *at = calls_add(&merge->graph.calls, caller, callee);
        calls_sum(&merge->graph.calls, *at, calls, i);
    }
    free(place);
}

/* ---- adding ---- */

static enum level level_of(const struct graph *graph)
{
    return graph->native < LEVEL_CALLTREE ? graph->native : LEVEL_CALLTREE;
}

static void merge_begin(struct merge *merge, const struct graph *graph)
{
    struct graph *merged = &merge->graph;
    bool *has_value = grow_zeroed(graph->values.count, sizeof(*has_value));
    struct tree_shape shape;

    merge->level = level_of(graph);
    frames_init(&merged->frames);
    merged->native = merge->level;
    merged->frames.detail = merge->keeps_labels ? DETAIL_LINE : DETAIL_FUNCTION;
    merged->source.format = graph->source.format;
    merged->source.format_title = graph->source.format_title;
    merged->has[merge->level] = true;
    merged->has[LEVEL_FLAT] |= merge->level == LEVEL_CALLGRAPH;
    merged->values.count = graph->values.count;
    merged->values.selected = graph->values.selected;
    merged->values.list = grow_zeroed(graph->values.count, sizeof(*merged->values.list));
    for (uint32_t v = 0; v < graph->values.count; v++)
        merged->values.list[v] =
            (struct value_type){text_here(merge, graph, graph->values.list[v].name),
                                graph->values.list[v].unit, graph->values.list[v].time};
    if (merge->level == LEVEL_CALLTREE) {
        shape = tree_shape_of(&graph->tree, has_value);
        shape.has_label_sets = merge->keeps_labels;
        calltree_builder_begin(&merge->tree_builder, &merged->tree, &shape);
    }
    for (size_t i = 0; i < graph->source.facts.count; i++) {
        struct fact fact = graph->source.facts.list[i];

        if (fact.text)
            fact.text = arena_copy(&merged->arena, span_of(fact.text));
        vector_add(&merged->source.facts, fact);
    }
    free(has_value);
}

static bool is_same_level(const struct merge *merge, const struct graph *graph, struct error *err)
{
    static const char *const holds[LEVEL_COUNT] = {"functions", "callers", "call stacks"};

    if (merge->level == level_of(graph))
        return true;
    return error_set(err, ERROR_USAGE, "profiles of %s and of %s cannot become one",
                     holds[merge->level], holds[level_of(graph)]);
}

static int64_t runs_of(const struct graph *graph)
{
    int64_t runs;

    return graph_fact(graph, FACT_RUNS, &runs) ? runs : 1;
}

/* How runs differ is in their sum no more, so that it is one is said. */
static void note_runs(struct merge *merge)
{
    struct graph *merged = &merge->graph;
    size_t kept = 0;

    for (size_t i = 0; i < merged->source.facts.count; i++)
        if (merged->source.facts.list[i].id != FACT_RUNS)
            merged->source.facts.list[kept++] = merged->source.facts.list[i];
    merged->source.facts.count = kept;
    if (merge->runs > 1)
        vector_add(&merged->source.facts, ((struct fact){.id = FACT_RUNS,
                                                         .key = "merged_profiles",
                                                         .figure = merge->runs,
                                                         .unit = UNIT_COUNT}));
}

bool merge_add(struct merge *merge, const struct graph *graph, struct error *err)
{
    uint32_t *value_of;
    frame_id *frame_of;
    bool ok;

    if (merge->profiles && !is_same_level(merge, graph, err))
        return false;
    if (!merge->profiles)
        merge_begin(merge, graph);
    value_of = grow_zeroed(merge->graph.values.count, sizeof(*value_of));
    ok = match_values(merge, graph, value_of, err);
    if (ok) {
        select_value(merge, graph);
        if (merge->profiles)
            merge_facts(merge, graph);
        frame_of = add_frames(merge, graph);
        if (merge->level == LEVEL_CALLTREE)
            merge_tree(merge, graph, frame_of, value_of);
        else
            merge_calls(merge, graph, frame_of);
        merge->profiles++;
        merge->runs = checked_add(merge->runs, runs_of(graph));
        free(frame_of);
    }
    free(value_of);
    return ok;
}

/* ---- the end ---- */

static bool has_name_before(const void *context, uint32_t a, uint32_t b)
{
    const struct graph *graph = context;

    return span_cmp(graph_text(graph, graph->values.list[a].name),
                    graph_text(graph, graph->values.list[b].name)) < 0;
}

/* Value types by name, where the profiles do not agree on an order. */
static void sort_values(struct graph *graph)
{
    size_t count = graph->values.count;
    uint32_t *order = sorted_order(count, has_name_before, graph);
    uint32_t *place_of = permute_places(order, count);
    void *scratch = grow_zeroed(count, sizeof(*graph->values.list));

    permute(graph->values.list, sizeof(*graph->values.list), order, count, scratch);
    permute(graph->tree.own.columns, sizeof(*graph->tree.own.columns), order, count, scratch);
    graph->values.selected = place_of[graph->values.selected];
    free(scratch);
    free(place_of);
    free(order);
}

void merge_finish(struct merge *merge, struct graph *graph)
{
    if (merge->level == LEVEL_CALLTREE) {
        calltree_builder_end(&merge->tree_builder);
        if (merge->orders_differ)
            sort_values(&merge->graph);
        canonical_tree(&merge->graph);
    } else {
        canonical_calls(&merge->graph, merge->is_listed.list);
    }
    note_runs(merge);
    *graph = merge->graph;
    merge->graph = (struct graph){0};
    merge_abandon(merge);
}

void merge_abandon(struct merge *merge)
{
    if (merge->tree_builder.tree)
        calltree_builder_end(&merge->tree_builder);
    if (merge->profiles)
        graph_free(&merge->graph);
    idmap_free(&merge->function_of);
    idmap_free(&merge->call_of);
    free(merge->is_listed.list);
    *merge = (struct merge){0};
}
