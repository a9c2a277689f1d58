/* SPDX-License-Identifier: Apache-2.0 */
/* Takes the events of a trace one by one, by phase, and gives each to what keeps it. */
#include "parsers/chrome/chrome.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/checked.h"
#include "parsers/chrome/chrome_events.h"
#include "parsers/chrome/producers/producers.h"
#include "parsers/json/json.h"

#define WEEK ((int64_t)7 * 24 * 3600 * 1000000000)
#define YEAR_1973 ((int64_t)100000000 * 1000000000)

void sink_init(struct sink *sink, struct builder *builder)
{
    *sink = (struct sink){.builder = builder,
                          .timeline = builder_timeline(builder),
                          .producer = &producer_unannounced,
                          .clock = {.low = INT64_MIN, .high = INT64_MAX},
                          .first = INT64_MAX};
    classes_init(&sink->classes, builder_timeline(builder));
}

void sink_announce(struct sink *sink, const struct producer *producer)
{
    sink->producer = producer;
    builder_producer(sink->builder, "%s", producer->name);
}

static void sink_warn(struct sink *sink, enum severity severity, const char *text, uint64_t offset)
{
    warning_count(builder_warnings(sink->builder), severity, text, offset);
}

/* ---- the parts of an event ---- */

/* Some converters write nanoseconds since 1970 (Paddle's timeline.py, nvprof2json), which as the
 * format's microseconds would be in tens of thousands of years. */
static bool read_nanoseconds(struct sink *sink, const struct event *event, int64_t *start)
{
    if (!token_scaled(event->field[FIELD_TS], 0, start) || *start < YEAR_1973)
        return false;
    sink_warn(sink, WARNING_NOTE, "times of nanoseconds, not of the format's microseconds",
              event->offset);
    sink->rows.has_fractions = true;
    sink->time_scale = 0;
    return true;
}

/* Microseconds as text to ns; false, and counted, when there is no time to be had. Says in which
 * unit the event's duration is. */
static bool read_start(struct sink *sink, const struct event *event, int64_t *start)
{
    struct token ts = event->field[FIELD_TS];

    sink->time_scale = 3;
    if (!ts.at || !(token_scaled(ts, 3, start) || read_nanoseconds(sink, event, start))) {
        sink_warn(sink, WARNING_LOSS, "events without a time that can be read, left out",
                  event->offset);
        return false;
    }
    if (!time_is_possible(*start)) {
        sink_warn(sink, WARNING_LOSS, "events at no possible time, left out", event->offset);
        return false;
    }
    if (!sink->rows.has_fractions)
        sink->rows.has_fractions = memchr(ts.at, '.', ts.len) != NULL;
    if (sink->producer->start)
        *start = sink->producer->start(sink, event, *start);
    return true;
}

static bool read_duration(struct sink *sink, const struct event *event, int64_t *duration)
{
    struct token dur = event->field[FIELD_DUR];

    *duration = 0;
    if (!dur.at || token_is(dur, SPAN("null")))
        return true;
    if (!token_scaled(dur, sink->time_scale, duration)) {
        sink_warn(sink, WARNING_NOTE, "durations that are no numbers, shown as 0", event->offset);
        *duration = 0;
    }
    if (*duration > WEEK) {
        sink_warn(sink, WARNING_LOSS, "events of more than a week, left out", event->offset);
        return false;
    }
    return true;
}

/* By the thread's CPU clock: when it was there, or how long it ran. */
static bool read_cpu_clock(const struct sink *sink, struct token token, int64_t *ns)
{
    return token_scaled(token, sink->time_scale, ns) && *ns >= 0 && time_is_possible(*ns);
}

static const struct chrome_name *read_name(struct sink *sink, const struct event *event,
                                           enum frame_kind kind)
{
    struct token name = event->field[FIELD_NAME];

    if (sink->producer->plain_name && name.at)
        name = sink->producer->plain_name(name);
    if (kind == KIND_KERNEL && event->field[ARG_COLLECTIVE].at)
        kind = KIND_COMMUNICATION;
    return names_find(&sink->names, sink->builder, name, kind);
}

/* Arrows from calls to device work only repeat what correlations say, those that pair forward with
 * backward operators do not say what made them run, and those of the critical path are somebody's
 * conclusions. */
static bool is_telling(const struct sink *sink, const struct event *event)
{
    struct token cat = event->field[FIELD_CAT];

    return builder_wants_launches(sink->builder) &&
           !(sink->has_correlations &&
             (token_is(cat, SPAN("ac2g")) || token_is(cat, SPAN("async_cpu_to_gpu")))) &&
           !token_is(cat, SPAN("fwdbwd")) && !token_is(cat, SPAN("critical_path"));
}

