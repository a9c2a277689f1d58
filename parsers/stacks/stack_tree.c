/* SPDX-License-Identifier: Apache-2.0 */
/* stack_tree.c — paths of frames with their figures, until all frames are known */
#include "parsers/stacks/stack_tree.h"

#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"

static uint32_t add_node(struct stack_tree *tree, struct stack_node node)
{
    vector_add(&tree->nodes, node);
    return (uint32_t)tree->nodes.count;
}

uint32_t stack_tree_thread(struct stack_tree *tree, uint32_t thread)
{
    return add_node(tree, (struct stack_node){.frame = thread, .is_thread = true});
}

uint32_t stack_tree_child(struct stack_tree *tree, uint32_t parent, uint32_t frame)
{
    uint32_t *known = idmap_at(&tree->by_frame, idmap_pair(parent, frame));

    if (*known == IDMAP_NONE)
        *known = add_node(tree, (struct stack_node){.parent = parent, .frame = frame});
    return *known;
}

void stack_tree_add(struct stack_tree *tree, uint32_t node, uint32_t value, int64_t amount)
{
    uint32_t *known = idmap_at(&tree->by_value, idmap_pair(node, value));

    if (*known == IDMAP_NONE) {
        vector_reserve(&tree->figures);
        tree->figures.list[tree->figures.count] = (struct stack_figure){node, value, 0};
        *known = (uint32_t)tree->figures.count++;
    }
    struct stack_figure *figure = &tree->figures.list[*known];

    figure->amount = checked_add(figure->amount, amount);
}

frame_id stack_names_frame(const struct stack_names *names, const struct stack_node *node)
{
    return node->is_thread ? names->threads[node->frame] : stack_names_number(names, node->frame);
}

void stack_tree_finish(struct stack_tree *tree, const struct stack_names *names,
                       struct stack_builder *builder)
{
    node_id *place = grow_to(NULL, tree->nodes.count + 1, sizeof(*place));

    idmap_free(&tree->by_frame); /* the builder makes as large a one */
    idmap_free(&tree->by_value);
    place[0] = 0;
    for (size_t i = 1; i <= tree->nodes.count; i++) {
        const struct stack_node *node = &tree->nodes.list[i - 1];
        frame_id frame = stack_names_frame(names, node);

        place[i] = frame ? builder_child(builder, place[node->parent], frame) : place[node->parent];
    }
    for (size_t i = 0; i < tree->figures.count; i++) {
        const struct stack_figure *figure = &tree->figures.list[i];

        builder_add(builder, place[figure->node], figure->value, figure->amount);
    }
    free(place);
}

void stack_tree_free(struct stack_tree *tree)
{
    idmap_free(&tree->by_frame);
    idmap_free(&tree->by_value);
    free(tree->nodes.list);
    free(tree->figures.list);
}
