/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/model/calltree.h"

#include <stdlib.h>

#include "base/checked.h"

void calltree_add(struct calltree *tree, node_id node, uint32_t value, int64_t amount)
{
    int64_t *self;

    if (!amount || !calltree_has_value(tree, value))
        return;
    uint32_t place = sparse_add(&tree->own, node);

    self = &tree->own.columns[value][place];
    *self = checked_add(*self, amount);
}

void calltree_negate(struct calltree *tree, uint32_t value)
{
    for (node_id node = 0; calltree_has_value(tree, value) && node < tree->count; node++)
        if (sparse_has(&tree->own, node)) {
            int64_t *self = &tree->own.columns[value][sparse_place(&tree->own, node)];

            *self = checked_sub(0, *self);
        }
}

void calltree_drop_value(struct calltree *tree, uint32_t value)
{
    free(tree->own.columns[value]);
    tree->own.columns[value] = NULL;
}

void calltree_free(struct calltree *tree)
{
    free(tree->frame);
    free(tree->calls);
    free(tree->min);
    free(tree->max);
    sparse_free(&tree->above);
    sparse_free(&tree->own);
    sparse_free(&tree->sets);
    *tree = (struct calltree){0};
}
