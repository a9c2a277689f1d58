/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/gperftools/gperftools.h"

bool legacy_is_maps_title(struct span line)
{
    return span_starts(line, SPAN("MAPPED_LIBRARIES:")) ||
           span_starts(line, SPAN("--- Memory map: ---"));
}

bool legacy_push_addresses(struct legacy *legacy, struct span text, bool is_leaf_exact)
{
    uint64_t address;
    bool is_first = true;

    for (text = span_trim(text); text.len; text = span_trim(text)) {
        if (!hex_take(&text, &address))
            return false;
        if (address && !(is_first && is_leaf_exact) && !legacy->has_caller_places)
            address--;
        stacks_push(&legacy->stacks, address);
        is_first = false;
    }
    return true;
}

/* "runtime.main+0x211" without the offset. */
static struct span without_offset(struct span name)
{
    size_t plus = span_rfind(name, '+');

    if (plus != SIZE_MAX && span_starts(span_after(name, plus), SPAN("+0x")))
        name.len = plus;
    return name;
}

static struct frame go_frame(struct legacy *legacy, struct span name, struct span place)
{
    struct frame frame = {.kind = KIND_HOST};
    size_t colon = span_rfind(place, ':');

    frame.name = builder_intern(legacy->builder, without_offset(name));
    frame.file =
        builder_intern(legacy->builder, colon == SIZE_MAX ? place : (struct span){place.at, colon});
    if (legacy->stacks.detail == DETAIL_FUNCTION || colon == SIZE_MAX ||
        !span_to_i64(span_after(place, colon + 1), &frame.line) || frame.line < 0)
        frame.line = 0;
    return frame;
}

void legacy_comment(struct legacy *legacy, struct span line, struct comment_run *run)
{
    struct span rest = span_trim(span_after(line, 1)), name;
    struct frame frame;
    uint64_t address;

    if (!span_starts(rest, SPAN("0x")) || !hex_take(&rest, &address))
        return;
    rest = span_trim(rest);
    name = span_trim(span_split(&rest, '\t'));
    if (name.len == 0)
        return;
    if (address != run->address || !run->address)
        *run = (struct comment_run){address, stacks_begin_symbol(&legacy->stacks, address)};
    if (!run->is_kept)
        return;
    frame = go_frame(legacy, name, span_trim(rest));
    stacks_add_name(&legacy->stacks, frame);
}

bool legacy_take_int(struct span *text, int64_t *value)
{
    struct span number = *text = span_trim(*text);

    number.len = 0;
    while (number.len < text->len &&
           (is_digit(text->at[number.len]) || (number.len == 0 && text->at[0] == '-')))
        number.len++;
    *text = span_after(*text, number.len);
    return span_to_i64(number, value);
}

bool legacy_line_fault(struct legacy *legacy, struct span line, const char *format,
                       struct error *err)
{
    return error_set_at(err, input_offset(legacy->in) - line.len - 1, 0, "not a line of a %s",
                        format);
}
