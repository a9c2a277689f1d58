/* SPDX-License-Identifier: Apache-2.0 */
/* perfetto_slices.c — begins and ends, in time's order, as events of tracks */
#include <stdlib.h>

#include "parsers/perfetto/perfetto.h"

enum { DEPTH_MAX = 512 }; /* as the format's own reader has it */

struct open_slice {
    uint32_t made; /* the builder's event */
    str_id name, category;
    int64_t start, end; /* end: UNKNOWN until it comes */
};

/* What is open on the row at hand, the innermost last. */
struct open_slices {
    struct open_slice list[DEPTH_MAX];
    size_t depth, complete;  /* those of them whose end is known */
    struct open_slice state; /* in which the row is; made: NO_EVENT for none */
};

/* What is decided once of all events of a kind. */
struct kind_shown {
    struct event_category category;
    bool is_known;
    frame_id frame[2]; /* on the host and on a device; 0: not asked for yet */
};

struct giving {
    struct perfetto *perfetto;
    struct timeline_builder *timeline;
    struct kind_shown *kinds;
    struct perfetto_walk walk;     /* of the row at hand, */
    bool is_device, is_operations; /* which is this */
    struct open_slices open;
    uint32_t made; /* what became of the event at hand */
    struct perfetto_times times;
    uint64_t unended, unbegun, crossing, too_deep, cut;
    bool has_threads, has_slices;
};

/* ---- what an event is ---- */

/* The first of an event's categories that says something. */
static struct event_category category_of(struct giving *giving, uint32_t kind)
{
    struct kind_shown *shown = &giving->kinds[kind];
    struct event_category found = {KIND_HOST, ROW_THREAD, false};

    if (!shown->is_known) {
        struct span rest =
            builder_text(giving->perfetto->builder, giving->perfetto->kinds.list[kind].category);

        while (rest.len && found.kind == KIND_HOST && found.row == ROW_THREAD)
            found = event_category_named(span_split(&rest, ','));
        found.is_by_row = false;
        *shown = (struct kind_shown){.category = found, .is_known = true};
    }
    return shown->category;
}

static bool is_on_device(enum row_role role)
{
    return role == ROW_STREAM || role == ROW_RANGES || role == ROW_SYNC;
}

static void begin_row(struct giving *giving, uint32_t row)
{
    struct perfetto *perfetto = giving->perfetto;

    giving->is_device = perfetto_is_device(perfetto, row);
    giving->is_operations =
        perfetto->rows.list[row].is_operation ||
        (giving->has_threads && perfetto_is_operations(perfetto, &perfetto->rows.list[row]));
}

/* Of the row at hand. */
static enum row_role role_of(const struct giving *giving, uint32_t row,
                             enum perfetto_event_type type, struct event_category category)
{
    if (type == PERFETTO_INSTANT)
        return ROW_POINTS;
    if (is_on_device(category.row))
        return category.row;
    if (giving->perfetto->rows.list[row]
            .is_processor) /* threads' own slices have that time already */
        return giving->has_slices ? ROW_RANGES : ROW_THREAD;
    if (type == PERFETTO_STATE)
        return ROW_ASYNC;
    if (giving->is_device)
        return ROW_STREAM;
    return giving->is_operations ? ROW_ASYNC : ROW_THREAD;
}

/* By its category; where that says nothing by its name, and where it ran. */
static frame_id frame_of(struct giving *giving, enum row_role role, struct event_category category)
{
    struct builder *builder = giving->perfetto->builder;
    frame_id *known = &giving->kinds[giving->walk.kind].frame[role == ROW_STREAM];
    struct frame frame = {.name = giving->perfetto->kinds.list[giving->walk.kind].name,
                          .kind = category.kind};
    struct span name;

    if (*known)
        return *known;
    name = builder_text(builder, frame.name);
    if (frame.kind == KIND_HOST && role == ROW_STREAM)
        frame.kind = copy_direction_of_name(name) != COPY_UNKNOWN ? KIND_MEMCPY : KIND_KERNEL;
    else if (frame.kind == KIND_HOST && is_runtime_call(name))
        frame.kind = KIND_RUNTIME;
    return *known = builder_frame(builder, &frame);
}

