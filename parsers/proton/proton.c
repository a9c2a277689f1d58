/* SPDX-License-Identifier: Apache-2.0 */
/* proton.c — profiles of Triton's Proton (.hatchet): kernels below the scopes that launched them
 *
 *     [{"frame": {"name": "ROOT"}, "metrics": {}, "children": [{"frame": {"name": "matmul"}, "children": [],
 *       "metrics": {"time (ns)": 56396, "count": 10, "flops16": 2e12, "device_id": "0"}}]},
 *      {"CUDA": {"0": {"arch": "90", "num_sms": 132}}}]
 *
 * Metrics are a node's own, without those of its children. Each numeric metric becomes a value of the profile,
 * under its own name. Members come in any order: a node's name is often after its children. */
#include <stdlib.h>

#include "base/checked.h"
#include "parsers/json/json.h"
#include "parsers/json/json_tree.h"
#include "parsers/parser.h"
#include "parsers/stacks/language_names.h"

enum { METRICS_MAX = 64 };

struct proton_node {
    uint32_t parent;
    str_id name;
    node_id place; /* in the builder's tree, once it is there */
    bool has_children, is_on_device;
    bool is_metadata; /* it computed metadata of launches */
};

struct proton_figure {
    uint32_t node, value;
    int64_t amount;
};

struct proton {
    struct builder *builder;
    struct json_stream json;
    struct arena arena;                         /* for a name */
    struct VECTOR_OF(struct proton_node) nodes; /* parents first */
    struct VECTOR_OF(struct proton_figure) figures;
    struct value_name values[METRICS_MAX];
    uint32_t value_count, standard;
    uint64_t odd, beyond; /* metrics left out: not numbers; of more names than METRICS_MAX */
};

/* ---- nodes ---- */

static uint32_t begin_node(void *context, uint32_t parent)
{
    struct proton *proton = context;

    if (proton->nodes.count == JSON_NO_PARENT)
        oom(); /* ids have 32 bits */
    if (parent != JSON_NO_PARENT)
        proton->nodes.list[parent].has_children = true;
    vector_add(&proton->nodes, (struct proton_node){.parent = parent});
    return (uint32_t)proton->nodes.count - 1;
}

/* Powers of ten of a nanosecond in "time (us)"; Hatchet's "time" is in seconds. */
static bool is_time(struct span metric, int *scale)
{
    struct span unit = span_after(metric, strlen("time ("));

    *scale = span_starts(unit, SPAN("n"))   ? 0
             : span_starts(unit, SPAN("u")) ? 3
             : span_starts(unit, SPAN("m")) ? 6
                                            : 9;
    return span_eq(metric, SPAN("time")) || span_starts(metric, SPAN("time ("));
}

/* The index of a metric's value; METRICS_MAX where there are too many. */
static uint32_t value_of(struct proton *proton, struct span metric, bool is_a_time)
{
    struct span name = is_a_time ? SPAN("time") : metric;
    enum unit unit = is_a_time ? UNIT_NS : span_eq(metric, SPAN("bytes")) ? UNIT_BYTES : UNIT_COUNT;
    uint32_t at = 0;

    while (at < proton->value_count && !span_eq(proton->values[at].name, name))
        at++;
    if (at < proton->value_count || at == METRICS_MAX)
        return at;
    if (is_a_time)
        proton->standard = at;
    name = builder_text(proton->builder, builder_intern(proton->builder, name));
    proton->values[at] = (struct value_name){name, unit};
    return proton->value_count++;
}

/* Texts name the device; "(pty)" marks metrics without a sum, "(inc)" those that include the children's. */
static void read_metric(struct proton *proton, uint32_t node, struct span metric,
                        struct token value)
{
    struct proton_figure figure = {.node = node};
    int scale;
    bool is_a_time = is_time(metric, &scale) && !span_ends(metric, SPAN("(inc)"));

    if (span_eq(metric, SPAN("device_type")))
        proton->nodes.list[node].is_on_device = true;
    if (value.at[0] == '"' || span_ends(metric, SPAN("(pty)")) || span_ends(metric, SPAN("(inc)")))
        return;
    if (!token_scaled(value, is_a_time ? scale : 0, &figure.amount) || figure.amount < 0) {
        proton->odd++;
        return;
    }
    if (figure.amount == 0)
        return;
    figure.value = value_of(proton, metric, is_a_time);
    proton->beyond += figure.value == METRICS_MAX;
    if (figure.value < METRICS_MAX)
        vector_add(&proton->figures, figure);
}

static void read_member(void *context, uint32_t node, const struct json_key *key)
{
    struct proton *proton = context;
    struct token value, metric;
    struct json_walk walk;
    struct span name;

    if (!json_key_is(key, "frame") && !json_key_is(key, "metrics")) {
        json_skip(&proton->json);
        return;
    }
    if (!json_take(&proton->json, &value))
        return;
    walk = walk_into(value);
    if (json_key_is(key, "frame"))
        proton->nodes.list[node].name =
            builder_intern(proton->builder, walk_text(value, SPAN("name"), &proton->arena));
    else
        while (walk_member(&walk, &name, &metric))
            read_metric(proton, node, walk_key(name, &proton->arena), metric);
    arena_clear(&proton->arena);
}

