/* SPDX-License-Identifier: Apache-2.0 */
/* trace_args.h — what a trace's events say besides their time, under Kineto's names */
#ifndef PTK_RENDER_WRITERS_TRACE_ARGS_H
#define PTK_RENDER_WRITERS_TRACE_ARGS_H

#include <stdio.h>

#include "graph/model/graph.h"

struct trace_args {
    const struct graph *graph;
    uint32_t next[PROP_COUNT]; /* by property: the first pair not written; events ascend */
    const bool *is_critical; /* by event: on the critical path, as HTA marks it; NULL */
    bool *launches; /* by event: some work of a device says that it launched it; NULL: none does */
};

void trace_args_init(struct trace_args *args, const struct graph *graph, struct arena *arena);

/* Whether the arguments of the event and of what launched it say so: one correlation, as readers
 * know it of calls and of work of a device. */
bool trace_args_correlate(const struct trace_args *args, event_id event);

/* Writes `,"args":{…}`, or nothing where an event has none. Events come in ascending order. */
void trace_args_write(struct trace_args *args, event_id event, FILE *out);

#endif
