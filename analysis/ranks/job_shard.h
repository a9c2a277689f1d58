/* SPDX-License-Identifier: Apache-2.0 */
/* job_shard.h — what is kept of a job's ranks */
#ifndef PTK_ANALYSIS_RANKS_JOB_SHARD_H
#define PTK_ANALYSIS_RANKS_JOB_SHARD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error/error.h"
#include "base/memory/memory.h"
#include "base/text/string_table.h"

/* ---- how a figure is distributed, in integers that add up the same in any order ---- */

/* Count, sum, sum of squares, least, most and a DDSketch (Masson, Rim, Lee: "DDSketch", VLDB 2019)
 * whose buckets' bounds are integers: b₀ = 1, b₍ᵢ₊₁₎ = max(bᵢ + 1, ⌊bᵢ·102/100⌋). Bucket i holds
 * b₍ᵢ₋₁₎ < x ≤ bᵢ; what is shown for it is off by 1 % at most. Zero has a bucket of its own. */

__extension__ typedef unsigned __int128 square;

/* Of figures that are not negative. Zeroed is that of none. Buckets are some arena's. */
struct distribution {
    uint64_t count, sum, zeros;
    square squares;
    int64_t least, most;
    uint32_t first, buckets; /* the first bucket that is kept, and how many */
    uint64_t *bucket;
};

/* Takes what is negative for 0. */
void distribution_add(struct distribution *distribution, int64_t figure, struct arena *arena);

/* Adds all that another holds. */
void distribution_merge(struct distribution *distribution, const struct distribution *other,
                        struct arena *arena);

/* The figure that a share of all (0 … 1) is not above, within 1 %; 0 of none. */
int64_t distribution_quantile(const struct distribution *distribution, double share);

/* How many buckets there are, for those who check what they read. */
uint32_t distribution_bucket_count(void);

/* What is kept of the traces of some ranks of a job: a pure function of the set of
 * them.
 *
 * A rank summary is what one rank's trace says of its work: a program (operations, and what each waits
 * for), and its participations in collectives. A shard is a set of rank summaries, and what follows from
 * that set alone: groups of ranks that are all in it are clock-aligned, which leaves of their collectives
 * how long each took once the last had come. So shards can be joined in any order, and give the same
 * bytes. Manuals, options and messages call a shard a part. */

/* ---- what is kept of the traces of some ranks of a job ---- */

#define NOT_KNOWN INT64_MIN

/* What an operation's typical length is: the mean of computing, the median of communication. */
enum operation_kind { OPERATION_COMPUTE, OPERATION_TRANSFER };

/* Figures of one rank in one step; ns or counts. */
enum row_figure {
    ROW_LENGTH,  /* from the first start to the last end of its device work */
    ROW_COMPUTE, /* unions over streams */
    ROW_COMMUNICATION,
    ROW_EXPOSED, /* communication while nothing computes */
    ROW_COPIES,  /* copies while nothing else is done */
    ROW_IDLE,
    ROW_KERNELS,
    ROW_MEETINGS, /* collectives with others; from here on they are known when groups are clock-aligned */
    ROW_LAST,
    ROW_MADE_WAIT,
    ROW_WAITED,
    ROW_COUNT
};

enum rank_flag {
    RANK_TRUNCATED = 1,      /* the trace is cut: whole steps are kept */
    RANK_NO_WAITS = 2,       /* order between streams is inferred from times */
    RANK_NO_STEPS = 4,       /* it marks no steps: all is one */
    RANK_ONE_CLOCK = 8,      /* its times are of the job's clock already */
    RANK_OWN_NUMBER = 16,    /* the file does not say which rank it is: by its name or place */
    RANK_NO_LAUNCHES = 32,   /* no host calls: delays of the host are not known */
    RANK_ORDINALS = 128,     /* collectives have no numbers: they are counted, in each step */
    RANK_LOG = 256,          /* the file is of collectives alone */
    RANK_END_TOGETHER = 512, /* and only of how long those took that ended, not when */
};

