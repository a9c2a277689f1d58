/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/nvprof/nvprof_names.h"

int64_t name_take_correlation(struct span *name)
{
    size_t open = span_rfind(*name, '['), call = span_find(*name, SPAN(" ("));
    int64_t correlation;

    if (open != SIZE_MAX && span_ends(*name, SPAN("])")) && span_starts(*name, SPAN("cu")) &&
        call < open &&
        span_to_i64((struct span){name->at + open + 1, name->len - open - 3}, &correlation)) {
        name->len = call;
        return correlation;
    }
    if (!span_ends(*name, SPAN("]")) || open == SIZE_MAX || open < 2 || name->at[open - 1] != ' ' ||
        !span_to_i64((struct span){name->at + open + 1, name->len - open - 2}, &correlation))
        return -1;
    name->len = open - 1;
    return correlation;
}

int32_t name_take_ordinal(struct span *device)
{
    size_t open = span_rfind(*device, '(');
    uint64_t ordinal;

    if (!span_ends(*device, SPAN(")")) || open == SIZE_MAX ||
        !span_to_u64((struct span){device->at + open + 1, device->len - open - 2}, &ordinal) ||
        ordinal > INT32_MAX)
        return -1;
    *device = span_trim((struct span){device->at, open});
    return (int32_t)ordinal;
}
