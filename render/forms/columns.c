/* SPDX-License-Identifier: Apache-2.0 */
/* columns.c — cells made of the fields that columns are declared with */
#include "base/checked.h"
#include "render/forms/table.h"

#include <math.h>

static union cell number(int64_t figure)
{
    return (union cell){.number = figure};
}

static union cell real(double figure)
{
    return (union cell){.real = figure};
}

union cell cell_span(const struct cell_source *from)
{
    return (union cell){.text = *(const struct span *)from->field};
}

union cell cell_string(const struct cell_source *from)
{
    const char *text = *(const char *const *)from->field;

    return (union cell){.text = text ? span_of(text) : NO_TEXT};
}

union cell cell_name(const struct cell_source *from)
{
    struct span text = *(const struct span *)from->field;

    return (union cell){.text = text.len ? text : NO_TEXT};
}

union cell cell_int64(const struct cell_source *from)
{
    return number(*(const int64_t *)from->field);
}

union cell cell_uint64(const struct cell_source *from)
{
    return number((int64_t) * (const uint64_t *)from->field);
}

union cell cell_uint32(const struct cell_source *from)
{
    return number(*(const uint32_t *)from->field);
}

union cell cell_int32(const struct cell_source *from)
{
    return number(*(const int32_t *)from->field);
}

union cell cell_index(const struct cell_source *from)
{
    int32_t index = *(const int32_t *)from->field;

    return number(index < 0 ? TABLE_NULL : index);
}

union cell cell_bool(const struct cell_source *from)
{
    return number(*(const bool *)from->field);
}

union cell cell_truncated(const struct cell_source *from)
{
    return number((int64_t) * (const double *)from->field);
}

union cell cell_double(const struct cell_source *from)
{
    return real(*(const double *)from->field);
}

union cell cell_giga(const struct cell_source *from)
{
    return real(*(const double *)from->field / 1e9);
}

/* Rounded half away from zero; none of what is not known, or of nothing. */
union cell cell_mean(const struct cell_source *from)
{
    int64_t sum = *(const int64_t *)from->field, count = *(const int64_t *)from->per;

    if (sum == TABLE_NULL || count == TABLE_NULL || count == 0)
        return number(TABLE_NULL);
    return number(checked_add(sum, sum < 0 ? -count / 2 : count / 2) / count);
}

static union cell share(int64_t part, int64_t whole)
{
    return real(part == TABLE_NULL ? NAN : share_of(part, whole));
}

union cell cell_share(const struct cell_source *from)
{
    return share(*(const int64_t *)from->field, *(const int64_t *)from->per);
}

union cell cell_share_of_whole(const struct cell_source *from)
{
    return share(*(const int64_t *)from->field, from->context->whole);
}
