/* SPDX-License-Identifier: Apache-2.0 */
/* Columns of what single events say besides their times, and operators' inputs. */
#include "graph/model/property.h"

#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/memory/memory.h"

enum { SIZE_BITS = 21, SIZE_MAX_PACKED = (1 << SIZE_BITS) - 1 };

enum property_kind property_kind(enum property property)
{
    static const uint64_t texts =
        1ull << PROP_SHAPES | 1ull << PROP_TYPES | 1ull << PROP_STRIDES | 1ull << PROP_CONCRETE |
        1ull << PROP_CALL_STACK | 1ull << PROP_COLLECTIVE | 1ull << PROP_DTYPE |
        1ull << PROP_GROUP | 1ull << PROP_SYNC_KIND | 1ull << PROP_PLACE | 1ull << PROP_DETAIL |
        1ull << PROP_GROUP_RANKS | 1ull << PROP_GROUP_USE | 1ull << PROP_KERNEL_NAME |
        1ull << PROP_NODE_MODULE | 1ull << PROP_NODE_LABEL;
    static const uint64_t parts =
        1ull << PROP_BLOCKS_PER_SM | 1ull << PROP_WARPS_PER_SM | 1ull << PROP_OCCUPANCY;

    if (texts & property_bit(property))
        return PROPERTY_TEXT;
    return parts & property_bit(property) ? PROPERTY_PPM : PROPERTY_NUMBER;
}

static void leave_events(struct property_column *column)
{
    if (column->sharers && --*column->sharers)
        return;
    free(column->event);
    free(column->sharers);
}

bool property_share(struct property_column *column, struct property_column *other)
{
    if (column->count == 0 || column->count != other->count ||
        memcmp(column->event, other->event, column->count * sizeof(*column->event)) != 0)
        return false;
    if (!other->sharers) {
        other->sharers = grow_to(NULL, 1, sizeof(*other->sharers));
        *other->sharers = 1;
    }
    leave_events(column);
    column->event = other->event;
    column->sharers = other->sharers;
    ++*column->sharers;
    return true;
}

void property_own(struct property_column *column)
{
    uint32_t *event;

    if (!column->sharers)
        return;
    event = grow_to(NULL, (size_t)column->cap + 1, sizeof(*event));
    memcpy(event, column->event, column->count * sizeof(*event));
    leave_events(column);
    column->event = event;
    column->sharers = NULL;
}

void property_column_free(struct property_column *column)
{
    leave_events(column);
    free(column->value);
    free(column->narrow);
    *column = (struct property_column){0};
}

bool property_of(const struct property_column *column, uint32_t event, int64_t *value)
{
    SEARCH(uint32_t, at, column->count, column->event[at] < event);
    if (at == column->count || column->event[at] != event)
        return false;
    *value = property_value(column, at);
    return true;
}

bool property_near(struct property_cursors *cursors, enum property property, uint32_t event,
                   int64_t *value)
{
    const struct property_column *column = &cursors->columns[property];
    uint32_t last = cursors->before[property];

    SEARCH_NEAR(uint32_t, before, last, column->count, column->event[before] <= event);
    cursors->before[property] = before;
    if (!before || column->event[before - 1] != event)
        return false;
    *value = property_value(column, before - 1);
    return true;
}

static int64_t packed_size(int64_t size)
{
    return size < 0 ? 0 : size > SIZE_MAX_PACKED ? SIZE_MAX_PACKED : size;
}

int64_t property_pack3(int64_t x, int64_t y, int64_t z)
{
    return packed_size(x) | packed_size(y) << SIZE_BITS | packed_size(z) << 2 * SIZE_BITS;
}

void property_unpack3(int64_t packed, int64_t *x, int64_t *y, int64_t *z)
{
    *x = packed & SIZE_MAX_PACKED;
    *y = packed >> SIZE_BITS & SIZE_MAX_PACKED;
    *z = packed >> 2 * SIZE_BITS & SIZE_MAX_PACKED;
}

void property_widen(struct property_column *column)
{
    if (!column->narrow)
        return;
    column->value = grow_to(NULL, (size_t)column->cap + 1, sizeof(*column->value));
    for (uint32_t i = 0; i < column->count; i++)
        column->value[i] = column->narrow[i];
    free(column->narrow);
    column->narrow = NULL;
}

static void reserve(struct property_column *column, size_t count)
{
    property_own(column);
    property_widen(column);
    if (count <= column->cap)
        return;
    column->cap = (uint32_t)grow_cap(column->cap, count);
    column->event = grow_to(column->event, column->cap, sizeof(*column->event));
    column->value = grow_to(column->value, column->cap, sizeof(*column->value));
}

void property_append(struct property_column *column, uint32_t event, int64_t value)
{
    if (column->count == column->cap || column->narrow || column->sharers)
        reserve(column, (size_t)column->count + 1);
    column->event[column->count] = event;
    column->value[column->count++] = value;
}

void property_append_all(struct property_column *column, const struct property_column *other)
{
    if (other->count == 0)
        return;
    reserve(column, (size_t)column->count + other->count);
    memcpy(column->event + column->count, other->event, other->count * sizeof(*other->event));
    for (uint32_t i = 0; i < other->count; i++)
        column->value[column->count + i] = property_value(other, i);
    column->count += other->count;
}

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
