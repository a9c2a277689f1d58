/* SPDX-License-Identifier: Apache-2.0 */
/* The summary table of operators: what each call had inside, on the host and on devices, and its
 * FLOPs. */
#include <stdlib.h>

#include "analysis/kernels/work.h"
#include "analysis/summary/host_tree.h"
#include "analysis/summary/summary.h"
#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/classify/event_class.h"

/* ---- the floating point operations of events and of all inside them ---- */

/* Those of an operator and all inside it, while it is not known whether it is inside another. */
struct waiting_flops {
    event_id event;
    int64_t sum;
};

struct waiting_list {
    VECTOR(struct waiting_flops);
};

struct flops {
    const struct host_tree *tree;
    bool is_known; /* whether the file tells of any */

    struct property_cursors properties;
    struct operator_class *operators; /* by frame */
    struct idmap inputs;              /* (shapes, values) → their number */
    /* (frame, shapes), and where values matter (frame, number) → index into `reckoned`: the same on
     * the same inputs is the same work */
    struct idmap calls[2];
    struct VECTOR_OF(int64_t) reckoned;
    uint32_t input_count;
    struct waiting_list waiting;
};

/* The number of an operator's inputs, among those whose values matter. */
static uint32_t inputs_number(struct flops *flops, event_id event, str_id shapes)
{
    str_id concrete = (str_id)property_or(&flops->properties, PROP_CONCRETE, event, 0);
    uint32_t *inputs = idmap_at(&flops->inputs, idmap_pair(shapes, concrete));

    if (*inputs == IDMAP_NONE)
        *inputs = flops->input_count++;
    return *inputs;
}

static int64_t flops_by_shapes(struct flops *flops, event_id event, str_id shapes)
{
    const struct graph *graph = flops->tree->graph;
    frame_id frame = graph->timeline.frame[event];
    bool has_values = flops->operators[frame].need == INPUTS_VALUES;
    uint32_t inputs = has_values ? inputs_number(flops, event, shapes) : shapes;
    uint32_t *at = idmap_at(&flops->calls[has_values], idmap_pair(frame, inputs));
    struct work work;

    if (*at != IDMAP_NONE)
        return flops->reckoned.list[*at];
    *at = (uint32_t)flops->reckoned.count;
    vector_add(&flops->reckoned, event_work(graph, event, &work) ? work.flops : UNKNOWN);
    return flops->reckoned.list[*at];
}

/* In Paddle's tables an operator and one inside it both count; elsewhere the outer one only hands
 * its work on. UNKNOWN where neither the file nor a formula tells. */
static int64_t own_flops(struct flops *flops, event_id event, int64_t inside)
{
    const struct graph *graph = flops->tree->graph;
    frame_id frame = graph->timeline.frame[event];
    int64_t known = graph->timeline.properties[PROP_FLOP].count
                        ? property_or(&flops->properties, PROP_FLOP, event, UNKNOWN)
                        : UNKNOWN;
    const struct operator_inputs *inputs;
    str_id shapes;

    if (known != UNKNOWN || flops->operators[frame].need == INPUTS_NONE)
        return known;
    shapes = (str_id)property_or(&flops->properties, PROP_SHAPES, event, 0);
    inputs = inputs_of(&graph->inputs, PROP_SHAPES, shapes);
    if (inputs && inputs->is_named) {
        int64_t own = summary_paddle_flops(flops->operators[frame], inputs);

        return own ? own : UNKNOWN; /* without a formula it is 0 */
    }
    return inside == 0 && inputs ? flops_by_shapes(flops, event, shapes) : UNKNOWN;
}

static void flops_start(struct flops *flops, const struct host_tree *tree)
{
    const struct graph *graph = tree->graph;
    const struct timeline *t = &graph->timeline;

    *flops = (struct flops){
        .tree = tree,
        .is_known = t->properties[PROP_FLOP].count > 0 || t->properties[PROP_SHAPES].count > 0,
        .properties = {.columns = t->properties},
        .operators = grow_zeroed(graph->frames.count + 1, sizeof(*flops->operators))};
    for (frame_id id = 0; id < graph->frames.count; id++)
        flops->operators[id] = graph_class(graph, id).operator;
}

/* Those of an operator and of all inside it, or UNKNOWN: to be asked for every operator of a track,
 * from the last on. */
static int64_t flops_of(struct flops *flops, event_id event)
{
    struct waiting_list *waiting = &flops->waiting;
    int64_t sum = 0, own;

    if (!flops->is_known)
        return UNKNOWN;
    while (waiting->count && waiting->list[waiting->count - 1].event < flops->tree->after[event])
        sum = checked_add(sum, waiting->list[--waiting->count].sum);
    own = own_flops(flops, event, sum);
    if (own == UNKNOWN && sum == 0)
        return UNKNOWN;
    sum = own == UNKNOWN ? sum : checked_add(sum, own);
    if (sum)
        vector_add(waiting, (struct waiting_flops){event, sum});
    return sum;
}

/* ---- operators ---- */

