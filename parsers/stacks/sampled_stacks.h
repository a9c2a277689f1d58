/* SPDX-License-Identifier: Apache-2.0 */
/* sampled_stacks.h — stacks that were sampled now and then, as the events they are the trace of */
#ifndef PTK_PARSERS_STACKS_SAMPLED_STACKS_H
#define PTK_PARSERS_STACKS_SAMPLED_STACKS_H

#include "base/memory/memory.h"
#include "graph/build/builder.h"

/* A sample says which functions were running. Functions that stand in two samples in a row, at the
 * same place of the same stack, are taken to have run in between. So a function's event begins
 * with the first sample that has it and ends with the first that has it no more. */

#define NO_STACK UINT32_MAX

struct sampled_node {
    frame_id frame;  /* 0: not to be shown, as a root */
    uint32_t parent; /* NO_STACK: none */
};

struct sample {
    int64_t time; /* ns */
    uint32_t track, node;
};

/* Ready for use when zeroed. */
struct sampled {
    struct idmap by_id; /* the file's name for a node (its hash) → index */
    struct VECTOR_OF(struct sampled_node) nodes;
    struct VECTOR_OF(struct sample) samples;
};

/* The node that the file calls `id`; made on first mention, with nothing in it yet. */
uint32_t sampled_node(struct sampled *sampled, uint64_t id);

/* A sample at no possible time is left out. */
void sampled_add(struct sampled *sampled, uint32_t track, int64_t time, uint32_t node);

/* Ends each sample, by one of node 0 that shows nothing, after the median distance of samples of a track, where the next
 * comes later than after two of these, or never. */
void sampled_end_gaps(struct sampled *sampled);

/* How many events the samples of one file may become: those that alternate between a deep stack and
 * another are a thousand each. */
struct sampled_budget {
    uint64_t events_left, shortened; /* samples that came too late for more than one */
};

/* For all samples of a file, which took so many bytes where it lies: what was recorded differs from
 * sample to sample, and packs badly. */
struct sampled_budget sampled_budget(uint64_t samples, uint64_t file_bytes);

/* Adds the events to their tracks. A track's last sample lasts until `end`, if that is later.
 * Samples may be in any order. When the budget is spent a stack is its innermost function. */
void sampled_emit(const struct sampled *sampled, struct builder *builder, int64_t end,
                  struct sampled_budget *budget);

/* Counts the shortened ones among what was lost. */
void sampled_warn(const struct sampled_budget *budget, struct builder *builder);

void sampled_free(struct sampled *sampled);

#endif
