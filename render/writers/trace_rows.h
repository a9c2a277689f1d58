/* SPDX-License-Identifier: Apache-2.0 */
/* trace_rows.h — the numbers under which a track's process and thread stand in a Chrome trace */
#ifndef PTK_RENDER_WRITERS_TRACE_ROWS_H
#define PTK_RENDER_WRITERS_TRACE_ROWS_H

#include "graph/model/graph.h"

enum { TRACE_TEXT_IDS = 1 << 30 }; /* those that have texts, not numbers */

struct trace_row {
    int64_t process, thread;
};

/* By track, lanes as their track; the arena's. Device work stands at its device's number, but for
 * tracks that only the names of their processes tell apart from others: these stand there. */
struct trace_row *trace_rows_find(const struct graph *graph, struct arena *arena);

#endif
