/* SPDX-License-Identifier: Apache-2.0 */
/* replayed_work.c — matches steps that replay graphs with steps of the same model that do not, kernel by operator */
#include "analysis/kernels/replayed_work.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "analysis/timeline/device_work.h"
#include "base/checked.h"
#include "graph/classify/event_class.h"

/* What the model's large operators are told apart by, where only kernels are on record. */
enum place_kind { PLACE_NONE, PLACE_PRODUCT, PLACE_ATTENTION, PLACE_EXPERTS };

/* A kernel that does a part of such an operator. */
struct model_kernel {
    event_id event;
    uint32_t step, owner; /* the owner NO_OWNER: not known */
    bool is_replayed;
    uint8_t kind;
};

/* An operator of a step: a run of its kernels. */
struct model_place {
    uint32_t first, count; /* in the kernels */
    uint32_t owner;
};

/* What a step ran on one device: a run of places. */
struct model_pass {
    uint32_t step, first, count;
    bool has_replayed; /* kernels whose operator is not known */
    bool is_recorded;  /* none came from a graph */
};

struct replay_search {
    const struct kernel_owners *owners;
    const struct graph *graph;
    struct serving_steps steps;
    struct arena arena;
    struct VECTOR_OF(struct model_kernel) kernels;
    struct VECTOR_OF(struct model_place) places;
    struct VECTOR_OF(uint8_t) kinds; /* by place */
    struct VECTOR_OF(struct model_pass) passes;
    struct idmap recorded;    /* by hash of the kinds: the recorded pass of all of that order */
    struct idmap most_tokens; /* by graph: the most of a step that launched it */
};

/* ---- the large operators of each step ---- */

static enum place_kind kind_of(struct frame_class class)
{
    switch (class.family) {
    case FAMILY_ATTENTION:
        return PLACE_ATTENTION;
    case FAMILY_MOE:
        return PLACE_EXPERTS;
    case FAMILY_GEMM:
        return PLACE_PRODUCT;
    default:
        return class.matrix == MATRIX_NONE ? PLACE_NONE : PLACE_PRODUCT;
    }
}

static bool is_of_graph(const struct graph *graph, event_id kernel)
{
    event_id launch = graph->timeline.launch[kernel];

    return graph_class(graph, graph->timeline.frame[launch]).call == CALL_GRAPH_LAUNCH;
}

static void collect_kernels(struct replay_search *replays, const struct device_work *work)
{
    const struct graph *graph = replays->graph;
    struct serving_cursor near = {0};

    for (uint32_t i = 0; i < work->count; i++) {
        event_id event = work->events[i], launch = graph->timeline.launch[event];
        frame_id frame = graph->timeline.frame[event];
        uint8_t kind = (uint8_t)kind_of(graph_class(graph, frame));
        uint32_t step;

        if (graph_frame(graph, frame)->kind != KIND_KERNEL || !kind || launch == NO_EVENT ||
            (step = serving_step_near(graph, &replays->steps, launch, &near)) == NO_STEP)
            continue;
        vector_add(&replays->kernels,
                   (struct model_kernel){.event = event,
                                         .step = step,
                                         .owner = kernel_owner_or_least(replays->owners, event),
                                         .is_replayed = is_of_graph(graph, event),
                                         .kind = kind});
    }
}

/* Attention may be two kernels, and a product one more that adds up what blocks share. */
static bool goes_on(const struct replay_search *replays, const struct model_kernel *last,
                    const struct model_kernel *kernel)
{
    const struct graph *graph = replays->graph;
    struct frame_class class = graph_class(graph, graph->timeline.frame[kernel->event]);

    if (kernel->owner != NO_OWNER || last->owner != NO_OWNER)
        return kernel->owner == last->owner;
    return kernel->kind == last->kind &&
           (kernel->kind != PLACE_PRODUCT || class.matrix == MATRIX_NONE);
}

static void add_kernel(struct replay_search *replays, uint32_t at, const struct model_kernel *last)
{
    const struct model_kernel *kernel = &replays->kernels.list[at];
    struct model_pass *pass;

    if (!last || last->step != kernel->step)
        vector_add(&replays->passes, (struct model_pass){.step = kernel->step,
                                                         .first = (uint32_t)replays->places.count,
                                                         .is_recorded = true});
    pass = &replays->passes.list[replays->passes.count - 1];
    pass->has_replayed |= kernel->is_replayed && kernel->owner == NO_OWNER;
    pass->is_recorded &= !kernel->is_replayed;
    if (!pass->count || !goes_on(replays, last, kernel)) {
        vector_add(&replays->places, (struct model_place){.first = at, .owner = kernel->owner});
        vector_add(&replays->kinds, kernel->kind);
        pass->count++;
    }
    replays->places.list[replays->places.count - 1].count++;
}

