/* SPDX-License-Identifier: Apache-2.0 */
/* sampled.h — stacks that were sampled now and then, as the events they are the trace of
 *
 * A sample says which functions were running. Functions that stand in two samples in a row, at the
 * same place of the same stack, are taken to have run in between. So a function's event begins
 * with the first sample that has it and ends with the first that has it no more. */
#ifndef PTK_PARSERS_CHROME_SAMPLES_SAMPLED_H
#define PTK_PARSERS_CHROME_SAMPLES_SAMPLED_H

#include "base/memory/idmap.h"
#include "graph/build/builder.h"

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
    struct sampled_node *nodes;
    size_t node_count, node_cap;
    struct sample *samples;
    size_t sample_count, sample_cap;
};

/* The node that the file calls `id`; made on first mention, with nothing in it yet. */
uint32_t sampled_node(struct sampled *sampled, uint64_t id);

/* A sample at no possible time is left out. */
void sampled_add(struct sampled *sampled, uint32_t track, int64_t time, uint32_t node);

/* Adds the events to their tracks. A track's last sample lasts until `end`, if that is later.
 * Samples may be in any order. Stacks that change from top to bottom all the time are shortened,
 * and counted. */
void sampled_emit(const struct sampled *sampled, struct builder *builder, int64_t end);

void sampled_free(struct sampled *sampled);

#endif
