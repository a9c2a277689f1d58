/* SPDX-License-Identifier: Apache-2.0 */
/* One call tree less an earlier one, and the difference of two call graphs to be drawn. */
#include "analysis/compare/diff.h"
#include "analysis/merge/merge.h"
#include "analysis/selection/select.h"
#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/derive/derive.h"

static str_id text_in(struct graph *to, const struct graph *from, str_id text)
{
    return strings_intern(&to->strings, graph_text(from, text));
}

/* Gives the earlier profile's functions the names and places that the later one has for them. */
static bool rename_functions(struct graph *before, const struct graph *after,
                             const struct function_matches *found, struct arena *arena,
                             struct error *err)
{
    size_t count = before->frames.count;
    frame_id *group = arena_array(arena, count, sizeof(*group));
    struct idmap after_of = {0};

    for (frame_id id = 1; id < after->frames.count; id++)
        if (found->key[DIFF_AFTER][id])
            *idmap_at(&after_of, found->key[DIFF_AFTER][id]) = id;
    for (frame_id id = 1; id < count; id++) {
        uint32_t key = found->key[DIFF_BEFORE][id];
        uint32_t other = key ? idmap_find(&after_of, key) : IDMAP_NONE;
        struct frame frame;

        group[id] = id;
        if (other == IDMAP_NONE)
            continue;
        frame = *graph_frame(after, other);
        frame.name = text_in(before, after, frame.name);
        frame.file = text_in(before, after, frame.file);
        frame.module = text_in(before, after, frame.module);
        group[id] = frame_intern(&before->frames, &frame);
    }
    idmap_free(&after_of);
    return group_functions_as(before, group, err);
}

static void negate(int64_t *column, size_t count)
{
    for (size_t i = 0; column && i < count; i++)
        if (column[i] != UNKNOWN)
            column[i] = -column[i];
}

static void negate_all(struct graph *graph)
{
    struct functions *f = &graph->functions;
    struct calls *c = &graph->calls;

    for (uint32_t v = 0; graph->has[LEVEL_CALLTREE] && v < graph->values.count; v++)
        calltree_negate(&graph->tree, v);
    negate(graph->tree.calls, graph->tree.count);
    negate(f->self, f->count);
    negate(f->cum, f->count);
    negate(f->calls, f->count);
    negate(f->primitive_calls, f->count);
    negate(c->self, c->count);
    negate(c->cum, c->count);
    negate(c->calls, c->count);
    negate(c->primitive_calls, c->count);
}

static bool need_all(struct graph *graph, struct error *err)
{
    static const char question[] = "there is no difference to draw";

    return graph_need(graph, graph->native < LEVEL_CALLTREE ? LEVEL_CALLGRAPH : LEVEL_CALLTREE,
                      question, err) &&
           graph_need(graph, LEVEL_FLAT, question, err);
}

bool difference_make(struct graph *before, struct graph *after, struct graph *made,
                     struct error *err)
{
    struct merge merge = {0};
    struct function_matches found;
    struct arena arena = {0};
    int64_t total = graph_total(before), whole = graph_whole(before), idle = graph_idle(before);
    bool ok = function_matches_find(before, after, &arena, &found, err) && need_all(before, err) &&
              need_all(after, err) && rename_functions(before, after, &found, &arena, err) &&
              need_all(before, err);

    if (whole == 0) {
        total = graph_total(after);
        whole = graph_whole(after);
        idle = graph_idle(after);
    }
    if (ok) {
        negate_all(before);
        ok = merge_add(&merge, before, err) && merge_add(&merge, after, err);
    }
    if (ok) {
        merge_finish(&merge, made);
        made->selection.is_narrowed = true;
        made->selection.total = total;
        made->selection.whole = whole;
        made->selection.idle = idle;
    } else {
        merge_abandon(&merge);
    }
    arena_free(&arena);
    return ok;
}

/* ---- a call tree less an earlier one ---- */

/* Of the selected value, up and down added up; and what they come to. */
static int64_t changes_of(const struct graph *graph, int64_t *sum)
{
    int64_t changes = 0;

    *sum = 0;
    for (node_id node = 0; node < graph->tree.count; node++) {
        int64_t self = calltree_self(&graph->tree, graph->values.selected, node);

        *sum = checked_add(*sum, self);
        if (graph_is_idle(graph, graph->tree.frame[node]))
            continue;
        changes = checked_add(changes, self < 0 ? checked_sub(0, self) : self);
    }
    return changes;
}

bool subtract(struct graph *graph, struct graph *base, enum subtract_whole whole, int64_t *sum,
              struct error *err)
{
    struct merge merge = {.keeps_labels = graph->tree.has_sets};
    enum detail detail = graph->frames.detail;
    bool has_label_frames = graph->selection.has_label_frames;
    int64_t base_sum, changes, all = changes_of(base, &base_sum);
    struct graph difference;

    for (uint32_t v = 0; v < base->values.count; v++)
        calltree_negate(&base->tree, v);
    if (!merge_add(&merge, graph, err) || !merge_add(&merge, base, err)) {
        merge_abandon(&merge);
        return false;
    }
    merge_finish(&merge, &difference);
    graph_free(graph);
    *graph = difference;
    graph->frames.detail = detail;
    graph->selection.has_label_frames = has_label_frames;
    graph->selection.is_difference = true;
    changes = changes_of(graph, sum);
    graph->selection.is_narrowed = true;
    graph->selection.total = graph->selection.whole = whole == WHOLE_OF_CHANGES ? changes : all;
    return true;
}
