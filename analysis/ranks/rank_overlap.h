/* SPDX-License-Identifier: Apache-2.0 */
/* rank_overlap.h — several ranks on one clock: their collectives, overlap and waits */
#ifndef PTK_ANALYSIS_RANKS_RANK_OVERLAP_H
#define PTK_ANALYSIS_RANKS_RANK_OVERLAP_H

#include "analysis/execution/overlap.h"
#include "analysis/ranks/job_shard.h"
#include "analysis/timeline/inventory.h"
#include "base/memory/memory.h"
#include "base/text/string_table.h"
#include "graph/classify/event_class.h"
#include "graph/model/graph.h"

/* Every collective that one rank ran on its devices, ready to be matched with the
 * same of other ranks. */

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

/* ---- several processes of one job on one clock: who was late, and what collectives took ---- */

/* Collectives are matched, and clocks aligned, as of a job (shard_join.h): what is shown here of skew, transfer,
 * waiting and who came last is what ptk job says. Skew is the last start minus the first, transfer the
 * earliest end minus the last start (TraceLens's definitions, AMD-AGI, MIT). */

/* One file. Borrowed; the graph need not have its timeline any more. */
struct rank {
    const struct graph *graph;
    const struct overlap *overlap;
    const struct collectives *collectives;
    struct rank_share *share; /* empty when compared */
    int64_t number;           /* as the file says, else its place among the files */
};

/* A rank's collectives as a shard of its job, without the work in between. */
struct rank_share {
    struct job_shard shard;
    uint32_t *collective; /* by participation: which of the rank's; the arena's */
};

/* Of those in steps, where the file marks some. `file`: its name; `place`: its number where neither it nor
 * its name says which rank it is. job_shard_free() in any case. */
void rank_share_make(const struct graph *graph, const struct collectives *collectives,
                     const char *file, int64_t place, struct arena *arena,
                     struct rank_share *share);

/* What a rank did for the others to wait, and how it waited itself; ns. */
struct rank_lateness {
    uint32_t matched;   /* collectives that another rank ran too */
    uint32_t last;      /* those to which it came last */
    int64_t waited;     /* from its own start to the last rank's, over all, */
    int64_t idle;       /* of which its devices computed nothing meanwhile, */
    uint32_t idle_for;  /* and most of that for this rank; UINT32_MAX: for none */
    int64_t made_wait;  /* from the last but one's start to its own, where it came last */
    bool is_waited_for; /* made_wait is at least `waited_share` of the span */
};

/* Two ranks, of which one sends to the other. */
struct rank_pair {
    struct span name, members; /* "26 15>7", "[15,7]" */
};

/* One collective on the ranks that have it, at least two. */
struct rank_meeting {
    uint32_t rank, at;    /* the smallest, and which of its collectives: what it is called after */
    uint32_t first, last; /* the first and the last rank to start */
    uint32_t ranks;       /* that have it */
    const struct rank_pair *pair; /* of a transfer; else NULL, and the collective names the group */
    int64_t start;                /* ns on the common clock */
    int64_t skew, transfer;       /* ns; transfer UNKNOWN where the ranks did not run it at once */
    int64_t bytes;                /* or UNKNOWN */
    double algorithm, bus;        /* bytes a second, or NaN */
};

/* All meetings of one operation and group. */
struct rank_kind {
    uint32_t first; /* a meeting of it */
    uint32_t count;
    uint32_t apart;          /* of which the ranks did not run it at once */
    int64_t skew, max_skew;  /* sum, and the most */
    int64_t transfer, bytes; /* sums; bytes or UNKNOWN */
    double algorithm, bus;   /* bytes a second, or NaN */
};

/* One device of one rank. */
struct rank_device {
    uint32_t rank;
    const struct overlap_device *of;
};

/* How far apart devices are in one figure of struct overlap_figures. */
struct rank_spread {
    const char *figure;   /* as tables call it */
    struct extremes over; /* its places are indices into ranks.devices */
};

struct ranks {
    const struct rank *list; /* the caller's */
    uint32_t count;
    int64_t *offset;             /* of each rank's origin after the earliest, clocks aligned; ns */
    int64_t start, span;         /* of device work over all ranks, since the earliest origin */
    struct rank_device *devices; /* by rank */
    uint32_t device_count;
    struct rank_spread *spreads; /* none where there are less than two devices */
    uint32_t spread_count;
    struct rank_lateness *lateness; /* by rank */
    struct rank_meeting *meetings;  /* by operation and group, then as they were run */
    uint32_t meeting_count;
    struct rank_kind *kinds;
    uint32_t kind_count;
    uint32_t unmatched; /* collectives on one rank alone */
    uint32_t apart;     /* meetings that the ranks did not run at once */
};

/* Everything is the arena's. */
void ranks_compare(const struct rank *list, uint32_t count, double waited_share,
                   struct arena *arena, struct ranks *ranks);

/* ---- how long devices waited in collectives for a late rank, and did nothing besides ---- */

/* A collective's kernel that has begun before all ranks are there only waits, which the rank's own
 * trace cannot tell from work. Where the device computes meanwhile, nothing is lost. */

/* A rank's device from when it began a collective to when the last rank did; ns on the rank's own
 * clock. */
struct rank_wait {
    int64_t start, end;
    uint32_t rank, last;
    int32_t device;
};

/* Fills each rank's lateness[].idle and .idle_for. Waits of a device that overlap count once, for
 * the one that began first. Needs overlaps with exposed communication (overlap_options). */
void rank_waits_sum(const struct rank_wait *waits, uint32_t count, struct arena *arena,
                    struct ranks *ranks);

#endif
