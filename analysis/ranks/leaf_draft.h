/* SPDX-License-Identifier: Apache-2.0 */
/* leaf_draft.h — a rank's operations while they are found, in rows that become a leaf's columns */
#ifndef PTK_ANALYSIS_RANKS_LEAF_DRAFT_H
#define PTK_ANALYSIS_RANKS_LEAF_DRAFT_H

#include "base/memory/memory.h"
#include "base/text/string_table.h"
#include "analysis/ranks/job_part.h"

#define NO_JOIN UINT32_MAX

struct draft_step {
    int64_t number, begin, end; /* ns since the epoch */
    int64_t figure[ROW_COUNT];
    uint32_t first_op;
};

struct draft_op {
    str_id label, type;
    enum operation_kind kind;
    int64_t length, delay; /* ns */
    uint32_t join;         /* or NO_JOIN */
};

struct draft_dep {
    uint32_t op, on;
};

struct draft_join {
    uint32_t group;
    int64_t sequence, size, start, lasted;
    str_id operation;
    uint32_t step; /* index, or UINT32_MAX */
    bool is_begun; /* of one that has not ended */
};

/* Ready for use with the part, and all else zeroed. Texts go to the part at once. */
struct leaf_draft {
    struct job_part *part;
    struct VECTOR_OF(struct draft_step) steps;
    struct VECTOR_OF(struct draft_op) ops; /* by step */
    struct VECTOR_OF(struct draft_dep) deps;
    struct VECTOR_OF(struct draft_join) joins;
};

struct draft_step *draft_step(struct leaf_draft *draft, int64_t number);
uint32_t draft_op(struct leaf_draft *draft, const struct draft_op *op);
void draft_dep(struct leaf_draft *draft, uint32_t op, uint32_t on);
uint32_t draft_join(struct leaf_draft *draft, const struct draft_join *join);

/* What a leaf may have: bytes in a file, without what it shares with others or packs to nothing. */
enum { LEAF_MOST = 850000, LEAF_STEP_MOST = 85000 };

/* How many of these it has. */
uint64_t draft_bytes(const struct leaf_draft *draft);

/* Drops the steps after the first half, quarter ... until the rest may be; how many. Ranks of about one
 * size keep the same steps then. */
uint32_t draft_fit_steps(struct leaf_draft *draft);

/* Empties it for another attempt. */
void draft_clear(struct leaf_draft *draft);

/* Appends the leaf, with `as` for all that is no column, and empties the draft for the next. */
struct part_leaf *draft_finish(struct leaf_draft *draft, const struct part_leaf *as);

/* ---- groups, of one part ---- */

struct group_draft {
    struct job_part *part;
    struct idmap by_key; /* text of name and members → group */
};

/* `members` as files list them: "[0, 1]". The group's index, which is new on first use. */
uint32_t draft_group(struct group_draft *groups, struct span name, struct span use,
                     struct span members, uint32_t size, bool is_pair);

/* Puts the groups in their order, and drops what is only needed to make them. */
void draft_groups_finish(struct group_draft *groups);

#endif