static bool is_of_earlier_step(const void *kernels, uint32_t a, uint32_t b)
{
    const struct model_kernel *list = kernels;

    return list[a].step < list[b].step;
}

/* Of one device. With asynchronous scheduling and several streams the kernels of steps may alternate. */
static void find_passes(struct replay_search *replays, const struct device_work *work)
{
    struct VECTOR_OF(struct model_kernel) found;
    size_t before = replays->kernels.count;
    uint32_t *order;

    collect_kernels(replays, work);
    found.count = replays->kernels.count - before;
    found.list = arena_array(&replays->arena, found.count + 1, sizeof(*found.list));
    if (found.count)
        memcpy(found.list, replays->kernels.list + before, found.count * sizeof(*found.list));
    order = sorted_order(found.count, is_of_earlier_step, found.list);
    for (size_t i = 0; i < found.count; i++) {
        replays->kernels.list[before + i] = found.list[order[i]];
        add_kernel(replays, (uint32_t)(before + i), i ? &found.list[order[i - 1]] : NULL);
    }
    free(order);
}

/* ---- which step without graphs stands for one with them ---- */

static const struct work *work_of_place(const struct replay_search *replays,
                                        const struct model_place *place)
{
    return &owner_call(replays->owners, place->owner)->work;
}

/* Of two works of one operator, whatever the tokens. */
static bool has_same_weights(const struct work *a, const struct work *b)
{
    const struct problem *x = &a->problem, *y = &b->problem;

    if (x->kind != y->kind || x->batch != y->batch)
        return false;
    switch (x->kind) {
    case PROBLEM_PRODUCT:
        return x->n == y->n && x->k == y->k;
    case PROBLEM_EXPERTS:
        return x->chosen == y->chosen;
    case PROBLEM_ATTENTION:
        return x->depth == y->depth;
    default:
        return false;
    }
}

static bool is_same_model(const struct replay_search *replays, const struct model_pass *a,
                          const struct model_pass *b)
{
    const struct model_place *x = replays->places.list + a->first,
                             *y = replays->places.list + b->first;

    for (uint32_t i = 0; i < a->count; i++)
        if (x[i].owner != NO_OWNER && y[i].owner != NO_OWNER &&
            !has_same_weights(work_of_place(replays, &x[i]), work_of_place(replays, &y[i])))
            return false;
    return true;
}

static uint64_t order_of(const struct replay_search *replays, const struct model_pass *pass)
{
    return XXH3_64bits(replays->kinds.list + pass->first, pass->count);
}

static bool has_same_order(const struct replay_search *replays, const struct model_pass *a,
                           const struct model_pass *b)
{
    const uint8_t *kinds = replays->kinds.list;

    return a->count == b->count && memcmp(kinds + a->first, kinds + b->first, a->count) == 0;
}

/* Two models of one order, such as one that drafts for the other, leave it open which a graph is of. */
static void find_recorded(struct replay_search *replays)
{
    const uint32_t open = IDMAP_NONE - 1;

    for (uint32_t i = 0; i < replays->passes.count; i++) {
        const struct model_pass *pass = &replays->passes.list[i];
        uint32_t *at;

        if (!pass->is_recorded)
            continue;
        at = idmap_at(&replays->recorded, order_of(replays, pass));
        if (*at == IDMAP_NONE)
            *at = i;
        else if (*at != open && (!has_same_order(replays, &replays->passes.list[*at], pass) ||
                                 !is_same_model(replays, &replays->passes.list[*at], pass)))
            *at = open;
    }
}

/* NULL: none, or several. */
static const struct model_pass *recorded_like(const struct replay_search *replays,
                                              const struct model_pass *pass)
{
    uint32_t at = idmap_find(&replays->recorded, order_of(replays, pass));
    const struct model_pass *recorded =
        at < replays->passes.count ? &replays->passes.list[at] : NULL;

    return recorded && has_same_order(replays, recorded, pass) &&
                   is_same_model(replays, recorded, pass)
               ? recorded
               : NULL;
}

/* ---- for how many tokens ---- */

