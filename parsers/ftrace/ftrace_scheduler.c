/* SPDX-License-Identifier: Apache-2.0 */
/* ftrace_scheduler.c — when Linux's scheduler ran each thread, and when each waited for a processor */
#include <stdio.h>
#include <stdlib.h>

#include "parsers/ftrace/ftrace_events.h"

/* ---- threads and processors ---- */

static void name_thread(struct ftrace *ftrace, struct ftrace_thread *thread, struct span command)
{
    struct frame frame = {.kind = KIND_HOST};
    char room[96];
    int len = snprintf(room, sizeof(room), "%.*s-%lld", (int)(command.len < 64 ? command.len : 64),
                       command.at, (long long)thread->pid);

    thread->command = builder_intern(ftrace->builder, command);
    frame.name = builder_intern(ftrace->builder, (struct span){room, (size_t)len});
    thread->frame = builder_frame(ftrace->builder, &frame);
}

struct ftrace_thread *ftrace_thread(struct ftrace *ftrace, int64_t pid, struct span command)
{
    uint32_t *at = idmap_at(&ftrace->thread_of, (uint64_t)pid);
    struct ftrace_thread *thread;

    if (*at == IDMAP_NONE) {
        *at = (uint32_t)ftrace->threads.count;
        vector_add(&ftrace->threads,
                   (struct ftrace_thread){.pid = pid, .since = UNKNOWN, .woken = UNKNOWN});
    }
    thread = &ftrace->threads.list[*at];
    if (span_eq(command, SPAN("<...>")))
        command = SPAN("");
    if (!thread->frame ||
        (command.len && !span_eq(builder_text(ftrace->builder, thread->command), command)))
        name_thread(ftrace, thread, command.len ? command : SPAN("thread"));
    return thread;
}

str_id ftrace_process_name(struct ftrace *ftrace, int64_t process)
{
    char room[32];
    int len = snprintf(room, sizeof(room), "process %lld", (long long)process);

    return process ? builder_intern(ftrace->builder, (struct span){room, (size_t)len}) : 0;
}

uint32_t ftrace_track(struct ftrace *ftrace, struct ftrace_thread *thread, enum ftrace_row row)
{
    static const enum track_kind kinds[] = {TRACK_THREAD, TRACK_RANGES, TRACK_POINTS};
    static const char *const formats[] = {"%.*s", "%.*s waits for a CPU", "%.*s: marks"};
    struct track track = {.kind = kinds[row], .device = -1};
    struct span name = builder_frame_name(ftrace->builder, thread->frame);
    char room[128];
    int len;

    if (thread->tracks[row])
        return thread->tracks[row] - 1;
    len = snprintf(room, sizeof(room), formats[row], (int)name.len, name.at);
    track.name = builder_intern(ftrace->builder, (struct span){room, (size_t)len});
    track.process = ftrace_process_name(ftrace, thread->process);
    track.pid = thread->process;
    track.tid = thread->pid;
    thread->tracks[row] = builder_track(ftrace->timeline, &track) + 1;
    return thread->tracks[row] - 1;
}

static struct ftrace_processor *processor(struct ftrace *ftrace, uint64_t cpu)
{
    uint32_t *at = idmap_at(&ftrace->processor_of, cpu);
    struct track track = {.kind = TRACK_RANGES, .device = -1};
    char room[32];

    if (*at == IDMAP_NONE) {
        *at = (uint32_t)ftrace->processors.count;
        snprintf(room, sizeof(room), "CPU %llu", (unsigned long long)cpu);
        track.name = builder_intern(ftrace->builder, span_of(room));
        vector_add(&ftrace->processors,
                   (struct ftrace_processor){.track = builder_track(ftrace->timeline, &track)});
    }
    return &ftrace->processors.list[*at];
}

/* ---- running ---- */

