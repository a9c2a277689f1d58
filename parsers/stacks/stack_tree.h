/* SPDX-License-Identifier: Apache-2.0 */
/* stack_tree.h — samples and their stacks */
#ifndef PTK_PARSERS_STACKS_STACK_TREE_H
#define PTK_PARSERS_STACKS_STACK_TREE_H

#include "base/memory/memory.h"
#include "graph/build/builder.h"

/* ---- stacks of frames that the file may describe only after it has used them ---- */

/* A tree of paths by the frames' numbers, with a figure by path and value. It becomes the
 * builder's tree when all frames are known. */

struct stack_node {
    uint32_t parent; /* 0: the root of all */
    uint32_t frame;  /* its number in the file; of a thread the thread's */
    bool is_thread;
};

struct stack_figure {
    uint32_t node, value;
    int64_t amount;
};

/* Ready for use when zeroed. */
struct stack_tree {
    struct idmap by_frame;                     /* (parent, frame) → node */
    struct idmap by_value;                     /* (node, value) → figure */
    struct VECTOR_OF(struct stack_node) nodes; /* the first is node 1 */
    struct VECTOR_OF(struct stack_figure) figures;
};

/* The node of a thread, below the root: a new one with each call. */
uint32_t stack_tree_thread(struct stack_tree *tree, uint32_t thread);

/* The child of `parent` with that frame, made on first use. */
uint32_t stack_tree_child(struct stack_tree *tree, uint32_t parent, uint32_t frame);

void stack_tree_add(struct stack_tree *tree, uint32_t node, uint32_t value, int64_t amount);

/* What the numbers of the file stand for; frame 0 leaves a node out of the tree. */
struct stack_names {
    const frame_id *frames, *threads;
    size_t frame_count;
    frame_id unknown; /* for numbers past the last frame */
};

/* What a frame's number stands for. */
frame_id stack_names_number(const struct stack_names *names, uint32_t frame);

/* What a node stands for; 0 of one that is left out. */
frame_id stack_names_frame(const struct stack_names *names, const struct stack_node *node);

/* Hands all over, after builder_begin(); nothing can be added then. */
void stack_tree_finish(struct stack_tree *tree, const struct stack_names *names,
                       struct stack_builder *builder);

void stack_tree_free(struct stack_tree *tree);

/* ---- stacks that were sampled now and then, as the events they are the trace of ---- */

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
