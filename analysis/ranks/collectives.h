/* SPDX-License-Identifier: Apache-2.0 */
/* collectives.h — every collective that one rank ran on its devices, ready to be matched with the
 * same of other ranks */
#ifndef PTK_ANALYSIS_RANKS_COLLECTIVES_H
#define PTK_ANALYSIS_RANKS_COLLECTIVES_H

#include "base/memory/hash_index.h"
#include "graph/classify/event_class.h"
#include "graph/model/graph.h"

/* The properties that collectives_find() reads. */
uint64_t collectives_properties(void);

struct collective {
    event_id event;
    int64_t start, end; /* ns since the timeline's origin */
    frame_id frame;
    int32_t device;
    str_id operation;                  /* "allreduce"; the frame's name where the file has none */
    bool is_named;                     /* the file says which operation it is */
    enum traffic traffic;              /* of the operation */
    int64_t group;                     /* str_id of the process group, or UNKNOWN */
    int64_t group_ranks;               /* str_id of its ranks, "[0, 1]", or UNKNOWN */
    int64_t group_use;                 /* str_id of what the group is for, or UNKNOWN */
    int64_t sequence;                  /* its number in the group, or UNKNOWN */
    int64_t source, target;            /* ranks of a transfer between two, or UNKNOWN */
    int64_t group_size;                /* ranks, or UNKNOWN */
    int64_t in_elements, out_elements; /* or UNKNOWN */
    int64_t element_size;              /* bytes, or UNKNOWN */
};

/* By start. */
struct collectives {
    struct collective *list; /* the arena's */
    uint32_t count;
};

/* Needs LEVEL_TIMELINE. Outlives the timeline: only the graph's strings and frames are needed to
 * read it. */
void collectives_find(const struct graph *graph, struct arena *arena,
                      struct collectives *collectives);

/* What an event says of the collective that it is, or calls. `groups`: by name, which of the
 * graph's. */
struct collective collective_describe(const struct graph *graph, const struct idmap *groups,
                                      event_id event);

/* Bytes that a collective is about, as NCCL's tests count them: of all ranks for those that gather
 * or scatter, of one for the others. UNKNOWN where the file does not say. */
int64_t collective_bytes(const struct collective *collective);

/* Bus bandwidth over algorithm bandwidth, by NCCL's tests (PERFORMANCE.md): 2(n-1)/n for allreduce,
 * (n-1)/n for gathers, scatters and all-to-all, 1 for the rest; NaN for less than two ranks. */
double collective_bus_factor(const struct collective *collective);

#endif