/* What the rows are made from: each list's items know their owner in the one before. */
struct collected {
    struct item_list operators; /* owner: the thread */
    struct item_list inner;     /* owner: index into operators */
    struct item_list work;      /* owner: see owner_of_work() */
    struct flops flops;
    bool has_detail; /* what is inside operators, too */
};

static uint32_t owner_of_work(bool is_inner, uint32_t index)
{
    return index * 2 + is_inner;
}

static uint32_t item_at(struct item_list *items, const struct host_tree *tree, uint32_t owner,
                        event_id event)
{
    return items_at(items, tree->graph, owner, tree->graph->timeline.frame[event]);
}

/* The item of a part of an operator: the operator's item owns it. */
static uint32_t inner_at(struct collected *collected, const struct host_tree *tree, uint32_t thread,
                         event_id event)
{
    uint32_t owner = item_at(&collected->operators, tree, thread, tree->parent[event]);

    return item_at(&collected->inner, tree, owner, event);
}

/* A direct part of an operator that is none itself. */
static bool is_inner(const struct host_tree *tree, event_id event)
{
    return role_is_host(role_of(tree, event)) && role_of(tree, event) != ROLE_OPERATOR &&
           tree->parent[event] != NO_EVENT && role_of(tree, tree->parent[event]) == ROLE_OPERATOR;
}

static void add_operator_event(struct collected *collected, const struct host_tree *tree,
                               uint32_t thread, uint32_t turn, event_id event)
{
    uint32_t at = item_at(&collected->operators, tree, thread, event);
    struct summary_item *item = &collected->operators.list[at];
    int64_t flops = flops_of(&collected->flops, event);

    if (!tree->is_paddle_compat && is_repeated(tree, event))
        return;
    if (item->calls == 0 || (item->seen.turn == turn && item->seen.host < tree->after[event]))
        item->seen = host_tree_row_order(tree, turn, event, 0);
    if (item->calls == 0)
        item->flops = tree->is_paddle_compat && collected->flops.is_known ? 0 : UNKNOWN;
    item_count(item, tree->graph->timeline.duration[event], host_tree_device_time(tree, event));
    if (flops != UNKNOWN)
        item->flops = item->flops == UNKNOWN ? flops : checked_add(item->flops, flops);
}

static void add_inner_event(struct collected *collected, const struct host_tree *tree,
                            uint32_t thread, uint32_t turn, event_id event)
{
    uint32_t at = inner_at(collected, tree, thread, event);

    item_add(&collected->inner.list[at], tree->graph->timeline.duration[event],
             host_tree_device_time(tree, event),
             host_tree_row_order(tree, turn, tree->parent[event], event));
}

/* From the last event to the first, as Paddle does, but for those around others. */
static void collect_track(struct collected *collected, const struct host_tree *tree,
                          uint32_t thread, uint32_t track)
{
    const struct track *events = &tree->graph->timeline.tracks[track];

    /* nothing is inside what another track has */
    collected->flops.waiting.count = 0;
    for (event_id e = events->first + events->count; e-- > events->first;)
        if (role_of(tree, e) == ROLE_OPERATOR)
            add_operator_event(collected, tree, thread, tree->turn[track], e);
        else if (collected->has_detail && is_inner(tree, e))
            add_inner_event(collected, tree, thread, tree->turn[track], e);
}

static void add_work(struct collected *collected, const struct host_tree *tree,
                     const struct summary_threads *threads, const struct hosted_work *work)
{
    event_id host = work->host;
    uint32_t thread, owner, at;

    if (host == NO_EVENT)
        return;
    thread = threads->of_track[tree->visits[work->turn - 1]];
    if (role_of(tree, host) == ROLE_OPERATOR)
        owner = owner_of_work(false, item_at(&collected->operators, tree, thread, host));
    else if (is_inner(tree, host))
        owner = owner_of_work(true, inner_at(collected, tree, thread, host));
    else
        return;
    at = item_at(&collected->work, tree, owner, work->event);
    item_add(&collected->work.list[at], 0, tree->graph->timeline.duration[work->event],
             host_tree_work_row_order(tree, work));
}

/* ---- from items to rows ---- */

/* One list in the order in which it is shown; `first[i]` is where owner i's begin. */
struct shown {
    const struct item_list *items;
    uint32_t *order, *first;
};

static struct shown arrange(const struct item_list *items, uint32_t owners, struct arena *arena)
{
    struct shown shown = {items, arena_array(arena, items->count, sizeof(*shown.order)),
                          arena_array(arena, (size_t)owners + 2, sizeof(*shown.first))};
    uint32_t at = 0;

    items_sort_seen(items, shown.order);
    for (uint32_t owner = 0; owner <= owners; owner++) {
        shown.first[owner] = at;
        while (at < items->count && items->list[shown.order[at]].owner <= owner)
            at++;
    }
    return shown;
}

static void add_row(struct summary_operators *result, enum operator_level level, uint32_t thread,
                    const struct summary_item *item, int64_t cpu, int64_t gpu)
{
    result->rows[result->count++] = (struct summary_operator){
        level, thread, *item, share_of(item->cpu.total, cpu), share_of(item->gpu.total, gpu)};
}

