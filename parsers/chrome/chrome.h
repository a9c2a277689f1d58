/* SPDX-License-Identifier: Apache-2.0 */
/* chrome.h — a Chrome trace: its array of events, and where they go */
#ifndef PTK_PARSERS_CHROME_CHROME_H
#define PTK_PARSERS_CHROME_CHROME_H

#include "base/io/io.h"
#include "parsers/chrome/chrome_events.h"
#include "parsers/chrome/producers/producers.h"
#include "parsers/chrome/samples/samples.h"
#include "parsers/chrome/scan/scanner.h"

/* ---- takes a trace's events one by one and adds what they mean to the graph ---- */

struct sink {
    struct builder *builder;
    struct timeline_builder *timeline;
    struct classes classes;
    struct places places;
    struct names names;
    struct text_cache text_cache;
    struct chrome_rows rows;
    struct marks marks;
    struct v8_profiles v8;
    struct flows flows;
    struct stack_samples stacks;
    struct counters counters;
    struct profiler_ranges ranges;
    const struct producer *producer; /* by the header; producer_unannounced: it has not said */
    struct relative_clock clock;     /* for producers whose times need one */
    uint64_t phases[128];            /* how many events of each; 0: of any other */
    bool has_system_trace;           /* beside the events, as the text of another format */
    bool has_correlations;           /* some event had one: its flows only repeat it */
    int64_t first;                   /* ns, the earliest start; INT64_MAX: none yet */
    int time_scale; /* of the event that is read: 3 for microseconds, 0 for nanoseconds */
};

void sink_init(struct sink *sink, struct builder *builder);

/* The header says who wrote the document. */
void sink_announce(struct sink *sink, const struct producer *producer);

/* Remembers in the event where it stood, for the next of its shape. */
void sink_event(struct sink *sink, struct event *event);

/* A sink for a part of the same document, which another thread reads into its own builder. */
void sink_init_part(struct sink *part, const struct sink *whole);

/* Takes all that a part has, as if it had been read now; frees the part and its builder. */
void sink_absorb(struct sink *sink, struct sink *part);

/* Frees a part and its builder. */
void sink_abandon(struct sink *part);

/* Joins what is written in two, names the tracks, and tells what there was. */
void sink_finish(struct sink *sink, uint64_t file_bytes);

void sink_free(struct sink *sink);

/* ---- finds the events of an array, whole, cut off or broken, and hands them on ---- */

struct event_array {
    struct input *in;
    struct sink *sink;
    struct scanner scanner;
    scan_function *scan;
    const uint64_t *starts; /* where other threads began, in ascending order ... */
    size_t start_count;     /* ... those that have not been passed yet */
};

/* How an array of events ended. */
enum array_end {
    ARRAY_CLOSED, /* with its bracket, which has been consumed */
    ARRAY_CUT,    /* the input ends inside */
    ARRAY_MET,    /* at starts[0], between two events */
};

/* What is in an array of events, after its bracket or any comma. */
enum array_end event_array_read(struct event_array *array);

/* The next byte that is no blank; 0 at the end. */
char event_array_peek(struct input *in);

/* ---- reads the events of a large plain file with several threads ---- */

/* The file is cut at guesses: places that look like the beginning of an event. Threads share the
 * parts out. A guess is proved when the reader of what comes before arrives there between two
 * events; it stops, and the part's events follow its own. When it passes the place instead, the
 * guess was wrong: that part is thrown away, and the reader before goes on to the next. So the
 * graph is the one that a single thread makes, number by number. */

/* Like event_array_read(), with up to so many threads, the caller's among them, in parts of at
 * least so many bytes. */
enum array_end split_events(struct event_array *whole, size_t threads, uint64_t part_min);

/* ---- traces in the Trace Event Format: PyTorch, Paddle, Chrome, Node, clang … ---- */

struct chrome_reader {
    struct event_array array;
    struct wanted_args wanted; /* set before reading; the array's scanner asks it */
    uint64_t documents;        /* complete ones */
    size_t threads;            /* that may read at once; 0 and 1: the caller's alone */
    uint64_t part_min;         /* bytes for which another thread is worth its start */
};

/* Reads all documents of the input; false only when there is no event to be had. */
bool reader_read(struct chrome_reader *reader, struct error *err);

#endif
