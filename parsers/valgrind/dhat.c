/* SPDX-License-Identifier: Apache-2.0 */
/* dhat.c — blocks of memory by where they were allocated, as valgrind --tool=dhat saw them
 *
 *     {"dhatFileVersion":2, "mode":"heap", "cmd":"./app", "te":603376,
 *      "pps":[{"tb":9600,"tbk":200, "gb":9600,"gbk":200, "eb":0,"ebk":0, "rb":3380,"wb":9400,
 *              "fs":[1,2,3]}, …],
 *      "ftbl":["[root]", "0x48417B4: malloc (in /usr/…)", "0x1091CC: push (app.c:12)", …]}
 *
 * A program point ("pp") is a stack, the innermost frame first, by numbers in the table of frames
 * that follows. What a mode does not count has no members: "copy" knows bytes and blocks in all. */
#include <stdlib.h>

#include "base/memory/memory.h"
#include "parsers/json/json.h"
#include "parsers/json/json_sniff.h"
#include "parsers/stacks/stack_tree.h"
#include "parsers/valgrind/valgrind_frame.h"

static const struct {
    const char *member;
    struct value_name value;
} figures[] = {
    {"tb", {LITERAL("alloc_space"), UNIT_BYTES}}, {"tbk", {LITERAL("alloc_objects"), UNIT_COUNT}},
    {"gb", {LITERAL("peak_space"), UNIT_BYTES}},  {"gbk", {LITERAL("peak_objects"), UNIT_COUNT}},
    {"eb", {LITERAL("inuse_space"), UNIT_BYTES}}, {"ebk", {LITERAL("inuse_objects"), UNIT_COUNT}},
    {"rb", {LITERAL("read"), UNIT_BYTES}},        {"wb", {LITERAL("written"), UNIT_BYTES}},
    {"tl", {LITERAL("lifetimes"), UNIT_COUNT}}, /* of all blocks together, in the file's unit of time */
};

enum { FIGURES = COUNT_OF(figures), FIGURES_WITHOUT_LIVES = 2 };

struct dhat {
    struct builder *builder;
    struct json_stream json;
    struct stack_tree tree; /* by places in the table of frames */
    struct VECTOR_OF(frame_id) frames;
    struct VECTOR_OF(uint32_t) stack; /* of the point at hand, the innermost first */
    uint64_t points;
    bool has_lives; /* some figure is about blocks that are freed, as of the mode "heap" */
};

/* ---- program points ---- */

static void read_point(struct dhat *dhat)
{
    int64_t amounts[FIGURES] = {0};
    struct json_key key;
    struct token token;
    uint32_t node = 0;
    int64_t frame;

    dhat->stack.count = 0;
    while (json_member(&dhat->json, &key)) {
        size_t figure = 0;

        while (figure < FIGURES && !json_key_is(&key, figures[figure].member))
            figure++;
        if (json_key_is(&key, "fs") && json_enter(&dhat->json, '[')) {
            dhat->stack.count = 0;
            while (json_item(&dhat->json))
                if (json_take(&dhat->json, &token) && token_integer(token, &frame) && frame >= 0 &&
                    frame < UINT32_MAX)
                    vector_add(&dhat->stack, (uint32_t)frame);
        } else if (figure == FIGURES)
            json_skip(&dhat->json);
        else if (json_take(&dhat->json, &token) &&
                 (!token_integer(token, &amounts[figure]) || amounts[figure] < 0))
            amounts[figure] = 0;
    }
    for (size_t i = dhat->stack.count; i-- > 0;)
        node = stack_tree_child(&dhat->tree, node, dhat->stack.list[i]);
    for (uint32_t f = 0; f < FIGURES; f++)
        if (amounts[f]) {
            stack_tree_add(&dhat->tree, node, f, amounts[f]);
            dhat->has_lives |= f >= FIGURES_WITHOUT_LIVES;
        }
    dhat->points++;
}

/* ---- the document ---- */

/* The first is the root of all, and no frame. malloc, calloc, operator new, which Valgrind puts in the
 * place of the allocator's, are left out: every stack ends in one. */
