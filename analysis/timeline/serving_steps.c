/* SPDX-License-Identifier: Apache-2.0 */
/* serving_steps.c — finds the steps of serving by their labels, and the device work of each */
#include "analysis/timeline/serving_steps.h"

#include <stdlib.h>

#include "analysis/timeline/device_work.h"
#include "base/checked.h"
#include "graph/classify/event_class.h"

/* A label on the host. */
struct labelled {
    event_id event;
    uint32_t thread;
};

static bool has_serving_labels(const struct graph *graph)
{
    for (frame_id id = 1; id < graph->frames.count; id++)
        if (graph_class(graph, id).is_serving_step)
            return true;
    return false;
}

struct span serving_step_stage(const struct serving_step *step)
{
    return step->label->stage == STAGE_OTHER && step->label->mode.len
               ? step->label->mode
               : span_of(serving_stage_name(step->label->stage));
}

/* ---- labels ---- */

static bool is_host_track(const struct track *track)
{
    return track->kind == TRACK_THREAD || (track->kind == TRACK_RANGES && track->device < 0);
}

uint32_t serving_thread_of(const struct graph *graph, uint32_t track, struct serving_steps *steps)
{
    const struct track *at = &graph->timeline.tracks[track];

    for (uint32_t i = 0; i < steps->thread_count; i++)
        if (steps->threads[i].pid == at->pid && steps->threads[i].tid == at->tid)
            return i;
    steps->threads[steps->thread_count] =
        (struct serving_thread){.pid = at->pid, .tid = at->tid, .track = track};
    return steps->thread_count++;
}

/* By thread, start, the longer first. */
struct label_order {
    const struct timeline *timeline;
    const struct labelled *labels;
};

static bool label_is_before(const void *context, uint32_t a, uint32_t b)
{
    const struct label_order *order = context;
    const struct labelled *x = &order->labels[a], *y = &order->labels[b];
    const struct timeline *t = order->timeline;

    if (x->thread != y->thread)
        return x->thread < y->thread;
    if (t->start[x->event] != t->start[y->event])
        return t->start[x->event] < t->start[y->event];
    return t->duration[x->event] > t->duration[y->event];
}

/* Labels are read once, however many steps have the same. */
struct label_texts {
    VECTOR(const struct step_label *);
    struct idmap of_frame;
    struct arena *arena;
};

static const struct step_label *label_of(const struct graph *graph, frame_id frame,
                                         struct label_texts *texts)
{
    uint32_t *at = idmap_at(&texts->of_frame, frame);

    if (*at == IDMAP_NONE) {
        struct step_label *label = arena_alloc(texts->arena, sizeof(*label));

        *at = (uint32_t)texts->count;
        (void)step_label_parse(graph_text(graph, graph_frame(graph, frame)->name), label);
        vector_add(texts, label);
    }
    return texts->list[*at];
}

/* A label without a size takes the size of the label around it. */
static const struct step_label *label_within(const struct step_label *label,
                                             const struct step_label *around, struct arena *arena)
{
    struct step_label *both;

    if (label->padded != UNKNOWN || around->padded == UNKNOWN)
        return label;
    both = arena_alloc(arena, sizeof(*both));
    *both = *label;
    both->padded = around->padded;
    return both;
}

static void add_label(const struct graph *graph, const struct labelled *at,
                      struct label_texts *texts, struct serving_steps *steps)
{
    const struct timeline *t = &graph->timeline;
    struct serving_step *last = steps->count ? &steps->list[steps->count - 1] : NULL, *step;
    frame_id frame = t->frame[at->event];
    const struct step_label *label = label_of(graph, frame, texts);

    if (last && last->thread == at->thread && t->start[at->event] < last->end) {
        if (label->has_sums && !last->label->has_sums) {
            last->label = label_within(label, last->label, texts->arena);
            last->labelled = frame;
        }
        return;
    }
    if (!steps->threads[at->thread].count++)
        steps->threads[at->thread].first = steps->count;
    step = &steps->list[steps->count++]; /* zeroed */
    step->event = at->event;
    step->labelled = frame;
    step->label = label;
    step->thread = at->thread;
    step->start = t->start[at->event];
    step->end = event_end(t, at->event);
    step->first = step->last = UNKNOWN;
}

