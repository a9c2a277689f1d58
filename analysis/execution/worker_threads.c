#include "analysis/execution/worker_threads.h"

#include "analysis/timeline/device_work.h"
#include "base/memory/search.h"

enum { HELPERS_MAX = 64 };

static enum frame_kind kind_of(const struct graph *graph, event_id event)
{
    return graph_frame(graph, graph->timeline.frame[event])->kind;
}

/* Checkpoints and hooks run Python inside the operators of the backward pass. */
static bool is_helper(const struct graph *graph, const struct track *track)
{
    const struct timeline *timeline = &graph->timeline;
    int64_t outermost_end = INT64_MIN;
    bool has_operators = false;

    if (track->kind != TRACK_THREAD)
        return false;
    for (event_id e = track->first; e < track->first + track->count; e++) {
        bool is_outermost = timeline->start[e] >= outermost_end;

        if (is_outermost && kind_of(graph, e) == KIND_PYTHON)
            return false;
        if (is_outermost)
            outermost_end = event_end(timeline, e);
        has_operators |= kind_of(graph, e) == KIND_OPERATOR;
    }
    return has_operators;
}

/* Pieces that follow each other are one. */
static void add_times(const struct graph *graph, const struct self_spans *spans,
                      const bool *is_wait, struct helper *helper)
{
    size_t past = spans->first[helper->track + 1];

    for (size_t i = spans->first[helper->track]; i + 1 < past; i++) {
        const struct self_span *span = &spans->list[i];

        if (span->event == NO_EVENT || kind_of(graph, span->event) == KIND_ANNOTATION ||
            is_wait[graph->timeline.frame[span->event]])
            continue;
        if (helper->count && helper->times[helper->count - 1].end == span->start)
            helper->times[helper->count - 1].end = span[1].start;
        else
            helper->times[helper->count++] = (struct work_time){span->start, span[1].start};
    }
}

void helpers_find(const struct graph *graph, const struct self_spans *spans, const bool *is_wait,
                  struct arena *arena, struct helpers *helpers)
{
    const struct timeline *timeline = &graph->timeline;

    *helpers = (struct helpers){.graph = graph,
                                .list = arena_array(arena, HELPERS_MAX, sizeof(*helpers->list))};
    for (uint32_t i = 0; i < timeline->track_count && helpers->count < HELPERS_MAX; i++) {
        struct helper *helper = &helpers->list[helpers->count];
        size_t most = spans->first[i + 1] - spans->first[i];

        if (!most || !is_helper(graph, &timeline->tracks[i]))
            continue;
        *helper = (struct helper){i, arena_array(arena, most, sizeof(*helper->times)), 0};
        add_times(graph, spans, is_wait, helper);
        helpers->count++;
    }
}

bool may_be_helped(const struct graph *graph, event_id event)
{
    enum frame_kind kind = kind_of(graph, event);

    return kind == KIND_ANNOTATION || kind == KIND_PYTHON;
}

struct help helpers_between(const struct helpers *helpers, event_id event, int64_t start,
                            int64_t end)
{
    bool is_whole = kind_of(helpers->graph, event) == KIND_PYTHON;
    uint32_t track = track_of_event(&helpers->graph->timeline, event);
    struct help last = {start, start, UINT32_MAX};

    for (uint32_t i = 0; i < helpers->count; i++) {
        const struct helper *helper = &helpers->list[i];
        const struct work_time *times = helper->times;
        int64_t until;

        SEARCH(size_t, past, helper->count, times[past].start < end);
        if (helper->track == track || !past)
            continue;
        until = times[past - 1].end < end ? times[past - 1].end : end;
        if (until <= last.end)
            continue;
        SEARCH(size_t, first, past, times[first].end <= start);
        if (is_whole && (times[first].start < start || times[past - 1].end > end))
            continue;
        last = (struct help){times[first].start > start ? times[first].start : start, until,
                             helper->track};
    }
    return last;
}