static void add_work_rows(struct summary_operators *result, const struct shown *work,
                          uint32_t owner, uint32_t thread, int64_t gpu)
{
    enum operator_level level = owner % 2 ? OPERATOR_INNER_WORK : OPERATOR_WORK;

    for (uint32_t i = work->first[owner]; i < work->first[owner + 1]; i++)
        add_row(result, level, thread, &work->items->list[work->order[i]], 0, gpu);
}

static void add_operator(struct summary_operators *result, const struct shown shown[3], uint32_t at,
                         int64_t cpu, int64_t gpu)
{
    const struct summary_item *item = &shown[0].items->list[at];

    add_row(result, OPERATOR_ITSELF, item->owner, item, cpu, gpu);
    for (uint32_t i = shown[1].first[at]; i < shown[1].first[at + 1]; i++) {
        uint32_t inner_index = shown[1].order[i];
        const struct summary_item *inner = &shown[1].items->list[inner_index];

        add_row(result, OPERATOR_INNER, item->owner, inner, item->cpu.total, item->gpu.total);
        add_work_rows(result, &shown[2], owner_of_work(true, inner_index), item->owner,
                      inner->gpu.total);
    }
    add_work_rows(result, &shown[2], owner_of_work(false, at), item->owner, item->gpu.total);
}

static void add_thread(struct summary_operators *result, const struct shown shown[3],
                       uint32_t thread, enum summary_sort sort)
{
    uint32_t from = shown[0].first[thread], to = shown[0].first[thread + 1];
    int64_t cpu = 0, gpu = 0;

    items_sort_by(shown[0].items, sort, shown[0].order + from, to - from);
    for (uint32_t i = from; i < to; i++) {
        cpu = checked_add(cpu, shown[0].items->list[shown[0].order[i]].cpu.total);
        gpu = checked_add(gpu, shown[0].items->list[shown[0].order[i]].gpu.total);
    }
    for (uint32_t i = from; i < to; i++)
        add_operator(result, shown, shown[0].order[i], cpu, gpu);
}

void summary_operators(const struct host_tree *tree, const struct summary_options *options,
                       struct arena *arena, struct summary_operators *result)
{
    struct summary_threads threads;
    struct collected c = {.has_detail = !options->has_no_detail};
    uint32_t most;

    flops_start(&c.flops, tree);
    summary_threads_make(tree, options->is_by_thread, arena, &threads);
    for (uint32_t i = 0; i < tree->visit_count; i++)
        collect_track(&c, tree, threads.of_track[tree->visits[i]], tree->visits[i]);
    for (uint32_t i = 0; c.has_detail && i < tree->work_count; i++)
        add_work(&c, tree, &threads, &tree->work[i]);
    most = (uint32_t)(c.operators.count > c.inner.count ? c.operators.count : c.inner.count);
    struct shown shown[3] = {arrange(&c.operators, threads.count, arena),
                             arrange(&c.inner, (uint32_t)c.operators.count, arena),
                             arrange(&c.work, owner_of_work(true, most), arena)};

    *result = (struct summary_operators){
        .rows = arena_array(arena, c.operators.count + c.inner.count + c.work.count,
                            sizeof(*result->rows)),
        .threads = threads.numbers,
        .thread_count = threads.count,
        .is_by_thread = options->is_by_thread,
        .has_paddle_flops = tree->graph->inputs.count && tree->graph->inputs.list[0].is_named,
    };
    for (uint32_t i = 0; i < threads.count; i++)
        add_thread(result, shown, i, options->sort);
    free(c.flops.operators);
    free(c.flops.reckoned.list);
    free(c.flops.waiting.list);
    idmap_free(&c.flops.inputs);
    idmap_free(&c.flops.calls[0]);
    idmap_free(&c.flops.calls[1]);
    items_free(&c.operators);
    items_free(&c.inner);
    items_free(&c.work);
}

/* ---- operations by Paddle's formulas ----
 *
 * The formulas are those of Paddle's utils/flops.py. A trace has shapes but no attributes, so
 * that what needs strides or paddings counts 0, as it does there. */

/* 2·M·K·N for each matrix of the batch; nothing is transposed, as far as the trace tells. */
static int64_t product_flops(const struct operand *x, const struct operand *y)
{
    if (x->count < 2 || y->count < 2)
        return 0;
    return checked_mul(2, checked_mul(named_elements(x), y->number[y->count - 1]));
}

int64_t summary_paddle_flops(struct operator_class operator, const struct operator_inputs * shapes)
{
    const struct operand *x = input_at(shapes, 0), *y = input_at(shapes, 1);

    if (!operator.is_in_paddles_table)
        return 0;
    switch (operator.named) {
    case NAMED_PRODUCT:
        return product_flops(x, y);
    case NAMED_BOTH:
        return named_elements_of_both(x, y);
    default:
        return checked_mul(operator.named_flops, named_elements(x));
    }
}
