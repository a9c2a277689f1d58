/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/callgrind/callgrind_lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/memory/grow.h"

/* "12" and "0x1f". */
static bool read_number(struct span text, int64_t *number)
{
    if (!span_starts(text, SPAN("0x")))
        return span_to_i64(text, number) && *number >= 0;
    *number = 0;
    text = span_after(text, 2);
    for (size_t i = 0; i < text.len; i++) {
        char c = text.at[i];
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;

        if (digit < 0 || *number > INT64_MAX >> 4)
            return false;
        *number = *number << 4 | digit;
    }
    return text.len > 0;
}

bool line_position(struct span word, int64_t *position)
{
    char sign = word.len ? word.at[0] : '\0';
    int64_t number;

    if (span_eq(word, SPAN("*")))
        return true;
    if (!read_number(span_after(word, sign == '+' || sign == '-'), &number))
        return false;
    *position = sign == '+'   ? checked_add(*position, number)
                : sign == '-' ? checked_sub(*position, number)
                              : number;
    return true;
}

void line_costs_add(struct line_costs *lines, uint32_t line, int64_t self, int64_t called)
{
    size_t old = lines->cap;

    if (line >= old) {
        lines->cap = grow_cap(old, (size_t)line + 1);
        lines->self = grow_to(lines->self, lines->cap, sizeof(*lines->self));
        lines->called = grow_to(lines->called, lines->cap, sizeof(*lines->called));
        memset(lines->self + old, 0, (lines->cap - old) * sizeof(*lines->self));
        memset(lines->called + old, 0, (lines->cap - old) * sizeof(*lines->called));
    }
    if (line >= lines->count)
        lines->count = line + 1;
    lines->self[line] = checked_add(lines->self[line], self);
    lines->called[line] = checked_add(lines->called[line], called);
    lines->total = checked_add(lines->total, self);
}

void line_costs_finish(const struct line_costs *lines, struct builder *builder)
{
    for (uint32_t i = 0; i < lines->count; i++)
        builder_list(builder_callgraph(builder), i,
                     &(struct call_figures){.calls = UNKNOWN,
                                            .primitive_calls = UNKNOWN,
                                            .self = lines->self[i],
                                            .cum = checked_add(lines->self[i], lines->called[i])});
}

void line_costs_free(struct line_costs *lines)
{
    free(lines->self);
    free(lines->called);
}
