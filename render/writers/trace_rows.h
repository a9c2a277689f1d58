/* SPDX-License-Identifier: Apache-2.0 */
/* trace_rows.h — the numbers under which a track's process and thread stand in a Chrome trace */
#ifndef PTK_RENDER_WRITERS_TRACE_ROWS_H
#define PTK_RENDER_WRITERS_TRACE_ROWS_H

#include "graph/model/graph.h"

enum { TRACE_TEXT_IDS = 1 << 30 }; /* those that have texts, not numbers */

int64_t trace_process(const struct track *track);
int64_t trace_thread(const struct graph *graph, const struct track *track);

#endif
