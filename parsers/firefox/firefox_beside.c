/* SPDX-License-Identifier: Apache-2.0 */
/* firefox_beside.c — what stands beside the samples of a timeline: markers and counters
 *
 * A marker is an operation of its thread: markers overlap as they like. Its phase says whether it is an
 * instant, has both ends, or is one of them; the other then has the same name. */
#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "parsers/firefox/firefox.h"

#define NO_TRACK_YET UINT32_MAX

enum marker_phase { PHASE_INSTANT, PHASE_INTERVAL, PHASE_START, PHASE_END };

/* ---- markers ---- */

/* A marker that began, and may end. */
struct begun_marker {
    uint32_t event;
    uint32_t before; /* of the same name, in the list; IDMAP_NONE */
    int64_t start;
};

/* The markers of one thread while they are added. */
struct marking {
    struct firefox *firefox;
    struct timeline_builder *timeline;
    const struct firefox_thread *thread;
    const struct firefox_tables *texts; /* whose strings the names are */
    int64_t shift;                      /* ns from the file's first process to this one */
    int64_t last;                       /* ns: the latest time of a marker */
    uint32_t operations, instants;      /* tracks, or NO_TRACK_YET */
    struct idmap open; /* name → the last in `begun` that is open, or IDMAP_NONE */
    struct VECTOR_OF(struct begun_marker) begun;
    uint64_t timeless, endless, beginless;
};

static int64_t marker_time(const struct marking *marking, enum firefox_column column, size_t row)
{
    int64_t time = firefox_cell(&marking->thread->tables, column, (int64_t)row);

    time = time == UNKNOWN ? UNKNOWN : checked_add(time, marking->shift);
    return time != UNKNOWN && time_is_possible(time) ? time : UNKNOWN;
}

static str_id marker_name(const struct marking *marking, size_t row)
{
    int64_t at = firefox_cell(&marking->thread->tables, MARKER_NAME, (int64_t)row);

    return at >= 0 && (uint64_t)at < marking->texts->strings.count
               ? marking->texts->strings.list[at]
               : 0;
}

static uint32_t marker_track(struct marking *marking, enum track_kind kind)
{
    uint32_t *track = kind == TRACK_ASYNC ? &marking->operations : &marking->instants;
    struct span thread = builder_text(marking->firefox->builder, marking->thread->name);
    struct arena arena = {0};
    const char *name;

    if (*track != NO_TRACK_YET)
        return *track;
    name = arena_printf(&arena, "%s of %.*s", kind == TRACK_ASYNC ? "markers" : "instants",
                        (int)(thread.len < 200 ? thread.len : 200), thread.at);
    *track = builder_track(
        marking->timeline,
        &(struct track){.name = builder_intern(marking->firefox->builder, span_of(name)),
                        .process = marking->thread->process_name,
                        .kind = kind,
                        .device = -1});
    arena_free(&arena);
    return *track;
}

static uint32_t add_marker(struct marking *marking, str_id name, int64_t start, int64_t end)
{
    enum track_kind kind = end == UNKNOWN ? TRACK_POINTS : TRACK_ASYNC;
    struct frame frame = {.name = name, .kind = KIND_ANNOTATION};
    frame_id id = builder_frame(marking->firefox->builder, &frame);
    uint32_t event = builder_event(marking->timeline, marker_track(marking, kind), start,
                                   end == UNKNOWN ? 0 : checked_sub(end, start), id);

    if (kind == TRACK_ASYNC)
        builder_set_operation(marking->timeline, event, (int64_t)event + 1);
    marking->last = end > marking->last ? end : marking->last;
    marking->last = start > marking->last ? start : marking->last;
    return event;
}

static void end_marker(struct marking *marking, str_id name, int64_t end)
{
    uint32_t *open = idmap_at(&marking->open, name);
    struct begun_marker *begun;

    if (*open == IDMAP_NONE) {
        marking->beginless++;
        return;
    }
    begun = &marking->begun.list[*open];
    builder_set_duration(marking->timeline, begun->event, checked_sub(end, begun->start));
    marking->last = end > marking->last ? end : marking->last;
    *open = begun->before;
    begun->event = NO_EVENT;
}

static void take_marker(struct marking *marking, size_t row)
{
    int64_t start = marker_time(marking, MARKER_START, row);
    int64_t end = marker_time(marking, MARKER_END, row);
    int64_t phase = firefox_cell(&marking->thread->tables, MARKER_PHASE, (int64_t)row);
    str_id name = marker_name(marking, row);

    if (phase == PHASE_END && end != UNKNOWN) {
        end_marker(marking, name, end);
    } else if (start == UNKNOWN) {
        marking->timeless++;
    } else if (phase == PHASE_START) {
        uint32_t event = add_marker(marking, name, start, start);
        uint32_t *open = idmap_at(&marking->open, name), before = *open;

        *open = (uint32_t)marking->begun.count;
        vector_add(&marking->begun, ((struct begun_marker){event, before, start}));
    } else {
        add_marker(marking, name, start, phase == PHASE_INSTANT ? UNKNOWN : end);
    }
}

