/* SPDX-License-Identifier: Apache-2.0 */
/* participation.h — which collective of a job a rank's collective is: its group, and its number there */
#ifndef PTK_ANALYSIS_RANKS_PARTICIPATION_H
#define PTK_ANALYSIS_RANKS_PARTICIPATION_H

#include "analysis/ranks/rank_overlap.h"
#include "analysis/ranks/summary_rows.h"

/* While the collectives of one rank are gone through, by step. */
struct participation_finder {
    const struct graph *graph;
    struct summary_rows *rows; /* for the caller */
    struct group_list *groups;
    struct collectives collectives;
    struct idmap by_event; /* → collective */
    struct idmap counted; /* group and operation → how many of a step had no number of their own */
    int64_t counted_step;
    uint32_t rank, flags; /* enum rank_flag */
};

/* Whether it is known from what the file says which one of the job it is: of a transfer in a group of more than
 * two only where both ends are named. */
bool participation_is_known(const struct participation_finder *finder,
                            const struct collective *collective);

/* The group of a collective; transfers between two have one for each direction. */
uint32_t participation_group(const struct participation_finder *finder,
                             const struct collective *collective, struct arena *scratch);

/* Where the file does not number them they are counted, in each step anew, each operation of a group by
 * itself: those of one group may be on several streams, whose order differs from rank to rank. What
 * one end sends is what the other receives. */
int64_t participation_sequence(struct participation_finder *finder,
                               const struct collective *collective, uint32_t group, int64_t step);

/* Adds all groups that the file lists. */
void participation_groups(const struct participation_finder *finder);

/* Which rank a file is of: `rank`, or where that is negative as it says, else by its name, else its place
 * among the files. */
uint32_t participation_rank(const struct graph *graph, const char *file, int64_t rank,
                            int64_t place, uint32_t *flags);

#endif
