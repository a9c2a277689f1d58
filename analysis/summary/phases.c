#include "analysis/summary/phases.h"

#include <stdlib.h>

#include "base/checked.h"
#include "base/grow.h"
#include "base/sort.h"

static bool ends_with_backward(struct span name)
{
    static const char ending[] = "Backward";
    size_t length = sizeof(ending) - 1;

    while (name.len && name.at[name.len - 1] >= '0' && name.at[name.len - 1] <= '9')
        name.len--;
    return name.len >= length && memcmp(name.at + name.len - length, ending, length) == 0;
}

/* Autograd's nodes: "autograd::engine::evaluate_function: MulBackward0", "MulBackward" before that
 * was written around them. */
static bool is_autograd_node(struct span name)
{
    return span_starts(name, SPAN("autograd::engine::evaluate_function")) ||
           span_starts(name, SPAN("torch::autograd::")) || ends_with_backward(name);
}

static enum summary_role implied_phase(const struct graph *graph, const struct frame *frame)
{
    struct span name = graph_text(graph, frame->name);

    if (frame->kind == KIND_OPERATOR && is_autograd_node(name))
        return ROLE_BACKWARD;
    if (frame->kind == KIND_PYTHON && span_starts(name, SPAN("nn.Module: ")))
        return ROLE_FORWARD;
    return ROLE_NONE;
}

/* By frame, the phase that its events are or help where nothing else tells. */
static uint8_t *implied_phases(const struct host_tree *tree)
{
    const struct graph *graph = tree->graph;
    uint8_t *implied = grow_zeroed((size_t)graph->frames.count + 1, sizeof(*implied));
    bool is_told[ROLE_COUNT] = {false};

    for (event_id e = 0; e < graph->timeline.count; e++)
        is_told[role_of(tree, e)] = true;
    for (frame_id id = 1; id < graph->frames.count && !tree->is_paddle_compat; id++) {
        enum summary_role phase = implied_phase(graph, graph_frame(graph, id));

        if (!is_told[phase])
            implied[id] = phase == ROLE_NONE ? ROLE_NONE : (uint8_t)phase | PHASE_BEGINS;
        else if (phase == ROLE_BACKWARD)
            implied[id] = ROLE_BACKWARD | PHASE_HELPS;
    }
    return implied;
}

/* Events are by start: one that begins before the phase has ended is inside it. */
static void mark_track(const struct host_tree *tree, const struct track *track,
                       const uint8_t *implied, uint8_t *phase)
{
    const struct timeline *t = &tree->graph->timeline;
    int64_t until = INT64_MIN;
    uint8_t current = ROLE_NONE;

    for (event_id e = track->first; e < track->first + track->count; e++) {
        enum summary_role role = role_of(tree, e);

        if (t->start[e] < until) {
            phase[e] = current & PHASE_ROLE;
            continue;
        }
        current = role_is_phase(role) ? (uint8_t)role | PHASE_BEGINS : implied[t->frame[e]];
        if (current == ROLE_NONE)
            continue;
        phase[e] = current;
        until = end_of(tree, e);
    }
}

uint8_t *summary_phases(const struct host_tree *tree)
{
    const struct timeline *t = &tree->graph->timeline;
    uint8_t *phase = grow_zeroed((size_t)t->count + 1, sizeof(*phase));
    uint8_t *implied = implied_phases(tree);

    for (uint32_t i = 0; i < t->track_count; i++)
        if (t->tracks[i].kind == TRACK_THREAD && t->tracks[i].device < 0)
            mark_track(tree, &t->tracks[i], implied, phase);
    free(implied);
    return phase;
}

/* ---- autograd's threads ---- */

static bool starts_before(const void *timeline, uint32_t a, uint32_t b)
{
    const struct timeline *t = timeline;

    return t->start[a] < t->start[b];
}

/* The last one begun by `time`, or `count`. */
static uint32_t last_begun(const struct helped *helped, const struct timeline *t, int64_t time)
{
    uint32_t low = 0, high = helped->count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (t->start[helped->list[middle]] <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? low - 1 : helped->count;
}

struct helped summary_helped(const struct host_tree *tree, const uint8_t *phase,
                             const int64_t *kernel_time, struct arena *arena)
{
    const struct timeline *t = &tree->graph->timeline;
    struct helped helped = {0};
    bool has_helpers = false;

    for (event_id e = 0; e < t->count; e++) {
        helped.count += phase[e] == (ROLE_BACKWARD | PHASE_BEGINS);
        has_helpers |= phase[e] & PHASE_HELPS;
    }
    if (!has_helpers)
        return (struct helped){0};
    helped.list = arena_array(arena, helped.count, sizeof(*helped.list));
    helped.kernel_time = arena_array(arena, helped.count, sizeof(*helped.kernel_time));
    memset(helped.kernel_time, 0, helped.count * sizeof(*helped.kernel_time));
    helped.count = 0;
    for (event_id e = 0; e < t->count; e++)
        if (phase[e] == (ROLE_BACKWARD | PHASE_BEGINS))
            helped.list[helped.count++] = e;
    sort_stable(helped.list, helped.count, starts_before, t);
    for (event_id e = 0; e < t->count; e++) {
        uint32_t at = phase[e] & PHASE_HELPS ? last_begun(&helped, t, t->start[e]) : helped.count;

        if (at < helped.count && t->start[e] < end_of(tree, helped.list[at]))
            helped.kernel_time[at] = checked_add(helped.kernel_time[at], kernel_time[e]);
    }
    return helped;
}

int64_t summary_help(const struct helped *helped, const struct timeline *timeline, event_id event)
{
    uint32_t at = last_begun(helped, timeline, timeline->start[event]);

    return at < helped->count && helped->list[at] == event ? helped->kernel_time[at] : 0;
}
