/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/model/property.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory/memory.h"

enum { SIZE_BITS = 21, SIZE_MAX_PACKED = (1 << SIZE_BITS) - 1 };

enum property_kind property_kind(enum property property)
{
    static const uint64_t texts =
        1ull << PROP_SHAPES | 1ull << PROP_TYPES | 1ull << PROP_STRIDES | 1ull << PROP_CONCRETE |
        1ull << PROP_CALL_STACK | 1ull << PROP_COLLECTIVE | 1ull << PROP_DTYPE |
        1ull << PROP_GROUP | 1ull << PROP_SYNC_KIND | 1ull << PROP_PLACE | 1ull << PROP_DETAIL |
        1ull << PROP_GROUP_RANKS | 1ull << PROP_GROUP_USE | 1ull << PROP_KERNEL_NAME;
    static const uint64_t parts =
        1ull << PROP_BLOCKS_PER_SM | 1ull << PROP_WARPS_PER_SM | 1ull << PROP_OCCUPANCY;

    if (texts & property_bit(property))
        return PROPERTY_TEXT;
    return parts & property_bit(property) ? PROPERTY_PPM : PROPERTY_NUMBER;
}

void property_column_free(struct property_column *column)
{
    free(column->event);
    free(column->value);
    *column = (struct property_column){0};
}

bool property_of(const struct property_column *column, uint32_t event, int64_t *value)
{
    SEARCH(uint32_t, at, column->count, column->event[at] < event);
    if (at == column->count || column->event[at] != event)
        return false;
    *value = column->value[at];
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
    *value = column->value[before - 1];
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

static void reserve(struct property_column *column, size_t count)
{
    if (count <= column->cap)
        return;
    column->cap = (uint32_t)grow_cap(column->cap, count);
    column->event = grow_to(column->event, column->cap, sizeof(*column->event));
    column->value = grow_to(column->value, column->cap, sizeof(*column->value));
}

void property_append(struct property_column *column, uint32_t event, int64_t value)
{
    if (column->count == column->cap)
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
    memcpy(column->value + column->count, other->value, other->count * sizeof(*other->value));
    column->count += other->count;
}
