/* SPDX-License-Identifier: Apache-2.0 */
/* group_clock.h — the clocks of a group's members, by the ends of the collectives that they share */
#ifndef PTK_ANALYSIS_RANKS_GROUP_CLOCK_H
#define PTK_ANALYSIS_RANKS_GROUP_CLOCK_H

#include "analysis/ranks/shard_join.h"

/* One rank's part in one collective of the group. */
struct group_entry {
    int64_t sequence, start, end;          /* own clock; end NOT_KNOWN: it never ended */
    uint32_t rank, summary, participation; /* indices into the shard and the summary */
    bool ends_together;                    /* all ranks end such operations at one time */
};

struct group_work {
    struct job_shard *shard;
    struct shard_group *group;
    uint32_t at;
    struct group_entry *entries; /* by sequence, rank */
    uint32_t count;
    uint32_t *present; /* summaries of members, by rank */
    uint32_t present_count;
    int64_t *last_sequence;          /* by present: the last that its file has */
    struct member_clock *clock;      /* by present, against the first of them */
    struct group_meetings *meetings; /* told of all collectives; or NULL */
    struct meeting_member *members;  /* room for those of one */
};

/* Sets `clock`, and the group's residual. Clocks of one host are one, unless what ends on them says
 * otherwise. */
void group_clock_align(struct group_work *work, struct arena *scratch);

/* When a collective, `count` entries in a row, ended on the first member's clock. */
int64_t group_clock_time(const struct group_work *work, const struct group_entry *entries,
                         uint32_t count);

/* By how much an entry's clock is after the first member's when that shows `when`, ns. */
int64_t group_clock_offset(const struct group_work *work, const struct group_entry *entry,
                           int64_t when);

#endif
