/* SPDX-License-Identifier: Apache-2.0 */
/* part_join.h — parts of a job as one, and what follows when all ranks of a group are there */
#ifndef PTK_ANALYSIS_RANKS_PART_JOIN_H
#define PTK_ANALYSIS_RANKS_PART_JOIN_H

#include "analysis/ranks/job_part.h"
#include "base/error/error.h"

/* Many parts as one, the largest first, so that the answer does not depend on their order; groups
 * whose ranks are all there are sealed. ERROR_INPUT, too, where they are of jobs of different sizes.
 * All of `parts` are freed. On an error `at` is the part that it is about. */
MUST_CHECK bool parts_join(struct job_part *parts, size_t count, struct job_part *whole, size_t *at,
                           struct error *err);

/* What has come together so far, and where in it things are: `whole`, and the rest zeroed. */
struct part_joining {
    struct job_part *whole;
    uint32_t world;      /* how many ranks the job has; 0: nobody has said so yet */
    struct idmap ranks;  /* → leaf */
    struct idmap groups; /* by name and members */
    struct idmap hot;    /* by name, kind and stage */
};

/* The same one by one, which takes less memory: the caller adds the largest part first, each of which is freed, and
 * seals the whole after parts_join_end(). */
MUST_CHECK bool parts_join_one(struct part_joining *joining, struct job_part *from,
                               struct error *err);
void parts_join_end(struct part_joining *joining);

/* One rank's part in a collective that ended there. */
struct meeting_member {
    uint32_t leaf, join; /* indices into the part and the leaf; the first of several kernels */
    int64_t start, end;  /* ns, own clock */
    int64_t late;        /* ns after the first of all began, on the group's clock */
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

/* Which of parts that cannot be joined are left out. */
struct part_choice {
    bool prefers_longest; /* of leaves of one rank that with the most steps, then the larger hash */
    int64_t job_of;       /* only parts of the job that this rank is of; -1: all */
};

enum part_left_out { PART_TAKEN, PART_SHORTER, PART_OF_OTHER_JOB };

/* Empties those, and says in `why`, by part, what became of it: the same whatever the order of the
 * parts. Jobs differ in how many ranks they have; where the rank is of several, the one of which there
 * are the most leaves is meant. ERROR_INPUT where nothing is of that rank. */
MUST_CHECK bool parts_choose(struct job_part *parts, size_t count, const struct part_choice *choice,
                             enum part_left_out *why, struct error *err);

/* Whether groups that lack a rank are sealed, too: as a report needs it, never a part. */
enum sealing { SEAL_WHOLE, SEAL_ALL };

/* Aligns the clocks of each group's members by the ends of its collectives, and leaves of each of
 * these how long it took from the last start on: see job_part.h. */
void part_seal(struct job_part *part, enum sealing sealing);

/* The same, and adds each collective that ended. `meetings` may be NULL. */
void part_seal_telling(struct job_part *part, enum sealing sealing,
                       struct group_meetings *meetings);

/* As parts_join() and part_seal() of all groups, and tells of each collective; leaves are by rank then. */
MUST_CHECK bool parts_meet(struct job_part *parts, size_t count, struct job_part *whole,
                           struct group_meetings *meetings, size_t *at, struct error *err);

#endif
