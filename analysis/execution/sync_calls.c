#include "analysis/execution/sync_calls.h"

#include "base/checked.h"
#include "base/memory/search.h"
#include "graph/classify/frame_class.h"

/* How long the calls of a function took, and how long of that their own copies ran to the end. */
struct copying {
    int64_t all, own;
};

static void sum_copying(const struct graph *graph, struct copying *of_frame)
{
    const struct timeline *t = &graph->timeline;

    for (event_id e = 0; e < t->count; e++) {
        struct copying *copying = &of_frame[t->frame[e]];
        event_id call = t->launch ? t->launch[e] : NO_EVENT;

        copying->all = checked_add(copying->all, t->duration[e]);
        if (call == NO_EVENT || graph_frame(graph, t->frame[e])->kind != KIND_MEMCPY ||
            t->start[e] < t->start[call] || event_end(t, e) > event_end(t, call))
            continue;
        copying = &of_frame[t->frame[call]];
        copying->own = checked_add(copying->own, t->duration[e]);
    }
}

/* Copies of pageable memory block, whatever the function is called: most of its time is that of
 * copies that end before it returns. */
bool *waiting_frames(const struct graph *graph, struct arena *arena)
{
    bool *is_wait = arena_array(arena, graph->frames.count, sizeof(*is_wait));
    struct copying *copying = arena_array(arena, graph->frames.count, sizeof(*copying));

    sum_copying(graph, copying);
    for (frame_id i = 0; i < graph->frames.count; i++)
        is_wait[i] = graph_class(graph, i).is_wait ||
                     (graph_frame(graph, i)->kind == KIND_RUNTIME && copying[i].own > 0 &&
                      copying[i].own >= copying[i].all / 2);
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

    SEARCH(uint32_t, at, waiting->host_count, waiting->host[at] < event);
    return at && waiting->host[at - 1] >= track->first ? waiting->host[at - 1] : NO_EVENT;
}

struct stream_waits waiting_of_stream(const struct graph *graph, const struct waiting *waiting,
                                      uint32_t track, int64_t after, int64_t until)
{
    const struct timeline *timeline = &graph->timeline;
    uint32_t first = idmap_find(&waiting->rows_of, stream_key(&timeline->tracks[track])), last;
    const struct track *rows;
    const event_id *list;

    if (first == IDMAP_NONE)
        return (struct stream_waits){0};
    list = waiting->stream + first;
    rows = &timeline->tracks[track_of_event(timeline, *list)];
    last = rows->first + rows->count - 1;

    SEARCH(uint32_t, past, waiting->stream_count - first,
           list[past] <= last && timeline->start[list[past]] <= until);
    SEARCH(uint32_t, from, past, timeline->start[list[from]] <= after);
    return (struct stream_waits){list + from, past - from};
}

void waiting_free(struct waiting *waiting)
{
    idmap_free(&waiting->rows_of);
}
