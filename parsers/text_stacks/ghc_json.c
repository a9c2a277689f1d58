/* SPDX-License-Identifier: Apache-2.0 */
/* ghc_json.c — GHC's profile as JSON (+RTS -pj): cost centres, and a tree of them
 *
 *     {"program": "app", "total_ticks": 798, "tick_interval": 1000, "total_alloc": 1921672664,
 *      "cost_centres": [{"id": 37, "label": "make", "module": "Main", "src_loc": "Main.hs:57:1-9"}],
 *      "profile": {"id": 144, "alloc": 648, "ticks": 0, "children": [...]}} */
#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "parsers/json/json.h"
#include "parsers/json/json_sniff.h"
#include "parsers/json/json_tree.h"
#include "parsers/parser.h"
#include "parsers/text/text_end.h"
#include "parsers/text_stacks/text_stacks.h"

enum { NS_PER_US = 1000, TICKS = 0, TIME, BYTES, VALUES };

struct cost_node {
    uint32_t parent;
    int64_t id, ticks, bytes;
    node_id place;
};

struct cost_profile {
    struct builder *builder;
    struct json_stream json;
    struct arena arena; /* for the texts of a cost centre */
    struct idmap by_id; /* a cost centre's id → its number */
    struct VECTOR_OF(struct frame) centres;
    struct VECTOR_OF(struct cost_node) nodes; /* callers first */
    int64_t total_ticks, tick_us;
};

/* ---- reading ---- */

static void read_centre(struct cost_profile *profile, struct token centre)
{
    struct arena *arena = &profile->arena;
    struct frame frame = {.kind = KIND_HOST};
    struct span module = walk_text(centre, SPAN("module"), arena);
    int64_t id;

    if (token_integer(walk_find(centre, SPAN("id")), &id)) {
        frame.name =
            builder_intern(profile->builder, JOINED(arena, module, SPAN("."),
                                                    walk_text(centre, SPAN("label"), arena)));
        frame.module = builder_intern(profile->builder, module);
        text_set_place(profile->builder, &frame, walk_text(centre, SPAN("src_loc"), arena));
        *idmap_at(&profile->by_id, (uint64_t)id) = (uint32_t)profile->centres.count;
        vector_add(&profile->centres, frame);
    }
    arena_clear(arena);
}

static uint32_t begin_node(void *context, uint32_t parent)
{
    struct cost_profile *profile = context;

    if (profile->nodes.count == JSON_NO_PARENT)
        oom(); /* their numbers have 32 bits */
    vector_add(&profile->nodes, (struct cost_node){.parent = parent});
    return (uint32_t)profile->nodes.count - 1;
}

static void read_node(void *context, uint32_t number, const struct json_key *key)
{
    struct cost_profile *profile = context;
    struct cost_node *node = &profile->nodes.list[number];
    struct token value;
    int64_t figure;

    if (!json_take(&profile->json, &value) || !token_integer(value, &figure))
        return;
    if (json_key_is(key, "id"))
        node->id = figure;
    else if (json_key_is(key, "ticks"))
        node->ticks = not_negative(figure);
    else if (json_key_is(key, "alloc"))
        node->bytes = not_negative(figure);
}

static bool read_document(struct cost_profile *profile, struct error *err)
{
    static const struct json_tree tree = {.begin = begin_node, .member = read_node};
    struct json_key key;
    struct token value;

    if (!json_begin(&profile->json, err))
        return false;
    while (json_member(&profile->json, &key)) {
        if (json_key_is(&key, "cost_centres") && json_enter(&profile->json, '[')) {
            while (json_item(&profile->json) && json_take(&profile->json, &value))
                read_centre(profile, value);
        } else if (json_key_is(&key, "profile")) {
            json_tree_read(&profile->json, &tree, profile);
        } else if (json_key_is(&key, "total_ticks") && json_take(&profile->json, &value)) {
            if (!token_integer(value, &profile->total_ticks))
                profile->total_ticks = 0;
        } else if (json_key_is(&key, "tick_interval") && json_take(&profile->json, &value)) {
            if (!token_integer(value, &profile->tick_us) || profile->tick_us < 0)
                profile->tick_us = 0;
        } else {
            json_skip(&profile->json);
        }
    }
    json_end(&profile->json, builder_warnings(profile->builder));
    if (!profile->nodes.count)
        return error_set_at(err, input_offset(profile->json.in), 0,
                            "no node of a call tree is in it");
    return true;
}

/* ---- the graph ---- */

static bool build(struct cost_profile *profile, struct error *err)
{
    static const struct value_name values[VALUES] = {
        {LITERAL("ticks"), UNIT_COUNT}, {LITERAL("time"), UNIT_NS}, {LITERAL("bytes"), UNIT_BYTES}};
    struct stack_builder *stacks = builder_stacks(profile->builder);
    struct frame unknown = {.name = builder_intern(profile->builder, SPAN("[unknown]")),
                            .kind = KIND_OTHER};
    int64_t found = 0, tick = checked_mul(profile->tick_us, NS_PER_US);

    if (!builder_begin(profile->builder, LEVEL_CALLTREE, values, VALUES, 0, err))
        return false;
    for (size_t i = 0; i < profile->nodes.count; i++) {
        struct cost_node *node = &profile->nodes.list[i];
        node_id above =
            node->parent == JSON_NO_PARENT ? 0 : profile->nodes.list[node->parent].place;
        uint32_t centre = idmap_find(&profile->by_id, (uint64_t)node->id);

        node->place = builder_child(
            stacks, above,
            builder_frame(profile->builder,
                          centre == IDMAP_NONE ? &unknown : &profile->centres.list[centre]));
        builder_add(stacks, node->place, TICKS, node->ticks);
        builder_add(stacks, node->place, TIME, checked_mul(node->ticks, tick));
        builder_add(stacks, node->place, BYTES, node->bytes);
        found = checked_add(found, node->ticks);
    }
    text_check_total(profile->builder, "ticks", profile->total_ticks, found, 0, UNIT_COUNT);
    return true;
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    struct cost_profile profile = {.builder = builder, .json = json_start(in)};
    bool ok;

    builder_producer(builder, "GHC");
    ok = read_document(&profile, err) && build(&profile, err);
    arena_free(&profile.arena);
    idmap_free(&profile.by_id);
    free(profile.centres.list);
    free(profile.nodes.list);
    return ok;
}

static enum sniff sniff(struct span head, bool is_all)
{
    static const char *const first[] = {
        "program",     "arguments",     "rts_arguments", "end_time", "total_time",
        "total_ticks", "tick_interval", "cost_centres",  "profile",  NULL};
    static const char *const marks[] = {"\"tick_interval\"", "\"cost_centres\"", NULL};

    return sniff_json(head, is_all, first, marks);
}

const struct parser parser_ghc_json = {
    .name = "ghc-json",
    .title = "profiles of GHC as JSON",
    .summary = "Haskell: +RTS -pj (PROGRAM.prof); its text is of text-stacks",
    .tried = "GHC 8.4",
    .omitted = "numbers of entries",
    .level = LEVEL_CALLTREE,
    .sniff = sniff,
    .parse = parse,
};
