/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/shared/python_lines.h"

#include "base/memory/idmap.h"

/* What the frames of a file tell about their lines. */
struct evidence {
    bool has_module;     /* the code of a module that lies in a file */
    bool has_later_line; /* and such a one that is not at its beginning */
    bool has_several;    /* one function's name with several lines of a file */
    uint64_t lines;      /* frames that have one */
};

static bool is_module(struct span name)
{
    return span_eq(name, SPAN("<module>"));
}

/* "<lambda>", "<listcomp>": a file has many of one name. */
static bool is_nameless(struct span name)
{
    return span_starts(name, SPAN("<")) && !is_module(name);
}

/* "<string>" is what `python -c` runs: all of it may be one line. */
static bool is_in_file(const struct builder *builder, const struct frame *frame)
{
    return frame->file && !span_starts(builder_text(builder, frame->file), SPAN("<"));
}

static struct evidence look_at(const struct builder *builder, const struct frame *frames,
                               size_t count)
{
    struct evidence evidence = {0};
    struct idmap first = {0}; /* (name, file) → the first frame of it */

    for (size_t i = 0; i < count; i++) {
        const struct frame *frame = &frames[i];
        struct span name = builder_text(builder, frame->name);
        uint32_t *known;

        if (frame->kind != KIND_PYTHON || frame->line <= 0 || !is_in_file(builder, frame))
            continue;
        evidence.lines++;
        if (is_module(name)) {
            evidence.has_module = true;
            evidence.has_later_line |= frame->line > 1;
        } else if (!is_nameless(name)) {
            known = idmap_at(&first, idmap_pair(frame->name, frame->file));
            if (*known == IDMAP_NONE)
                *known = (uint32_t)i;
            evidence.has_several |= frames[*known].line != frame->line;
        }
    }
    idmap_free(&first);
    return evidence;
}

static void forget_line(const struct builder *builder, struct frame *frame)
{
    struct span name = builder_text(builder, frame->name);

    if (frame->kind != KIND_PYTHON || is_nameless(name))
        return;
    frame->line = is_module(name);
    frame->lacks_line = !is_module(name);
}

void python_frames_give(struct builder *builder, struct frame *frames, size_t count, frame_id *ids)
{
    struct evidence evidence = look_at(builder, frames, count);
    bool ran = evidence.has_module ? evidence.has_later_line : evidence.has_several;
    bool is_kept = ran && builder_detail(builder, DETAIL_LINE) == DETAIL_LINE;

    for (size_t i = 0; i < count; i++) {
        if (ran && !is_kept)
            forget_line(builder, &frames[i]);
        ids[i] = builder_frame(builder, &frames[i]);
        if (is_kept && is_nameless(builder_text(builder, frames[i].name)))
            builder_begins_at(builder, ids[i], frames[i].line);
    }
    if (ran)
        warning_count_many(builder_warnings(builder), WARNING_NOTE,
                           "frames with the line that ran, taken as one a function's name and file "
                           "('ptk lines' tells them apart)",
                           evidence.lines);
}
