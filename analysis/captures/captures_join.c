/* SPDX-License-Identifier: Apache-2.0 */
/* Which capture each launch of a graph replays, so that its kernels get the operators of the
 * capture. */
#include "analysis/captures/captures.h"

#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/classify/event_class.h"
#include "graph/classify/function_class.h"
#include "graph/model/walks.h"

#define ANY_CAPTURE UINT32_MAX
#define NOT_CAPTURED UINT32_MAX /* of a piece of work: no captured call */

/* A launch of a graph, and its device work: a run of `work`. */
struct launch {
    int64_t start;
    event_id call, step;
    int64_t size; /* of the step's batch; 0: not known */
    uint32_t first, count;
};

struct captured_work {
    event_id event;
    uint32_t launch;
    struct graph_node node;
};

struct capture_joining {
    struct graph *graph;
    struct captures captures;
    struct launch *launches; /* by start */
    struct VECTOR_OF(struct captured_work) work; /* by launch, id and start */
    size_t launch_count, launch_cap;
    struct idmap launch_of;  /* call → launch */
    struct idmap alike;      /* hash of (work, choice) → the first launch of that */
    uint32_t *choice;        /* by launch: the capture that it must be of, or ANY_CAPTURE */
    struct idmap capture_of; /* graph → the capture that launches of it were joined with */
    uint8_t *alignment;      /* by launch: enum alignment */
    bool *is_ambiguous;      /* likewise */
    uint32_t *captured;      /* by work: the value of PROP_CAPTURED, or NOT_CAPTURED */
    bool are_in_turn;
};

/* ---- launches ---- */

static int by_start(const void *a, const void *b)
{
    const struct launch *x = a, *y = b;

    return x->start != y->start ? (x->start < y->start ? -1 : 1)
                                : (x->call > y->call) - (x->call < y->call);
}

/* The innermost range that says how large the step's batch is. */
static void find_step(const struct graph *graph, const struct open_events *open,
                      struct launch *launch)
{
    launch->step = NO_EVENT;
    for (size_t i = open->depth; i-- > 0 && !launch->size;) {
        launch->step = open->list[i].event;
        launch->size = step_label_size(
            graph_text(graph, graph_frame(graph, graph->timeline.frame[launch->step])->name));
    }
}

static void find_launches(struct capture_joining *joining, const struct track *track)
{
    const struct timeline *t = &joining->graph->timeline;
    struct open_events ranges = {0};

    for (event_id e = track->first;
         track->kind == TRACK_THREAD && e < track->first + track->count; e++) {
        open_events_close_all(&ranges, t->start[e]);
        if (graph_frame(joining->graph, t->frame[e])->kind == KIND_ANNOTATION)
            open_events_add(&ranges, (struct open_event){.end = event_end(t, e), .event = e});
        if (graph_class(joining->graph, t->frame[e]).call != CALL_GRAPH_LAUNCH)
            continue;
        joining->launches = grow_one(joining->launches, joining->launch_count, &joining->launch_cap,
                                     sizeof(*joining->launches));
        joining->launches[joining->launch_count] = (struct launch){.start = t->start[e], .call = e};
        find_step(joining->graph, &ranges, &joining->launches[joining->launch_count++]);
    }
    open_events_free(&ranges);
}

/* ---- their work ---- */

static struct graph_node node_of(const struct graph *graph, event_id event, uint32_t stream,
                                 struct property_cursors *ids)
{
    const struct timeline *t = &graph->timeline;
    const struct frame *frame = graph_frame(graph, t->frame[event]);
    struct graph_node node = {.kind = frame->kind, .name = frame->name, .stream = stream};

    node.id = property_or(ids, PROP_GRAPH_NODE, event, 0);
    if (frame->kind == KIND_KERNEL)
        node.kind = kernel_stands_for(graph_text(graph, frame->name));
    if (frame->kind == KIND_COMMUNICATION)
        node.kind = KIND_KERNEL;
    return node;
}

static void find_work(struct capture_joining *joining, uint32_t index)
{
    const struct timeline *t = &joining->graph->timeline;
    const struct track *track = &t->tracks[index];
    struct property_cursors ids = {.columns = t->properties};

    for (event_id e = track->first;
         track->kind == TRACK_STREAM && e < track->first + track->count; e++) {
        uint32_t launch;

        if (!frame_kind_is_device(graph_frame(joining->graph, t->frame[e])->kind) || !t->launch ||
            t->launch[e] == NO_EVENT)
            continue;
        launch = idmap_find(&joining->launch_of, t->launch[e]);
        if (launch == IDMAP_NONE)
            continue;
        joining->launches[launch].count++;
        vector_add(&joining->work, (struct captured_work){
                                       e, launch, node_of(joining->graph, e, index, &ids)});
    }
}