/* What stands for the number of a collective under RANK_ORDINALS: its step, which operation it is (12
 * bits of its name's hash; 0 for transfers, whose two ends have two names), and how many of these the
 * step had before it in the group. */
static inline int64_t shard_ordinal(int64_t step, uint32_t operation, uint32_t before)
{
    return (int64_t)((uint64_t)step << 32 | (uint64_t)operation << 20 | (before & 0xfffff));
}

/* What a summary leaves out of its trace, as it may have so many bytes. */
struct rank_folds {
    uint64_t operations;  /* joined with the ones before them */
    uint64_t collectives; /* taken for work of the rank alone */
    uint64_t steps;       /* after those that are kept */
    uint64_t names;       /* of device work, in "(other)" */
};

/* What one rank did: its steps, operations and participations in collectives. Columns, all the shard's
 * arena's. */
struct rank_summary {
    uint32_t rank, world;  /* world: 0 where it does not say */
    int32_t stage, dp, tp; /* its place, from 0 */
    str_id host, file;
    str_id device;  /* its name; empty: the trace does not say */
    uint64_t hash;  /* of all that the map made of the trace */
    uint64_t bytes; /* of the trace, unpacked; 0: not known */
    uint32_t flags; /* enum rank_flag */
    struct rank_folds folds;

    uint32_t step_count;
    int64_t *step;        /* ascending numbers */
    int64_t *begin, *end; /* of its device work in the step, own clock, ns since the epoch */
    int64_t *figure[ROW_COUNT];
    uint32_t *first_op; /* by step, and the end */

    uint32_t op_count;
    str_id *label;           /* what S_t reports it as */
    str_id *type;            /* what is typical is that of all that have the same */
    uint8_t *kind;           /* enum operation_kind */
    int64_t *length;         /* ns; of a participation that is clock-aligned: its transfer */
    int64_t *delay;          /* ns of host delay before it; without dependencies: since begin[] */
    uint32_t *participation; /* which of its participations, plus 1; 0: none */
    uint32_t *first_dep;     /* by operation, and the end: in dep */
    uint32_t *dep;           /* operations of the same step, as index in the summary */

    uint32_t participation_count; /* collectives, in the order of the calls */
    uint32_t *group;              /* index into the shard's groups */
    int64_t *sequence;
    str_id *operation;
    int64_t *size;     /* bytes, or NOT_KNOWN */
    int64_t *start;    /* own clock, ns since the epoch; NOT_KNOWN: clock-aligned */
    int64_t *lasted;   /* ns; NOT_KNOWN: called, but never ended */
    uint32_t *in_step; /* index of its step; UINT32_MAX: in none */
    bool *is_begun;    /* the device had begun what it did not end, as the file says */
};

/* A clock against another: `offset` ns after it, and from when that shows `from` on either drifting
 * by so many ns a second, or set by `jump` ns. */
struct member_clock {
    int64_t offset; /* or NOT_KNOWN */
    int64_t from;   /* ns since the epoch */
    int64_t drift;  /* parts per billion */
    int64_t jump;
    int64_t residual; /* median distance of what ended from that, ns; or NOT_KNOWN */
};

/* How far it is after the other when that shows `when`. */
static inline int64_t clock_offset(const struct member_clock *clock, int64_t when)
{
    if (when < clock->from && !clock->drift)
        return clock->offset;
    __extension__ typedef __int128 wide;
    return clock->offset + clock->jump +
           (int64_t)((wide)(when - clock->from) * clock->drift / 1000000000);
}

struct shard_group {
    str_id name;     /* "12", with "0>8" for transfers between two */
    str_id use;      /* "DATA_PARALLEL_GROUP" */
    str_id members;  /* "[0, 8]", or empty */
    uint32_t *ranks; /* ascending; none where they are not listed */
    uint32_t rank_count;
    uint32_t size;              /* how many there are; 0: not known */
    bool is_pair;               /* transfers from the one to the other */
    bool is_aligned;            /* the following are known */
    bool is_partial;            /* clock-aligned without all its members */
    struct member_clock *clock; /* by member, against the smallest present's */
    int64_t residual;  /* median distance of ends from that, ns; NOT_KNOWN: nothing in common */
    uint64_t meetings; /* with two or more members present */
    uint64_t clipped;  /* transfers that came out negative */
};