/* An event may itself be a point of a flow. One that only takes it in leaves it to others too. */
static void bind(struct sink *sink, const struct event *event, uint32_t number, int64_t start)
{
    bool is_in = token_is(event->field[FIELD_FLOW_IN], SPAN("true"));
    bool is_out = token_is(event->field[FIELD_FLOW_OUT], SPAN("true"));

    if ((is_in || is_out) && is_telling(sink, event))
        flows_bind(&sink->flows, &(struct flow_point){.flow = id_binding(event),
                                                      .time = start,
                                                      .event = number,
                                                      .is_of_event = true,
                                                      .is_start = !is_in,
                                                      .is_branch = !is_out});
}

/* Adds an event with all that it says; returns its number. */
static uint32_t add_event(struct sink *sink, struct event *event, enum row_role role, int64_t start,
                          int64_t duration)
{
    const struct classified_event *classified =
        classify_event(&sink->places, &sink->rows, &sink->classes, sink->builder, event, role);
    const struct chrome_name *name = read_name(sink, event, classified->kind);
    struct chrome_row *row = &sink->rows.list[classified->row];
    uint32_t number = builder_event(sink->timeline, classified->row, start, duration, name->frame);

    if (start < sink->first)
        sink->first = start;
    if (checked_add(start, duration) > row->last_end)
        row->last_end = checked_add(start, duration);
    builder_category(sink->timeline, classified->category);
    if (name->step != NO_STEP && classified->role == ROW_THREAD)
        builder_property(sink->timeline, number, PROP_STEP, name->step);
    if (event->argument_count)
        arguments_add(sink->builder, &sink->text_cache, event, name, number);
    sink->has_correlations |= event->field[ARG_CORRELATION].at != NULL;
    if (name->kind == KIND_MEMCPY)
        copy_name_add(sink->builder, number, name->raw);
    if (classified->is_by_row && row->producer && row->producer->added)
        row->producer->added(sink, event,
                             &(struct added_event){number, classified->row, start, duration, 0, 0});
    if (event->field[FIELD_BIND_ID].at)
        bind(sink, event, number, start);
    return number;
}

/* ---- phases ---- */

static void add_cpu_time(struct sink *sink, const struct event *event, uint32_t number)
{
    int64_t time;

    builder_has_cpu_times(sink->builder);
    if (builder_wants(sink->builder, PROP_CPU_TIME) &&
        read_cpu_clock(sink, event->field[FIELD_TDUR], &time))
        builder_property(sink->timeline, number, PROP_CPU_TIME, time);
}

static void add_complete(struct sink *sink, struct event *event, char phase)
{
    const struct producer *producer = sink->producer;
    int64_t start, duration;
    uint32_t number;

    (void)phase;
    if (read_start(sink, event, &start) && read_duration(sink, event, &duration)) {
        number = add_event(sink, event, producer->role ? producer->role(event) : ROW_THREAD, start,
                           duration);
        if (event->field[FIELD_TDUR].at)
            add_cpu_time(sink, event, number);
    }
    if (is_profiler_range(event) && read_start(sink, event, &start))
        profiler_ranges_add(&sink->ranges, sink->builder, event, start);
}

static void add_instant(struct sink *sink, struct event *event, char phase)
{
    int64_t start;

    (void)phase;
    if (!read_start(sink, event, &start))
        return;
    if (sink->producer->is_stray && sink->producer->is_stray(event, start, sink->first)) {
        sink_warn(sink, WARNING_NOTE, "marks of the end of recording at no possible time, left out",
                  event->offset);
        return;
    }
    add_event(sink, event, ROW_POINTS, start, 0);
    v8_keep(&sink->v8, event);
}

/* The two clocks at one end of an event of a thread. */
static void add_mark(struct sink *sink, const struct event *event, const struct mark *mark)
{
    int64_t time;

    if (mark->group == mark->row && event->field[FIELD_TTS].at) {
        builder_has_cpu_times(sink->builder);
        if (builder_wants(sink->builder, PROP_CPU_TIME) &&
            read_cpu_clock(sink, event->field[FIELD_TTS], &time))
            property_append(&sink->marks.cpu, (uint32_t)sink->marks.count, time);
    }
    marks_add(&sink->marks, mark);
}

static void begin_event(struct sink *sink, struct event *event, enum row_role role, uint64_t group)
{
    struct mark mark = {.group = group};
    const struct classified_event *classified = &sink->places.of_shape[event->shape].classified;

    if (!read_start(sink, event, &mark.time))
        return;
    mark.event = add_event(sink, event, role, mark.time, 0);
    mark.row = classified->row;
    if (role == ROW_THREAD) {
        mark.group = mark.row;
    } else {
        mark.name = read_name(sink, event, classified->kind)->hash;
        builder_set_operation(sink->timeline, mark.event, (int64_t)group);
    }
    add_mark(sink, event, &mark);
}

