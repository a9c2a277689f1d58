#include "parsers/v8_frame.h"

#include "parsers/json/walk.h"

static struct span text_of(struct token object, struct span key, struct arena *arena)
{
    struct token value = walk_find(object, key);

    return value.at ? token_text(value, arena) : SPAN("");
}

/* V8 counts lines from 0, and names what is no function in parentheses. */
frame_id v8_frame(struct token call, struct builder *builder)
{
    struct arena arena = {0};
    struct span name = text_of(call, SPAN("functionName"), &arena);
    struct token line = walk_find(call, SPAN("lineNumber"));
    struct frame frame = {.kind = span_eq(name, SPAN("(idle)")) ? KIND_SYNC : KIND_HOST};
    frame_id id = 0;

    if (!span_eq(name, SPAN("(root)"))) {
        frame.name = builder_intern(builder, name.len ? name : SPAN("(anonymous)"));
        frame.file = builder_intern(builder, text_of(call, SPAN("url"), &arena));
        if (line.at && token_integer(line, &frame.line) && frame.line >= 0 && frame.file)
            frame.line++;
        else
            frame.line = 0;
        id = builder_frame(builder, &frame);
    }
    arena_free(&arena);
    return id;
}
