/* SPDX-License-Identifier: Apache-2.0 */
/* Lists and names of events as they stand in a trace, each made a text or a frame of the graph once. */
#include "parsers/chrome/chrome_events.h"

#define XXH_INLINE_ALL
#include <stdlib.h>
#include <xxhash.h>

#include "graph/classify/event_class.h"
#include "graph/classify/kernel_class.h"
#include "parsers/json/json.h"

/* ---- from a list as it stands in the file to the graph's text, at one look a list ---- */

static str_id intern(struct builder *builder, struct token token)
{
    struct arena made = {0};
    str_id id = builder_intern(builder, token_text(token_spaced(token, &made), &made));

    arena_free(&made);
    return id;
}

str_id text_cache_find(struct text_cache *text_cache, struct builder *builder, struct token token)
{
    struct span raw = {token.at, token.len};
    struct index_place place;
    uint32_t at;

    if (!token.len || token.at[0] == '"')
        return intern(builder, token);
    index_reserve(&text_cache->index);
    place = index_start(&text_cache->index,
                        (uint32_t)XXH3_64bits_withSeed(raw.at, raw.len, text_cache->index.key));
    do
        at = index_next(&text_cache->index, &place);
    while (at && !span_eq(text_cache->list[at - 1].raw, raw));
    if (!at) {
        str_id id = intern(builder, token);
        struct span kept = builder_text(builder, id);

        raw.at = span_eq(kept, raw) ? kept.at : arena_copy(&text_cache->raw, raw);
        vector_add(text_cache, (struct cached_text){raw, id});
        at = index_add(&text_cache->index, &place);
    }
    return text_cache->list[at - 1].id;
}

void text_cache_free(struct text_cache *text_cache)
{
    free(text_cache->list);
    index_free(&text_cache->index);
    arena_free(&text_cache->raw);
    *text_cache = (struct text_cache){0};
}

/* ---- from an event's name as it stands in the file to its frame, at one look a name ---- */

static bool set_place(struct builder *builder, struct span file, struct span number,
                      struct frame *frame)
{
    int64_t line;

    if (file.len == 0 || !span_to_i64(number, &line))
        return false;
    frame->file = builder_intern(builder, file);
    frame->line = line;
    return true;
}

/* "path/file.py(12): function" (Kineto) and "path/file.py(12).function" (old VizTracer). */
static bool find_place_before(struct builder *builder, struct span name, struct span mark,
                              struct frame *frame)
{
    size_t close = span_find(name, mark), open = close;

    if (close == SIZE_MAX)
        return false;
    while (open > 0 && name.at[open] != '(')
        open--;
    return set_place(builder, (struct span){name.at, open},
                     (struct span){name.at + open + 1, close - open - (open < close)}, frame);
}

/* "function (path/file.py:12)" (VizTracer). */
static void find_place_behind(struct builder *builder, struct span name, struct frame *frame)
{
    size_t open = span_find(name, SPAN(" (")), colon = span_rfind(name, ':');

    if (open != SIZE_MAX && colon != SIZE_MAX && colon > open + 2 && span_ends(name, SPAN(")")))
        set_place(builder, (struct span){name.at + open + 2, colon - open - 2},
                  (struct span){name.at + colon + 1, name.len - colon - 2}, frame);
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

static struct chrome_name make_name(struct names *names, struct builder *builder,
                                    struct token token, enum frame_kind kind)
{
    struct arena unescaped = {0};
    struct span text = token.at ? token_text(token, &unescaped) : SPAN("");
    struct frame frame = {.name = builder_intern(builder, text), .kind = kind};
    struct span kept = builder_text(builder, frame.name), raw = token_raw_text(token);
    struct chrome_name name = {.asked = kind,
                               .step = step_of(text),
                               .inputs = kind == KIND_OPERATOR ? builder_input_need(builder, text)
                                                               : INPUTS_VALUES,
                               .raw = kept};

    if (kind == KIND_PYTHON && !find_place_before(builder, text, SPAN("): "), &frame) &&
        !find_place_before(builder, text, SPAN(")."), &frame))
        find_place_behind(builder, text, &frame);
    if (kind == KIND_KERNEL)
        frame.kind = device_work_kind(text);
    if ((kind == KIND_HOST || kind == KIND_OPERATOR) && is_runtime_call(text))
        frame.kind = KIND_RUNTIME;
    if (name.step != NO_STEP && kind != KIND_OTHER) /* which is a device's range over the step */
        frame.kind = KIND_ANNOTATION;
    if (token.at && !span_eq(kept, raw))
        name.raw = (struct span){arena_copy(&names->raw, raw), raw.len};
    name.kind = frame.kind;
    name.frame = builder_frame(builder, &frame);
    arena_free(&unescaped);
    return name;
}

const struct chrome_name *names_find(struct names *names, struct builder *builder,
                                     struct token token, enum frame_kind kind)
{
    struct span raw = token.at ? token_raw_text(token) : SPAN("");
    struct index_place place;
    struct chrome_name name;
    uint64_t hash;

    index_reserve(&names->index);
    hash = XXH3_64bits_withSeed(raw.at, raw.len, names->index.key + (uint64_t)kind);
    place = index_start(&names->index, (uint32_t)hash);
    for (uint32_t id; (id = index_next(&names->index, &place));) {
        const struct chrome_name *known = &names->list[id - 1];

        if (known->hash == hash && known->asked == kind && span_eq(known->raw, raw))
            return known;
    }
    name = make_name(names, builder, token, kind);
    name.hash = hash;
    vector_add(names, name);
    return &names->list[index_add(&names->index, &place) - 1];
}

void names_free(struct names *names)
{
    free(names->list);
    index_free(&names->index);
    arena_free(&names->raw);
    *names = (struct names){0};
}