/* ---- the tree ---- */

/* "/srv/train.py:step@14": a function, and the line of it. */
static struct frame frame_of(struct proton *proton, const struct proton_node *node)
{
    struct frame frame = {.name = node->name, .kind = KIND_ANNOTATION};
    struct span name = builder_text(proton->builder, node->name), file, line;
    size_t at = span_rfind(name, '@'), colon;

    if (node->is_on_device && !node->has_children)
        frame.kind = KIND_KERNEL;
    file = (struct span){name.at, at == SIZE_MAX ? 0 : at};
    line = span_after(name, at == SIZE_MAX ? name.len : at + 1);
    colon = span_rfind(file, ':');
    if (colon == SIZE_MAX || !span_is_digits(line) || !span_to_i64(line, &frame.line))
        return frame;
    frame.kind = KIND_PYTHON;
    frame.name = builder_intern(proton->builder, span_after(file, colon + 1));
    frame.file = builder_intern(proton->builder, (struct span){file.at, colon});
    return frame;
}

static void place_nodes(struct proton *proton)
{
    struct frame *frames = grow_zeroed(proton->nodes.count, sizeof(*frames));
    frame_id *ids = grow_zeroed(proton->nodes.count, sizeof(*ids));

    for (size_t i = 0; i < proton->nodes.count; i++)
        frames[i] = frame_of(proton, &proton->nodes.list[i]);
    python_frames_give(proton->builder, frames, proton->nodes.count, PYTHON_LINES_TO_TELL, ids);
    for (size_t i = 0; i < proton->nodes.count; i++) {
        struct proton_node *node = &proton->nodes.list[i];
        struct proton_node none = {0};
        const struct proton_node *above =
            node->parent == JSON_NO_PARENT ? &none : &proton->nodes.list[node->parent];

        node->is_metadata = above->is_metadata || span_eq(builder_text(proton->builder, node->name),
                                                          SPAN("__proton_launch_metadata"));
        node->place = builder_child(builder_stacks(proton->builder), above->place, ids[i]);
    }
    free(frames);
    free(ids);
}

static bool build(struct proton *proton, struct error *err)
{
    int64_t metadata = 0;

    if (!proton->value_count)
        (void)value_of(proton, SPAN("time"), true);
    if (!builder_begin(proton->builder, LEVEL_CALLTREE, proton->values, proton->value_count,
                       proton->standard, err))
        return false;
    place_nodes(proton);
    for (size_t i = 0; i < proton->figures.count; i++) {
        const struct proton_figure *figure = &proton->figures.list[i];
        const struct proton_node *node = &proton->nodes.list[figure->node];

        builder_add(builder_stacks(proton->builder), node->place, figure->value, figure->amount);
        if (node->is_metadata && proton->values[figure->value].unit == UNIT_NS)
            metadata = checked_add(metadata, figure->amount);
    }
    if (metadata) /* Proton's viewer leaves it out */
        builder_fact(proton->builder, "launch_metadata", metadata, UNIT_NS);
    return true;
}

/* ---- the whole ---- */

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    static const struct json_tree tree = {.begin = begin_node, .member = read_member};
    struct proton proton = {.builder = builder, .json = json_start(in)};
    bool ok = json_enter(&proton.json, '[');

    if (ok && json_item(&proton.json))
        json_tree_read(&proton.json, &tree, &proton);
    while (ok && json_item(&proton.json))
        json_skip(&proton.json); /* descriptions of devices */
    json_end(&proton.json, builder_warnings(builder));
    builder_producer(builder, "Proton");
    ok = proton.nodes.count ? build(&proton, err)
                            : error_set_at(err, 0, 0, "no node of a call tree");
    warning_count_many(builder_warnings(builder), WARNING_LOSS,
                       "metrics that are not numbers, or below 0, left out", proton.odd);
    warning_count_many(builder_warnings(builder), WARNING_LOSS,
                       "metrics beyond the first 64 names, left out", proton.beyond);
    free(proton.nodes.list);
    free(proton.figures.list);
    arena_free(&proton.arena);
    return ok;
}

/* A list whose first item is a node. */
static enum sniff sniff(struct span head, bool is_all)
{
    struct span start = span_trim(head);

    if (!span_starts(start, SPAN("[")) || !span_starts(span_trim(span_after(start, 1)), SPAN("{")))
        return start.len > 1 || is_all ? SNIFF_NO : SNIFF_MORE;
    if (span_find(head, SPAN("\"frame\"")) != SIZE_MAX &&
        span_find(head, SPAN("\"metrics\"")) != SIZE_MAX)
        return SNIFF_YES;
    return is_all ? SNIFF_NO : SNIFF_MORE;
}

const struct parser parser_proton = {
    .name = "proton",
    .title = "profiles of Triton's Proton",
    .summary = "Triton's Proton (.hatchet, .json): kernels below the scopes that launched them",
    .tried = "Triton 3, and made files",
    .omitted = "metrics that cannot be summed, devices",
    .level = LEVEL_CALLTREE,
    .sniff = sniff,
    .parse = parse,
};
