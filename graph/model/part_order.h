/* SPDX-License-Identifier: Apache-2.0 */
/* part_order.h — room in a part, and the order that everything in one has */
#ifndef PTK_GRAPH_MODEL_PART_ORDER_H
#define PTK_GRAPH_MODEL_PART_ORDER_H

#include "graph/model/job_part.h"

/* Appends one, by which those before may move. */
struct part_leaf *part_add_leaf(struct job_part *part, const struct part_leaf *as);
struct part_group *part_add_group(struct job_part *part);
struct part_absence *part_add_absence(struct job_part *part, const struct part_absence *as);
struct part_hot *part_add_hot(struct job_part *part, const struct part_hot *as);
struct part_traffic *part_add_traffic(struct job_part *part, const struct part_traffic *as);

/* The one of the same key, or NULL. */
struct part_traffic *part_find_traffic(const struct job_part *part,
                                       const struct part_traffic *like);

/* Sets a group's ranks and size from how files list them: "[0, 8]". */
void part_group_ranks(struct part_group *group, struct span text, struct arena *arena);

/* Zeroed columns for as many steps, operations and joins as the leaf says it has; its dependencies
 * are left to the caller, whose first_dep is there. */
void part_leaf_columns(struct part_leaf *leaf, struct arena *arena);

/* Puts all lists in order, and renumbers groups where they are meant. */
void part_sort(struct job_part *part);

/* The leaf of a rank, or NULL; by bisection. */
struct part_leaf *part_leaf_of(const struct job_part *part, uint32_t rank);

/* Sets the hash of a leaf from everything in it. */
void part_hash_leaf(const struct job_part *part, struct part_leaf *leaf);

#endif