void ftrace_end_outside(struct ftrace *ftrace, struct ftrace_thread *thread, int64_t time)
{
    int64_t ran = checked_sub(time, thread->outside);
    uint32_t event;

    if (thread->since == UNKNOWN || thread->open.count || ran <= 0)
        return;
    event = builder_event(ftrace->timeline, ftrace_track(ftrace, thread, ROW_OF_RANGES),
                          thread->outside, ran, thread->frame);
    if (builder_wants(ftrace->builder, PROP_CPU_TIME))
        builder_property(ftrace->timeline, event, PROP_CPU_TIME, ran);
}

static void leave(struct ftrace *ftrace, const struct ftrace_processor *from, int64_t time,
                  struct span command)
{
    struct ftrace_thread *thread = ftrace_thread(ftrace, from->pid, command);

    builder_event(ftrace->timeline, from->track, from->since, checked_sub(time, from->since),
                  thread->frame);
    ftrace_end_outside(ftrace, thread, time);
    thread->cpu = checked_add(thread->cpu, not_negative(checked_sub(time, from->since)));
    thread->since = UNKNOWN;
}

static void enter(struct ftrace *ftrace, const struct ftrace_switch *to, int64_t time)
{
    struct ftrace_thread *thread = ftrace_thread(ftrace, to->to_pid, to->to);

    if (thread->woken != UNKNOWN)
        builder_event(ftrace->timeline, ftrace_track(ftrace, thread, ROW_OF_WAITS), thread->woken,
                      checked_sub(time, thread->woken), thread->frame);
    thread->woken = UNKNOWN;
    thread->since = thread->outside = time;
}

/* Events are missing where the thread that leaves is not the one that entered. */
static void switch_threads(struct ftrace *ftrace, uint32_t cpu, int64_t time,
                           const struct ftrace_switch *to)
{
    struct ftrace_processor *at = processor(ftrace, cpu);

    if (at->is_known && at->pid && at->pid == to->from_pid)
        leave(ftrace, at, time, to->from);
    else
        ftrace_forget_processor(ftrace, cpu);
    if (to->from_pid && to->is_runnable)
        ftrace_thread(ftrace, to->from_pid, to->from)->woken = time;
    if (to->to_pid)
        enter(ftrace, to, time);
    *at = (struct ftrace_processor){true, to->to_pid, time, at->track};
    ftrace->switches++;
}

void ftrace_forget_processor(struct ftrace *ftrace, uint64_t cpu)
{
    uint32_t at = idmap_find(&ftrace->processor_of, cpu);
    struct ftrace_processor *of = at == IDMAP_NONE ? NULL : &ftrace->processors.list[at];

    if (of && of->is_known && of->pid)
        ftrace_thread(ftrace, of->pid, SPAN(""))->since = UNKNOWN;
    if (of)
        of->is_known = false;
}

/* ---- lines ---- */

static bool is_mark(struct span event)
{
    return span_eq(event, SPAN("tracing_mark_write")) || span_eq(event, SPAN("print")) ||
           span_eq(event, SPAN("0"));
}

void ftrace_add(struct ftrace *ftrace, const struct ftrace_line *line)
{
    static const char *const wakes[] = {"sched_waking", "sched_wakeup", "sched_wakeup_new", NULL};
    struct ftrace_thread *thread =
        line->pid ? ftrace_thread(ftrace, line->pid, line->command) : NULL;
    struct ftrace_switch to;
    struct span command;
    int64_t pid;

    ftrace->end = line->time > ftrace->end ? line->time : ftrace->end;
    if (thread && line->process)
        thread->process = line->process;
    if (is_mark(line->event))
        ftrace_add_mark(ftrace, line, line->arguments);
    else if (span_eq(line->event, SPAN("sched_switch")) && ftrace_read_switch(line->arguments, &to))
        switch_threads(ftrace, line->cpu, line->time, &to);
    else if (span_is_any(line->event, wakes) &&
             ftrace_read_woken(line->arguments, &command, &pid)) {
        if (idmap_find(&ftrace->thread_of, (uint64_t)pid) != IDMAP_NONE)
            command = SPAN(""); /* a wakeup may have an older name of a known thread */
        thread = ftrace_thread(ftrace, pid, command);
        if (thread->woken == UNKNOWN)
            thread->woken = line->time;
    }
}