static void find_labels(const struct graph *graph, struct arena *arena, struct serving_steps *steps)
{
    const struct timeline *t = &graph->timeline;
    struct VECTOR_OF(struct labelled) found = {0};
    struct label_order order = {.timeline = t};
    struct label_texts texts = {.arena = arena};
    uint32_t *places;

    for (uint32_t i = 0; i < t->track_count; i++) {
        const struct track *track = &t->tracks[i];
        uint32_t thread = NO_STEP;

        for (event_id e = track->first; is_host_track(track) && e < track->first + track->count;
             e++) {
            if (!graph_class(graph, t->frame[e]).is_serving_step)
                continue;
            if (thread == NO_STEP)
                thread = serving_thread_of(graph, i, steps);
            vector_add(&found, (struct labelled){e, thread});
        }
    }
    order.labels = found.list;
    places = sorted_order(found.count, label_is_before, &order);
    steps->list = arena_array(arena, found.count + 1, sizeof(*steps->list));
    for (size_t i = 0; i < found.count; i++)
        add_label(graph, &found.list[places[i]], &texts, steps);
    free(texts.list);
    idmap_free(&texts.of_frame);
    free(places);
    free(found.list);
}

/* ---- whose step a call is ---- */

/* By track: its thread's labels, else those of a thread of its process; of one process with labels
 * all calls are. */
static void assign_tracks(const struct graph *graph, struct arena *arena,
                          struct serving_steps *steps)
{
    const struct timeline *t = &graph->timeline;

    steps->thread_of_track = arena_array(arena, t->track_count + 1u, sizeof(uint32_t));
    for (uint32_t i = 0; i < t->track_count; i++) {
        uint32_t own = NO_STEP, near = NO_STEP;

        for (uint32_t k = 0; k < steps->thread_count; k++) {
            if (steps->threads[k].pid != t->tracks[i].pid)
                continue;
            if (steps->threads[k].tid == t->tracks[i].tid)
                own = k;
            else if (near == NO_STEP)
                near = k;
        }
        steps->thread_of_track[i] = own != NO_STEP             ? own
                                    : near != NO_STEP          ? near
                                    : steps->thread_count == 1 ? 0
                                                               : NO_STEP;
    }
}

/* Whether a time lies from the start of a step to that of its thread's next. */
static bool is_of_step(const struct serving_steps *steps, uint32_t step, int64_t time)
{
    uint32_t next = serving_step_after(steps, step);

    return steps->list[step].start <= time && (next == NO_STEP || time < steps->list[next].start);
}

uint32_t serving_step_near(const struct graph *graph, const struct serving_steps *steps,
                           event_id event, struct serving_cursor *near)
{
    const struct timeline *t = &graph->timeline;
    const struct serving_step *list;
    uint32_t thread, next;

    if (!steps->count)
        return NO_STEP;
    if (event - near->first >= near->count) {
        const struct track *track = &t->tracks[track_of_event(t, event)];
        uint32_t now = steps->thread_of_track[track - t->tracks];
        bool is_same = near->count && near->thread == now; /* another lane of the thread */

        *near = (struct serving_cursor){track->first, track->count, now,
                                        is_same ? near->step : NO_STEP};
    }
    thread = near->thread;
    if (thread == NO_STEP)
        return NO_STEP;
    if (near->step != NO_STEP && is_of_step(steps, near->step, t->start[event]))
        return near->step;
    next = near->step == NO_STEP ? NO_STEP : serving_step_after(steps, near->step);
    if (next != NO_STEP && is_of_step(steps, next, t->start[event]))
        return near->step = next;
    list = steps->list + steps->threads[thread].first;
    SEARCH(uint32_t, at, steps->threads[thread].count, list[at].start <= t->start[event]);
    near->step = at ? steps->threads[thread].first + at - 1 : NO_STEP;
    return near->step;
}

uint32_t serving_step_of_host(const struct graph *graph, const struct serving_steps *steps,
                              event_id event)
{
    return serving_step_near(graph, steps, event, &(struct serving_cursor){0});
}

uint32_t serving_step_of_work(const struct graph *graph, const struct serving_steps *steps,
                              event_id work)
{
    event_id launch = graph->timeline.launch ? graph->timeline.launch[work] : NO_EVENT;

    return launch == NO_EVENT ? NO_STEP : serving_step_of_host(graph, steps, launch);
}

uint32_t serving_step_after(const struct serving_steps *steps, uint32_t step)
{
    return step + 1 < steps->count && steps->list[step + 1].thread == steps->list[step].thread
               ? step + 1
               : NO_STEP;
}

/* ---- their work ---- */

/* Adds what of a piece is after `*until`, up to which its step was busy before. */
static void cover(int64_t start, int64_t end, int64_t *until, int64_t *busy)
{
    int64_t from = start > *until ? start : *until;

    if (end > from)
        *busy = checked_add(*busy, end - from);
    *until = end > *until ? end : *until;
}

