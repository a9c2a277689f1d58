/* SPDX-License-Identifier: Apache-2.0 */
/* stack_list.h — stacks of frames as they come, where no tree of them is wanted before the end */
#ifndef PTK_PARSERS_STACKS_STACK_LIST_H
#define PTK_PARSERS_STACKS_STACK_LIST_H

#include "base/memory/memory.h"
#include "graph/build/builder.h"
#include "parsers/stacks/stack_tree.h"

/* The frames are the file's own numbers, which it may describe later, the root first. Four bytes a frame:
 * a tree takes ten times as much where stacks differ, and who only sums by function needs none. */

enum { STACK_LIST_VALUES = 64 };

struct listed_stack {
    size_t end; /* of its frames, which begin where those of the stack before it end */
    int64_t amount;
};

/* Ready for use when zeroed. */
struct stack_list {
    struct VECTOR_OF(uint32_t) frames;
    struct VECTOR_OF(struct listed_stack) stacks;
    struct VECTOR_OF(frame_id) given; /* of the stack at hand, the leaf first */
};

static inline void stack_list_frame(struct stack_list *list, uint32_t frame)
{
    vector_add(&list->frames, frame);
}

/* The frames added since the last call are a stack, whose number is returned. */
uint32_t stack_list_end(struct stack_list *list, int64_t amount);

/* Hands a stack over, after builder_begin(), below `root` if that is not 0. One without any frame is the
 * root's own figure, where labels are not wanted. `value` is below STACK_LIST_VALUES, as the number of the
 * builder's is. `has_nodes`: the builder has nodes by builder_child(), and gets more of them. */
void stack_list_give(struct stack_list *list, size_t stack, const struct stack_names *names,
                     frame_id root, uint32_t value, bool has_nodes, struct stack_builder *builder);

void stack_list_free(struct stack_list *list);

#endif
