/* SPDX-License-Identifier: Apache-2.0 */
/* perfetto_slices.c — begins and ends, in time's order, as events of tracks */
#include <stdlib.h>

#include "parsers/perfetto/perfetto.h"

enum { DEPTH_MAX = 512 }; /* as the format's own reader has it */

struct open_slice {
    uint32_t event;     /* of the file */
    int64_t start, end; /* end: UNKNOWN until it comes */
};

/* What is open on the row at hand, the innermost last. */
struct open_slices {
    struct open_slice list[DEPTH_MAX];
    size_t depth, complete; /* those of them whose end is known */
    uint32_t state;         /* the event that says in which state the row is; NO_EVENT */
};

struct giving {
    struct perfetto *perfetto;
    struct timeline_builder *timeline;
    struct open_slices open;
    struct idmap category_of; /* category → enum frame_kind, and enum row_role above it */
    struct idmap frame_of[2]; /* (name, category) → frame, on the host and on a device */
    int64_t end;
    uint64_t unknown_times, unended, unbegun, crossing, too_deep, cut;
    bool has_threads, has_slices;
};

/* ---- what an event is ---- */

/* The first of an event's categories that says something. */
static struct event_category category_of(struct giving *giving, str_id category)
{
    uint32_t *known = idmap_at(&giving->category_of, category);
    struct event_category found = {KIND_HOST, ROW_THREAD, false};

    if (*known == IDMAP_NONE) {
        struct span rest = builder_text(giving->perfetto->builder, category);

        while (rest.len && found.kind == KIND_HOST && found.row == ROW_THREAD)
            found = event_category_named(span_split(&rest, ','));
        *known = (uint32_t)found.kind | (uint32_t)found.row << 8;
    }
    return (struct event_category){(enum frame_kind)(*known & 0xff), (enum row_role)(*known >> 8),
                                   false};
}

static bool is_on_device(enum row_role role)
{
    return role == ROW_STREAM || role == ROW_RANGES || role == ROW_SYNC;
}

static enum row_role role_of(const struct giving *giving, const struct perfetto_event *event,
                             struct event_category category)
{
    const struct perfetto_row *row = &giving->perfetto->rows.list[event->row];

    if (event->type == PERFETTO_INSTANT)
        return ROW_POINTS;
    if (is_on_device(category.row))
        return category.row;
    if (row->is_processor) /* threads' own slices have that time already */
        return giving->has_slices ? ROW_RANGES : ROW_THREAD;
    if (event->type == PERFETTO_STATE)
        return ROW_ASYNC;
    if (perfetto_is_device(giving->perfetto, event->row))
        return ROW_STREAM;
    if (row->is_operation || (giving->has_threads && perfetto_is_operations(giving->perfetto, row)))
        return ROW_ASYNC;
    return ROW_THREAD;
}

/* By its category; where that says nothing by its name, and where it ran. */
static frame_id frame_of(struct giving *giving, const struct perfetto_event *event,
                         enum row_role role, struct event_category category)
{
    struct builder *builder = giving->perfetto->builder;
    uint32_t *known =
        idmap_at(&giving->frame_of[role == ROW_STREAM], idmap_pair(event->name, event->category));
    struct frame frame = {.name = event->name, .kind = category.kind};
    struct span name = builder_text(builder, event->name);

    if (*known != IDMAP_NONE)
        return *known;
    if (frame.kind == KIND_HOST && role == ROW_STREAM)
        frame.kind = copy_direction_of_name(name) != COPY_UNKNOWN ? KIND_MEMCPY : KIND_KERNEL;
    else if (frame.kind == KIND_HOST && is_runtime_call(name))
        frame.kind = KIND_RUNTIME;
    return *known = builder_frame(builder, &frame);
}

static void give_event(struct giving *giving, uint32_t at)
{
    struct perfetto *perfetto = giving->perfetto;
    struct perfetto_event *event = &perfetto->events.list[at];
    struct event_category category = category_of(giving, event->category);
    enum row_role role = role_of(giving, event, category);

    event->made = builder_event(giving->timeline, perfetto_track(perfetto, event->row, role),
                                event->time, 0, frame_of(giving, event, role, category));
    builder_category(giving->timeline, builder_category_number(giving->timeline, event->category));
    if (role == ROW_ASYNC)
        builder_set_operation(giving->timeline, event->made, (int64_t)event->row + 1);
}

/* ---- slices ---- */

