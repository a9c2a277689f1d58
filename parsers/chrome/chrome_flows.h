/* SPDX-License-Identifier: Apache-2.0 */
/* chrome_flows.h — the arrows of a trace: each point stands in a row, at a time, and belongs to an
 * id
 *
 * Which of a row's tracks is meant is known only when all events have been read. */
#ifndef PTK_PARSERS_CHROME_CHROME_FLOWS_H
#define PTK_PARSERS_CHROME_CHROME_FLOWS_H

#include "parsers/chrome/chrome_tracks.h"
#include "parsers/chrome/scan/scanner.h"

struct flow {
    struct flow_point point;
    str_id pid;        /* and tid: unless the point is an event */
    str_id tid[2];     /* as a host thread's row has it, and as a stream's */
    bool is_forgotten; /* it is bound to nothing */
};

/* Ready for use when zeroed. */
struct flows {
    struct flow *list;
    size_t count, cap;
};

/* Keeps a point; its track is left open. */
void flows_add(struct flows *flows, struct builder *builder, const struct event *event,
               const struct flow_point *point);

/* Keeps a point that is an event, by its number. */
void flows_bind(struct flows *flows, const struct flow_point *point);

/* Takes another reader's points. `first_event`: the number here of its first one; `texts`: by its
 * ids, those here. */
void flows_absorb(struct flows *flows, const struct flows *part, uint32_t first_event,
                  const str_id *texts);

/* Hands the points over that are events, or whose row has some. */
void flows_finish(const struct flows *flows, const struct rows *rows, struct builder *builder);

/* Takes back an end at `time`, if that is the last of the first `count` points. */
void flows_forget(struct flows *flows, size_t count, int64_t time);

void flows_free(struct flows *flows);

#endif
