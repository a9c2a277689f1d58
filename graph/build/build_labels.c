/* SPDX-License-Identifier: Apache-2.0 */
/* build_labels.c — labels of samples: counted, filtered by, and made frames of */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "base/text/pattern.h"
#include "graph/build/builder_state.h"
#include "graph/model/graph.h"

/* One --focus-label or --ignore-label. */
struct label_test {
    str_id key;
    bool is_wanted;
    struct pattern pattern; /* of the whole value */
};

/* ---- the filters ---- */

static bool add_test(struct stack_builder *builder, const struct option_value *given,
                     struct error *err)
{
    const char *equals = strchr(given->text, '=');
    struct label_test *test = &builder->labels.tests[builder->labels.test_count];
    char whole[1024];

    if (!equals || equals == given->text) {
        error_set(err, ERROR_USAGE, "'%.100s' is not of the form KEY=RE", given->text);
        return error_hint(err, "'ptk labels' lists the keys and values of a profile");
    }
    if ((size_t)snprintf(whole, sizeof(whole), "^(%s)$", equals + 1) >= sizeof(whole))
        return error_set(err, ERROR_USAGE, "'%.40s...' is too long", given->text);
    test->key =
        builder_intern(builder->shared, (struct span){given->text, (size_t)(equals - given->text)});
    test->is_wanted = given->tag == LABEL_FOCUS;
    if (!pattern_compile(&test->pattern, whole, err))
        return false;
    builder->labels.test_count++;
    return true;
}

bool build_labels_begin(struct stack_builder *builder, struct error *err)
{
    const struct option_values *filters = builder->shared->options.label_filters;

    if (builder->shared->options.label_key)
        builder->labels.key =
            builder_intern(builder->shared, span_of(builder->shared->options.label_key));
    if (!filters)
        return true;
    builder->labels.tests = grow_zeroed(filters->count + 1, sizeof(*builder->labels.tests));
    for (uint32_t i = 0; i < filters->count; i++)
        if (!add_test(builder, &filters->list[i], err))
            return false;
    return true;
}

bool builder_wants_labels(const struct stack_builder *builder)
{
    const struct builder_options *options = &builder->shared->options;

    return options->labels || options->label_sets || options->label_key ||
           (options->label_filters && options->label_filters->count);
}

void builder_labels(struct stack_builder *builder, const struct sample_label *labels,
                    uint32_t count)
{
    builder->labels.given = labels;
    builder->labels.given_count = count;
}

/* ---- each sample ---- */

static uint32_t row_of(struct stack_builder *builder, const struct sample_label *label)
{
    struct sample_labels *labels = &builder->shared->graph.labels;
    uint32_t *known = idmap_at(&builder->labels.rows, idmap_pair(label->key, label->text));
    uint64_t passes = 0;

    if (*known != IDMAP_NONE)
        return *known;
    if (labels->count == labels->cap) {
        labels->cap = (uint32_t)grow_cap(labels->cap, labels->count + 1);
        labels->list = grow_to(labels->list, labels->cap, sizeof(*labels->list));
        labels->value = grow_to(labels->value, labels->cap, sizeof(*labels->value));
        labels->samples = grow_to(labels->samples, labels->cap, sizeof(*labels->samples));
        builder->labels.passes =
            grow_to(builder->labels.passes, labels->cap, sizeof(*builder->labels.passes));
        builder->labels.last =
            grow_to(builder->labels.last, labels->cap, sizeof(*builder->labels.last));
    }
    for (uint32_t i = 0; i < builder->labels.test_count; i++)
        if (builder->labels.tests[i].key == label->key &&
            pattern_matches(&builder->labels.tests[i].pattern,
                            graph_text(&builder->shared->graph, label->text)))
            passes |= (uint64_t)1 << i;
    labels->list[labels->count] = *label;
    labels->value[labels->count] = labels->samples[labels->count] = 0;
    builder->labels.passes[labels->count] = passes;
    builder->labels.last[labels->count] = 0;
    return *known = labels->count++;
}