/* How often a rank came last, and how long the next to last waited for it, ns in all. */
struct shard_last {
    uint32_t rank;
    int64_t times, made_wait;
};

/* Collectives of one operation and size in a group that is clock-aligned. */
struct shard_traffic {
    uint32_t group;
    str_id operation;
    int64_t size;              /* bytes of one on each rank; NOT_KNOWN: that, or ranks differ */
    int64_t bytes, most_bytes; /* sums of all, as the mean rank has it, and as the one with most */
    struct distribution skew;  /* ns from the first start to the last */
    struct distribution transfer; /* ns from the last start to the first end */
    struct shard_last *last;      /* who came last, by rank */
    uint32_t last_count;
};

/* A member that has not entered a collective that others have, or has entered it as another. */
struct shard_absence {
    uint32_t group;
    int64_t sequence;
    uint32_t rank;
    uint32_t entered; /* position among the rank's calls, plus 1; 0: it never came */
    str_id operation; /* it came as; 0: not */
    int64_t size;
    bool is_begun; /* its device had begun it */
};

/* Device work by name over all ranks. */
struct shard_hot {
    str_id name;
    uint8_t kind; /* enum frame_kind */
    int32_t stage;
    struct distribution events; /* ns each */
    struct distribution ranks;  /* ns of each rank's total */
};

struct job_shard {
    struct strings strings;
    struct arena arena;
    struct rank_summary *summaries; /* by rank */
    uint32_t summary_count;
    struct shard_group *groups; /* by name, members */
    uint32_t group_count;
    struct shard_absence *absences; /* by group, sequence, rank */
    uint32_t absence_count;
    struct shard_hot *hot; /* by name, kind, stage */
    uint32_t hot_count;
    struct shard_traffic *traffic; /* by group, operation, size */
    uint32_t traffic_count;
    size_t summary_cap, group_cap, absence_cap, hot_cap, traffic_cap;
};

static inline struct span shard_text(const struct job_shard *shard, str_id id)
{
    return strings_get(&shard->strings, id);
}

void job_shard_free(struct job_shard *shard);

/* ---- room in a shard, and the order that everything in one has ---- */

/* Appends one, by which those before may move. */
struct rank_summary *shard_add_summary(struct job_shard *shard, const struct rank_summary *as);
struct shard_group *shard_add_group(struct job_shard *shard);
struct shard_absence *shard_add_absence(struct job_shard *shard, const struct shard_absence *as);
struct shard_hot *shard_add_hot(struct job_shard *shard, const struct shard_hot *as);
struct shard_traffic *shard_add_traffic(struct job_shard *shard, const struct shard_traffic *as);

/* Gives back room that is left over: many shards of few ranks may be kept at once. */
void shard_trim(struct job_shard *shard);

/* The one of the same key, or NULL. */
struct shard_traffic *shard_find_traffic(const struct job_shard *shard,
                                         const struct shard_traffic *like);

/* Sets a group's ranks and size from how files list them: "[0, 8]". */
void shard_group_ranks(struct shard_group *group, struct span text, struct arena *arena);

/* Zeroed columns for as many steps, operations and participations as the summary says it has; its dependencies
 * are left to the caller, whose first_dep is there. */
void rank_summary_make_columns(struct rank_summary *summary, struct arena *arena);

/* Puts all lists in order, and renumbers groups where they are meant. */
void shard_sort(struct job_shard *shard);

/* The summary of a rank, or NULL; by bisection. */
struct rank_summary *rank_summary_of(const struct job_shard *shard, uint32_t rank);

/* Sets the hash of a summary from everything in it. */
void rank_summary_hash(const struct job_shard *shard, struct rank_summary *summary);

#endif
