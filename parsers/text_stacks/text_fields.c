/* SPDX-License-Identifier: Apache-2.0 */
/* text_fields.c — the parts of a line of stacks: indent, numbers, names, places in code */
#include "base/memory/memory.h"
#include "parsers/text_stacks/text_stacks.h"

struct span text_unindented(struct span line, size_t *indent)
{
    *indent = 0;
    while (*indent < line.len && line.at[*indent] == ' ')
        ++*indent;
    return span_after(line, *indent);
}

bool text_take_number(struct span *rest, int64_t *number)
{
    size_t len = span_digits(*rest);

    if (!span_to_i64((struct span){rest->at, len}, number))
        return false;
    *rest = span_after(*rest, len);
    return true;
}

struct span text_up_to(struct span text, struct span mark)
{
    return span_before(text, span_find(text, mark));
}

struct span text_behind(struct span text, struct span mark)
{
    size_t at = span_find(text, mark);

    return at == SIZE_MAX ? (struct span){0} : span_after(text, at + mark.len);
}

frame_id text_frame(struct text_stacks *text, struct span name, struct span module)
{
    struct frame frame = {.name = builder_intern(text->builder, name),
                          .module = builder_intern(text->builder, module),
                          .kind = KIND_HOST};

    return builder_frame(text->builder, &frame);
}

void text_set_place(struct builder *builder, struct frame *frame, struct span place)
{
    struct span rest = place;
    size_t colon;

    while (!frame->line && (colon = span_find(rest, SPAN(":"))) != SIZE_MAX) {
        rest = span_after(rest, colon + 1);
        if (span_starts(rest, SPAN("(")))
            rest = span_after(rest, 1);
        place.len = (size_t)(rest.at - place.at) - (rest.at[-1] == '(') - 1;
        if (text_take_number(&rest, &frame->line))
            frame->file = builder_intern(builder, place);
    }
}