static void add_markers(struct firefox *firefox, const struct firefox_thread *thread)
{
    const struct firefox_process *processes = firefox->processes.list;
    struct marking marking = {
        .firefox = firefox,
        .timeline = builder_timeline(firefox->builder),
        .thread = thread,
        .texts =
            thread->tables.strings.count ? &thread->tables : &processes[thread->process].shared,
        .shift = checked_sub(processes[thread->process].start, processes[0].start),
        .last = INT64_MIN,
        .operations = NO_TRACK_YET,
        .instants = NO_TRACK_YET};

    for (size_t row = 0; row < thread->tables.columns[MARKER_NAME].count; row++)
        take_marker(&marking, row);
    for (size_t i = 0; i < marking.begun.count; i++) {
        const struct begun_marker *begun = &marking.begun.list[i];

        if (begun->event == NO_EVENT)
            continue;
        builder_set_duration(marking.timeline, begun->event,
                             checked_sub(marking.last, begun->start));
        marking.endless++;
    }
    warning_count_many(builder_warnings(firefox->builder), WARNING_NOTE,
                       "markers that never end, shown until the last of their thread",
                       marking.endless);
    warning_count_many(builder_warnings(firefox->builder), WARNING_NOTE,
                       "ends of markers that never began, left out", marking.beginless);
    warning_count_many(builder_warnings(firefox->builder), WARNING_NOTE,
                       "markers without a time, left out", marking.timeless);
    idmap_free(&marking.open);
    free(marking.begun.list);
}

/* ---- counters ---- */

/* The series of a counter as it stands in the file: in columns, or as rows with a schema. */
struct counter_rows {
    struct json_walk times, counts, rows;
    bool is_in_rows, are_deltas;
    int64_t time_at, count_at;
};

static bool begin_rows(struct token samples, struct counter_rows *rows)
{
    struct token schema = walk_find(samples, SPAN("schema"));
    struct token times = walk_find(samples, SPAN("time"));

    *rows = (struct counter_rows){.is_in_rows = schema.at != NULL};
    if (rows->is_in_rows) {
        rows->rows = walk_into(walk_find(samples, SPAN("data")));
        return token_integer(walk_find(schema, SPAN("time")), &rows->time_at) &&
               token_integer(walk_find(schema, SPAN("count")), &rows->count_at);
    }
    rows->are_deltas = !times.at;
    if (!times.at)
        times = walk_find(samples, SPAN("timeDeltas"));
    rows->times = walk_into(times);
    rows->counts = walk_into(walk_find(samples, SPAN("count")));
    return times.at;
}

static bool next_row(struct counter_rows *rows, struct token *time, struct token *count)
{
    struct token row, cell;
    struct json_walk walk;

    if (!rows->is_in_rows)
        return walk_item(&rows->times, time) && walk_item(&rows->counts, count);
    if (!walk_item(&rows->rows, &row))
        return false;
    *time = *count = (struct token){.len = 0};
    walk = walk_into(row);
    for (int64_t i = 0; walk_item(&walk, &cell); i++) {
        *time = i == rows->time_at ? cell : *time;
        *count = i == rows->count_at ? cell : *count;
    }
    return true;
}

void firefox_read_counter(struct firefox *firefox, struct token item, uint32_t process)
{
    struct firefox_counter counter = {.process = process};
    struct token samples = walk_find(item, SPAN("samples")), groups, time, count;
    struct counter_rows rows;
    struct json_walk walk;
    int64_t at = 0, read;
    double number;

    if (!samples.at && (groups = walk_find(item, SPAN("sample_groups"))).at) {
        walk = walk_into(groups);
        if (walk_item(&walk, &groups))
            samples = walk_find(groups, SPAN("samples"));
    }
    counter.is_cpu = token_is(walk_find(item, SPAN("category")), SPAN("CPU"));
    counter.is_memory = token_is(walk_find(item, SPAN("category")), SPAN("Memory"));
    if (samples.at && begin_rows(samples, &rows))
        while (next_row(&rows, &time, &count)) {
            if (!time.at || !token_scaled(time, MS_TO_NS, &read))
                continue;
            at = rows.are_deltas ? checked_add(at, read) : read;
            if (!count.at || !token_real(count, &number))
                continue;
            vector_add(&counter.samples, ((struct firefox_count){at, number}));
        }
    counter.name =
        firefox->counters.count ? firefox->counters.list[firefox->counters.count - 1] : 0;
    vector_add(&firefox->curves, counter);
}

/* What it counts adds up; CPU time becomes a share of the time from the row before. */
static void add_counter(struct firefox *firefox, const struct firefox_counter *counter)
{
    const struct firefox_process *processes = firefox->processes.list;
    int64_t shift = checked_sub(processes[counter->process].start, processes[0].start);
    int64_t per_ns = processes[counter->process].cpu_per_ns; /* of a thousandth */
    struct timeline_builder *timeline = builder_timeline(firefox->builder);
    struct span name = builder_text(firefox->builder, counter->name);
    bool is_share = counter->is_cpu && per_ns;
    struct arena arena = {0};
    const char *text =
        arena_printf(&arena, "%.*s %s", (int)(name.len < 200 ? name.len : 200), name.at,
                     is_share             ? "percent"
                     : counter->is_memory ? "bytes"
                                          : "count");
    uint32_t series =
        builder_series(timeline, builder_intern(firefox->builder, span_of(text)), 0, -1);
    double sum = 0;

    arena_free(&arena);
    for (size_t i = 0; i < counter->samples.count; i++) {
        const struct firefox_count *row = &counter->samples.list[i];
        int64_t time = checked_add(row->time, shift);
        int64_t past = i ? checked_sub(row->time, row[-1].time) : 0;

        sum += row->count;
        if (time_is_possible(time) && (!is_share || past > 0))
            builder_sample(timeline, series, time,
                           is_share ? 100 * row->count * 1000 / (double)per_ns / (double)past
                                    : sum);
    }
}

/* ---- both ---- */

void firefox_add_beside(struct firefox *firefox)
{
    for (size_t i = 0; i < firefox->threads.count; i++)
        add_markers(firefox, &firefox->threads.list[i]);
    for (size_t i = 0; i < firefox->curves.count; i++)
        if (firefox->curves.list[i].samples.count)
            add_counter(firefox, &firefox->curves.list[i]);
}
