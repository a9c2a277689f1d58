/* SPDX-License-Identifier: Apache-2.0 */
/* rank_match.h — which collectives of several ranks are one */
#ifndef PTK_ANALYSIS_RANKS_RANK_MATCH_H
#define PTK_ANALYSIS_RANKS_RANK_MATCH_H

#include "analysis/ranks/rank_overlap.h"

/* One rank's part in a collective. */
struct rank_part {
    uint32_t rank, at;  /* which of the rank's collectives */
    str_id key;         /* operation and group: equal over ranks */
    str_id group_ranks; /* the group's, as a text without blanks; 0: not known */
    int64_t ordinal;    /* which one of its key: parts of one collective have the same */
    int64_t start, end; /* ns on the common clock */
};

struct rank_parts {
    struct rank_part *list; /* by key, ordinal, start; at most one of a rank in each collective */
    uint32_t count;
};

/* Groups are told apart by their names and sizes and, where all parts of one name and size have
 * them, by their ranks: several may share a name. Sends and receives, which one rank runs for
 * another alone, are left out. `offset` is each rank's clock. */
void rank_match(const struct rank *list, uint32_t count, const int64_t *offset, struct arena *arena,
                struct rank_parts *parts);

static inline bool is_one_collective(const struct rank_part *a, const struct rank_part *b)
{
    return a->key == b->key && a->ordinal == b->ordinal;
}

#endif