static bool is_before(const void *context, uint32_t a, uint32_t b)
{
    const struct capture_joining *joining = context;
    const struct captured_work *x = &joining->work.list[a], *y = &joining->work.list[b];
    const int64_t *start = joining->graph->timeline.start;

    if (x->launch != y->launch)
        return x->launch < y->launch;
    return x->node.id != y->node.id ? x->node.id < y->node.id : start[x->event] < start[y->event];
}

static void sort_work(struct capture_joining *joining)
{
    uint32_t *order = sorted_order(joining->work.count, is_before, joining);
    struct captured_work *sorted = grow_to(NULL, joining->work.count + 1, sizeof(*sorted));

    for (size_t i = 0; i < joining->work.count; i++) {
        sorted[i] = joining->work.list[order[i]];
        if (!i || sorted[i].launch != sorted[i - 1].launch)
            joining->launches[sorted[i].launch].first = (uint32_t)i;
    }
    free(joining->work.list);
    free(order);
    joining->work.list = sorted;
}

static void find_all_launches(struct capture_joining *joining)
{
    for (uint32_t i = 0; i < joining->graph->timeline.track_count; i++)
        find_launches(joining, &joining->graph->timeline.tracks[i]);
    if (joining->launch_count)
        qsort(joining->launches, joining->launch_count, sizeof(*joining->launches), by_start);
    for (size_t i = 0; i < joining->launch_count; i++)
        *idmap_at(&joining->launch_of, joining->launches[i].call) = (uint32_t)i;
}

/* ---- which capture ---- */

/* Whether launches go through the captures in turn, round after round, and these differ. */
static bool are_in_turn(const struct capture_joining *joining)
{
    const struct captures *captures = &joining->captures;
    bool differ = false;
    size_t launched = 0;

    for (size_t i = 0; i < joining->launch_count; i++)
        if (joining->launches[i].count)
            if (joining->launches[i].count != captures->list[launched++ % captures->count].count)
                return false;
    for (size_t i = 1; i < captures->count && !differ; i++) {
        const struct capture *a = &captures->list[i - 1], *b = &captures->list[i];

        differ = a->count != b->count;
        for (uint32_t k = 0; k < a->count && !differ; k++)
            differ = a->nodes[k].kind != b->nodes[k].kind || a->nodes[k].name != b->nodes[k].name;
    }
    return differ && launched % captures->count == 0;
}

/* Of the captures of the smallest size that holds the batch the k-th in turn; ANY_CAPTURE. */
static uint32_t capture_of_size(const struct captures *captures, int64_t size, uint32_t k)
{
    int64_t best = INT64_MAX;
    uint32_t count = 0;

    for (size_t i = 0; i < captures->count; i++) {
        int64_t own = captures->list[i].size;

        if (own < size || own > best)
            continue;
        count = own < best ? 1 : count + 1;
        best = own;
    }
    if (!count)
        return ANY_CAPTURE;
    k %= count;
    for (size_t i = 0; i < captures->count; i++)
        if (captures->list[i].size == best && k-- == 0)
            return (uint32_t)i;
    return ANY_CAPTURE;
}

/* `nth`: of the launches with work in all; `in_step`: in the step. */
static uint32_t choose(const struct capture_joining *joining, const struct launch *launch,
                       uint32_t nth, uint32_t in_step)
{
    const struct captures *captures = &joining->captures;
    uint32_t chosen = launch->size ? capture_of_size(captures, launch->size, in_step) : ANY_CAPTURE;

    if (chosen != ANY_CAPTURE)
        return chosen;
    if (captures->count == 1)
        return 0;
    return joining->are_in_turn ? nth % (uint32_t)captures->count : ANY_CAPTURE;
}

/* ---- one launch ---- */

/* What the kernels of two captures agree on: false where they are of other operators or modules. */
static bool agree(struct capture_joining *joining, const struct launch *launch,
                  const struct capture *capture, const uint32_t *node_of)
{
    const struct captures *captures = &joining->captures;

    for (uint32_t i = 0; i < launch->count; i++) {
        uint32_t *captured = &joining->captured[launch->first + i],
                 call = capture->calls[node_of[i]];
        uint32_t before = *captured == NOT_CAPTURED ? NO_CAPTURED_CALL : *captured / 2;

        if ((before == NO_CAPTURED_CALL) != (call == NO_CAPTURED_CALL))
            return false;
        if (call == NO_CAPTURED_CALL)
            continue;
        if (captures->path[before] != captures->path[call])
            return false;
        if (captures->inputs[before] != captures->inputs[call])
            *captured |= 1;
    }
    return true;
}