static void end_event(struct sink *sink, struct event *event, enum row_role role, uint64_t group)
{
    struct mark mark = {.group = group, .event = NO_EVENT};
    struct class *class;
    uint32_t index;

    if (!read_start(sink, event, &mark.time))
        return;
    mark.row = rows_find(&sink->rows, sink->builder, event->field[FIELD_PID],
                         event->field[FIELD_TID], role);
    if (role == ROW_THREAD) {
        mark.group = mark.row;
    } else {
        index = classes_find(&sink->classes, sink->builder, event->field[FIELD_CAT]);
        class = &sink->classes.list[index];
        class->events++;
        mark.name = read_name(sink, event, class->kind)->hash;
    }
    if (mark.time > sink->rows.list[mark.row].last_end)
        sink->rows.list[mark.row].last_end = mark.time;
    add_mark(sink, event, &mark);
}

static void add_half(struct sink *sink, struct event *event, char phase)
{
    (phase == 'B' ? begin_event : end_event)(sink, event, ROW_THREAD, 0);
}

/* 'S' and 'F' are the older form, in which a name is part of an id. */
static void add_operation_half(struct sink *sink, struct event *event, char phase)
{
    uint64_t group = id_group(event, phase == 'S' || phase == 'F');

    (phase == 'b' || phase == 'S' ? begin_event : end_event)(sink, event, ROW_ASYNC, group);
}

/* An end without "bp" means the next event: that is the older form. */
static void add_flow(struct sink *sink, struct event *event, char phase)
{
    struct flow_point point = {.is_start = phase == 's'};

    if (!is_telling(sink, event)) {
        event->is_unwanted = true;
        return;
    }
    if (!read_start(sink, event, &point.time))
        return;
    point.flow = id_group(event, true);
    point.is_next = phase == 'f' && !token_is(event->field[FIELD_BP], SPAN("e"));
    flows_add(&sink->flows, sink->builder, event, &point);
}

static void add_counter(struct sink *sink, struct event *event, char phase)
{
    int64_t time;

    (void)phase;
    if (read_start(sink, event, &time))
        counters_add(&sink->counters, sink->builder, event, time);
}

static void add_metadata(struct sink *sink, struct event *event, char phase)
{
    (void)phase;
    rows_name(&sink->rows, sink->builder, event->field[FIELD_NAME], event->field[FIELD_PID],
              event->field[FIELD_TID], event->field[FIELD_ARGS]);
}

static void add_sample(struct sink *sink, struct event *event, char phase)
{
    (void)phase;
    v8_keep(&sink->v8, event);
}

/* Such events are counted, and shown by info. */
static void leave_alone(struct sink *sink, struct event *event, char phase)
{
    (void)sink;
    (void)event;
    (void)phase;
}

void sink_event(struct sink *sink, struct event *event)
{
    /* clang-format off */
    static void (*const takers[COUNT_OF(sink->phases)])(struct sink *, struct event *, char) = {
        ['X'] = add_complete, ['B'] = add_half, ['E'] = add_half,
        ['b'] = add_operation_half, ['e'] = add_operation_half,
        ['S'] = add_operation_half, ['F'] = add_operation_half,
        ['i'] = add_instant, ['I'] = add_instant, ['R'] = add_instant, ['n'] = add_instant,
        ['T'] = add_instant, ['p'] = add_instant,
        ['C'] = add_counter, ['M'] = add_metadata, ['P'] = add_sample,
        ['s'] = add_flow, ['t'] = add_flow, ['f'] = add_flow,
        ['N'] = leave_alone, ['O'] = leave_alone, ['D'] = leave_alone, ['v'] = leave_alone,
        ['V'] = leave_alone, ['c'] = leave_alone, ['('] = leave_alone, [')'] = leave_alone,
    };
    /* clang-format on */
    struct span ph = token_raw_text(event->field[FIELD_PH]);
    unsigned char phase = ph.len ? (unsigned char)ph.at[0] : 0;

    if (!phase && event->set_count == 0)
        return; /* Paddle ends with an empty one */
    if (phase >= COUNT_OF(takers) || !takers[phase]) {
        sink->phases[phase < COUNT_OF(sink->phases) ? phase : 0]++;
        sink_warn(sink, WARNING_LOSS,
                  phase ? "events of an unknown phase, left out"
                        : "events without a phase, left out",
                  event->offset);
        return;
    }
    sink->phases[phase]++;
    takers[phase](sink, event, (char)phase);
}

/* ---- parts ---- */

void sink_init_part(struct sink *part, const struct sink *whole)
{
    sink_init(part, builder_part(whole->builder));
    part->producer = whole->producer;
    part->clock = whole->clock;
    part->first = whole->first;
}