/* What became of the event at hand. */
static void note_made(struct giving *giving, uint32_t made)
{
    giving->made = made;
    if (giving->walk.row->made)
        giving->walk.row->made[giving->walk.number] = made;
}

static uint32_t give_event(struct giving *giving, const struct perfetto_event *event)
{
    struct perfetto *perfetto = giving->perfetto;
    struct event_category category = category_of(giving, giving->walk.kind);
    enum row_role role = role_of(giving, event->row, event->type, category);
    uint32_t made = builder_event(giving->timeline, perfetto_track(perfetto, event->row, role),
                                  event->time, 0, frame_of(giving, role, category));

    builder_category(giving->timeline, builder_category_number(giving->timeline, event->category));
    if (role == ROW_ASYNC)
        builder_set_operation(giving->timeline, made, (int64_t)event->row + 1);
    note_made(giving, made);
    return made;
}

/* ---- slices ---- */

static void end_slice(struct giving *giving, const struct open_slice *slice, int64_t end)
{
    builder_set_duration(giving->timeline, slice->made, end - slice->start);
}

static void remove_slice(struct open_slices *open, size_t at)
{
    open->complete -= open->list[at].end != UNKNOWN;
    memmove(&open->list[at], &open->list[at + 1], (--open->depth - at) * sizeof(open->list[0]));
}

/* What ended by `time` is no longer open. False for a complete slice of that duration (else UNKNOWN)
 * which would outlive one that it begins in. */
static bool leave_ended(struct giving *giving, int64_t time, int64_t duration)
{
    struct open_slices *open = &giving->open;
    bool has_open_child = false;

    for (size_t i = open->depth; open->complete && i-- > 0;) {
        struct open_slice *slice = &open->list[i];
        bool is_point = slice->end == slice->start && duration == 0;

        if (slice->end == UNKNOWN) {
            has_open_child = true;
        } else if (has_open_child) {
            if (time <= slice->end)
                continue;
            giving->cut += open->depth - i - 1; /* those inside that never ended end with it */
            while (open->depth > i + 1) {
                const struct open_slice *inner = &open->list[open->depth - 1];

                if (inner->end == UNKNOWN)
                    end_slice(giving, inner, slice->end > inner->start ? slice->end : inner->start);
                remove_slice(open, open->depth - 1);
            }
            remove_slice(open, i);
            has_open_child = false;
        } else if (slice->end < time || (slice->end == time && !is_point)) {
            remove_slice(open, i);
        } else if (duration != UNKNOWN && slice->start <= time && time < slice->end &&
                   slice->end < checked_add(time, duration)) {
            return false;
        }
    }
    return true;
}

static void begin_slice(struct giving *giving, const struct perfetto_event *event)
{
    struct open_slices *open = &giving->open;
    bool is_complete = event->type == PERFETTO_COMPLETE;
    struct open_slice slice = {0, event->name, event->category, event->time, UNKNOWN};

    if (!leave_ended(giving, event->time, is_complete ? event->duration : UNKNOWN)) {
        giving->crossing++;
        return;
    }
    if (open->depth == DEPTH_MAX) {
        giving->too_deep++;
        return;
    }
    slice.made = give_event(giving, event);
    if (is_complete) {
        slice.end = checked_add(event->time, event->duration);
        end_slice(giving, &slice, slice.end);
        open->complete++;
    }
    open->list[open->depth++] = slice;
}

/* An end is of the innermost open slice of its name and category, if it says those. */
static void close_slice(struct giving *giving, const struct perfetto_event *ending)
{
    struct open_slices *open = &giving->open;

    (void)leave_ended(giving, ending->time, UNKNOWN);
    for (size_t i = open->depth; i-- > 0;) {
        struct open_slice *slice = &open->list[i];

        if (slice->end != UNKNOWN || (ending->category && ending->category != slice->category) ||
            (ending->name && slice->name && ending->name != slice->name))
            continue;
        note_made(giving, slice->made); /* what an end says is of the slice */
        end_slice(giving, slice, ending->time);
        if (i + 1 == open->depth)
            remove_slice(open, i);
        else { /* inner ones stay open in it, for as long as they are */
            slice->end = ending->time;
            open->complete++;
        }
        return;
    }
    giving->unbegun++;
}

static void end_state(struct giving *giving, int64_t time)
{
    if (giving->open.state.made != NO_EVENT)
        end_slice(giving, &giving->open.state, time);
    giving->open.state.made = NO_EVENT;
}