static void read_frames(struct dhat *dhat)
{
    struct arena scratch = {0};
    struct token token;

    while (json_item(&dhat->json)) {
        struct frame frame;
        bool is_none = dhat->frames.count == 0;

        if (!json_take(&dhat->json, &token))
            break;
        frame = valgrind_frame(dhat->builder, token_text(token, &scratch));
        is_none |= span_starts(builder_text(dhat->builder, frame.module), SPAN("vgpreload_")) ||
                   span_eq(builder_text(dhat->builder, frame.file), SPAN("vg_replace_malloc.c"));
        vector_add(&dhat->frames, is_none ? 0 : builder_frame(dhat->builder, &frame));
        arena_clear(&scratch);
    }
    arena_free(&scratch);
}

static void read_member(struct dhat *dhat, const struct json_key *key)
{
    struct token token;
    int64_t number;

    if (json_key_is(key, "pps") && json_enter(&dhat->json, '[')) {
        while (json_item(&dhat->json))
            if (json_enter(&dhat->json, '{'))
                read_point(dhat);
            else
                json_skip(&dhat->json);
    } else if (json_key_is(key, "ftbl") && json_enter(&dhat->json, '[')) {
        read_frames(dhat);
    } else if (json_key_is(key, "mode") && json_take(&dhat->json, &token)) {
        builder_fact_text(dhat->builder, "mode", token_raw_text(token));
    } else if (json_key_is(key, "cmd") && json_take(&dhat->json, &token)) {
        struct arena scratch = {0};

        builder_fact_text(dhat->builder, "command", token_text(token, &scratch));
        arena_free(&scratch);
    } else if (json_key_is(key, "tu") && json_take(&dhat->json, &token)) {
        builder_fact_text(dhat->builder, "unit_of_time", token_raw_text(token));
    } else if (json_key_is(key, "te") && json_take(&dhat->json, &token)) {
        if (token_integer(token, &number))
            builder_fact(dhat->builder, "instructions", number, UNIT_COUNT);
    } else {
        json_skip(&dhat->json);
    }
}

static bool hand_over(struct dhat *dhat, struct error *err)
{
    struct value_name values[FIGURES];
    struct frame unknown = {.name = builder_intern(dhat->builder, SPAN("(not in the table)")),
                            .kind = KIND_OTHER};
    struct stack_names names = {.frames = dhat->frames.list, .frame_count = dhat->frames.count};

    for (size_t i = 0; i < FIGURES; i++)
        values[i] = figures[i].value;
    if (!builder_begin(dhat->builder, LEVEL_CALLTREE, values,
                       dhat->has_lives ? FIGURES : FIGURES_WITHOUT_LIVES, 0, err))
        return false;
    names.unknown = builder_frame(dhat->builder, &unknown);
    stack_tree_finish(&dhat->tree, &names, builder_stacks(dhat->builder));
    builder_producer(dhat->builder, "Valgrind, DHAT");
    builder_fact(dhat->builder, "program_points", (int64_t)dhat->points, UNIT_COUNT);
    return true;
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    struct dhat dhat = {.builder = builder, .json = json_start(in)};
    bool ok = json_begin(&dhat.json, err);
    struct json_key key;

    while (ok && json_member(&dhat.json, &key))
        read_member(&dhat, &key);
    if (ok && !dhat.frames.count)
        ok = error_set_at(err, input_offset(in), 0,
                          "the table of frames, which is at its end, is missing");
    if (ok) {
        json_end(&dhat.json, builder_warnings(builder));
        ok = hand_over(&dhat, err);
    }
    stack_tree_free(&dhat.tree);
    free(dhat.frames.list);
    free(dhat.stack.list);
    return ok;
}

static enum sniff sniff(struct span head, bool is_all)
{
    static const char *const keys[] = {"dhatFileVersion",
                                       "mode",
                                       "verb",
                                       "bklt",
                                       "bkacc",
                                       "bu",
                                       "bsu",
                                       "bksu",
                                       "tu",
                                       "Mtu",
                                       "tuth",
                                       "cmd",
                                       "pid",
                                       "te",
                                       "tg",
                                       "pps",
                                       "ftbl",
                                       NULL};
    static const char *const marks[] = {"\"dhatFileVersion\"", NULL};

    return sniff_json(head, is_all, keys, marks);
}

const struct parser parser_dhat = {
    .name = "dhat",
    .title = "DHAT files",
    .summary = "valgrind --tool=dhat: blocks of memory, what was read and written of them",
    .tried = "Valgrind 3.19",
    .omitted = "histograms of accesses",
    .level = LEVEL_CALLTREE,
    .sniff = sniff,
    .parse = parse,
};
