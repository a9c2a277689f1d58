#include "parsers/chrome/names.h"

#define XXH_INLINE_ALL
#include <stdlib.h>
#include <xxhash.h>

#include "base/grow.h"
#include "parsers/chrome/classes.h"

static void put(struct names *names, const struct name *name)
{
    size_t at = name->hash & (names->cap - 1);

    while (names->slots[at].raw.at)
        at = (at + 1) & (names->cap - 1);
    names->slots[at] = *name;
}

static void grow(struct names *names)
{
    struct names old = *names;

    names->cap = old.cap ? old.cap * 2 : 256;
    names->slots = grow_zeroed(names->cap, sizeof(*names->slots));
    for (size_t i = 0; i < old.cap; i++)
        if (old.slots[i].raw.at)
            put(names, &old.slots[i]);
    free(old.slots);
}

/* "path/file.py(12): function" has its place in front. */
static void find_place(struct builder *builder, struct span name, struct frame *frame)
{
    static const struct span mark = {"): ", 3};
    size_t close = span_find(name, mark), open = close;
    int64_t line;

    if (close == SIZE_MAX)
        return;
    while (open > 0 && name.at[open] != '(')
        open--;
    if (open == 0 || !span_to_i64((struct span){name.at + open + 1, close - open - 1}, &line))
        return;
    frame->file = builder_intern(builder, (struct span){name.at, open});
    frame->line = line;
}

/* The number in "ProfilerStep#3" (PyTorch) and "ProfileStep#3" (Paddle). */
static int64_t step_of(struct span name)
{
    int64_t step;

    if (!span_starts(name, SPAN("ProfilerStep#")) && !span_starts(name, SPAN("ProfileStep#")))
        return NO_STEP;
    name = span_after(name, span_find(name, SPAN("#")) + 1);
    return span_to_i64(name, &step) && step >= 0 ? step : NO_STEP;
}

static struct name make(struct names *names, struct builder *builder, struct token token,
                        enum frame_kind kind)
{
    struct arena unescaped = {0};
    struct span text = token.at ? token_text(token, &unescaped) : SPAN("");
    struct frame frame = {.name = builder_intern(builder, text), .kind = kind};
    struct span kept = builder_text(builder, frame.name), raw = token_raw_text(token);
    struct name name = {.asked = kind, .step = step_of(text), .raw = kept};

    if (kind == KIND_PYTHON)
        find_place(builder, text, &frame);
    if (kind == KIND_KERNEL)
        frame.kind = class_kernel_kind(text);
    if (name.step != NO_STEP)
        frame.kind = KIND_ANNOTATION;
    if (token.at && !span_eq(kept, raw))
        name.raw = (struct span){arena_copy(&names->raw, raw), raw.len};
    name.kind = frame.kind;
    name.frame = builder_frame(builder, &frame);
    arena_free(&unescaped);
    return name;
}

const struct name *names_find(struct names *names, struct builder *builder, struct token token,
                              enum frame_kind kind)
{
    struct span raw = token.at ? token_raw_text(token) : SPAN("");
    uint64_t hash = XXH3_64bits_withSeed(raw.at, raw.len, (uint64_t)kind);
    struct name name;

    if (names->count * 2 >= names->cap)
        grow(names);
    for (size_t at = hash & (names->cap - 1); names->slots[at].raw.at;
         at = (at + 1) & (names->cap - 1))
        if (names->slots[at].hash == hash && names->slots[at].asked == kind &&
            span_eq(names->slots[at].raw, raw))
            return &names->slots[at];
    name = make(names, builder, token, kind);
    name.hash = hash;
    put(names, &name);
    names->count++;
    for (size_t at = hash & (names->cap - 1);; at = (at + 1) & (names->cap - 1))
        if (names->slots[at].frame == name.frame && names->slots[at].hash == hash)
            return &names->slots[at];
}

void names_free(struct names *names)
{
    free(names->slots);
    arena_free(&names->raw);
    *names = (struct names){0};
}
