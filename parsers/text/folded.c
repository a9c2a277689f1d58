/* SPDX-License-Identifier: Apache-2.0 */
/* folded.c — one stack a line, the root first, then how often: "main;parse;read 12"
 *
 * What the stackcollapse scripts of FlameGraph, py-spy -f raw, austin, inferno, async-profiler and
 * many others write. Marks such as "_[k]" stay part of a name. In frames that name a Python file
 * it is distinguished from the function: "f (dir/m.py:7)" of py-spy, "dir/m.py:f:7" of austin. */
#include <ctype.h>
#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "base/text/decimal.h"
#include "parsers/parser.h"
#include "parsers/stacks/language_names.h"
#include "parsers/stacks/stack_list.h"

enum { HEAD = 4096, MICRO = 6, MICROS = 1000000 };

struct folded {
    struct builder *builder;
    int64_t rest; /* millionths that rounding has kept back so far */
    uint64_t fractions;
    char *plain; /* room for a frame without escapes */
    size_t plain_cap;
    struct stack_list stacks;          /* each once, until all frames are known */
    struct idmap by_text;              /* a stack's hash → its number */
    struct VECTOR_OF(uint64_t) checks; /* by stack: the other half of its hash */
    struct VECTOR_OF(uint32_t) number; /* by text, the frame's; IDMAP_NONE of those that are none */
    struct VECTOR_OF(struct frame) frames;
    struct VECTOR_OF(uint32_t) threads; /* frames that are none, but say which thread it is */
};

/* ---- lines ---- */

/* The count, which is the last word of a line, and what stands before it. */
static bool is_stack(struct span line, struct span *stack, struct span *count)
{
    size_t at;
    int64_t ignored;

    line = span_trim(line);
    at = line.len;
    while (at && line.at[at - 1] != ' ' && line.at[at - 1] != '\t')
        at--;
    if (at == 0 || at == line.len)
        return false;
    *count = span_after(line, at);
    *stack = span_trim((struct span){line.at, at});
    return isdigit((unsigned char)count->at[0]) && decimal_scaled(*count, 0, &ignored);
}

/* Blank lines and comments say nothing. */
static bool is_silent(struct span line)
{
    line = span_trim(line);
    return line.len == 0 || line.at[0] == '#';
}

/* What the lines of a head look like. */
struct look {
    size_t stacks, pairs, others; /* `pairs` are the stacks with two figures */
    size_t paths;                 /* of more than one frame */
    bool is_log;                  /* lines with times of day, or with results of calls */
};

/* "12:34:56" anywhere, as logs have it, or "f(x) = 0", as strace and others print results. */
static bool is_of_log(struct span line, struct span stack)
{
    if (span_ends(stack, SPAN("=")))
        return true;
    for (size_t i = 2; i + 5 < line.len; i++)
        if (line.at[i] == ':' && line.at[i + 3] == ':' && is_digit(line.at[i - 2]) &&
            is_digit(line.at[i - 1]) && is_digit(line.at[i + 1]) && is_digit(line.at[i + 2]) &&
            is_digit(line.at[i + 4]) && is_digit(line.at[i + 5]))
            return true;
    return false;
}

/* A line that is cut by the end of the head is left out. */
static struct look look_over(struct span head, bool is_all)
{
    struct look look = {0};

    while (head.len && (is_all || memchr(head.at, '\n', head.len))) {
        struct span line = span_split(&head, '\n'), stack, count, before;

        if (is_silent(line))
            continue;
        if (!is_stack(line, &stack, &count)) {
            look.others++;
            continue;
        }
        look.stacks++;
        look.paths += memchr(stack.at, ';', stack.len) != NULL;
        look.is_log |= is_of_log(line, stack);
        look.pairs += is_stack(stack, &before, &count);
    }
    return look;
}

/* ---- frames ---- */

/* "\x3b", "\x5c", "\x23" and "\x0a" are what ptk writes for bytes that would end a frame or a line,
 * or begin a comment. Others are left alone: a path may well hold "\x86". */
static struct span unescape(struct folded *folded, struct span text)
{
    size_t len = 0;

