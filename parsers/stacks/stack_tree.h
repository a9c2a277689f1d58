/* SPDX-License-Identifier: Apache-2.0 */
/* stack_tree.h — stacks of frames that the file may describe only after it has used them */
#ifndef PTK_PARSERS_STACKS_STACK_TREE_H
#define PTK_PARSERS_STACKS_STACK_TREE_H

#include "base/memory/memory.h"
#include "graph/build/builder.h"

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
static inline frame_id stack_names_number(const struct stack_names *names, uint32_t frame)
{
    return frame < names->frame_count ? names->frames[frame] : names->unknown;
}

/* What a node stands for; 0 of one that is left out. */
frame_id stack_names_frame(const struct stack_names *names, const struct stack_node *node);

/* Hands all over, after builder_begin(); nothing can be added then. */
void stack_tree_finish(struct stack_tree *tree, const struct stack_names *names,
                       struct stack_builder *builder);

void stack_tree_free(struct stack_tree *tree);

#endif
