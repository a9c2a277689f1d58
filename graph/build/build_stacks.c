/* SPDX-License-Identifier: Apache-2.0 */
/* Samples with their stacks become nodes of the call tree, or sums by function where no more is
 * wanted. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/build/builder_state.h"

/* ---- gathers the nodes of a call tree ---- */

void build_tree_begin(struct stack_builder *builder)
{
    struct graph *graph = &builder->shared->graph;
    bool *wanted = grow_zeroed(graph->values.count, sizeof(*wanted));
    struct tree_shape shape = {.value_count = graph->values.count,
                               .has_value = wanted,
                               .has_label_sets = builder->shared->options.label_sets};

    for (uint32_t v = 0; v < graph->values.count; v++)
        wanted[v] = v == graph->values.selected || builder->shared->options.all_values;
    calltree_builder_begin(&builder->tree, &graph->tree, &shape);
    free(wanted);
}

node_id builder_child(struct stack_builder *builder, node_id parent, frame_id frame)
{
    return calltree_builder_child(&builder->tree, parent, frame);
}

void builder_add(struct stack_builder *builder, node_id node, uint32_t value, int64_t amount)
{
    calltree_add(&builder->shared->graph.tree, node, value, amount);
}

/* ---- adds samples: to the call tree, or where nobody wants it to sums by function ---- */

static struct function_totals *grown_totals(struct stack_builder *builder)
{
    size_t old = builder->totals_cap, need = builder->shared->graph.frames.count + 1;
    struct function_totals *totals = &builder->totals;

    if (need > old) {
        builder->totals_cap = grow_cap(old, need);
        totals->rows = grow_to(totals->rows, builder->totals_cap, sizeof(*totals->rows));
        memset(totals->rows + old, 0, (builder->totals_cap - old) * sizeof(*totals->rows));
    }
    return totals;
}

int64_t build_stacks_weight(const struct stack_builder *builder, const int64_t *values)
{
    return builder->sample_value < builder->shared->graph.values.count
               ? values[builder->sample_value]
               : builder->these_records;
}

void builder_records(struct stack_builder *builder, int64_t count)
{
    builder->next_records = count;
}

void builder_stack(struct stack_builder *builder, const frame_id *frames, uint32_t depth,
                   const int64_t *values)
{
    uint32_t set = 0;

    builder->these_records = builder->next_records ? builder->next_records : 1;
    builder->next_records = 0;
    builder->records = checked_add(builder->records, builder->these_records);
    builder->samples = checked_add(builder->samples, build_stacks_weight(builder, values));
    if (builder_wants_labels(builder)) {
        bool is_kept = build_labels_pass(builder, values);

        if (is_kept && depth)
            frames = build_labels_frame(builder, frames, &depth);
        if (is_kept && builder->shared->options.label_sets)
            set = label_set_intern(&builder->shared->graph.label_sets, builder->labels.given,
                                   builder->labels.given_count);
        builder->labels.given_count = 0;
        if (!is_kept)
            return;
    }
    if (depth == 0) {
        builder->shared->graph.values.without_stack =
            checked_add(builder->shared->graph.values.without_stack,
                        values[builder->shared->graph.values.selected]);
        return;
    }
    if (builder->shared->options.need == LEVEL_FLAT) {
        function_totals_stack(grown_totals(builder), frames, depth, ++builder->stacks,
                              values[builder->shared->graph.values.selected]);
    } else {
        node_id top = calltree_builder_labelled(&builder->tree, set);
        node_id node = calltree_builder_path(&builder->tree, top, frames, depth);

        for (uint32_t v = 0; v < builder->shared->graph.values.count; v++)
            builder_add(builder, node, v, values[v]);
    }
}

void builder_sample_facts(struct stack_builder *builder)
{
    if (builder->sample_value < builder->shared->graph.values.count)
        builder_fact(builder->shared, "samples", builder->samples, UNIT_COUNT);
    builder_fact(builder->shared, "records", builder->records, UNIT_COUNT);
}

void build_stacks_finish(struct stack_builder *builder)
{
    if (!builder->stacks)
        return;
    function_totals_sort(&builder->totals);
    function_totals_finish(&builder->totals, false, &builder->shared->graph.functions);
    builder->shared->graph.has[LEVEL_FLAT] = true;
}

/* ---- names that binaries gave, as frames; and what `ptk info` says of the binaries ---- */

struct frame builder_place(struct builder *builder, const struct symbol_place *place, str_id module)
{
    bool has_lines = builder->graph.frames.detail != DETAIL_FUNCTION;

    return (struct frame){.name = builder_intern(builder, place->name),
                          .file = place->file.len ? builder_intern(builder, place->file) : 0,
                          .line = has_lines ? place->line : place->start_line,
                          .module = module,
                          .kind = KIND_HOST};
}

static void state(struct builder *builder, const struct symbol_binary *binary)
{
    char text[1024];
    int len = snprintf(text, sizeof(text), "%.*s: %u of %u addresses named", (int)binary->path.len,
                       binary->path.at, binary->named, binary->asked);
    size_t used = len < (int)sizeof(text) ? (size_t)len : sizeof(text) - 1;
    bool is_elsewhere = binary->found && !span_eq(binary->path, span_of(binary->found));

    if (binary->trouble)
        snprintf(text + used, sizeof(text) - used, ": %s", binary->trouble);
    else
        snprintf(text + used, sizeof(text) - used, "%s%s%s%s%s", is_elsewhere ? ", from " : "",
                 is_elsewhere ? binary->found : "", binary->remark ? ", which is " : "",
                 binary->remark ? binary->remark : "",
                 binary->is_trusted ? "; on trust, without a build id" : "");
    builder_fact_text(builder, "binary", span_of(text));
}

/* A file of another build can have code of the same size, and other functions in it. */
static void warn_of_trust(struct builder *builder)
{
    const struct symbols *symbols = builder->options.symbols;
    const struct symbol_binary *first = NULL;
    uint32_t binaries = 0;

    for (uint32_t i = 0; i < symbols_binary_count(symbols); i++) {
        const struct symbol_binary *binary = symbols_binary_at(symbols, i);

        if (!binary->is_trusted || !binary->named)
            continue;
        if (!first)
            first = binary;
        binaries++;
    }
    if (binaries == 1)
        warning_say(builder_warnings(builder), WARNING_LOSS,
                    "names on trust: no build id proves that %.300s is the file that ran; "
                    "--no-symbols leaves them out",
                    first->found);
    if (binaries > 1)
        warning_say(builder_warnings(builder), WARNING_LOSS,
                    "names on trust: no build ids prove that %.300s and %u more are the files that "
                    "ran; --no-symbols leaves them out",
                    first->found, binaries - 1);
}

void builder_symbol_facts(struct builder *builder)
{
    const struct symbols *symbols = builder->options.symbols;

    if (!symbols)
        return;
    warn_of_trust(builder);
    for (uint32_t i = 0; i < symbols_binary_count(symbols); i++)
        state(builder, symbols_binary_at(symbols, i));
}