static void change_state(struct giving *giving, const struct perfetto_event *event)
{
    end_state(giving, event->time);
    if (event->name)
        giving->open.state =
            (struct open_slice){.made = give_event(giving, event), .start = event->time};
}

/* What is open at the end of the trace has lasted until then. */
static void close_row(struct giving *giving)
{
    struct open_slices *open = &giving->open;

    for (size_t i = 0; i < open->depth; i++)
        if (open->list[i].end == UNKNOWN) {
            giving->unended++;
            end_slice(giving, &open->list[i], giving->times.end);
        }
    end_state(giving, giving->times.end);
    open->depth = open->complete = 0;
}

/* What the event at hand says besides, of what it became. */
static void give_arguments(struct giving *giving, const struct perfetto_event *event)
{
    for (const struct perfetto_argument *argument;
         (argument = perfetto_next_argument(&giving->walk));) {
        if (argument->property == PROP_CORRELATION && argument->value) {
            if (is_on_device(role_of(giving, event->row, event->type,
                                     category_of(giving, giving->walk.kind))))
                builder_launched(giving->timeline, giving->made, argument->value);
            else
                builder_launches(giving->timeline, giving->made, argument->value);
        }
        builder_property(giving->timeline, giving->made, argument->property, argument->value);
    }
}

static void give_row(struct giving *giving, uint32_t row, bool is_sorted)
{
    struct perfetto_row_events *events = &giving->perfetto->row_events.list[row];
    struct perfetto_event event;

    begin_row(giving, row);
    if (events->is_named) {
        events->made = grow_to(NULL, events->count, sizeof(*events->made));
        for (uint32_t i = 0; i < events->count; i++)
            events->made[i] = NO_EVENT;
    }
    perfetto_begin_walk(giving->perfetto, &giving->walk, events, is_sorted);
    while (perfetto_next_event(giving->perfetto, &giving->walk, &event)) {
        if (event.time == UNKNOWN)
            continue;
        giving->made = NO_EVENT;
        if (event.type == PERFETTO_BEGIN || event.type == PERFETTO_COMPLETE)
            begin_slice(giving, &event);
        else if (event.type == PERFETTO_END)
            close_slice(giving, &event);
        else if (event.type == PERFETTO_STATE)
            change_state(giving, &event);
        else
            (void)give_event(giving, &event);
        if (giving->made != NO_EVENT && giving->walk.arguments->count)
            give_arguments(giving, &event);
    }
    close_row(giving);
    perfetto_end_walk(&giving->walk);
}

/* ---- what events say besides ---- */

static bool flow_is_before(const void *context, uint32_t a, uint32_t b)
{
    const struct perfetto_flow *left = &((const struct perfetto_flow *)context)[a];
    const struct perfetto_flow *right = &((const struct perfetto_flow *)context)[b];

    return left->id != right->id ? left->id < right->id : left->time < right->time;
}

/* The points of one id follow each other by time; behind its last the id begins anew. */
static void give_flows(struct giving *giving)
{
    const struct perfetto *perfetto = giving->perfetto;
    uint32_t *order;
    bool is_start = true;

    for (size_t i = 0; i < perfetto->flows.count; i++)
        perfetto->flows.list[i].time = perfetto_trace_time(
            &perfetto->clocks, perfetto->flows.list[i].clock, perfetto->flows.list[i].time);
    order = sorted_order(perfetto->flows.count, flow_is_before, perfetto->flows.list);
    for (size_t i = 0; i < perfetto->flows.count; i++) {
        const struct perfetto_flow *flow = &perfetto->flows.list[order[i]];
        uint32_t event = perfetto->row_events.list[flow->event.row].made[flow->event.number];

        is_start |= i == 0 || perfetto->flows.list[order[i - 1]].id != flow->id;
        if (event == NO_EVENT)
            continue;
        builder_flow(giving->timeline,
                     &(struct flow_point){.flow = flow->id,
                                          .time = builder_event_start(giving->timeline, event),
                                          .event = event,
                                          .is_of_event = true,
                                          .is_start = is_start});
        is_start = flow->is_last;
    }
    free(order);
}

