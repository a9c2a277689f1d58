/* SPDX-License-Identifier: Apache-2.0 */
/* captures.h — CUDA and HIP graphs as they were captured: who made each node
 *
 * While a thread captures, a call that launches, copies or fills makes a node of the graph; nothing
 * runs. The operators and modules around the call are those of the kernel in every launch of the
 * graph. */
#ifndef PTK_ANALYSIS_CAPTURES_CAPTURES_H
#define PTK_ANALYSIS_CAPTURES_CAPTURES_H

#include "base/memory/arena.h"
#include "base/memory/hash_index.h"
#include "graph/model/graph.h"

/* A node of a graph: of its capture, or of a launch. */
struct graph_node {
    enum frame_kind kind; /* KIND_KERNEL, KIND_MEMCPY or KIND_MEMSET */
    str_id name;          /* of a kernel; 0: not known */
    int64_t id;           /* the file's; ascending in the order of capture; 0: not known */
    uint32_t stream;      /* any number that tells a launch's apart */
};

/* One capture's nodes, in order. */
struct capture {
    struct graph_node *nodes;
    uint32_t *calls; /* by node: the innermost call around it, of graph.captured; or
                      * NO_CAPTURED_CALL */
    uint32_t count;
    int64_t size; /* of the batch that it holds; 0: not known */
};

struct captures {
    struct graph *into; /* whose names and captured calls those of captures become */
    struct arena *arena;
    struct capture *list;
    size_t count, cap;

    /* By captured call: what is alike in calls of the same operators and modules, all the way in,
     * and in those that had the same inputs, too. */
    uint32_t *path, *inputs;
    size_t path_cap, inputs_cap;
    struct idmap paths, all_inputs; /* (that of the call around it, its own) → number */
};

/* What captures_add() wants of a file: with launches, at LEVEL_TIMELINE. */
uint64_t captures_properties(void);

/* Whether a timeline has any. */
bool captures_hold(const struct graph *graph);

/* Adds the captures of a timeline, which may be that of `into` itself. */
void captures_add(struct captures *captures, const struct graph *from);

void captures_free(struct captures *captures);

#endif
