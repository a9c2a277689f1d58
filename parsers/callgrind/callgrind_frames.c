/* SPDX-License-Identifier: Apache-2.0 */
/* callgrind_frames.c — what a function of a callgrind file is, by its name, file and object */
#include <inttypes.h>
#include <stdio.h>

#include "parsers/callgrind/callgrind.h"
#include "parsers/stacks/language_names.h"

/* "f'2": f below another f. Callgrind tells the levels of recursion apart, by its default two. */
bool is_recursion_level(const struct callgrind_frames *frames, struct span name)
{
    size_t quote = span_rfind(name, '\'');

    return frames->has_levels && quote != SIZE_MAX && quote &&
           span_is_digits(span_after(name, quote + 1));
}

/* "f work/m.py:12", as yappi names Python functions: the file and line apart. */
static void split_python(struct callgrind_frames *frames, struct span name, struct frame *frame)
{
    struct span file = builder_text(frames->builder, frame->file);
    size_t colon = span_rfind(name, ':');
    char room[PYTHON_MODULE_MAX];

    if (!span_ends(file, SPAN(".py")))
        return;
    frame->kind = KIND_PYTHON;
    if (frame->module == 0)
        frame->module = builder_intern(frames->builder, python_module(file, room));
    if (colon == SIZE_MAX || !span_ends((struct span){name.at, colon}, file) ||
        colon <= file.len + 1 || name.at[colon - file.len - 1] != ' ' ||
        !span_to_i64(span_after(name, colon + 1), &frame->line))
        return;
    frame->name = builder_intern(frames->builder, (struct span){name.at, colon - file.len - 1});
}

/* Unknown files and objects are written "???". */
static str_id unless_unknown(const struct callgrind_frames *frames, str_id name)
{
    return name && span_eq(builder_text(frames->builder, name), SPAN("???")) ? 0 : name;
}

/* Code without a symbol is written "???", or as its address in the object: [libm.so.6]+0x1234. */
static void name_by_object(const struct callgrind_frames *frames, struct span name,
                           struct frame *frame)
{
    struct span object = builder_text(frames->builder, frame->module);
    char room[320];
    uint64_t address;
    int len;

    if (object.len == 0)
        return;
    if (span_eq(name, SPAN("???")))
        len = snprintf(room, sizeof(room), "[%.*s]", object.len < 256 ? (int)object.len : 256,
                       object.at);
    else if (span_starts(name, SPAN("0x")) && span_hex_to_u64(span_after(name, 2), &address))
        len = snprintf(room, sizeof(room), "[%.*s]+0x%" PRIx64,
                       object.len < 256 ? (int)object.len : 256, object.at, address);
    else
        return;
    frame->name = builder_intern(frames->builder, (struct span){room, (size_t)len});
}

struct frame callgrind_frame(struct callgrind_frames *frames, str_id object, str_id file,
                             str_id function)
{
    struct span path = builder_text(frames->builder, unless_unknown(frames, object));
    struct span name = builder_text(frames->builder, function);
    struct frame frame = {.file = unless_unknown(frames, file), .kind = KIND_HOST};

    if (is_recursion_level(frames, name)) {
        frames->levels++;
        name.len = span_rfind(name, '\'');
    }
    if (path.len)
        frame.module = builder_intern(frames->builder, span_file_name(path));
    frame.name = builder_intern(frames->builder, name);
    name_by_object(frames, name, &frame);
    split_python(frames, builder_text(frames->builder, frame.name), &frame);
    frames->has_builtins |= frame.line == 0;
    return frame;
}
