#include <stdlib.h>

#include "base/checked.h"
#include "base/grow.h"
#include "graph/derive/derive.h"

/* One function's row while the timeline is swept. */
struct row {
    int64_t calls, outermost, self, cum, min, max;
    uint32_t open;     /* how often it is on the stack */
    uint32_t function; /* index + 1; 0: not met yet */
};

struct open_event {
    frame_id frame;
    int64_t end;
};

struct sweep {
    const struct timeline *timeline;
    struct row *rows; /* by frame */
    struct functions *functions;
    struct open_event *open;
    size_t depth, cap;
};

static void enter(struct sweep *sweep, event_id event, bool has_time)
{
    int64_t duration = sweep->timeline->duration[event];
    frame_id frame = sweep->timeline->frame[event];
    struct row *row = &sweep->rows[frame];

    if (!row->function) {
        row->function = functions_add(sweep->functions, frame) + 1;
        row->min = INT64_MAX;
        row->max = INT64_MIN;
    }
    row->calls++;
    row->min = duration < row->min ? duration : row->min;
    row->max = duration > row->max ? duration : row->max;
    if (row->open++ == 0) {
        row->outermost++;
        row->cum = checked_add(row->cum, has_time ? duration : 0);
    }
    if (has_time) {
        row->self = checked_add(row->self, duration);
        if (sweep->depth) {
            int64_t *around = &sweep->rows[sweep->open[sweep->depth - 1].frame].self;

            *around = checked_sub(*around, duration);
        }
    }
    sweep->open = grow_one(sweep->open, sweep->depth, &sweep->cap, sizeof(*sweep->open));
    sweep->open[sweep->depth++] =
        (struct open_event){frame, sweep->timeline->start[event] + duration};
}

static void sweep_track(struct sweep *sweep, const struct track *track)
{
    for (event_id event = track->first; event < track->first + track->count; event++) {
        while (sweep->depth && sweep->open[sweep->depth - 1].end <= sweep->timeline->start[event])
            sweep->rows[sweep->open[--sweep->depth].frame].open--;
        enter(sweep, event, track->kind != TRACK_TOTALS);
    }
    while (sweep->depth)
        sweep->rows[sweep->open[--sweep->depth].frame].open--;
}

static void fill_functions(const struct row *rows, struct functions *f)
{
    f->min = grow_to(NULL, (size_t)f->count + 1, sizeof(*f->min));
    f->max = grow_to(NULL, (size_t)f->count + 1, sizeof(*f->max));
    for (uint32_t i = 0; i < f->count; i++) {
        const struct row *row = &rows[f->frame[i]];

        f->calls[i] = row->calls;
        f->primitive_calls[i] = row->outermost;
        f->self[i] = row->self;
        f->cum[i] = row->cum;
        f->min[i] = row->min;
        f->max[i] = row->max;
    }
    f->listed = f->count;
}

void derive_flat(struct graph *graph)
{
    struct sweep sweep = {.timeline = &graph->timeline, .functions = &graph->functions};

    sweep.rows = grow_zeroed(graph->frames.count, sizeof(*sweep.rows));
    for (uint32_t i = 0; i < graph->timeline.track_count; i++)
        if (derive_wants(graph, &graph->timeline.tracks[i]))
            sweep_track(&sweep, &graph->timeline.tracks[i]);
    fill_functions(sweep.rows, &graph->functions);
    graph->has[LEVEL_FLAT] = true;
    free(sweep.rows);
    free(sweep.open);
}
