/* SPDX-License-Identifier: Apache-2.0 */
/* commands.h — what commands of one family share */
#ifndef PTK_CMD_COMMANDS_COMMANDS_H
#define PTK_CMD_COMMANDS_COMMANDS_H

#include "analysis/amdahl/amdahl.h"
#include "analysis/ranks/rank_overlap.h"
#include "base/cli/option.h"
#include "base/text/pattern.h"
#include "cmd/shared/load.h"
#include "render/forms/report.h"

/* ---- callers, callees and peek: one command but for what is asked ---- */

enum relatives_question { ASK_CALLERS, ASK_CALLEES, ASK_BOTH };

extern const struct option relatives_options[];

MUST_CHECK bool relatives_run(enum relatives_question question, char **argv, struct error *err);

/* ---- what overlaps on each of several ranks, and how they wait for one another ---- */

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

/* ---- --part: what gets faster, and by how much ---- */

struct amdahl_parts {
    const char *names[AMDAHL_PARTS_MAX]; /* the expressions, as given */
    struct pattern patterns[AMDAHL_PARTS_MAX];
    double factors[AMDAHL_PARTS_MAX];
    uint32_t count;
};

/* amdahl_parts_free() in any case. */
MUST_CHECK bool amdahl_parts_parse(const struct option_values *given, struct amdahl_parts *parts,
                                   struct arena *arena, struct error *err);

/* Each function goes to the first part whose expression its name, file or module matches; ERROR_NO
 * for a part that has none. */
MUST_CHECK bool amdahl_parts_combine(const struct amdahl_parts *parts, const struct graph *graph,
                                     const struct amdahl_options *options, struct arena *arena,
                                     struct amdahl_plan *plan, struct error *err);

void amdahl_parts_free(struct amdahl_parts *parts);

#endif