/* The call that launched the last piece: most of a graph's follow in one run. */
struct work_launch {
    event_id call;
    uint32_t step;
    bool is_graph, is_within; /* its step's label */
    struct serving_cursor near;
};

static void look_up(const struct graph *graph, const struct serving_steps *steps, event_id call,
                    struct work_launch *launch)
{
    const struct timeline *t = &graph->timeline;

    launch->call = call;
    launch->step =
        call == NO_EVENT ? NO_STEP : serving_step_near(graph, steps, call, &launch->near);
    if (launch->step == NO_STEP)
        return;
    launch->is_graph = graph_class(graph, t->frame[call]).call == CALL_GRAPH_LAUNCH;
    launch->is_within = t->start[call] < steps->list[launch->step].end;
}

static void add_work(const struct timeline *t, struct serving_steps *steps, event_id event,
                     const struct work_launch *launch, int64_t *until, int64_t *forward_until)
{
    int64_t start = t->start[event], end = event_end(t, event);
    struct serving_step *step;

    steps->device_time = checked_add(steps->device_time, t->duration[event]);
    if (launch->step == NO_STEP) {
        int64_t *sum = launch->call == NO_EVENT ? &steps->unlaunched : &steps->before;

        *sum = checked_add(*sum, t->duration[event]);
        return;
    }
    step = &steps->list[launch->step];
    if (step->first == UNKNOWN || start < step->first)
        step->first = start;
    if (step->last == UNKNOWN || end > step->last)
        step->last = end;
    step->pieces++;
    step->graph_pieces += launch->is_graph;
    cover(start, end, &until[launch->step], &step->busy);
    if (launch->is_within)
        cover(start, end, &forward_until[launch->step], &step->forward);
}

static void find_work(const struct graph *graph, struct serving_steps *steps)
{
    const struct timeline *t = &graph->timeline;
    struct arena arena = {0};
    struct devices_work devices;
    struct work_launch launch = {.call = NO_EVENT, .step = NO_STEP};
    int64_t *until = arena_array(&arena, steps->count + 1u, sizeof(*until));
    int64_t *forward_until = arena_array(&arena, steps->count + 1u, sizeof(*forward_until));

    device_work_collect(graph, &arena, &devices);
    for (uint32_t i = 0; i < devices.count; i++) {
        for (uint32_t k = 0; k < steps->count; k++)
            until[k] = forward_until[k] = INT64_MIN;
        for (uint32_t k = 0; k < devices.list[i].count; k++) {
            event_id event = devices.list[i].events[k];
            event_id call = t->launch ? t->launch[event] : NO_EVENT;

            if (call != launch.call)
                look_up(graph, steps, call, &launch);
            add_work(t, steps, event, &launch, until, forward_until);
        }
    }
    arena_free(&arena);
}

/* ---- requests that are computed again ---- */

static bool is_generation(const struct serving_step *step)
{
    return step->label->stage == STAGE_DECODE && step->label->generations > 0 &&
           step->label->generation_tokens > 0;
}

/* A request that comes back after others took its memory is generation with its whole length. Usual is
 * the median of tokens a request, which drafts make more than one. */
static void mark_recomputing(struct serving_steps *steps)
{
    struct arena arena = {0};
    int64_t *each = arena_array(&arena, steps->count + 1u, sizeof(*each));
    uint32_t count = 0;

    for (uint32_t i = 0; i < steps->count; i++)
        if (is_generation(&steps->list[i]))
            each[count++] = (steps->list[i].label->generation_tokens +
                             steps->list[i].label->generations - 1) /
                            steps->list[i].label->generations;
    if (count) {
        int64_t usual;

        sort_numbers(each, count);
        usual = each[(count - 1) / 2];
        for (uint32_t i = 0; i < steps->count; i++)
            steps->list[i].is_recomputing =
                is_generation(&steps->list[i]) &&
                steps->list[i].label->generation_tokens >
                    checked_mul(steps->list[i].label->generations, checked_add(usual, usual > 1));
    }
    arena_free(&arena);
}

/* ---- all ---- */

void serving_steps_find(const struct graph *graph, bool may_infer, struct arena *arena,
                        struct serving_steps *steps)
{
    const struct timeline *t = &graph->timeline;
    bool has_labels = has_serving_labels(graph);

    *steps = (struct serving_steps){
        .threads = arena_array(arena, t->track_count + 1u, sizeof(*steps->threads))};
    if (has_labels)
        find_labels(graph, arena, steps);
    if (!steps->count && may_infer)
        serving_steps_infer(graph, arena, steps);
    assign_tracks(graph, arena, steps);
    if (!steps->count)
        return;
    find_work(graph, steps);
    mark_recomputing(steps);
}
