/* SPDX-License-Identifier: Apache-2.0 */
/* overlap_ranks.h — what overlaps on each of several ranks, and how they wait for one another */
#ifndef PTK_CMD_COMMANDS_OVERLAP_RANKS_H
#define PTK_CMD_COMMANDS_OVERLAP_RANKS_H

#include "analysis/ranks/rank_overlap.h"
#include "cmd/shared/rank_loading.h"
#include "render/forms/report.h"

struct overlap_ranks {
    struct rank_file *files; /* in order of the ranks, once reported */
    size_t count;
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
