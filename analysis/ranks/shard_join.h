/* SPDX-License-Identifier: Apache-2.0 */
/* shard_join.h — shards of a job as one, and what follows when all ranks of a group are there */
#ifndef PTK_ANALYSIS_RANKS_SHARD_JOIN_H
#define PTK_ANALYSIS_RANKS_SHARD_JOIN_H

#include "analysis/ranks/job_shard.h"
#include "base/error/error.h"

/* Many shards as one, the largest first, so that the answer does not depend on their order; groups
 * whose ranks are all there are clock-aligned. ERROR_INPUT, too, where they are of jobs of different sizes.
 * All of `shards` are freed. On an error `at` is the shard that it is about. */
MUST_CHECK bool shards_join(struct job_shard *shards, size_t count, struct job_shard *whole,
                            size_t *at, struct error *err);

/* What has come together so far, and where in it things are: `whole`, and the rest zeroed. */
struct shard_joining {
    struct job_shard *whole;
    uint32_t world;      /* how many ranks the job has; 0: no trace has it yet */
    struct idmap ranks;  /* → summary */
    struct idmap groups; /* by name and members */
    struct idmap hot;    /* by name, kind and stage */
};

/* The same one by one, which takes less memory: the caller adds the largest shard first, each of which is freed, and
 * aligns the whole after shards_join_end(). */
MUST_CHECK bool shards_join_one(struct shard_joining *joining, struct job_shard *from,
                                struct error *err);
void shards_join_end(struct shard_joining *joining);

/* One rank's participation in a collective that ended there. */
struct meeting_member {
    uint32_t summary,
        participation;  /* indices into the shard and the summary; the first of several kernels */
    int64_t start, end; /* ns, own clock */
    int64_t late;       /* ns after the first of all began, on the group's clock */
};

/* One collective. */
struct group_meeting {
    uint32_t group;
    uint32_t first, count; /* its members, the first to begin first */
    int64_t begin;         /* ns, on the group's clock: when the first began */
    int64_t skew;          /* ns from the first start to the last */
    int64_t transfer; /* from there to the first end; negative where clocks do not allow for that */
};

struct group_meetings {
    struct VECTOR_OF(struct group_meeting) list;
    struct VECTOR_OF(struct meeting_member) members;
};

void group_meetings_free(struct group_meetings *meetings);

/* Which of shards that cannot be joined are left out. */
struct shard_choice {
    bool
        prefers_longest; /* of summaries of one rank that with the most steps, then the larger hash */
    int64_t job_of;      /* only shards of the job that this rank is of; -1: all */
};

enum shard_left_out { SHARD_TAKEN, SHARD_SHORTER, SHARD_OF_OTHER_JOB };

/* Empties those, and says in `why`, by shard, what became of it: the same whatever the order of the
 * shards. Jobs differ in how many ranks they have; where the rank is of several, the one of which there
 * are the most summaries is meant. ERROR_INPUT where nothing is of that rank. */
MUST_CHECK bool shards_choose(struct job_shard *shards, size_t count,
                              const struct shard_choice *choice, enum shard_left_out *why,
                              struct error *err);

/* Whether groups that lack a rank are clock-aligned, too: as a report needs it, never a shard. */
enum groups_aligned { GROUPS_WHOLE, GROUPS_ALL };

/* Aligns the clocks of each group's members by the ends of its collectives, and leaves of each of
 * these how long it took from the last start on: see job_shard.h. Adds each collective that ended to
 * `meetings`, which may be NULL. */
void shard_align(struct job_shard *shard, enum groups_aligned which,
                 struct group_meetings *meetings);

/* As shards_join() and shard_align() of all groups, with each collective; summaries are by rank then. */
MUST_CHECK bool shards_meet(struct job_shard *shards, size_t count, struct job_shard *whole,
                            struct group_meetings *meetings, size_t *at, struct error *err);

#endif
