/* SPDX-License-Identifier: Apache-2.0 */
/* event_category.h — what a trace's category says of its events: their kind, and where they
 * belong */
#ifndef PTK_GRAPH_CLASSIFY_EVENT_CATEGORY_H
#define PTK_GRAPH_CLASSIFY_EVENT_CATEGORY_H

#include "base/text/span.h"
#include "graph/model/frame.h"

/* Which row an event stands in. A file's row (pid, tid) becomes one for each role in it, since
 * producers put what must not nest side by side into one. */
enum row_role {
    ROW_THREAD, /* host work */
    ROW_STREAM, /* device work */
    ROW_RANGES, /* what a host annotation covers on a stream */
    ROW_SYNC,   /* a stream that waits */
    ROW_TOTALS, /* sums that the file repeats, recording windows */
    ROW_POINTS, /* instants */
    ROW_ASYNC,
    ROW_SAMPLES, /* functions that were sampled */
    ROW_COUNT
};

struct event_category {
    enum frame_kind kind;
    enum row_role row;
    bool is_by_row; /* where an event ran says more: producers with one category for all */
};

/* Of PyTorch, Paddle, TensorFlow, Bazel and Python's tracers, in any case; all others are host
 * work. An empty name is that of events without a category. */
struct event_category event_category_named(struct span name);

#endif