struct token_range {
    int64_t low, high;
    bool is_open; /* how many at most is not known */
};

static int64_t tokens_of(const struct replay_search *replays, uint32_t step)
{
    return replays->steps.list[step].label->tokens;
}

/* The graph that a kernel is a node of; false where the file has no ids of nodes. */
static bool graph_of(const struct graph *graph, event_id kernel, uint32_t *id)
{
    int64_t node;

    if (!property_of(&graph->timeline.properties[PROP_GRAPH_NODE], kernel, &node))
        return false;
    *id = (uint32_t)(node >> 32);
    return true;
}

static void find_most_tokens(struct replay_search *replays)
{
    for (size_t i = 0; i < replays->kernels.count; i++) {
        const struct model_kernel *kernel = &replays->kernels.list[i];
        int64_t tokens = tokens_of(replays, kernel->step);
        uint32_t graph, *most;

        if (!kernel->is_replayed || tokens <= 0 || tokens >= IDMAP_NONE ||
            !graph_of(replays->graph, kernel->event, &graph))
            continue;
        most = idmap_at(&replays->most_tokens, graph);
        if (*most == IDMAP_NONE || *most < tokens)
            *most = (uint32_t)tokens;
    }
}

/* One at least, where the label has none. */
static struct token_range find_tokens(const struct replay_search *replays,
                                      const struct model_kernel *kernel)
{
    const struct step_label *label = replays->steps.list[kernel->step].label;
    int64_t tokens = label->tokens > 0 ? label->tokens : 1;
    uint32_t graph, most = IDMAP_NONE;

    if (label->padded != UNKNOWN && label->generations > 0 && !label->prompts) {
        tokens = checked_mul(label->padded, tokens) / label->generations;
        return (struct token_range){tokens, tokens, false};
    }
    if (graph_of(replays->graph, kernel->event, &graph))
        most = idmap_find(&replays->most_tokens, graph);
    if (most != IDMAP_NONE)
        return (struct token_range){tokens, most, false};
    return (struct token_range){tokens, tokens, label->tokens <= 0};
}

/* ---- the work ---- */

/* The same shapes with other first sizes; in the arena. */
static const struct operator_inputs *with_rows(const struct operator_inputs *shapes, int64_t from,
                                               int64_t to, struct arena *arena)
{
    struct operator_inputs *changed = arena_array(arena, 1, sizeof(*changed));
    struct operand *list = arena_array(arena, shapes->count, sizeof(*list));

    for (uint32_t i = 0; i < shapes->count; i++) {
        const struct operand *operand = &shapes->list[i];
        int64_t *number = arena_array(arena, operand->count, sizeof(*number));

        for (uint32_t k = 0; k < operand->count; k++)
            number[k] = k || operand->number[k] != from ? operand->number[k] : to;
        list[i] = (struct operand){operand->kind, operand->count, number};
    }
    *changed = *shapes;
    changed->list = list;
    return changed;
}

static double rows_of(const struct problem *problem)
{
    return problem->kind == PROBLEM_EXPERTS ? problem->tokens : problem->m;
}

/* Of the recorded operator in a step of so many tokens. Sizes that equal the tokens by chance change the
 * weights, too, or break the formula; products of other rows, such as the last tokens alone, stay as many. */
static bool work_for(const struct replay_search *replays, const struct model_place *recorded,
                     int64_t from, int64_t to, uint32_t step, struct work *work)
{
    const struct distinct_call *call = owner_call(replays->owners, recorded->owner);
    const struct operator_inputs *shapes =
        inputs_of(&replays->graph->inputs, PROP_SHAPES, call->key.shapes);
    struct arena arena = {0};
    bool is_known =
        shapes &&
        owner_work_with(replays->owners, recorded->owner, with_rows(shapes, from, to, &arena),
                        replays->steps.list[step].label, work) &&
        has_same_weights(work, &call->work) &&
        (work->problem.kind == PROBLEM_ATTENTION || rows_of(&work->problem) == (double)to);

    arena_free(&arena);
    return is_known;
}

static bool find_work(const struct replay_search *replays, const struct model_place *recorded,
                      int64_t from, const struct model_kernel *kernel, struct work *work)
{
    struct token_range to = find_tokens(replays, kernel);
    struct work low;

    if (!work_for(replays, recorded, from, to.low, kernel->step, &low) ||
        !work_for(replays, recorded, from, to.high, kernel->step, work))
        return false;
    work->flops_low = low.flops_low;
    work->bytes_low = low.bytes_low;
    work->weights_low = low.weights_low;
    work->cache_low = low.cache_low;
    work->is_least |= to.is_open;
    return true;
}

