/* SPDX-License-Identifier: Apache-2.0 */
/* stack_list.c — stacks of frames as they come */
#include "parsers/stacks/stack_list.h"

#include <stdlib.h>

uint32_t stack_list_end(struct stack_list *list, int64_t amount)
{
    vector_add(&list->stacks, (struct listed_stack){list->frames.count, amount});
    return (uint32_t)list->stacks.count - 1;
}

/* The frames of a stack, the leaf first. */
static void name_frames(struct stack_list *list, size_t stack, const struct stack_names *names,
                        frame_id root)
{
    size_t begin = stack ? list->stacks.list[stack - 1].end : 0;

    list->given.count = 0;
    for (size_t at = list->stacks.list[stack].end; at-- > begin;) {
        frame_id frame = stack_names_number(names, list->frames.list[at]);

        if (frame)
            vector_add(&list->given, frame);
    }
    if (root)
        vector_add(&list->given, root);
}

void stack_list_give(struct stack_list *list, size_t stack, const struct stack_names *names,
                     frame_id root, uint32_t value, bool has_nodes, struct stack_builder *builder)
{
    int64_t amount = list->stacks.list[stack].amount, values[STACK_LIST_VALUES] = {0};
    node_id node = 0;

    name_frames(list, stack, names, root);
    if (!has_nodes && (list->given.count || builder_wants_labels(builder))) {
        values[value] = amount;
        builder_stack(builder, list->given.list, (uint32_t)list->given.count, values);
        return;
    }
    for (size_t i = list->given.count; i-- > 0;)
        node = builder_child(builder, node, list->given.list[i]);
    builder_add(builder, node, value, amount);
}

void stack_list_free(struct stack_list *list)
{
    free(list->frames.list);
    free(list->stacks.list);
    free(list->given.list);
    *list = (struct stack_list){0};
}
