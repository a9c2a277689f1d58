/* self_spans.h — what each thread was in, innermost, from moment to moment */
#ifndef PTK_ANALYSIS_EXECUTION_SELF_SPANS_H
#define PTK_ANALYSIS_EXECUTION_SELF_SPANS_H

#include "graph/model/graph.h"

/* From `start` to the start of the next one. */
struct self_span {
    int64_t start;
    event_id event; /* NO_EVENT: in nothing */
};

/* A thread's first span begins with its first event; its last is empty, in nothing. */
struct self_spans {
    struct self_span *list; /* owned */
    size_t count, cap;
    size_t *first; /* by track, and one more: where its spans begin; owned */
};

/* Of all host threads; linear in events. */
void self_spans_find(const struct graph *graph, struct self_spans *spans);

/* The span of a track that covers the moment just before `time`; false when there is none. `*at`
 * may be anything before; an answer from a little later on the same track makes this one quick. */
bool self_spans_before(const struct self_spans *spans, uint32_t track, int64_t time, size_t *at);

void self_spans_free(struct self_spans *spans);

#endif
