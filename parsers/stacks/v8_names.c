/* SPDX-License-Identifier: Apache-2.0 */
/* v8_names.c — a function as V8's profiles describe it */
#include "parsers/stacks/v8_names.h"

#include "base/memory/memory.h"

void v8_name(struct frame *call, struct span name, struct builder *builder)
{
    call->kind = span_eq(name, SPAN("(idle)")) ? KIND_SYNC : KIND_HOST;
    call->name = span_eq(name, SPAN("(root)"))
                     ? 0
                     : builder_intern(builder, name.len ? name : SPAN("(anonymous)"));
}

void v8_file(struct frame *call, struct span url, struct builder *builder)
{
    /* a local file's URL is its path, where it has one */
    call->file =
        builder_intern(builder, span_starts(url, SPAN("file:///")) ? span_after(url, 7) : url);
}

struct frame v8_call(struct token call, struct builder *builder)
{
    struct token line = walk_find(call, SPAN("lineNumber")),
                 column = walk_find(call, SPAN("columnNumber"));
    struct arena arena = {0};
    struct frame frame = {0};
    int64_t number;

    v8_name(&frame, walk_text(call, SPAN("functionName"), &arena), builder);
    if (frame.name)
        v8_file(&frame, walk_text(call, SPAN("url"), &arena), builder);
    if (frame.file && line.at && token_integer(line, &number) && number >= 0 && number < INT64_MAX)
        frame.line = number + 1; /* V8 counts from 0 */
    if (frame.line && column.at && token_integer(column, &number) && number >= 0 &&
        number < UINT32_MAX)
        frame.column = (uint32_t)number + 1;
    frame.shows_place = true; /* in JavaScript many functions have one name */
    arena_free(&arena);
    return frame;
}

frame_id v8_frame(struct token call, struct builder *builder)
{
    struct frame frame = v8_call(call, builder);

    return frame.name ? builder_frame(builder, &frame) : 0;
}

frame_id v8_frame_at(const struct frame *call, int64_t line, struct builder *builder)
{
    struct frame frame = *call;

    if (!frame.name)
        return 0;
    frame.line = frame.file ? line : 0;
    return builder_frame_in(builder, &frame, call->line);
}
