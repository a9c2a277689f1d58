/* SPDX-License-Identifier: Apache-2.0 */
/* ftrace_events.h — a text of ftrace while it is read */
#ifndef PTK_PARSERS_FTRACE_FTRACE_EVENTS_H
#define PTK_PARSERS_FTRACE_FTRACE_EVENTS_H

#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/build/builder.h"
#include "parsers/ftrace/ftrace.h"

/* A marked range that has begun. */
struct ftrace_range {
    uint32_t event;
    int64_t cpu; /* how long its thread had run before it, ns */
};

/* The rows of a thread. */
enum ftrace_row { ROW_OF_RANGES, ROW_OF_WAITS, ROW_OF_POINTS, FTRACE_ROWS };

struct ftrace_thread {
    int64_t pid, process;         /* process 0: not known */
    str_id command;               /* 0: not known */
    frame_id frame;               /* "COMMAND-PID" */
    int64_t since;                /* when it was put on its processor; UNKNOWN: it does not run */
    int64_t cpu;                  /* how long it ran before that */
    int64_t outside;              /* when it began to run outside of ranges */
    int64_t marked;               /* when it wrote its last mark */
    int64_t woken;                /* when it began to wait for a processor; UNKNOWN: it does not */
    uint32_t tracks[FTRACE_ROWS]; /* plus 1; 0: not made yet */
    struct VECTOR_OF(struct ftrace_range) open;
};

struct ftrace_processor {
    bool is_known;
    int64_t pid, since; /* the thread that it runs */
    uint32_t track;
};

/* An asynchronous range that has begun. */
struct ftrace_operation {
    uint32_t event; /* NO_EVENT: it has ended */
    int64_t start;
};

struct ftrace {
    struct builder *builder;
    struct timeline_builder *timeline;
    struct VECTOR_OF(struct ftrace_thread) threads;
    struct VECTOR_OF(struct ftrace_processor) processors;
    struct VECTOR_OF(struct ftrace_operation) operations;
    struct idmap thread_of, processor_of, operation_of;
    struct idmap tracks, series; /* of operations and counters, by process and name */
    int64_t end, lost, switches;
    uint64_t unbegun, unended;
};

/* An event of the kernel, or a mark of a program. */
void ftrace_add(struct ftrace *ftrace, const struct ftrace_line *line);

/* Which thread a processor runs is not known from here on. */
void ftrace_forget_processor(struct ftrace *ftrace, uint64_t cpu);

/* After the last line. */
void ftrace_end(struct ftrace *ftrace);
void ftrace_free(struct ftrace *ftrace);

/* ---- shared by the two files of events ---- */

/* The thread, made on first mention; an unknown command may be empty. Valid until the next is made. */
struct ftrace_thread *ftrace_thread(struct ftrace *ftrace, int64_t pid, struct span command);

uint32_t ftrace_track(struct ftrace *ftrace, struct ftrace_thread *thread, enum ftrace_row row);

str_id ftrace_process_name(struct ftrace *ftrace, int64_t process);

/* The thread's time outside of ranges, up to now, is an event. */
void ftrace_end_outside(struct ftrace *ftrace, struct ftrace_thread *thread, int64_t time);

/* A mark that a program wrote. */
void ftrace_add_mark(struct ftrace *ftrace, const struct ftrace_line *line, struct span mark);

#endif
