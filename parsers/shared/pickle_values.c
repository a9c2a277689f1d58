/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/shared/pickle_values.h"

#include <stdlib.h>

#include "base/memory/grow.h"

value_id value_add(struct values *values, const struct value *value)
{
    vector_add(values, *value);
    return (value_id)values->count;
}

void value_append(struct values *values, value_id container, value_id item)
{
    struct value *into = value_at(values, container);
    uint32_t added;

    values->cells =
        grow_one(values->cells, values->cell_count, &values->cell_cap, sizeof(*values->cells));
    values->cells[values->cell_count++] = (struct cell){.value = item};
    added = (uint32_t)values->cell_count;
    if (into->last)
        values->cells[into->last - 1].next = added;
    else
        into->first = added;
    into->last = added;
    into->count++;
}

value_id value_next(const struct values *values, uint32_t *cell)
{
    value_id value;

    if (*cell == 0)
        return 0;
    value = values->cells[*cell - 1].value;
    *cell = values->cells[*cell - 1].next;
    return value;
}

void values_free(struct values *values)
{
    free(values->list);
    free(values->cells);
}
