/* SPDX-License-Identifier: Apache-2.0 */
/* summary_rows.h — a rank's operations while they are found, in rows that become a summary's columns */
#ifndef PTK_ANALYSIS_RANKS_SUMMARY_ROWS_H
#define PTK_ANALYSIS_RANKS_SUMMARY_ROWS_H

#include "analysis/ranks/job_shard.h"
#include "base/memory/memory.h"
#include "base/text/string_table.h"

#define NO_PARTICIPATION UINT32_MAX

struct step_row {
    int64_t number, begin, end; /* ns since the epoch */
    int64_t figure[ROW_COUNT];
    uint32_t first_op;
};

struct operation_row {
    str_id label, type;
    enum operation_kind kind;
    int64_t length, delay;  /* ns */
    uint32_t participation; /* or NO_PARTICIPATION */
};

struct dependency_row {
    uint32_t op, on;
};

struct participation_row {
    uint32_t group;
    int64_t sequence, size, start, lasted;
    str_id operation;
    uint32_t step; /* index, or UINT32_MAX */
    bool is_begun; /* of one that has not ended */
};

/* Ready for use with the shard, and all else zeroed. Texts go to the shard at once. */
struct summary_rows {
    struct job_shard *shard;
    struct VECTOR_OF(struct step_row) steps;
    struct VECTOR_OF(struct operation_row) ops; /* by step */
    struct VECTOR_OF(struct dependency_row) deps;
    struct VECTOR_OF(struct participation_row) participations;
};

struct step_row *summary_add_step(struct summary_rows *rows, int64_t number);
uint32_t summary_add_operation(struct summary_rows *rows, const struct operation_row *op);
void summary_add_dependency(struct summary_rows *rows, uint32_t op, uint32_t on);
uint32_t summary_add_participation(struct summary_rows *rows,
                                   const struct participation_row *participation);

/* What a summary may have: bytes in a file, without what it shares with others or packs to nothing. */
enum { SUMMARY_MOST = 850000, SUMMARY_STEP_MOST = 85000 };

/* How many of these it has. */
uint64_t summary_rows_bytes(const struct summary_rows *rows);

/* Drops the steps after the first half, quarter ... until the rest may be; how many. Ranks of about one
 * size keep the same steps then. */
uint32_t summary_rows_fit_steps(struct summary_rows *rows);

/* Empties it for another attempt. */
void summary_rows_clear(struct summary_rows *rows);

/* Appends the summary, with `as` for all that is no column, and empties the rows for the next. */
struct rank_summary *summary_rows_finish(struct summary_rows *rows, const struct rank_summary *as);

/* ---- groups, of one shard ---- */

struct group_list {
    struct job_shard *shard;
    struct idmap by_key; /* text of name and members → group */
};

/* `members` as files list them: "[0, 1]". The group's index, which is new on first use. */
uint32_t group_list_add(struct group_list *groups, struct span name, struct span use,
                        struct span members, uint32_t size, bool is_pair);

/* Puts the groups in their order, and drops what is only needed to make them. */
void group_list_finish(struct group_list *groups);

#endif
