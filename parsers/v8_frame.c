#include "parsers/v8_frame.h"

#include "parsers/json/walk.h"

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

static struct frame read_frame(struct token call, struct builder *builder)
{
    struct arena arena = {0};
    struct span name = text_of(call, SPAN("functionName"), &arena);
    struct frame frame = {.kind = span_eq(name, SPAN("(idle)")) ? KIND_SYNC : KIND_HOST};

    if (!span_eq(name, SPAN("(root)"))) {
        frame.name = builder_intern(builder, name.len ? name : SPAN("(anonymous)"));
        frame.file = builder_intern(builder, without_scheme(text_of(call, SPAN("url"), &arena)));
    }
    arena_free(&arena);
    return frame;
}

/* V8 counts lines from 0, and names what is no function in parentheses. */
static int64_t first_line(struct token call, const struct frame *frame)
{
    struct token line = walk_find(call, SPAN("lineNumber"));
    int64_t number;

    return line.at && token_integer(line, &number) && number >= 0 && number < INT64_MAX &&
                   frame->file
               ? number + 1
               : 0;
}

frame_id v8_frame(struct token call, struct builder *builder)
{
    struct frame frame = read_frame(call, builder);

    frame.line = first_line(call, &frame);
    return frame.name ? builder_frame(builder, &frame) : 0;
}

frame_id v8_frame_at(struct token call, int64_t line, struct builder *builder)
{
    struct frame frame = read_frame(call, builder);
    frame_id id;

    if (!frame.name)
        return 0;
    frame.line = frame.file ? line : 0;
    id = builder_frame(builder, &frame);
    builder_begins_at(builder, id, first_line(call, &frame));
    return id;
}
