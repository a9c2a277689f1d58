/* SPDX-License-Identifier: Apache-2.0 */
/* captures.h — CUDA and HIP graphs: who made the kernels of their launches */
#ifndef PTK_ANALYSIS_CAPTURES_CAPTURES_H
#define PTK_ANALYSIS_CAPTURES_CAPTURES_H

#include "base/memory/memory.h"
#include "base/text/string_table.h"
#include "graph/model/graph.h"

/* ---- CUDA and HIP graphs as they were captured: who made each node ----
 *
 * While a thread captures, a call that launches, copies or fills makes a node of the graph; nothing
 * runs. The operators and modules around the call are those of the kernel in every launch of the
 * graph. Or a program annotates the nodes itself, by their ids. */

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
    VECTOR(struct capture);

    struct idmap annotated; /* node id → captured call, of annotations of nodes by their ids */
    uint32_t graph;         /* upper half of these ids, */
    bool are_of_one_graph;  /* where all have the same */

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

/* Whether a timeline launches CUDA or HIP graphs. */
bool graphs_are_launched(const struct graph *graph);

/* Adds the captures of a timeline, which may be that of `into` itself, and the annotations of nodes
 * (PyTorch's mark_kernels(), 2.12 and later). */
void captures_add(struct captures *captures, const struct graph *from);

/* The annotation of a node by its id, or NO_CAPTURED_CALL. The upper half of an id is its graph's,
 * which changes when that is instantiated: those of the only graph there is are found by the lower
 * half. */
uint32_t captures_annotation(const struct captures *captures, int64_t id);

void captures_free(struct captures *captures);

/* What stands in the operators within a call on this track, where its work depends on it; false where it
 * does not. */
bool call_inside_find(const struct graph *graph, const struct track *track, event_id event,
                      struct call_inside *inside);

/* ---- which captured node each piece of device work of a graph's launch is ----
 *
 * A launch's work ran in the order in which its nodes were captured, unless several streams shared
 * it; a captured call may have made no node. The first of these that explains all of the work holds,
 * and none explains a part of it:
 *
 *     node ids   as many, ascending ids are the order of capture
 *     order      as many, place by place alike
 *     scan       on one stream, found in order among more calls
 *     streams    each call takes the head of a stream; of several the one that goes on alike longest
 *     names      equally many of each name: the k-th is the k-th */

enum alignment {
    ALIGNED_NOT,
    ALIGNED_BY_ANNOTATIONS, /* no capture: nodes were annotated by their ids */
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

/* ---- who launched the kernels of a CUDA or HIP graph: from its capture ----
 *
 * A launch whose nodes are annotated by their ids needs no capture. Others are joined with the first
 * of these that leaves one capture:
 *
 *     the label of the step says a size: the smallest captured size that holds it; of several of
 *     that size the k-th for the k-th launch of the step
 *     there is one capture
 *     there is a whole number of rounds of all captures, which fit in turn
 *     a launch of the same graph (the upper half of its nodes' ids) was joined by one of these
 *     every capture whose nodes align; of several the kernels get what all of them agree on
 *
 * A launch is joined whole or not at all. */

struct captures_join {
    uint32_t captures;         /* that were found, */
    uint32_t annotated;        /* and annotations of nodes; without either, nothing is joined */
    int64_t smallest, largest; /* captured size; 0: not known */
    uint32_t launches, joined; /* of graphs, with device work */
    uint32_t several;          /* of those joined: several captures fit, and inputs were left out */
    int64_t time, known_time;  /* ns of their work, and of that whose operators are known */
    int64_t tokens, slots;     /* of the launches that were joined by size: what their steps
                               * computed, and what the graphs hold */
    int64_t device_time;       /* ns of all device work */
    uint32_t by[ALIGNMENT_COUNT]; /* launches */
};

/* Gives the device work of launches what it was captured for: PROP_CAPTURED and graph->captured.
 * `captured`: graphs that hold captures, which may be the same one. */
void captures_join(struct graph *graph, const struct graph *const *captured, uint32_t count,
                   struct captures_join *join);

/* Fills what of a join needs no captures: launches with device work, its time, and that of all device work. */
void captures_measure(const struct graph *graph, struct captures_join *join);

#endif
