/* SPDX-License-Identifier: Apache-2.0 */
/* clip_timeline.h — a stretch of a timeline as if nothing else had been recorded */
#ifndef PTK_ANALYSIS_SELECTION_CLIP_TIMELINE_H
#define PTK_ANALYSIS_SELECTION_CLIP_TIMELINE_H

#include "graph/model/graph.h"

/* Events that reach out of [start, end) are cut, those outside dropped, with what belongs to them;
 * so are launches that lie outside. For graphs that have no level but their timeline yet. Returns
 * how many events are left. */
uint32_t timeline_clip(struct graph *graph, int64_t start, int64_t end);

#endif
