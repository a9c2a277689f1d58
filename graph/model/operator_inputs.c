/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/model/property.h"

#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/memory/memory.h"

static struct operator_inputs copied(struct arena *arena, str_id text,
                                     const struct operator_inputs *inputs)
{
    struct operand *list = arena_array(arena, inputs->count, sizeof(*list));

    for (uint32_t i = 0; i < inputs->count; i++) {
        const struct operand *from = &inputs->list[i];
        int64_t *number = from->count ? arena_array(arena, from->count, sizeof(*number)) : NULL;

        if (number)
            memcpy(number, from->number, from->count * sizeof(*number));
        list[i] = (struct operand){from->kind, from->count, number};
    }
    return (struct operator_inputs){inputs->property, text, inputs->count, inputs->is_named, list};
}

void inputs_add(struct inputs_table *table, struct arena *arena, str_id text,
                const struct operator_inputs *inputs)
{
    uint32_t *at = idmap_at(&table->index, idmap_pair((uint32_t)inputs->property, text));

    if (*at != IDMAP_NONE)
        return;
    *at = (uint32_t)table->count;
    vector_add(table, copied(arena, text, inputs));
}

const struct operator_inputs *inputs_of(const struct inputs_table *table, enum property property,
                                        str_id text)
{
    uint32_t at =
        table->count ? idmap_find(&table->index, idmap_pair((uint32_t)property, text)) : IDMAP_NONE;

    return at == IDMAP_NONE ? NULL : &table->list[at];
}

const struct operand *input_at(const struct operator_inputs *inputs, uint32_t at)
{
    static const struct operand untold = {INPUT_UNTOLD, 0, NULL};

    return inputs && at < inputs->count ? &inputs->list[at] : &untold;
}

int64_t input_elements(const struct operand *input)
{
    int64_t product = 1;

    for (uint32_t i = 0; i < input->count; i++)
        product = checked_mul(product, input->number[i]);
    return product;
}

void inputs_free(struct inputs_table *table)
{
    idmap_free(&table->index);
    free(table->list);
    *table = (struct inputs_table){0};
}