void sink_absorb(struct sink *sink, struct sink *part)
{
    uint32_t first_event = builder_event_count(sink->timeline);
    str_id *texts = builder_absorb_texts(sink->builder, part->builder);
    uint32_t *row_of = rows_absorb(&sink->rows, sink->builder, &part->rows, texts);

    marks_absorb(&sink->marks, &part->marks, first_event, row_of);
    v8_absorb(&sink->v8, &part->v8);
    flows_absorb(&sink->flows, &part->flows, first_event, texts);
    profiler_ranges_absorb(&sink->ranges, &part->ranges, texts);
    classes_absorb(&sink->classes, sink->builder, &part->classes, texts);
    for (size_t i = 0; i < COUNT_OF(sink->phases); i++)
        sink->phases[i] += part->phases[i];
    if (part->first < sink->first)
        sink->first = part->first;
    if (part->clock.quantum > sink->clock.quantum)
        sink->clock.quantum = part->clock.quantum;
    builder_absorb(sink->builder, part->builder, texts, row_of);
    free(row_of);
    free(texts);
    sink_free(part);
}

void sink_abandon(struct sink *part)
{
    builder_abandon(part->builder);
    sink_free(part);
}

/* ---- the end ---- */

/* What is in the file beside events, or in their place. */
static void warn_of_others(struct sink *sink, uint64_t all)
{
    const uint64_t *phases = sink->phases;
    uint64_t objects = phases['N'] + phases['O'] + phases['D'];
    bool has_others = all > objects + phases['M'];

    if (sink->has_system_trace)
        warning_count_many(builder_warnings(sink->builder),
                           has_others ? WARNING_LOSS : WARNING_NOTE,
                           "traces of the system (ftrace, ETW) within the file, not read", 1);
    if (has_others)
        return;
    if (sink->has_system_trace)
        builder_instead(sink->builder, "a trace of the system (ftrace, ETW)",
                        "ui.perfetto.dev shows it; to use it here, record it with perfetto, which "
                        "writes .pftrace");
    else if (objects)
        builder_instead(sink->builder, "snapshots of objects",
                        "chrome://tracing shows them; record other categories, too, for events "
                        "with durations");
}

static void warn_of_repairs(struct sink *sink)
{
    char text[512];
    size_t len = 0;
    uint64_t all = 0;

    for (unsigned i = 0; i < COUNT_OF(sink->phases); i++) {
        all += sink->phases[i];
        if (sink->phases[i] && i > ' ' && len + 32 < sizeof(text))
            len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%c %" PRIu64,
                                    len ? ", " : "", (char)i, sink->phases[i]);
    }
    warn_of_others(sink, all);
    builder_fact(sink->builder, "file_events", (int64_t)all, UNIT_COUNT);
    builder_fact_text(sink->builder, "phases", (struct span){text, len});
    len = 0;
    for (uint32_t i = 1; i < sink->classes.count && len + 96 < sizeof(text); i++) {
        struct span name = builder_text(sink->builder, sink->classes.list[i].name);

        if (sink->classes.list[i].events)
            len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%.*s %" PRIu64,
                                    len ? ", " : "", (int)(name.len < 60 ? name.len : 60), name.at,
                                    sink->classes.list[i].events);
    }
    if (len)
        builder_fact_text(sink->builder, "categories", (struct span){text, len});
}

void sink_finish(struct sink *sink, uint64_t file_bytes)
{
    const struct producer *producer;

    marks_finish(&sink->marks, &sink->rows, sink->builder);
    v8_finish(&sink->v8, file_bytes, &sink->rows, sink->builder);
    stack_samples_finish(&sink->stacks, file_bytes, &sink->rows, sink->builder);
    producer =
        producer_of_two(sink->rows.producer, producer_by_categories(&sink->classes, sink->builder));
    if (sink->producer == &producer_unannounced && producer)
        sink_announce(sink, producer); /* the header does not say who wrote it */
    sink->rows.entering = sink->producer->entering;
    if (sink->producer->finish)
        sink->producer->finish(sink);
    flows_finish(&sink->flows, &sink->rows, sink->builder);
    profiler_ranges_finish(&sink->ranges, sink->builder);
    rows_finish(&sink->rows, sink->builder);
    warn_of_repairs(sink);
}

void sink_free(struct sink *sink)
{
    classes_free(&sink->classes);
    names_free(&sink->names);
    text_cache_free(&sink->text_cache);
    rows_free(&sink->rows);
    marks_free(&sink->marks);
    v8_free(&sink->v8);
    flows_free(&sink->flows);
    stack_samples_free(&sink->stacks);
    counters_free(&sink->counters);
    profiler_ranges_free(&sink->ranges);
}