static void join_launch(struct capture_joining *joining, uint32_t index, uint32_t choice)
{
    const struct launch *launch = &joining->launches[index];
    uint32_t *node_of = grow_to(NULL, launch->count + 1u, sizeof(*node_of));
    struct graph_node *nodes = grow_to(NULL, launch->count + 1u, sizeof(*nodes));
    uint32_t fits = 0;

    for (uint32_t i = 0; i < launch->count; i++)
        nodes[i] = joining->work.list[launch->first + i].node;
    for (uint32_t i = 0; i < joining->captures.count; i++) {
        const struct capture *capture = &joining->captures.list[i];
        enum alignment alignment = choice != ANY_CAPTURE && choice != i
                                       ? ALIGNED_NOT
                                       : nodes_align(joining->graph, capture->nodes, capture->count,
                                                     nodes, launch->count, node_of);

        if (alignment == ALIGNED_NOT)
            continue;
        if (!fits++) {
            joining->alignment[index] = (uint8_t)alignment;
            for (uint32_t w = 0; w < launch->count; w++) {
                uint32_t call = capture->calls[node_of[w]];

                joining->captured[launch->first + w] =
                    call == NO_CAPTURED_CALL ? NOT_CAPTURED : 2 * call;
            }
        } else if (!agree(joining, launch, capture, node_of)) {
            joining->alignment[index] = ALIGNED_NOT;
            break;
        }
    }
    joining->is_ambiguous[index] = fits > 1;
    for (uint32_t i = 0; i < launch->count && joining->alignment[index] == ALIGNED_NOT; i++)
        joining->captured[launch->first + i] = NOT_CAPTURED;
    free(node_of);
    free(nodes);
}

/* ---- all launches ---- */

/* Of what decides how a launch is joined. Launches that are alike have it in common. */
static uint64_t key_of(const struct capture_joining *joining, const struct launch *launch,
                       uint32_t choice)
{
    XXH3_state_t state;

    (void)XXH3_64bits_reset(&state);
    for (uint32_t i = 0; i < launch->count; i++) {
        const struct graph_node *node = &joining->work.list[launch->first + i].node;
        uint32_t parts[4] = {(uint32_t)node->kind, node->name, node->stream, node->id != 0};

        (void)XXH3_64bits_update(&state, parts, sizeof(parts));
    }
    (void)XXH3_64bits_update(&state, &choice, sizeof(choice));
    return XXH3_64bits_digest(&state);
}

/* As the launch before that was alike. */
static void join_alike(struct capture_joining *joining, uint32_t index, uint32_t before)
{
    const struct launch *launch = &joining->launches[index];

    joining->alignment[index] = joining->alignment[before];
    joining->is_ambiguous[index] = joining->is_ambiguous[before];
    for (uint32_t i = 0; i < launch->count; i++)
        joining->captured[launch->first + i] =
            joining->captured[joining->launches[before].first + i];
}

static bool join_annotated(struct capture_joining *joining, uint32_t index)
{
    const struct launch *launch = &joining->launches[index];

    for (uint32_t i = launch->first; i < launch->first + launch->count; i++) {
        uint32_t call = captures_annotation(&joining->captures, joining->work.list[i].node.id);

        if (call == NO_CAPTURED_CALL)
            continue;
        joining->captured[i] = 2 * call;
        joining->alignment[index] = ALIGNED_BY_ANNOTATIONS;
    }
    return joining->alignment[index] != ALIGNED_NOT;
}

/* Of its nodes' ids; 0: not known. */
static uint32_t graph_of(const struct capture_joining *joining, const struct launch *launch)
{
    return (uint32_t)(joining->work.list[launch->first].node.id >> 32);
}

static void choose_all(struct capture_joining *joining)
{
    uint32_t nth = 0, in_step = 0;
    event_id step = NO_EVENT;

    for (uint32_t i = 0; i < joining->launch_count; i++) {
        const struct launch *launch = &joining->launches[i];

        if (!launch->count)
            continue;
        in_step = launch->step == step ? in_step + 1 : 0;
        step = launch->step;
        joining->choice[i] = choose(joining, launch, nth++, in_step);
    }
}

static void join_chosen(struct capture_joining *joining, uint32_t index, uint32_t choice)
{
    const struct launch *launch = &joining->launches[index];
    uint32_t graph = graph_of(joining, launch);
    uint32_t *alike = idmap_at(&joining->alike, key_of(joining, launch, choice));

    if (*alike == IDMAP_NONE) {
        *alike = index;
        join_launch(joining, index, choice);
    } else {
        join_alike(joining, index, *alike);
    }
    if (graph && choice != ANY_CAPTURE && joining->alignment[index] != ALIGNED_NOT)
        *idmap_at(&joining->capture_of, graph) = choice;
}

