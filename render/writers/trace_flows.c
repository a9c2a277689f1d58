#include "render/writers/trace_flows.h"

#include <inttypes.h>

#include "graph/model/flow_places.h"
#include "render/writers/trace_rows.h"

struct arrow_end {
    const struct track *track; /* its first lane */
    struct flow_place place;
};

static bool is_place_found(const struct timeline *timeline, event_id event, int64_t earliest,
                           struct arrow_end *end)
{
    uint32_t at = track_of_event(timeline, event), first = at - timeline->tracks[at].lane;
    uint32_t past = at + 1;

    while (past < timeline->track_count && timeline->tracks[past].lane)
        past++;
    end->track = &timeline->tracks[first];
    if (end->track->kind != TRACK_THREAD && end->track->kind != TRACK_STREAM)
        return false; /* arrows lead to threads */
    return flow_place_of(timeline, end->track, past - first, event, earliest, &end->place);
}

/* Kineto's category says that a correlation tells the same, and need not be looked at. */
static void write_end(const struct graph *graph, const struct arrow_end *end, bool is_start,
                      bool is_correlated, event_id flow, FILE *out)
{
    const char *name = is_correlated ? "ac2g" : "flow";
    int64_t time = end->place.time;
    uint64_t size = time < 0 ? 0 - (uint64_t)time : (uint64_t)time;

    fprintf(out,
            ",\n{\"ph\":\"%s\",\"pid\":%" PRId64 ",\"tid\":%" PRId64
            ",\"cat\":\"%s\",\"name\":\"%s\",\"id\":%" PRIu32 ",\"ts\":%s%" PRIu64 ".%03u%s}",
            is_start ? "s" : "f", trace_process(end->track), trace_thread(graph, end->track), name,
            name, flow, time < 0 ? "-" : "", size / 1000, (unsigned)(size % 1000),
            is_start || end->place.is_next ? "" : ",\"bp\":\"e\"");
}

void trace_flows_write(const struct trace_args *args, struct writing *writing)
{
    const struct timeline *timeline = &writing->graph->timeline;
    uint64_t lost = 0;

    for (event_id event = 0; timeline->launch && event < timeline->count; event++) {
        event_id launch = timeline->launch[event];
        struct arrow_end from, to;
        bool is_correlated;

        if (launch == NO_EVENT)
            continue;
        is_correlated = trace_args_correlate(args, event);
        if (!is_place_found(timeline, launch, INT64_MIN, &from) || from.place.is_next ||
            !is_place_found(timeline, event, from.place.time, &to)) {
            lost++;
            continue;
        }
        write_end(writing->graph, &from, true, is_correlated, event, writing->out);
        write_end(writing->graph, &to, false, is_correlated, event, writing->out);
    }
    warning_count_many(writing->warnings, WARNING_NOTE, "links that no arrow can show", lost);
}
