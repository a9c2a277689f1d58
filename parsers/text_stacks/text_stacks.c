/* SPDX-License-Identifier: Apache-2.0 */
/* text_stacks.c — stacks and call trees that tools print: finds the tool of a text, reads its lines, and gives
 * the builder its stacks or its rows */
#include "parsers/text_stacks/text_stacks.h"

#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "parsers/parser.h"
#include "parsers/text/text_end.h"

static const struct stack_shape *const shapes[] = {
    &shape_dtrace,    &shape_bpftrace, &shape_bpftrace_json, &shape_rprof, &shape_sample,
    &shape_deep_copy, &shape_pmcstat,  &shape_ghc,           &shape_vtune,
};

/* ---- rows and stacks as they are read ---- */

/* With the first stack: the period stands in a line before it. */
static bool begin_stacks(struct text_stacks *text)
{
    if (text->is_begun)
        return true;
    if (text->values[2].name.len && !text->has_shares)
        text->value_count = 3;
    else if (text->period)
        text->value_count = 2;
    text->is_begun =
        builder_begin(text->builder, LEVEL_CALLTREE, text->values, text->value_count, 0, text->err);
    text->has_ended = !text->is_begun;
    return text->is_begun;
}

void text_stack_end(struct text_stacks *text, int64_t amount)
{
    int64_t values[TEXT_VALUES_MAX] = {amount, checked_mul(amount, text->period)};

    if (!begin_stacks(text))
        return;
    while (text->outside.count)
        vector_add(&text->stack, text->outside.list[--text->outside.count]);
    builder_stack(builder_stacks(text->builder), text->stack.list, (uint32_t)text->stack.count,
                  values);
    text->stack.count = 0;
}

void text_row_add(struct text_stacks *text, const struct text_row *row)
{
    uint32_t parent = text->nodes.count ? (uint32_t)text->nodes.count - 1 : TEXT_NO_PARENT;
    struct text_node node = {.indent = row->indent, .frame = row->frame};

    while (parent != TEXT_NO_PARENT && text->nodes.list[parent].indent >= row->indent)
        parent = text->nodes.list[parent].parent;
    node.parent = parent;
    memcpy(node.own, row->figures, sizeof(node.own));
    if (text->is_inclusive && parent != TEXT_NO_PARENT)
        text->nodes.list[parent].own[0] = checked_sub(text->nodes.list[parent].own[0], node.own[0]);
    vector_add(&text->nodes, node);
}

/* ---- the tree ---- */

/* A tree of callers holds stacks from the leaf to the row, of which the row is the outermost. */
static node_id place_inverted(struct text_stacks *text, uint32_t at)
{
    node_id place = 0;

    for (; at != TEXT_NO_PARENT; at = text->nodes.list[at].parent)
        place = builder_child(builder_stacks(text->builder), place,
                              builder_frame(text->builder, &text->nodes.list[at].frame));
    return place;
}

static node_id place_node(struct text_stacks *text, struct text_node *node)
{
    node_id above = node->parent == TEXT_NO_PARENT ? 0 : text->nodes.list[node->parent].place;

    node->place = builder_child(builder_stacks(text->builder), above,
                                builder_frame(text->builder, &node->frame));
    return node->place;
}

static void give_tree(struct text_stacks *text)
{
    int64_t found = 0;
    uint64_t short_ones = 0;

    for (uint32_t i = 0; i < text->nodes.count; i++) {
        struct text_node *node = &text->nodes.list[i];
        node_id place;

        short_ones += node->own[0] < 0;
        node->own[0] = not_negative(node->own[0]);
        if (text->period)
            node->own[1] = checked_mul(node->own[0], text->period);
        found = checked_add(found, node->own[0]);
        if (text->shape->is_inverted && !node->own[0])
            continue;
        place = text->shape->is_inverted ? place_inverted(text, i) : place_node(text, node);
        for (uint32_t v = 0; v < text->value_count; v++)
            builder_add(builder_stacks(text->builder), place, v, node->own[v]);
    }
    warning_count_many(builder_warnings(text->builder), WARNING_LOSS,
                       "rows with less than the rows below them, taken as 0 of their own",
                       short_ones);
    if (text->has_shares)
        text_check_shares(text->builder, "the call tree", checked_mul(found, 10), text->nodes.count,
                          10);
    text_check_total(text->builder, text->values[0].name.at, text->stated, found,
                     text->stated / 100, text->values[0].unit);
}

/* ---- the whole ---- */

static void read_lines(struct text_stacks *text, struct input *in)
{
    uint64_t offset = input_offset(in);
    struct span line;

    for (; !text->has_ended && input_line(in, &line); offset = input_offset(in)) {
        if (!text->shape->read(text, line)) {
            text->stack.count = text->outside.count = 0;
            warning_count(builder_warnings(text->builder), WARNING_LOSS,
                          "lines that are no part of a stack, left out", offset);
        }
        arena_clear(&text->arena);
    }
}

static bool end_stacks(struct text_stacks *text)
{
    if (text->stack.count || text->is_inside)
        text_ends_within(text->builder, "a stack");
    return begin_stacks(text);
}

static bool end_tree(struct text_stacks *text, uint64_t offset)
{
    if (!text->nodes.count)
        return error_set_at(text->err, offset, 0, "no row of a call tree is in it");
    if (text->shape->has_end && !text->has_ended)
        text_ends_within(text->builder, "the call tree");
    if (!begin_stacks(text))
        return false;
    give_tree(text);
    return true;
}

static const struct stack_shape *find_shape(struct span head)
{
    while (head.len) {
        struct span line = span_split(&head, '\n');

        for (size_t i = 0; i < COUNT_OF(shapes); i++)
            if (shapes[i]->knows(line))
                return shapes[i];
    }
    return NULL;
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    enum { HEAD = 1 << 16 };
    struct text_stacks text = {
        .builder = builder,
        .shape = find_shape(input_peek(in, HEAD)),
        .values = {{LITERAL("samples"), UNIT_COUNT}, {LITERAL("time"), UNIT_NS}},
        .value_count = 1,
        .err = err};
    bool ok;

    if (!text.shape)
        return error_set_at(err, 0, 0, "no stacks in a form that ptk knows");
    builder_producer(builder, "%s", text.shape->producer);
    read_lines(&text, in);
    ok = text.shape->is_tree ? end_tree(&text, input_offset(in)) : end_stacks(&text);
    warning_count_many(builder_warnings(builder), WARNING_NOTE,
                       "parts of the text that are no stacks, left out", text.left_out);
    arena_free(&text.arena);
    free(text.nodes.list);
    free(text.stack.list);
    free(text.outside.list);
    return ok;
}

static enum sniff sniff(struct span head, bool is_all)
{
    return sniff_text(head, is_all, find_shape(head) != NULL);
}

const struct parser parser_text_stacks = {
    .name = "text-stacks",
    .title = "stacks as tools print them",
    .summary = "DTrace, bpftrace, macOS sample, Instruments' deep copies, pmcstat -G, GHC's .prof, "
               "R's Rprof, VTune's stacks as CSV",
    .tried = "macOS 10.14, Instruments 7 and 16, GHC 9",
    .omitted = "maps and aggregations without stacks",
    .level = LEVEL_CALLTREE,
    .sniff = sniff,
    .parse = parse,
};
