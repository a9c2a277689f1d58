/* SPDX-License-Identifier: Apache-2.0 */
/* ftrace_marks.c — marks that programs write into the kernel's trace: ranges, operations, counters, moments
 *
 *     B|1000|decode      E|1000              a range of the thread that wrote it
 *     S|1000|fetch|7     F|1000|fetch|7      an operation; G and H with a row's name before its own
 *     C|1000|queue|21    I|1000|here         a counter of the process; a moment; N with a row's name */
#define XXH_INLINE_ALL
#include <stdlib.h>
#include <xxhash.h>

#include "parsers/ftrace/ftrace_events.h"

static frame_id frame_named(struct ftrace *ftrace, struct span name)
{
    struct frame frame = {.name =
                              builder_intern(ftrace->builder, name.len ? name : SPAN("(no name)")),
                          .kind = KIND_HOST};

    return builder_frame(ftrace->builder, &frame);
}

/* How long a thread has run by now. */
static int64_t cpu_of(const struct ftrace_thread *thread, int64_t time)
{
    bool is_running = thread->since != UNKNOWN && time > thread->since;

    return is_running ? checked_add(thread->cpu, checked_sub(time, thread->since)) : thread->cpu;
}

/* ---- ranges ---- */

static void begin_range(struct ftrace *ftrace, struct ftrace_thread *thread, int64_t time,
                        struct span name)
{
    struct ftrace_range range = {.cpu = cpu_of(thread, time)};

    ftrace_end_outside(ftrace, thread, time);
    range.event = builder_event(ftrace->timeline, ftrace_track(ftrace, thread, ROW_OF_RANGES), time,
                                0, frame_named(ftrace, name));
    vector_add(&thread->open, range);
}

/* `cpu`: how long its thread had run by then. */
static void end_range(struct ftrace *ftrace, struct ftrace_thread *thread, int64_t time,
                      int64_t cpu)
{
    struct ftrace_range range;

    if (!thread->open.count) {
        ftrace->unbegun++;
        return;
    }
    range = thread->open.list[--thread->open.count];
    builder_set_duration(ftrace->timeline, range.event,
                         checked_sub(time, builder_event_start(ftrace->timeline, range.event)));
    if (ftrace->switches && builder_wants(ftrace->builder, PROP_CPU_TIME))
        builder_property(ftrace->timeline, range.event, PROP_CPU_TIME,
                         not_negative(checked_sub(cpu, range.cpu)));
    thread->outside = time;
}

/* ---- operations and counters ---- */

/* The key of a process's operation or counter. */
static uint64_t key_of(int64_t process, struct span name, struct span cookie)
{
    return XXH3_64bits_withSeed(cookie.at, cookie.len,
                                XXH3_64bits_withSeed(name.at, name.len, (uint64_t)process));
}

static uint32_t operations_track(struct ftrace *ftrace, int64_t process, struct span name)
{
    uint32_t *at = idmap_at(&ftrace->tracks, key_of(process, name, SPAN("")));

    if (*at == IDMAP_NONE)
        *at = builder_track(ftrace->timeline,
                            &(struct track){.name = builder_intern(ftrace->builder, name),
                                            .process = ftrace_process_name(ftrace, process),
                                            .kind = TRACK_ASYNC,
                                            .device = -1,
                                            .pid = process});
    return *at;
}

static void begin_operation(struct ftrace *ftrace, uint64_t key, uint32_t track, int64_t time,
                            struct span name)
{
    uint32_t *at = idmap_at(&ftrace->operation_of, key);
    struct ftrace_operation operation = {
        builder_event(ftrace->timeline, track, time, 0, frame_named(ftrace, name)), time};

    if (*at == IDMAP_NONE) {
        *at = (uint32_t)ftrace->operations.count;
        vector_add(&ftrace->operations, operation);
    } else {
        ftrace->unended += ftrace->operations.list[*at].event != NO_EVENT;
        ftrace->operations.list[*at] = operation;
    }
    builder_set_operation(ftrace->timeline, operation.event, (int64_t)operation.event + 1);
}

static void end_operation(struct ftrace *ftrace, uint64_t key, int64_t time)
{
    uint32_t at = idmap_find(&ftrace->operation_of, key);
    struct ftrace_operation *operation = at == IDMAP_NONE ? NULL : &ftrace->operations.list[at];

    if (!operation || operation->event == NO_EVENT) {
        ftrace->unbegun++;
        return;
    }
    builder_set_duration(ftrace->timeline, operation->event, checked_sub(time, operation->start));
    operation->event = NO_EVENT;
}

static void add_count(struct ftrace *ftrace, int64_t process, int64_t time, struct span name,
                      struct span text)
{
    int64_t value;
    uint32_t *at;

