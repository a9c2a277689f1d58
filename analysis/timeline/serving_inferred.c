/* SPDX-License-Identifier: Apache-2.0 */
/* serving_inferred.c — steps of serving that nothing labels, by what is launched again and again */
#include <stdlib.h>

#include "analysis/timeline/device_work.h"
#include "analysis/timeline/serving_steps.h"
#include "graph/classify/event_class.h"

/* A call that made work on a device, in the order of the host. */
struct step_launch {
    event_id call;
    uint32_t pieces;
    bool is_graph, is_model, is_copy_back;
};

struct step_launches {
    VECTOR(struct step_launch);
    struct idmap of_call;
};

struct launch_calls {
    const struct timeline *timeline;
    const struct step_launch *launches;
};

static bool call_is_before(const void *context, uint32_t a, uint32_t b)
{
    const struct launch_calls *order = context;

    return order->timeline->start[order->launches[a].call] <
           order->timeline->start[order->launches[b].call];
}

static void find_launched(const struct graph *graph, struct step_launches *list)
{
    const struct timeline *t = &graph->timeline;

    for (uint32_t i = 0; t->launch && i < t->track_count; i++) {
        const struct track *track = &t->tracks[i];

        for (event_id e = track->first;
             track->kind == TRACK_STREAM && e < track->first + track->count; e++) {
            struct frame_class class = graph_class(graph, t->frame[e]);
            uint32_t *at;

            if (!is_device_work(graph, e) || t->launch[e] == NO_EVENT)
                continue;
            at = idmap_at(&list->of_call, t->launch[e]);
            if (*at == IDMAP_NONE) {
                *at = (uint32_t)list->count;
                vector_add(list, (struct step_launch){
                                     .call = t->launch[e],
                                     .is_graph = graph_class(graph, t->frame[t->launch[e]]).call ==
                                                 CALL_GRAPH_LAUNCH});
            }
            list->list[*at].pieces++;
            list->list[*at].is_model |= class.matrix != MATRIX_NONE ||
                                        class.family == FAMILY_GEMM ||
                                        class.family == FAMILY_ATTENTION;
            list->list[*at].is_copy_back |= graph_frame(graph, t->frame[e])->kind == KIND_MEMCPY &&
                                            class.copy == COPY_DEVICE_TO_HOST;
        }
    }
}

/* What a step launched: equal in steps that are alike. */
struct shape_of_step {
    uint32_t pieces, graphs;
};

/* Of a run of steps that were found, whether any shape is there again and again. */
static bool repeats(const struct shape_of_step *shapes, uint32_t count)
{
    enum { AGAIN = 3 };
    struct idmap seen = {0};
    bool is_found = false;

    for (uint32_t i = 0; i < count && !is_found; i++) {
        uint32_t *times = idmap_at(&seen, idmap_pair(shapes[i].pieces, shapes[i].graphs));

        *times = *times == IDMAP_NONE ? 1 : *times + 1;
        is_found = shapes[i].graphs > 0 && *times >= AGAIN;
    }
    idmap_free(&seen);
    return is_found;
}

#define INFERRED(of)                                                                               \
    {.stage = of,                                                                                  \
     .prompts = UNKNOWN,                                                                           \
     .generations = UNKNOWN,                                                                       \
     .prompt_tokens = UNKNOWN,                                                                     \
     .generation_tokens = UNKNOWN,                                                                 \
     .tokens = UNKNOWN,                                                                            \
     .padded = UNKNOWN}

static void add_inferred(const struct graph *graph, event_id first, event_id last, bool has_graph,
                         struct serving_steps *steps)
{
    static const struct step_label decode = INFERRED(STAGE_DECODE), prefill = INFERRED(STAGE_PREFILL);
    const struct timeline *t = &graph->timeline;

    steps->list[steps->count++] =
        (struct serving_step){.event = first,
                              .labelled = 0,
                              .label = has_graph ? &decode : &prefill,
                              .start = t->start[first],
                              .end = event_end(t, last),
                              .first = UNKNOWN,
                              .last = UNKNOWN};
}

/* Each step ends with the copy of its tokens to the host; there are graphs, and what steps launch is
 * there again and again. Steps with a graph are decode, those without are prefill or mixed. */
void serving_steps_infer(const struct graph *graph, struct arena *arena,
                         struct serving_steps *steps)
{
    const struct timeline *t = &graph->timeline;
    struct step_launches found = {0};
    struct VECTOR_OF(struct shape_of_step) shapes = {0};
    struct shape_of_step shape = {0};
    event_id first = NO_EVENT, last = NO_EVENT;
    bool is_model = false;
    uint32_t *places;

    find_launched(graph, &found);
    places = sorted_order(found.count, call_is_before, &(struct launch_calls){t, found.list});
    steps->list = arena_array(arena, found.count + 1, sizeof(*steps->list));
    for (size_t i = 0; i < found.count; i++) {
        const struct step_launch *at = &found.list[places[i]];

        if (first == NO_EVENT)
            first = at->call;
        last = at->call;
        shape.pieces += at->pieces;
        shape.graphs += at->is_graph;
        is_model |= at->is_model || at->is_graph;
        if (!at->is_copy_back || !is_model)
            continue;
        add_inferred(graph, first, last, shape.graphs > 0, steps);
        vector_add(&shapes, shape);
        shape = (struct shape_of_step){0};
        first = NO_EVENT;
        is_model = false;
    }
    steps->are_inferred = repeats(shapes.list, (uint32_t)shapes.count);
    if (!steps->are_inferred)
        steps->count = 0;
    else
        steps->threads[serving_thread_of(graph, track_of_event(t, steps->list[0].event), steps)]
            .count = steps->count;
    free(places);
    free(shapes.list);
    free(found.list);
    idmap_free(&found.of_call);
}
