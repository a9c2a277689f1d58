/* SPDX-License-Identifier: Apache-2.0 */
/* heapprofile.c — V8's sampled heap profiles: node --heap-prof, Chrome's memory panel
 *
 *     {"head": {"callFrame": {...}, "selfSize": bytes, "id": 1, "children": [...]}, "samples":
 * [...]}
 *
 * Sizes are what the sampled objects stand for that were alive in the end. */
#include <stdlib.h>

#include "base/memory/memory.h"
#include "parsers/json/json.h"
#include "parsers/json/json_sniff.h"
#include "parsers/json/json_tree.h"
#include "parsers/parser.h"
#include "parsers/stacks/v8_names.h"
#include "parsers/v8/v8_tree.h"

struct heap_function {
    frame_id frame; /* 0: none, as of the root */
    uint32_t parent;
    node_id place; /* in the builder's tree, once it is there */
    int64_t size;
};

struct heap_profile {
    struct builder *builder;
    struct stack_builder *stacks;
    struct json_stream json;
    struct VECTOR_OF(struct heap_function) nodes; /* parents first */
};

/* ---- reading ---- */

static uint32_t begin_node(void *context, uint32_t parent)
{
    struct heap_profile *heap = context;

    if (heap->nodes.count == JSON_NO_PARENT)
        oom(); /* ids have 32 bits */
    vector_add(&heap->nodes, (struct heap_function){.parent = parent});
    return (uint32_t)heap->nodes.count - 1;
}

static void read_member(void *context, uint32_t number, const struct json_key *key)
{
    struct heap_profile *heap = context;
    struct heap_function *node = &heap->nodes.list[number];
    struct token value;

    if (json_key_is(key, "callFrame") && json_take(&heap->json, &value)) {
        node->frame = v8_frame(value, heap->builder);
    } else if (json_key_is(key, "selfSize") && json_take(&heap->json, &value)) {
        if (!token_scaled(value, 0, &node->size) || node->size < 0)
            node->size = 0;
    } else {
        json_skip(&heap->json);
    }
}

static const struct json_tree tree = {.begin = begin_node, .member = read_member};

static bool read_document(struct heap_profile *heap, struct error *err)
{
    struct json_key key;

    if (!json_begin(&heap->json, err))
        return false;
    while (json_member(&heap->json, &key))
        if (json_key_is(&key, "head"))
            json_tree_read(&heap->json, &tree, heap);
        else
            json_skip(&heap->json);
    if (!heap->nodes.count)
        return error_set_at(err, input_offset(heap->json.in), 0, "no node of a call tree");
    json_end(&heap->json, builder_warnings(heap->builder));
    return true;
}

/* ---- the tree ---- */

static bool build(struct heap_profile *heap, struct error *err)
{
    static const struct value_name values[] = {{LITERAL("live"), UNIT_BYTES}};

    if (!builder_begin(heap->builder, LEVEL_CALLTREE, values, COUNT_OF(values), 0, err))
        return false;
    for (size_t i = 0; i < heap->nodes.count; i++) {
        struct heap_function *node = &heap->nodes.list[i];
        node_id above = node->parent == JSON_NO_PARENT ? 0 : heap->nodes.list[node->parent].place;

        node->place = node->frame ? builder_child(heap->stacks, above, node->frame) : above;
        builder_add(heap->stacks, node->place, 0, node->size);
    }
    builder_producer(heap->builder, "V8");
    return true;
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    struct heap_profile heap = {
        .builder = builder, .stacks = builder_stacks(builder), .json = json_start(in)};
    bool ok = read_document(&heap, err) && build(&heap, err);

    free(heap.nodes.list);
    return ok;
}

static enum sniff sniff(struct span head, bool is_all)
{
    static const char *const first[] = {"head", "samples", NULL};
    static const char *const marks[] = {"\"selfSize\"", NULL};

    return sniff_json(head, is_all, first, marks);
}

const struct parser parser_heapprofile = {
    .name = "heapprofile",
    .title = "V8 heap profiles",
    .summary = "JavaScript's memory: node --heap-prof, Chrome's debugger (.heapprofile)",
    .tried = "Node 20",
    .omitted = "heap snapshots",
    .level = LEVEL_CALLTREE,
    .sniff = sniff,
    .parse = parse,
};
