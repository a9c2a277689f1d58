/* SPDX-License-Identifier: Apache-2.0 */
/* event_sink.h — takes a trace's events one by one and adds what they mean to the graph */
#ifndef PTK_PARSERS_CHROME_EVENT_SINK_H
#define PTK_PARSERS_CHROME_EVENT_SINK_H

#include "parsers/chrome/chrome_names.h"
#include "parsers/chrome/chrome_tracks.h"
#include "parsers/chrome/event_args.h"
#include "parsers/chrome/event_classify.h"
#include "parsers/chrome/event_pairs.h"
#include "parsers/chrome/producers/paddle.h"
#include "parsers/chrome/profiler_ranges.h"
#include "parsers/chrome/samples/stack_samples.h"
#include "parsers/chrome/samples/v8.h"
#include "parsers/chrome/scan/scanner.h"

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

#endif
