/* nesting.h — which host event is around which, and what that makes of it
 *
 * Threads do not nest in each other, so that several can be nested at once. */
#ifndef PTK_ANALYSIS_SUMMARY_NESTING_H
#define PTK_ANALYSIS_SUMMARY_NESTING_H

#include "analysis/summary/host_tree.h"

/* Some of the threads' tracks, and what is found on them. */
struct nest {
    struct host_tree *tree;
    const struct roles *roles;
    struct open_event *opened; /* those open at the point of the sweep */
    size_t depth, cap;
    uint32_t *of_frame; /* by frame, how many of them have it */
    uint32_t *tracks;   /* indices */
    uint32_t track_count;
    event_id *transfers; /* as host_tree.transfers */
    size_t transfer_count, transfer_cap;
    bool has_role[ROLE_COUNT];
};

/* Shares out the tracks that have a turn. The first nest has the longest of them. */
struct nest *nests_new(struct host_tree *tree, const struct roles *roles, size_t count);

/* Gives the events of a nest their roles, parents and marks; beside the others. */
void nest_run(struct nest *nest);

/* When all have run: gives the tree what they found, and frees them. */
void nests_end(struct nest *nests, size_t count);

#endif
