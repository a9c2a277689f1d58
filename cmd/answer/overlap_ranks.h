/* SPDX-License-Identifier: Apache-2.0 */
/* overlap_ranks.h — what overlaps on each of several ranks, and how they wait for one another */
#ifndef PTK_CMD_ANSWER_OVERLAP_RANKS_H
#define PTK_CMD_ANSWER_OVERLAP_RANKS_H

#include "cmd/load/rank_files.h"
#include "render/forms/report.h"

struct overlap_ranks {
    struct rank_file *files; /* in order of the ranks */
    size_t count;
    struct arena arena;
    struct ranks *compared; /* the arena's */
    const char *doubt;      /* which rank is which is a guess; or NULL */
};

/* What is asked for besides. Zeroed: nothing. */
struct overlap_ranks_options {
    uint64_t memory;          /* as in struct rank_reading, */
    const bool *may_be_other; /* this too */
    rank_digest *also;        /* what else is kept of each rank; or NULL */
    const void *context;
};

/* overlap_ranks_free() in any case. */
MUST_CHECK bool overlap_ranks_read(struct overlap_ranks *ranks, char **paths, size_t count,
                                   const struct common *common,
                                   const struct overlap_ranks_options *options, struct error *err);

/* What `also` made of a rank. */
void *overlap_ranks_also(const struct overlap_ranks *ranks, size_t at);

/* Sets the report's inputs, and adds tables and the chart; `limit` as in ranks_report(). All lives
 * in the arena. False where no rank has device work. */
bool overlap_ranks_report(const struct overlap_ranks *ranks, uint32_t limit, struct arena *arena,
                          struct report *report);

void overlap_ranks_free(struct overlap_ranks *ranks);

#endif