bool build_labels_pass(struct stack_builder *builder, const int64_t *values)
{
    struct sample_labels *labels = &builder->shared->graph.labels;
    int64_t value = values[builder->shared->graph.values.selected];
    const struct sample_label *given = builder->labels.given;
    uint64_t passes = 0;

    builder->labels.sample++;
    labels->total = checked_add(labels->total, value);
    for (uint32_t i = 0; i < builder->labels.given_count; i++) {
        uint32_t row = row_of(builder, &given[i]);

        passes |= builder->labels.passes[row];
    }
    for (uint32_t i = 0; i < builder->labels.test_count; i++)
        if ((passes >> i & 1) != builder->labels.tests[i].is_wanted)
            return false;
    for (uint32_t i = 0; i < builder->labels.given_count; i++) {
        uint32_t row = row_of(builder, &given[i]);

        if (builder->labels.last[row] == builder->labels.sample)
            continue; /* it stands on the sample twice, and counts once */
        builder->labels.last[row] = builder->labels.sample;
        labels->samples[row] =
            checked_add(labels->samples[row], build_stacks_weight(builder, values));
        labels->value[row] = checked_add(labels->value[row], value);
    }
    return true;
}

/* ---- labels as frames ---- */

/* "worker=1", "worker=1,2" where a sample has both, "worker=(none)" */
static frame_id frame_of_label(struct stack_builder *builder)
{
    struct span key = graph_text(&builder->shared->graph, builder->labels.key);
    char text[512];
    int len = snprintf(text, sizeof(text), "%.*s=", key.len < 128 ? (int)key.len : 128, key.at);
    bool is_first = true;

    for (uint32_t i = 0; i < builder->labels.given_count; i++) {
        const struct sample_label *label = &builder->labels.given[i];
        struct span value = graph_text(&builder->shared->graph, label->text);

        if (label->key != builder->labels.key || (size_t)len + value.len + 2 > sizeof(text))
            continue;
        len += snprintf(text + len, sizeof(text) - (size_t)len, "%s%.*s", is_first ? "" : ",",
                        (int)value.len, value.at);
        is_first = false;
    }
    if (is_first)
        len += snprintf(text + len, sizeof(text) - (size_t)len, "(none)");

    struct frame frame = {.name = builder_intern(builder->shared, (struct span){text, (size_t)len}),
                          .kind = KIND_ANNOTATION};

    return builder_frame(builder->shared, &frame);
}

const frame_id *build_labels_frame(struct stack_builder *builder, const frame_id *frames,
                                   uint32_t *depth)
{
    bool is_leaf = builder->shared->options.label_is_leaf;

    if (!builder->labels.key)
        return frames;
    if (builder->labels.labelled_cap <= *depth) {
        builder->labels.labelled_cap = grow_cap(builder->labels.labelled_cap, (size_t)*depth + 1);
        builder->labels.labelled = grow_to(builder->labels.labelled, builder->labels.labelled_cap,
                                           sizeof(*builder->labels.labelled));
    }
    memcpy(builder->labels.labelled + is_leaf, frames, *depth * sizeof(*frames));
    builder->labels.labelled[is_leaf ? 0 : *depth] = frame_of_label(builder);
    ++*depth;
    builder->shared->graph.selection.has_label_frames = true;
    return builder->labels.labelled;
}

/* ---- the end ---- */

void build_labels_finish(struct stack_builder *builder)
{
    struct graph *graph = &builder->shared->graph;

    if (builder->labels.test_count == 0)
        return;
    graph->selection.is_narrowed = true;
    graph->selection.total = graph->labels.total;
    graph->selection.whole = graph->selection.total > 0 ? graph->selection.total : 0;
}

void build_labels_free(struct stack_builder *builder)
{
    for (uint32_t i = 0; i < builder->labels.test_count; i++)
        pattern_free(&builder->labels.tests[i].pattern);
    free(builder->labels.tests);
    free(builder->labels.passes);
    free(builder->labels.last);
    free(builder->labels.labelled);
    idmap_free(&builder->labels.rows);
}