    if (!builder_wants_series(ftrace->builder) || !span_to_i64(text, &value))
        return;
    at = idmap_at(&ftrace->series, key_of(process, name, SPAN("")));
    if (*at == IDMAP_NONE)
        *at = builder_series(ftrace->timeline, builder_intern(ftrace->builder, name),
                             ftrace_process_name(ftrace, process), -1);
    builder_sample(ftrace->timeline, *at, time, (double)value);
}

/* ---- marks ---- */

static bool has_letter(struct span mark)
{
    return mark.len && memchr("BESFGHCIN", mark.at[0], 9) &&
           (mark.len == 1 ? mark.at[0] == 'E' : mark.at[1] == '|');
}

/* `rest`: the text behind the process. */
static void add_lettered(struct ftrace *ftrace, struct ftrace_thread *thread, int64_t time,
                         int64_t process, char letter, struct span rest)
{
    struct span name = rest, row = rest, cookie;
    uint64_t key;

    if (letter == 'B')
        begin_range(ftrace, thread, time, rest);
    else if (letter == 'E')
        end_range(ftrace, thread, time, cpu_of(thread, time));
    else if (letter == 'C') {
        name = span_split(&rest, '|');
        add_count(ftrace, process, time, name, span_split(&rest, '|'));
    } else if (letter == 'I' || letter == 'N') {
        if (letter == 'N')
            (void)span_split(&name, '|');
        builder_event(ftrace->timeline, ftrace_track(ftrace, thread, ROW_OF_POINTS), time, 0,
                      frame_named(ftrace, name));
    } else {
        name.len = span_rfind(rest, '|') == SIZE_MAX ? rest.len : span_rfind(rest, '|');
        cookie = span_after(rest, name.len);
        row = name;
        if (letter == 'G' || letter == 'H')
            row = span_split(&name, '|');
        key = key_of(process, row, cookie);
        if (letter == 'S' || letter == 'G')
            begin_operation(ftrace, key, operations_track(ftrace, process, row), time, name);
        else
            end_operation(ftrace, key, time);
    }
}

void ftrace_add_mark(struct ftrace *ftrace, const struct ftrace_line *line, struct span mark)
{
    struct ftrace_thread *thread = ftrace_thread(ftrace, line->pid, line->command);
    size_t prefix = has_letter(mark) ? SIZE_MAX : span_find(mark, SPAN(": "));
    struct span process;
    int64_t number = 0;
    char letter;

    thread->marked = line->time;
    if (prefix != SIZE_MAX && has_letter(span_after(mark, prefix + 2)))
        mark = span_after(mark, prefix + 2); /* after the name of its writer */
    if (!has_letter(mark)) {
        if (!span_starts(mark, SPAN("trace_event_clock_sync")))
            builder_event(ftrace->timeline, ftrace_track(ftrace, thread, ROW_OF_POINTS), line->time,
                          0, frame_named(ftrace, mark));
        return;
    }
    letter = mark.at[0];
    mark = span_after(mark, 2);
    process = span_split(&mark, '|');
    if (span_to_i64(process, &number) && !thread->process)
        thread->process = number; /* the writer's word */
    add_lettered(ftrace, thread, line->time, number, letter, mark);
}

/* ---- the end ---- */

void ftrace_end(struct ftrace *ftrace)
{
    struct warnings *warnings = builder_warnings(ftrace->builder);

    for (size_t i = 0; i < ftrace->threads.count; i++) {
        struct ftrace_thread *thread = &ftrace->threads.list[i];

        for (; thread->open.count; ftrace->unended++) /* it ran until its last mark at least */
            end_range(ftrace, thread, ftrace->end, cpu_of(thread, thread->marked));
    }
    for (size_t i = 0; i < ftrace->operations.count; i++) {
        const struct ftrace_operation *operation = &ftrace->operations.list[i];

        if (operation->event == NO_EVENT)
            continue;
        builder_set_duration(ftrace->timeline, operation->event,
                             checked_sub(ftrace->end, operation->start));
        ftrace->unended++;
    }
    if (ftrace->switches) {
        builder_has_cpu_times(ftrace->builder);
        builder_fact(ftrace->builder, "switches", ftrace->switches, UNIT_COUNT);
    }
    warning_count_many(warnings, WARNING_LOSS, "events that the kernel's buffer lost",
                       (uint64_t)ftrace->lost);
    warning_count_many(warnings, WARNING_NOTE, "ends of ranges that never began, left out",
                       ftrace->unbegun);
    warning_count_many(warnings, WARNING_NOTE,
                       "ranges that never end, shown until the end of the trace", ftrace->unended);
}

void ftrace_free(struct ftrace *ftrace)
{
    for (size_t i = 0; i < ftrace->threads.count; i++)
        free(ftrace->threads.list[i].open.list);
    free(ftrace->threads.list);
    free(ftrace->processors.list);
    free(ftrace->operations.list);
    idmap_free(&ftrace->thread_of);
    idmap_free(&ftrace->processor_of);
    idmap_free(&ftrace->operation_of);
    idmap_free(&ftrace->tracks);
    idmap_free(&ftrace->series);
}
