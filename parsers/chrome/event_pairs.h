/* SPDX-License-Identifier: Apache-2.0 */
/* event_pairs.h — which events belong together: by their ids, as beginning and end, at the ends of
 * an arrow */
#ifndef PTK_PARSERS_CHROME_EVENT_PAIRS_H
#define PTK_PARSERS_CHROME_EVENT_PAIRS_H

#include "base/memory/vector.h"
#include "graph/build/builder.h"
#include "parsers/chrome/chrome_tracks.h"
#include "parsers/chrome/scan/scanner.h"

/* ---- which events belong together: those with the same id, however it is written ---- */

/* 31, "31" and "0x1f" are the same one. A member that is not there counts as an empty one. */
uint64_t id_hash(struct token id, uint64_t seed);

/* An operation's, or a flow's, which are also known by name. Ids are of a category, and of a
 * process where they say so. */
uint64_t id_group(const struct event *event, bool by_name);

/* What "bind_id" says: events of any name and category. */
uint64_t id_binding(const struct event *event);

/* ---- events that a file writes as two: where they begin, and where they end ---- */

/* Beginnings are events at once, without a duration yet. All marks are kept and joined at the end,
 * by time: neither the order in a file nor how it was split among threads matters. */

struct mark {
    uint64_t group; /* marks of one group and name nest: a row, or an async id */
    int64_t time;
    uint32_t event; /* what begins here; NO_EVENT: something ends here */
    uint32_t row;
    uint64_t name; /* a key of what an async end names; 0 on rows */
};

/* Ready for use when zeroed. */
struct marks {
    VECTOR(struct mark);
};

void marks_add(struct marks *marks, const struct mark *mark);

/* Takes another reader's marks, whose events and rows have moved on to these. */
void marks_absorb(struct marks *marks, const struct marks *part, uint32_t first_event,
                  const uint32_t *row_of);

/* Gives the events their durations. What has no end lasts until its row's last, and is counted,
 * as are ends without a beginning. */
void marks_finish(struct marks *marks, const struct chrome_rows *rows, struct builder *builder);

void marks_free(struct marks *marks);

/* ---- the arrows of a trace: each point stands in a row, at a time, and belongs to an id ---- */

/* Which of a row's tracks is meant is known only when all events have been read. */

struct flow {
    struct flow_point point;
    str_id pid;        /* and tid: unless the point is an event */
    str_id tid[2];     /* as a host thread's row has it, and as a stream's */
    bool is_forgotten; /* it is bound to nothing */
};

/* Ready for use when zeroed. */
struct flows {
    VECTOR(struct flow);
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
void flows_finish(const struct flows *flows, const struct chrome_rows *rows,
                  struct builder *builder);

/* Takes back an end at `time`, if that is the last of the first `count` points. */
void flows_forget(struct flows *flows, size_t count, int64_t time);

void flows_free(struct flows *flows);

#endif
