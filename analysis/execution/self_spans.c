#include "analysis/execution/self_spans.h"

#include <stdlib.h>

#include "base/memory/grow.h"
#include "base/memory/search.h"

/* The events that a thread is in, outermost first. */
struct stack {
    event_id *list;
    size_t count, cap;
};

static void add_span(struct self_spans *spans, size_t first, int64_t start, event_id event)
{
    if (spans->count > first && spans->list[spans->count - 1].start == start) {
        spans->list[spans->count - 1].event = event; /* the one before it was empty */
        return;
    }
    spans->list = grow_one(spans->list, spans->count, &spans->cap, sizeof(*spans->list));
    spans->list[spans->count++] = (struct self_span){start, event};
}

/* Leaves all events that ended by `time`. */
static void leave(const struct timeline *timeline, struct stack *stack, int64_t time, size_t first,
                  struct self_spans *spans)
{
    while (stack->count && event_end(timeline, stack->list[stack->count - 1]) <= time) {
        int64_t end = event_end(timeline, stack->list[--stack->count]);

        add_span(spans, first, end, stack->count ? stack->list[stack->count - 1] : NO_EVENT);
    }
}

static void cut_track(const struct timeline *timeline, const struct track *track,
                      struct stack *stack, struct self_spans *spans)
{
    size_t first = spans->count;

    for (event_id event = track->first; event < track->first + track->count; event++) {
        leave(timeline, stack, timeline->start[event], first, spans);
        if (timeline->duration[event] == 0)
            continue;
        add_span(spans, first, timeline->start[event], event);
        stack->list = grow_one(stack->list, stack->count, &stack->cap, sizeof(*stack->list));
        stack->list[stack->count++] = event;
    }
    leave(timeline, stack, INT64_MAX, first, spans);
}

void self_spans_find(const struct graph *graph, struct self_spans *spans)
{
    const struct timeline *timeline = &graph->timeline;
    struct stack stack = {0};

    *spans = (struct self_spans){0};
    spans->first = grow_zeroed((size_t)timeline->track_count + 1, sizeof(*spans->first));
    for (uint32_t i = 0; i < timeline->track_count; i++) {
        spans->first[i] = spans->count;
        if (timeline->tracks[i].kind == TRACK_THREAD)
            cut_track(timeline, &timeline->tracks[i], &stack, spans);
    }
    spans->first[timeline->track_count] = spans->count;
    free(stack.list);
}

/* Where the last answer, of which the next ones are mostly a few spans short, is the beginning of a
 * search in ever longer steps. */
static void narrow(const struct self_spans *spans, size_t near, int64_t time, size_t *low,
                   size_t *high)
{
    size_t step = 1;

    if (near < *low || near >= *high)
        return;
    if (near + 1 < *high && spans->list[near + 1].start >= time)
        *high = near + 1;
    while (*high - *low > step && spans->list[*high - step].start >= time) {
        *high -= step;
        step *= 2;
    }
    if (*high - *low > step)
        *low = *high - step;
}

bool self_spans_before(const struct self_spans *spans, uint32_t track, int64_t time, size_t *at)
{
    size_t first = spans->first[track], low = first, high = spans->first[track + 1];

    narrow(spans, *at, time, &low, &high);
    SEARCH(size_t, past, high - low, spans->list[low + past].start < time);
    if (low + past == first)
        return false;
    *at = low + past - 1;
    return true;
}

void self_spans_free(struct self_spans *spans)
{
    free(spans->list);
    free(spans->first);
    *spans = (struct self_spans){0};
}
