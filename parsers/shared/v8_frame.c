/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/shared/language_names.h"

#include "parsers/shared/json.h"

static struct span text_of(struct token object, struct span key, struct arena *arena)
{
    struct token value = walk_find(object, key);

    return value.at ? token_text(value, arena) : SPAN("");
}

/* A local file's URL is its path, where it has one. */
static struct span without_scheme(struct span url)
{
    return span_starts(url, SPAN("file:///")) ? span_after(url, 7) : url;
}

void v8_name(struct frame *call, struct span name, struct builder *builder)
{
    call->kind = span_eq(name, SPAN("(idle)")) ? KIND_SYNC : KIND_HOST;
    call->name = span_eq(name, SPAN("(root)"))
                     ? 0
                     : builder_intern(builder, name.len ? name : SPAN("(anonymous)"));
}

void v8_file(struct frame *call, struct span url, struct builder *builder)
{
    call->file = builder_intern(builder, without_scheme(url));
}

/* V8 counts lines from 0, and names what is no function in parentheses. */
static int64_t first_line(struct token call)
{
    struct token line = walk_find(call, SPAN("lineNumber"));
    int64_t number;

    return line.at && token_integer(line, &number) && number >= 0 && number < INT64_MAX ? number + 1
                                                                                        : 0;
}

struct frame v8_call(struct token call, struct builder *builder)
{
    struct arena arena = {0};
    struct frame frame = {0};

    v8_name(&frame, text_of(call, SPAN("functionName"), &arena), builder);
    if (frame.name)
        v8_file(&frame, text_of(call, SPAN("url"), &arena), builder);
    if (frame.file)
        frame.line = first_line(call);
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
