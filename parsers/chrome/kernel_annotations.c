/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_annotations.c — what a program says of the nodes of its CUDA graphs: PyTorch's
 * torch.cuda.graph(enable_annotations=True) and mark_kernels()
 *
 *     {"38654705667": [{"name": "aten::mm", "module_fqn": "Model_0/Layer_0"}], ...}
 *
 * By node id; of several annotations of a node the later wins. No times: each is an instant at 0. */
#include "parsers/json/json.h"
#include "parsers/parser.h"

static void add_node(struct builder *builder, uint32_t track, int64_t id, struct token list,
                     struct arena *arena)
{
    struct json_walk walk = walk_into(list);
    struct frame frame = {.kind = KIND_OPERATOR};
    str_id module = 0;
    struct token said;
    uint32_t event;

    while (walk_item(&walk, &said)) {
        struct token name = walk_find(said, SPAN("name"));
        struct token of = walk_find(said, SPAN("module_fqn"));

        frame.name = name.at ? builder_intern(builder, token_text(name, arena)) : frame.name;
        module = of.at ? builder_intern(builder, token_text(of, arena)) : module;
    }
    arena_clear(arena);
    if (!frame.name && !module)
        return;
    event = builder_event(builder_timeline(builder), track, 0, 0, builder_frame(builder, &frame));
    builder_property(builder_timeline(builder), event, PROP_GRAPH_NODE, id);
    if (module)
        builder_property(builder_timeline(builder), event, PROP_NODE_MODULE, module);
    if (frame.name)
        builder_property(builder_timeline(builder), event, PROP_NODE_LABEL, frame.name);
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    struct json_stream json = json_start(in);
    struct arena arena = {0};
    struct json_key key;
    uint32_t track;

    if (!builder_begin_timeline(builder, err))
        return false;
    if (!json_begin(&json, err))
        return false;
    track = builder_track(builder_timeline(builder),
                          &(struct track){.name = builder_intern(builder, SPAN("annotations")),
                                          .kind = TRACK_POINTS,
                                          .device = -1});
    while (json_member(&json, &key)) {
        size_t offset = input_offset(in);
        struct token list;
        int64_t id;

        if (key.len < JSON_KEY_MAX &&
            token_integer((struct token){key.text, (uint32_t)key.len}, &id) && id > 0) {
            if (json_take(&json, &list))
                add_node(builder, track, id, list, &arena);
        } else {
            warning_count(builder_warnings(builder), WARNING_LOSS,
                          "annotations that are not of a node are left out", offset);
            json_skip(&json);
        }
    }
    json_end(&json, builder_warnings(builder));
    builder_producer(builder, "PyTorch (annotations of CUDA graphs)");
    arena_free(&arena);
    return true;
}

static enum sniff sniff(struct span head, bool is_all)
{
    struct span key = walk_first_key(head);

    for (size_t i = 0; i < key.len; i++)
        if (!is_digit(key.at[i]))
            return SNIFF_NO;
    if (!key.len)
        return SNIFF_NO;
    if (span_find(head, SPAN("\"module_fqn\"")) != SIZE_MAX ||
        span_find(head, SPAN("\"name\"")) != SIZE_MAX)
        return SNIFF_YES;
    return is_all ? SNIFF_NO : SNIFF_MORE;
}

const struct parser parser_kernel_annotations = {
    .name = "kernel-annotations",
    .title = "annotations of CUDA graphs",
    .summary = "PyTorch's kernel_annotations_rank*.json, beside the trace of a graph's launches",
    .tried = "PyTorch 2",
    .level = LEVEL_TIMELINE,
    .sniff = sniff,
    .parse = parse,
};