    if (span_find(text, SPAN("\\x")) == SIZE_MAX)
        return text;
    if (folded->plain_cap < text.len) {
        folded->plain_cap = grow_cap(folded->plain_cap, text.len);
        folded->plain = grow_to(folded->plain, folded->plain_cap, 1);
    }
    while (text.len) {
        uint64_t code;
        bool is_one = text.len >= 4 && span_starts(text, SPAN("\\x")) &&
                      span_hex_to_u64((struct span){text.at + 2, 2}, &code) &&
                      (code < 0x20 || code == ';' || code == '#' || code == '\\' || code == 0x7f);

        folded->plain[len++] = is_one ? (char)code : text.at[0];
        text = span_after(text, is_one ? 4 : 1);
    }
    return (struct span){folded->plain, len};
}

struct python_frame {
    struct span name, file;
    int64_t line;
};

/* "name (path:7)" */
static bool is_pyspy(struct span text, struct python_frame *frame)
{
    size_t open = span_rfind(text, '(');

    if (!span_ends(text, SPAN(")")) || open < 2 || open == SIZE_MAX || text.at[open - 1] != ' ')
        return false;
    frame->name = (struct span){text.at, open - 1};
    frame->file = place_file((struct span){text.at + open + 1, text.len - open - 2}, &frame->line);
    return python_is_file(frame->file);
}

/* "path:name:7" */
static bool is_austin(struct span text, struct python_frame *frame)
{
    struct span rest = place_file(text, &frame->line);
    size_t colon = span_rfind(rest, ':');

    if (rest.len == text.len || colon == SIZE_MAX)
        return false;
    frame->file = (struct span){rest.at, colon};
    frame->name = span_after(rest, colon + 1);
    return frame->name.len && python_is_file(frame->file);
}

static struct frame read_frame(struct folded *folded, str_id id)
{
    struct span text = builder_text(folded->builder, id);
    struct python_frame python;
    struct frame frame = {.name = id, .kind = KIND_HOST};
    char room[PYTHON_MODULE_MAX];

    if (is_pyspy(text, &python) || is_austin(text, &python)) {
        frame.name = builder_intern(folded->builder, python.name);
        frame.file = builder_intern(folded->builder, python.file);
        frame.module = builder_intern(folded->builder, python_module(python.file, room));
        frame.line = python.line;
        frame.kind = KIND_PYTHON;
    }
    return frame;
}

/* The number of a frame, by its text. */
static uint32_t frame_number(struct folded *folded, struct span text)
{
    str_id id = builder_intern(folded->builder, unescape(folded, text));

    while (folded->number.count <= id)
        vector_add(&folded->number, IDMAP_NONE);
    if (folded->number.list[id] == IDMAP_NONE) {
        folded->number.list[id] = (uint32_t)folded->frames.count;
        vector_add(&folded->frames, read_frame(folded, id));
    }
    return folded->number.list[id];
}

/* ---- the whole ---- */

/* Fractions are rounded so that the sum stays right: what one stack loses the next one gets. */
static int64_t whole_count(struct folded *folded, struct span text)
{
    int64_t count = 0, micros = 0;

    if (span_to_i64(text, &count))
        return count;
    (void)!decimal_scaled(text, MICRO, &micros); /* is_stack() has seen to it */
    folded->fractions++;
    micros = checked_add(micros, folded->rest);
    count = checked_add(micros, MICROS / 2) / MICROS;
    folded->rest = micros - count * MICROS;
    return count;
}

/* "tid:7", with which the stacks of Python 3.15's sampler begin */
static void take_thread(struct folded *folded, struct span text)
{
    struct span digits = span_after(text, 4);
    uint64_t id;

    if (!span_starts(text, SPAN("tid:")) || !span_to_u64(digits, &id))
        return;
    id = frame_number(folded, text);
    if (folded->frames.list[id].kind == KIND_OTHER)
        return;
    folded->frames.list[id] =
        (struct frame){.name = builder_intern(folded->builder, digits), .kind = KIND_OTHER};
    vector_add(&folded->threads, (uint32_t)id);
}

/* A stack is known by 128 bits of its text: the frames of one that came before are not looked up. */
static void add_stack(struct folded *folded, struct span stack, struct span count)
{
    XXH128_hash_t hash = XXH3_128bits(stack.at, stack.len);
    uint32_t *known = idmap_at(&folded->by_text, hash.low64);
    int64_t amount = whole_count(folded, count);

    if (*known == IDMAP_NONE || folded->checks.list[*known] != hash.high64) {
        size_t before = folded->stacks.frames.count;

        *known = (uint32_t)folded->stacks.stacks.count;
        while (stack.len) {
            struct span frame = span_split(&stack, ';');

            if (folded->stacks.frames.count == before)
                take_thread(folded, frame);
            if (frame.len)
                stack_list_frame(&folded->stacks, frame_number(folded, frame));
        }
        stack_list_end(&folded->stacks, amount);
        vector_add(&folded->checks, hash.high64);
    } else {
        struct listed_stack *before = &folded->stacks.stacks.list[*known];

        before->amount = checked_add(before->amount, amount);
    }
}