static void give_counts(struct giving *giving)
{
    struct perfetto *perfetto = giving->perfetto;
    struct idmap sum_of = {0};
    struct VECTOR_OF(double) sums = {0};

    for (size_t i = 0; i < perfetto->counts.count; i++) {
        const struct perfetto_count *count = &perfetto->counts.list[i];
        const struct perfetto_row *row = &perfetto->rows.list[count->row];
        double value = count->value * (double)row->multiplier;

        if (!row->is_counter) {
            warning_count_many(builder_warnings(perfetto->builder), WARNING_LOSS,
                               "counts on rows that are no counters, left out", 1);
            continue;
        }
        if (row->is_incremental) {
            uint32_t *sum = idmap_at(&sum_of, idmap_pair(count->generation, count->row));

            if (*sum == IDMAP_NONE) {
                *sum = (uint32_t)sums.count;
                vector_add(&sums, 0);
            }
            value = sums.list[*sum] += value;
        }
        if (count->time != UNKNOWN)
            builder_sample(giving->timeline, perfetto_series(perfetto, count->row), count->time,
                           value);
    }
    idmap_free(&sum_of);
    free(sums.list);
}

/* ---- the whole ---- */

/* Of all events and counts; returns by row whether its events are in order, the caller's to free. */
static bool *find_times(struct giving *giving)
{
    struct perfetto *perfetto = giving->perfetto;
    bool *is_sorted = grow_zeroed(perfetto->row_events.count + 1, sizeof(*is_sorted));

    for (size_t i = 0; i < perfetto->row_events.count; i++) {
        is_sorted[i] = perfetto_find_times(perfetto, &perfetto->row_events.list[i],
                                           &giving->times);
        giving->has_threads |=
            perfetto->row_events.list[i].count && perfetto->rows.list[i].is_thread;
    }
    for (size_t i = 0; i < perfetto->counts.count; i++) {
        struct perfetto_count *count = &perfetto->counts.list[i];

        count->time = perfetto_trace_time(&perfetto->clocks, count->clock, count->time);
        giving->times.end = count->time > giving->times.end ? count->time : giving->times.end;
    }
    return is_sorted;
}

void perfetto_give_events(struct perfetto *perfetto)
{
    struct giving *giving = grow_zeroed(1, sizeof(*giving));
    struct warnings *warnings = builder_warnings(perfetto->builder);
    bool *is_sorted;

    giving->perfetto = perfetto;
    giving->timeline = builder_timeline(perfetto->builder);
    giving->times.end = INT64_MIN;
    giving->open.state.made = NO_EVENT;
    giving->has_slices = perfetto->event_count > 0;
    for (size_t i = 0; i < perfetto->switches.count; i++)
        if ((uint64_t)perfetto->switches.list[i].time >= perfetto->switches_from)
            perfetto_add_event(perfetto, &perfetto->switches.list[i]);
        else
            warning_count_many(warnings, WARNING_NOTE,
                               "switches before all processors have something, left out", 1);
    giving->kinds = grow_zeroed(perfetto->kinds.count + 1, sizeof(*giving->kinds));
    is_sorted = find_times(giving);
    if (giving->times.begins < UINT32_MAX)
        builder_expect(giving->timeline, (uint32_t)giving->times.begins);
    for (uint32_t row = 0; row < perfetto->row_events.count; row++)
        if (perfetto->row_events.list[row].count)
            give_row(giving, row, is_sorted[row]);
    give_flows(giving);
    give_counts(giving);
    warning_count_many(warnings, WARNING_LOSS,
                       "events of clocks that no snapshot ties to the trace's, or of impossible "
                       "times, left out",
                       giving->times.unknown);
    warning_count_many(warnings, WARNING_NOTE,
                       "events that never end, shown until the end of the trace", giving->unended);
    warning_count_many(warnings, WARNING_NOTE, "ends of events that never began, left out",
                       giving->unbegun);
    warning_count_many(warnings, WARNING_LOSS,
                       "events that outlive the one that they begin in, left out",
                       giving->crossing);
    warning_count_many(warnings, WARNING_LOSS, "events inside more than 512 others, left out",
                       giving->too_deep);
    warning_count_many(warnings, WARNING_NOTE,
                       "events that outlive the one that they begin in, cut to its end",
                       giving->cut);
    free(is_sorted);
    free(giving->kinds);
    free(giving);
}