static void end_slice(struct giving *giving, const struct open_slice *slice, int64_t end)
{
    builder_set_duration(giving->timeline, giving->perfetto->events.list[slice->event].made,
                         end - slice->start);
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

static void begin_slice(struct giving *giving, uint32_t at)
{
    struct perfetto_event *event = &giving->perfetto->events.list[at];
    struct open_slices *open = &giving->open;
    bool is_complete = event->type == PERFETTO_COMPLETE;
    struct open_slice slice = {at, event->time, UNKNOWN};

    if (!leave_ended(giving, event->time, is_complete ? event->duration : UNKNOWN)) {
        giving->crossing++;
        return;
    }
    if (open->depth == DEPTH_MAX) {
        giving->too_deep++;
        return;
    }
    give_event(giving, at);
    if (is_complete) {
        slice.end = checked_add(event->time, event->duration);
        end_slice(giving, &slice, slice.end);
        open->complete++;
    }
    open->list[open->depth++] = slice;
}

/* An end is of the innermost open slice of its name and category, if it says those. */
static void close_slice(struct giving *giving, uint32_t at)
{
    struct perfetto_event *ending = &giving->perfetto->events.list[at];
    struct open_slices *open = &giving->open;

    (void)leave_ended(giving, ending->time, UNKNOWN);
    for (size_t i = open->depth; i-- > 0;) {
        const struct perfetto_event *event = &giving->perfetto->events.list[open->list[i].event];

        if (open->list[i].end != UNKNOWN ||
            (ending->category && ending->category != event->category) ||
            (ending->name && event->name && ending->name != event->name))
            continue;
        ending->made = event->made;
        ending->duration = event->time; /* an arrow from an end is from the slice */
        end_slice(giving, &open->list[i], ending->time);
        if (i + 1 == open->depth)
            remove_slice(open, i);
        else { /* inner ones stay open in it, for as long as they are */
            open->list[i].end = ending->time;
            open->complete++;
        }
        return;
    }
    giving->unbegun++;
}

static void change_state(struct giving *giving, uint32_t at)
{
    struct perfetto_event *event = &giving->perfetto->events.list[at];
    struct open_slice before = {giving->open.state, 0, 0};

    if (before.event != NO_EVENT) {
        before.start = giving->perfetto->events.list[before.event].time;
        end_slice(giving, &before, event->time);
    }
    giving->open.state = event->name ? at : NO_EVENT;
    if (event->name)
        give_event(giving, at);
}

/* What is open at the end of the trace has lasted until then. */
static void close_row(struct giving *giving)
{
    struct open_slices *open = &giving->open;

    for (size_t i = 0; i < open->depth; i++)
        if (open->list[i].end == UNKNOWN) {
            giving->unended++;
            end_slice(giving, &open->list[i], giving->end);
        }
    if (open->state != NO_EVENT)
        end_slice(
            giving,
            &(struct open_slice){open->state, giving->perfetto->events.list[open->state].time, 0},
            giving->end);
    open->depth = open->complete = 0;
    open->state = NO_EVENT;
}

/* ---- order ---- */

static bool is_before(const void *context, uint32_t a, uint32_t b)
{
    const struct perfetto_event *events = context;

    return events[a].time < events[b].time;
}

/* The events of the file row by row, and there by time: they come in about that order. */
static uint32_t *order_events(const struct perfetto *perfetto)
{
    size_t count = perfetto->events.count, rows = perfetto->rows.count;
    uint32_t *order = grow_to(NULL, count + 1, sizeof(*order));
    size_t *next = grow_zeroed(rows + 1, sizeof(*next)), at = 0;

    for (size_t i = 0; i < count; i++)
        next[perfetto->events.list[i].row + 1]++;
    for (size_t i = 0; i < rows; i++)
        next[i + 1] += next[i];
    for (size_t i = 0; i < count; i++)
        order[next[perfetto->events.list[i].row]++] = (uint32_t)i;
    for (size_t i = 0; i < rows; at = next[i++])
        sort_stable(order + at, next[i] - at, is_before, perfetto->events.list);
    free(next);
    return order;
}

static void give_slices(struct giving *giving)
{
    struct perfetto *perfetto = giving->perfetto;
    uint32_t *order = order_events(perfetto);

    giving->open.state = NO_EVENT;
    for (size_t i = 0; i < perfetto->events.count; i++) {
        const struct perfetto_event *event = &perfetto->events.list[order[i]];

        if (i && event->row != perfetto->events.list[order[i - 1]].row)
            close_row(giving);
        if (event->time == UNKNOWN)
            continue;
        if (event->type == PERFETTO_BEGIN || event->type == PERFETTO_COMPLETE)
            begin_slice(giving, order[i]);
        else if (event->type == PERFETTO_END)
            close_slice(giving, order[i]);
        else if (event->type == PERFETTO_STATE)
            change_state(giving, order[i]);
        else
            give_event(giving, order[i]);
    }
    close_row(giving);
    free(order);
}

/* ---- what events say besides ---- */

struct flow_ordering {
    const struct perfetto_flow *flows;
    const struct perfetto_event *events;
};

static bool flow_is_before(const void *context, uint32_t a, uint32_t b)
{
    const struct flow_ordering *ordering = context;
    const struct perfetto_flow *left = &ordering->flows[a], *right = &ordering->flows[b];

    return left->id != right->id
               ? left->id < right->id
               : ordering->events[left->event].time < ordering->events[right->event].time;
}

/* The points of one id follow each other by time; behind its last the id begins anew. */
static void give_flows(struct giving *giving)
{
    const struct perfetto *perfetto = giving->perfetto;
    struct flow_ordering ordering = {perfetto->flows.list, perfetto->events.list};
    uint32_t *order = sorted_order(perfetto->flows.count, flow_is_before, &ordering);
    bool is_start = true;

    for (size_t i = 0; i < perfetto->flows.count; i++) {
        const struct perfetto_flow *flow = &perfetto->flows.list[order[i]];
        const struct perfetto_event *event = &perfetto->events.list[flow->event];

        is_start |= i == 0 || perfetto->flows.list[order[i - 1]].id != flow->id;
        if (event->made == NO_EVENT)
            continue;
        builder_flow(giving->timeline,
                     &(struct flow_point){.flow = flow->id,
                                          .time = event->type == PERFETTO_END ? event->duration
                                                                              : event->time,
                                          .event = event->made,
                                          .is_of_event = true,
                                          .is_start = is_start});
        is_start = flow->is_last;
    }
    free(order);
}

static void give_arguments(struct giving *giving)
{
    struct perfetto *perfetto = giving->perfetto;

    for (size_t i = 0; i < perfetto->arguments.count; i++) {
        const struct perfetto_argument *argument = &perfetto->arguments.list[i];
        const struct perfetto_event *event = &perfetto->events.list[argument->event];
        struct event_category category = category_of(giving, event->category);

        if (event->made == NO_EVENT)
            continue;
        if (argument->property == PROP_CORRELATION && argument->value) {
            if (is_on_device(role_of(giving, event, category)))
                builder_launched(giving->timeline, event->made, argument->value);
            else
                builder_launches(giving->timeline, event->made, argument->value);
        }
        builder_property(giving->timeline, event->made, argument->property, argument->value);
    }
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

static void find_times(struct giving *giving)
{
    struct perfetto *perfetto = giving->perfetto;

    for (size_t i = 0; i < perfetto->events.count; i++) {
        struct perfetto_event *event = &perfetto->events.list[i];

        event->time = perfetto_trace_time(&perfetto->clocks, event->clock, event->time);
        giving->unknown_times += event->time == UNKNOWN;
        giving->end = event->time > giving->end ? event->time : giving->end;
        giving->has_threads |= perfetto->rows.list[event->row].is_thread;
    }
    for (size_t i = 0; i < perfetto->counts.count; i++) {
        struct perfetto_count *count = &perfetto->counts.list[i];

        count->time = perfetto_trace_time(&perfetto->clocks, count->clock, count->time);
        giving->end = count->time > giving->end ? count->time : giving->end;
    }
}

void perfetto_give_events(struct perfetto *perfetto)
{
    struct giving *giving = grow_zeroed(1, sizeof(*giving));
    struct warnings *warnings = builder_warnings(perfetto->builder);

    giving->perfetto = perfetto;
    giving->timeline = builder_timeline(perfetto->builder);
    giving->end = INT64_MIN;
    giving->has_slices = perfetto->events.count > 0;
    for (size_t i = 0; i < perfetto->switches.count; i++)
        if ((uint64_t)perfetto->switches.list[i].time >= perfetto->switches_from)
            vector_add(&perfetto->events, perfetto->switches.list[i]);
        else
            warning_count_many(warnings, WARNING_NOTE,
                               "switches before all processors have something, left out", 1);
    find_times(giving);
    give_slices(giving);
    give_flows(giving);
    give_arguments(giving);
    give_counts(giving);
    warning_count_many(warnings, WARNING_LOSS,
                       "events of clocks that no snapshot ties to the trace's, or of impossible "
                       "times, left out",
                       giving->unknown_times);
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
    idmap_free(&giving->category_of);
    for (size_t i = 0; i < COUNT_OF(giving->frame_of); i++)
        idmap_free(&giving->frame_of[i]);
    free(giving);
}
