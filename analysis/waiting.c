#include "analysis/waiting.h"

#include "analysis/device_work.h"

/* Blocking copies, and whatever synchronises. */
static bool is_blocking_name(struct span name)
{
    static const char *const copies[] = {"cudaMemcpy", "cudaMemcpy2D", "hipMemcpy",
                                         "hipMemcpyWithStream", "cuMemcpyDtoH_v2"};
    struct span word = SPAN("Synchronize");

    for (size_t i = 0; i < COUNT_OF(copies); i++)
        if (span_eq(name, span_of(copies[i])))
            return true;
    for (size_t i = 0; i + word.len <= name.len; i++)
        if (memcmp(name.at + i, word.at, word.len) == 0)
            return true;
    return false;
}

bool *waiting_frames(const struct graph *graph, struct arena *arena)
{
    bool *is_wait = arena_array(arena, graph->frames.count, sizeof(*is_wait));

    for (frame_id i = 0; i < graph->frames.count; i++) {
        const struct frame *frame = graph_frame(graph, i);

        is_wait[i] = frame->kind == KIND_SYNC || (frame->kind == KIND_RUNTIME &&
                                                  is_blocking_name(graph_text(graph, frame->name)));
    }
    return is_wait;
}

static uint64_t stream_key(const struct track *track)
{
    return idmap_pair((uint32_t)track->device, (uint32_t)track->tid);
}

static void add_stream_row(const struct timeline *timeline, const struct track *track,
                           event_id event, struct waiting *waiting)
{
    uint32_t *first;
    int64_t source;

    if (!property_of(&timeline->properties[PROP_WAIT_STREAM], event, &source))
        return;
    first = idmap_at(&waiting->rows_of, stream_key(track));
    if (*first == IDMAP_NONE)
        *first = waiting->stream_count;
    waiting->stream[waiting->stream_count++] = event;
}

void waiting_find(const struct graph *graph, struct arena *arena, struct waiting *waiting)
{
    const struct timeline *timeline = &graph->timeline;
    uint32_t count = 0;

    *waiting = (struct waiting){.is_wait = waiting_frames(graph, arena)};
    for (event_id i = 0; i < timeline->count; i++)
        count += waiting->is_wait[timeline->frame[i]];
    waiting->host = arena_array(arena, count, sizeof(*waiting->host));
    waiting->stream = arena_array(arena, count, sizeof(*waiting->stream));
    for (uint32_t t = 0; t < timeline->track_count; t++) {
        const struct track *track = &timeline->tracks[t];

        for (event_id i = track->first; i < track->first + track->count; i++) {
            if (!waiting->is_wait[timeline->frame[i]])
                continue;
            if (track->kind == TRACK_THREAD)
                waiting->host[waiting->host_count++] = i;
            else if (track->kind == TRACK_STREAM)
                add_stream_row(timeline, track, i, waiting);
        }
    }
}

event_id waiting_before(const struct graph *graph, const struct waiting *waiting, event_id event)
{
    const struct track *track = &graph->timeline.tracks[track_of_event(&graph->timeline, event)];
    uint32_t low = 0, high = waiting->host_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (waiting->host[middle] < event)
            low = middle + 1;
        else
            high = middle;
    }
    return low && waiting->host[low - 1] >= track->first ? waiting->host[low - 1] : NO_EVENT;
}

event_id waiting_of_stream(const struct graph *graph, const struct waiting *waiting, uint32_t track,
                           int64_t after, int64_t until)
{
    const struct timeline *timeline = &graph->timeline;
    uint32_t low = idmap_find(&waiting->rows_of, stream_key(&timeline->tracks[track]));
    uint32_t high = low;
    const struct track *rows;

    if (low == IDMAP_NONE)
        return NO_EVENT;
    rows = &timeline->tracks[track_of_event(timeline, waiting->stream[low])];
    for (high = waiting->stream_count;
         low < high;) { /* the first past the track, or past `until` */
        uint32_t middle = low + (high - low) / 2;
        event_id row = waiting->stream[middle];

        if (row < rows->first + rows->count && timeline->start[row] <= until)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || waiting->stream[low - 1] < rows->first ||
        timeline->start[waiting->stream[low - 1]] <= after)
        return NO_EVENT;
    return waiting->stream[low - 1];
}

void waiting_free(struct waiting *waiting)
{
    idmap_free(&waiting->rows_of);
}
