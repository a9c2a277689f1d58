/* SPDX-License-Identifier: Apache-2.0 */
/* time_window.h — --step, --within, --begin, --end: the part of a run */
#ifndef PTK_CMD_OPTIONS_TIME_WINDOW_H
#define PTK_CMD_OPTIONS_TIME_WINDOW_H

#include "base/checked.h"
#include "base/error/error.h"
#include "graph/model/graph.h"

/* The part of a run that a command is limited to: a training step, a range that the host was in, or
 * from when to when. */

struct time_window {
    const char *step;        /* its number; NULL: any */
    const char *within;      /* the name of a range, "NAME#2" its second; NULL: any */
    const char *begin, *end; /* "20ms", since the first event; NULL: none */
};

static inline bool time_window_is_all(const struct time_window *window)
{
    return !window->step && !window->within && !window->begin && !window->end;
}

/* Its bounds, in ns since the timeline's origin. Steps need PROP_STEP. */
bool time_window_find(const struct time_window *window, const struct graph *graph, int64_t *start,
                      int64_t *end, struct error *err);

/* Limits the graph to it, which must have no level but its timeline yet. */
bool time_window_apply(const struct time_window *window, struct graph *graph, struct error *err);

#endif