/* Those first of which it is known whose they are. */
static void join_launches(struct capture_joining *joining)
{
    for (uint32_t i = 0; i < joining->launch_count; i++)
        if (joining->launches[i].count && !join_annotated(joining, i) &&
            joining->choice[i] != ANY_CAPTURE)
            join_chosen(joining, i, joining->choice[i]);
    for (uint32_t i = 0; i < joining->launch_count; i++) {
        const struct launch *launch = &joining->launches[i];
        uint32_t known;

        if (!launch->count || joining->choice[i] != ANY_CAPTURE ||
            joining->alignment[i] != ALIGNED_NOT)
            continue;
        known = idmap_find(&joining->capture_of, graph_of(joining, launch));
        join_chosen(joining, i, known == IDMAP_NONE ? ANY_CAPTURE : known);
    }
}

static void count_joined(const struct capture_joining *joining, struct captures_join *join)
{
    const int64_t *duration = joining->graph->timeline.duration;

    for (uint32_t i = 0; i < joining->launch_count; i++) {
        const struct launch *launch = &joining->launches[i];
        uint32_t choice = joining->choice[i];

        if (!launch->count)
            continue;
        join->by[joining->alignment[i]]++;
        if (joining->alignment[i] == ALIGNED_NOT)
            continue;
        join->joined++;
        join->several += joining->is_ambiguous[i];
        for (uint32_t k = launch->first; k < launch->first + launch->count; k++)
            if (joining->captured[k] != NOT_CAPTURED)
                join->known_time = checked_add(join->known_time, duration[joining->work.list[k].event]);
        if (!launch->size || choice == ANY_CAPTURE || !joining->captures.list[choice].size)
            continue;
        join->tokens = checked_add(join->tokens, launch->size);
        join->slots = checked_add(join->slots, joining->captures.list[choice].size);
    }
    for (size_t i = 0; i < joining->captures.count; i++) {
        int64_t size = joining->captures.list[i].size;

        join->smallest = !join->smallest || (size && size < join->smallest) ? size : join->smallest;
        join->largest = size > join->largest ? size : join->largest;
    }
}

/* Replaces what there may be of an earlier join. */
static void give(const struct capture_joining *joining)
{
    struct timeline *t = &joining->graph->timeline;
    uint32_t *captured = grow_to(NULL, t->count + 1u, sizeof(*captured));
    struct property_column column = {0};

    for (event_id e = 0; e < t->count; e++)
        captured[e] = NOT_CAPTURED;
    for (size_t i = 0; i < joining->work.count; i++)
        captured[joining->work.list[i].event] = joining->captured[i];
    for (event_id e = 0; e < t->count; e++)
        if (captured[e] != NOT_CAPTURED)
            property_append(&column, e, captured[e]);
    property_column_free(&t->properties[PROP_CAPTURED]);
    t->properties[PROP_CAPTURED] = column;
    free(captured);
}

static void join_all(struct capture_joining *joining, struct captures_join *join)
{
    find_all_launches(joining);
    for (uint32_t i = 0; i < joining->graph->timeline.track_count; i++)
        find_work(joining, i);
    sort_work(joining);
    joining->alignment = grow_zeroed(joining->launch_count + 1, sizeof(*joining->alignment));
    joining->is_ambiguous = grow_zeroed(joining->launch_count + 1, sizeof(*joining->is_ambiguous));
    joining->captured = grow_to(NULL, joining->work.count + 1, sizeof(*joining->captured));
    for (size_t i = 0; i < joining->work.count; i++)
        joining->captured[i] = NOT_CAPTURED;
    joining->choice = grow_zeroed(joining->launch_count + 1, sizeof(*joining->choice));
    joining->are_in_turn = join->captures && are_in_turn(joining);
    choose_all(joining);
    join_launches(joining);
    count_joined(joining, join);
    if (join->joined) {
        give(joining);
        graph_classify(joining->graph);
    }
}

void captures_join(struct graph *graph, const struct graph *const *captured, uint32_t count,
                   struct captures_join *join)
{
    struct arena arena = {0};
    struct capture_joining joining = {.graph = graph, .captures = {.into = graph, .arena = &arena}};

    *join = (struct captures_join){0};
    graph->captured.count = 0;
    for (uint32_t i = 0; i < count && graphs_are_launched(graph); i++)
        captures_add(&joining.captures, captured[i]);
    join->captures = (uint32_t)joining.captures.count;
    join->annotated = (uint32_t)joining.captures.annotated.count;
    captures_measure(graph, join);
    if (join->captures || join->annotated)
        join_all(&joining, join);
    else
        join->by[ALIGNED_NOT] = join->launches;
    captures_free(&joining.captures);
    arena_free(&arena);
    free(joining.launches);
    free(joining.work.list);
    free(joining.alignment);
    free(joining.is_ambiguous);
    free(joining.captured);
    idmap_free(&joining.launch_of);
    idmap_free(&joining.alike);
    idmap_free(&joining.capture_of);
    free(joining.choice);
}
