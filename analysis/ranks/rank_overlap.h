/* SPDX-License-Identifier: Apache-2.0 */
/* rank_overlap.h — several processes of one job on one clock: who was late, and what collectives
 * took
 *
 * A collective is matched over ranks by its number in its process group where the files have
 * it; else by order among those of one operation and group, or, where ranks have different
 * numbers of them, by running at the same time. Skew is the last start minus the first, transfer
 * the earliest end minus the last start (TraceLens's definitions, AMD-AGI, MIT). */
#ifndef PTK_ANALYSIS_RANKS_RANK_OVERLAP_H
#define PTK_ANALYSIS_RANKS_RANK_OVERLAP_H

#include "analysis/ranks/collectives.h"
#include "analysis/timeline/extremes.h"
#include "analysis/timeline/overlap.h"

/* One file. Borrowed; the graph need not have its timeline any more. */
struct rank {
    const struct graph *graph;
    const struct overlap *overlap;
    const struct collectives *collectives;
    int64_t number; /* as the file says, else its place among the files */
};

/* What a rank did for the others to wait, and how it waited itself; ns. */
struct rank_lateness {
    uint32_t matched;  /* collectives that another rank ran too */
    uint32_t last;     /* those to which it came last */
    int64_t waited;    /* from its own start to the last rank's, over all, */
    int64_t idle;      /* of which its devices computed nothing meanwhile (rank_waits.h), */
    uint32_t idle_for; /* and most of that for this rank; UINT32_MAX: for none */
    int64_t made_wait; /* from the last but one's start to its own, where it came last */
    bool is_straggler; /* made_wait is at least `straggler_share` of the span */
};

/* One collective on the ranks that have it, at least two. */
struct rank_meeting {
    uint32_t rank, at;      /* its first to start, and which of that rank's collectives */
    uint32_t last;          /* the last rank to start */
    uint32_t ranks;         /* that have it */
    int64_t start;          /* ns on the common clock */
    int64_t skew, transfer; /* ns; transfer UNKNOWN where the ranks did not run it at once */
    int64_t bytes;          /* or UNKNOWN */
    double algorithm, bus;  /* bytes a second, or NaN */
};

/* All meetings of one operation and group. */
struct rank_kind {
    uint32_t first; /* a meeting of it */
    uint32_t count;
    uint32_t apart;          /* of which the ranks did not run it at once */
    int64_t skew, max_skew;  /* sum, and the most, of those that are not apart */
    int64_t transfer, bytes; /* sums of the same; bytes or UNKNOWN */
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
    int64_t *offset;             /* of each rank's origin after the earliest; ns */
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
void ranks_compare(const struct rank *list, uint32_t count, double straggler_share,
                   struct arena *arena, struct ranks *ranks);

#endif
