/* SPDX-License-Identifier: Apache-2.0 */
/* node_alignment.h — which captured node each piece of device work of a graph's launch is
 *
 * A launch's work ran in the order in which its nodes were captured, unless several streams shared
 * it; a captured call may have made no node. The first of these that explains all of the work holds,
 * and none explains a part of it:
 *
 *     node ids   as many, ascending ids are the order of capture
 *     order      as many, place by place alike
 *     scan       on one stream, found in order among more calls
 *     streams    each call takes the head of a stream; of several the one that goes on alike longest
 *     names      equally many of each name: the k-th is the k-th
 */
#ifndef PTK_ANALYSIS_CAPTURES_NODE_ALIGNMENT_H
#define PTK_ANALYSIS_CAPTURES_NODE_ALIGNMENT_H

#include "analysis/captures/captures.h"

enum alignment {
    ALIGNED_NOT,
    ALIGNED_BY_IDS,
    ALIGNED_IN_ORDER,
    ALIGNED_UNNAMED, /* in order, where the capture has no names to verify it */
    ALIGNED_BY_SCAN,
    ALIGNED_BY_STREAMS,
    ALIGNED_BY_NAMES,
    ALIGNMENT_COUNT
};

/* "by order, names agree"; "" of ALIGNED_NOT. */
const char *alignment_text(enum alignment alignment);

/* `work`: by id where it has ids, then by start. `node_of`: by work, the captured node. */
enum alignment nodes_align(const struct graph *names, const struct graph_node *captured,
                           uint32_t captured_count, const struct graph_node *work,
                           uint32_t work_count, uint32_t *node_of);

#endif
