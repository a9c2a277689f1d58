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

/* `memory` as in struct rank_reading. overlap_ranks_free() in any case. */
MUST_CHECK bool overlap_ranks_read(struct overlap_ranks *ranks, char **paths, size_t count,
                                   const struct common *common, uint64_t memory, struct error *err);

/* Sets the report's inputs, and adds tables and the chart; `limit` as in ranks_report(). All lives
 * in the arena. False where no rank has device work. */
bool overlap_ranks_report(const struct overlap_ranks *ranks, uint32_t limit, struct arena *arena,
                          struct report *report);

void overlap_ranks_free(struct overlap_ranks *ranks);

#endif