static bool read_lines(struct folded *folded, struct input *in, struct error *err)
{
    uint64_t offset = input_offset(in), number = 0, stacks = 0;
    struct span line, stack, count;

    for (; input_line(in, &line); offset = input_offset(in)) {
        number++;
        if (is_silent(line))
            continue;
        if (is_stack(line, &stack, &count)) {
            add_stack(folded, stack, count);
            stacks++;
        } else {
            if (!stacks && err->kind == ERROR_NONE)
                error_set_at(err, offset, number, "not a stack and a count");
            warning_count(builder_warnings(folded->builder), WARNING_LOSS,
                          "lines that do not end in a count, left out", offset);
        }
    }
    if (!stacks && err->kind != ERROR_NONE)
        return false;
    *err = (struct error){0};
    return true;
}

static void give_stacks(struct folded *folded)
{
    frame_id *frames = grow_zeroed(folded->frames.count, sizeof(*frames));
    struct stack_names names = {.frames = frames, .frame_count = folded->frames.count};
    struct stack_builder *builder = builder_stacks(folded->builder);
    bool has_labels = folded->threads.count && builder_wants_labels(builder);
    struct sample_label label = {.key = builder_intern(folded->builder, SPAN("thread"))};
    size_t begin = 0;

    python_frames_give(folded->builder, folded->frames.list, folded->frames.count,
                       folded->threads.count ? PYTHON_LINES_THAT_RAN : PYTHON_LINES_TO_TELL,
                       frames);
    for (size_t i = 0; i < folded->threads.count; i++)
        frames[folded->threads.list[i]] = 0;
    for (size_t i = 0; i < folded->stacks.stacks.count; i++) {
        size_t end = folded->stacks.stacks.list[i].end;

        if (has_labels) { /* a first frame that is none names the thread */
            uint32_t first = begin < end ? folded->stacks.frames.list[begin] : 0;
            bool is_thread = begin < end && !frames[first];

            label.text = is_thread ? folded->frames.list[first].name : 0;
            builder_labels(builder, &label, is_thread);
        }
        stack_list_give(&folded->stacks, i, &names, 0, 0, false, builder);
        begin = end;
    }
    free(frames);
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    static const struct value_name values[] = {{LITERAL("samples"), UNIT_COUNT}};
    struct folded folded = {.builder = builder};
    struct span head = input_peek(in, HEAD);
    struct look look = look_over(head, head.len < HEAD);
    bool ok;

    if (!builder_begin(builder, LEVEL_CALLTREE, values, 1, 0, err))
        return false;
    if (look.pairs > 1 && look.pairs == look.stacks && look.paths) { /* difffolded.pl's */
        error_set(err, ERROR_INPUT, "two counts a stack: these are two profiles in one");
        return error_hint(err, "read the two that it was made from, each by itself");
    }
    ok = read_lines(&folded, in, err);
    if (ok)
        give_stacks(&folded);
    warning_count_many(builder_warnings(builder), WARNING_NOTE,
                       "counts with a fraction, rounded so that their sum is kept",
                       folded.fractions);
    stack_list_free(&folded.stacks);
    idmap_free(&folded.by_text);
    free(folded.checks.list);
    free(folded.frames.list);
    free(folded.threads.list);
    free(folded.number.list);
    free(folded.plain);
    return ok;
}

static enum sniff sniff(struct span head, bool is_all)
{
    struct look look = look_over(head, is_all);

    if (look.others || memchr(head.at, '\0', head.len))
        return SNIFF_NO;
    if (!look.stacks)
        return is_all ? SNIFF_NO : SNIFF_MORE;
    if (look.is_log)
        return SNIFF_NO;
    return 2 * look.paths >= look.stacks ? SNIFF_YES : SNIFF_ASK;
}

const struct parser parser_folded = {
    .name = "folded",
    .title = "folded stacks",
    .summary = "FlameGraph's stackcollapse scripts, py-spy -f raw, austin, inferno, async-profiler",
    .tried = "any: it has no versions",
    .level = LEVEL_CALLTREE,
    .sniff = sniff,
    .parse = parse,
};