static void add_call(const struct replay_search *replays, const struct model_place *place,
                     struct replayed_call call, struct replayed_work *replayed)
{
    const struct graph *graph = replays->graph;

    for (uint32_t i = 0; i < place->count; i++) {
        event_id kernel = replays->kernels.list[place->first + i].event;
        struct frame_class class = graph_class(graph, graph->timeline.frame[kernel]);

        *idmap_at(&replayed->of_kernel, kernel) = (uint32_t)replayed->count;
        call.kernel_ns = checked_add(call.kernel_ns, graph->timeline.duration[kernel]);
        if (class.matrix != MATRIX_NONE && class.precision != PRECISION_UNKNOWN)
            call.precision = class.precision;
    }
    vector_add(replayed, call);
}

/* The rows of a pass are those of its first product. */
static int64_t recorded_rows(const struct replay_search *replays, const struct model_pass *pass)
{
    for (uint32_t i = pass->first; i < pass->first + pass->count; i++) {
        const struct model_place *place = &replays->places.list[i];

        if (place->owner != NO_OWNER &&
            work_of_place(replays, place)->problem.kind == PROBLEM_PRODUCT)
            return checked_whole(work_of_place(replays, place)->problem.m);
    }
    return 0;
}

static void infer(const struct replay_search *replays, const struct model_pass *pass,
                  struct replayed_work *replayed)
{
    const struct model_pass *recorded = recorded_like(replays, pass);
    int64_t from = recorded ? recorded_rows(replays, recorded) : 0;

    for (uint32_t i = 0; i < pass->count && from > 0; i++) {
        const struct model_place *place = &replays->places.list[pass->first + i];
        const struct model_place *like = &replays->places.list[recorded->first + i];
        const struct model_kernel *kernel = &replays->kernels.list[place->first];
        struct replayed_call call = {.precision = PRECISION_UNKNOWN};

        if (place->owner != NO_OWNER || like->owner == NO_OWNER || !kernel->is_replayed ||
            !find_work(replays, like, from, kernel, &call.work))
            continue;
        call.frame = owner_call(replays->owners, like->owner)->key.frame;
        add_call(replays, place, call, replayed);
    }
}

/* ---- all ---- */

static bool has_replayed(const struct kernel_owners *owners)
{
    const struct timeline *t = &owners->graph->timeline;

    for (event_id e = 0; owners->of_event && t->launch && e < t->count; e++)
        if (t->launch[e] != NO_EVENT && owner_around(owners, e) == NO_OWNER &&
            graph_frame(owners->graph, t->frame[e])->kind == KIND_KERNEL &&
            is_of_graph(owners->graph, e))
            return true;
    return false;
}

static void replays_free(struct replay_search *replays)
{
    free(replays->kernels.list);
    free(replays->places.list);
    free(replays->kinds.list);
    free(replays->passes.list);
    idmap_free(&replays->recorded);
    idmap_free(&replays->most_tokens);
    arena_free(&replays->arena);
}

void replayed_work_find(const struct kernel_owners *owners, struct replayed_work *replayed)
{
    struct replay_search replays = {
        .owners = owners, .graph = owners->graph, .steps = owners->steps};
    struct devices_work devices;

    if (!has_replayed(owners))
        return;
    if (!replays.steps.count)
        serving_steps_find(owners->graph, true, &replays.arena, &replays.steps);
    device_work_collect(owners->graph, &replays.arena, &devices);
    for (uint32_t i = 0; i < devices.count; i++)
        find_passes(&replays, &devices.list[i]);
    find_recorded(&replays);
    find_most_tokens(&replays);
    for (size_t i = 0; i < replays.passes.count; i++)
        if (replays.passes.list[i].has_replayed)
            infer(&replays, &replays.passes.list[i], replayed);
    replays_free(&replays);
}

const struct replayed_call *replayed_work_of(const struct replayed_work *replayed, event_id kernel)
{
    uint32_t at = idmap_find(&replayed->of_kernel, kernel);

    return at == IDMAP_NONE ? NULL : &replayed->list[at];
}

void replayed_work_free(struct replayed_work *replayed)
{
    free(replayed->list);
    idmap_free(&replayed->of_kernel);
}
