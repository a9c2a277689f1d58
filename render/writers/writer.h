/* SPDX-License-Identifier: Apache-2.0 */
/* writer.h — a graph in another tool's format */
#ifndef PTK_RENDER_WRITERS_WRITER_H
#define PTK_RENDER_WRITERS_WRITER_H

#include <stdio.h>

#include "analysis/execution/replay.h"
#include "base/text/escape.h"
#include "graph/model/graph.h"

/* ---- a graph in another tool's format: what each has to provide, and the list of all ---- */

/* The counterpart of parsers/parser.h: formats and levels meet in the graph, so every input that
 * has the level can become every output that needs it. */

/* One conversion. */
struct writing {
    const struct graph *graph; /* has the writer's level */
    const char *path;          /* of the profile, as given */
    FILE *out;
    struct arena *arena;
    const struct path_marks *path_marks; /* the critical path to be shown; NULL: none */
    struct warnings *warnings;           /* what the format cannot hold */
    struct csv_readers readers;          /* `is_terminal` is for all formats of text */
};

struct writer {
    const char *name;     /* what --to takes: "pprof" */
    const char *summary;  /* one line */
    enum level level;     /* the least that it can be made from */
    const char *question; /* completes a sentence: "folded stacks cannot be written" */
    bool all_values;      /* holds every value type, not only the selected one */
    bool wants_places;    /* holds lines and addresses of code, not only functions */
    bool wants_labels;    /* holds the labels of samples, as calltree.sets has them */
    bool wants_events;    /* holds what single events know: properties, launches, counters */
    bool wants_richest;   /* writes the richest level that there is */
    bool shows_path;      /* can mark the critical path */
    bool is_binary;       /* writes what no terminal can show */
    void (*write)(struct writing *writing);
};

extern const struct writer *const writers[]; /* ends with NULL */
extern const char *const writer_names[];     /* in the same order; ends with NULL */

/* The one that keeps most of a profile that holds this level. */
const struct writer *writer_for(enum level level);

/* ---- rows written by the million: texts and numbers, without a call of stdio for each ---- */

/* Ready for use when zeroed but for `out`. Nobody else writes to `out` before it is flushed. */
struct row_text {
    FILE *out;
    uint64_t written; /* bytes, before those in the room */
    size_t used;
    char room[1 << 16]; /* what is not yet written to `out`, which gets it as one block */
};

/* Where the next byte will be, counted from the first that was put. */
static inline uint64_t row_text_end(const struct row_text *rows)
{
    return rows->written + rows->used;
}

/* What row_text_put() does where the room is not enough. */
void row_text_put_beyond(struct row_text *rows, struct span text);

static inline void row_text_put(struct row_text *rows, struct span text)
{
    if (text.len > sizeof(rows->room) - rows->used) {
        row_text_put_beyond(rows, text);
        return;
    }
    memcpy(rows->room + rows->used, text.at, text.len);
    rows->used += text.len;
}

/* The same for texts of at most 12 bytes, of which there are 12 to be read. */
static inline void row_text_put_short(struct row_text *rows, const char *text, size_t len)
{
    enum { SHORT = 12 };

    if (sizeof(rows->room) - rows->used < SHORT) {
        row_text_put(rows, (struct span){text, len});
        return;
    }
    memcpy(rows->room + rows->used, text, SHORT);
    rows->used += len;
}

/* Fetches a text that is put soon from memory. */
static inline void row_text_fetch(struct span text)
{
    enum { LINE = 64 };

    __builtin_prefetch(text.at);
    if (text.len > LINE)
        __builtin_prefetch(text.at + LINE);
}

void row_text_number(struct row_text *rows, int64_t number);
void row_text_json(struct row_text *rows, struct span text); /* a string, with its quotes */
void row_text_flush(struct row_text *rows);

/* ---- stacks written out one by one, each with all that is above it ---- */

/* Deep stacks would be the square of the profile: those beyond what it may become are left out. */
struct stack_allowance {
    struct warnings *warnings;
    uint64_t left; /* bytes that may still be written */
};

struct stack_allowance stack_allowance_of(struct writing *writing);

/* Whether one more stack may be written; counts a loss where not. */
bool stack_allowance_has(struct stack_allowance *allowance);

void stack_allowance_take(struct stack_allowance *allowance, uint64_t bytes);

/* ---- the numbers under which a track's process and thread stand in a Chrome trace ---- */

enum { TRACE_TEXT_IDS = 1 << 30 }; /* those that have texts, not numbers */

struct trace_row {
    int64_t process, thread;
};

/* By track, lanes as their track; the arena's. Device work stands at its device's number, but for
 * tracks that only the names of their processes tell apart from others: these stand there. */
struct trace_row *trace_rows_find(const struct graph *graph, struct arena *arena);

/* Whether a stream's track has nothing but waits, or nothing: readers distinguish waits by their category, so
 * they are in the row of the stream's work, whose name the row has. */
bool trace_row_is_beside(const struct graph *graph, const struct track *track);

/* ---- what a trace's events say besides their time, under Kineto's names ---- */

struct trace_args {
    const struct graph *graph;
    uint32_t next[PROP_COUNT]; /* by property: the first pair not written; events ascend */
    const bool *is_critical;   /* by event: on the critical path, as HTA marks it; NULL */
    bool *launches; /* by event: some work of a device says that it launched it; NULL: none does */
};

void trace_args_init(struct trace_args *args, const struct graph *graph, struct arena *arena);

/* Whether the arguments of the event and of what launched it say so: one correlation, as readers
 * know it of calls and of work of a device. */
bool trace_args_correlate(const struct trace_args *args, event_id event);

/* Writes `,"args":{…}`, or nothing where an event has none. Events come in ascending order. */
void trace_args_write(struct trace_args *args, event_id event, struct row_text *rows);

#endif
