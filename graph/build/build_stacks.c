/* build_stacks.c — adds samples: to the call tree, or where nobody wants it to sums by function */
#include <string.h>

#include "base/checked.h"
#include "base/memory/grow.h"
#include "graph/build/builder_state.h"

static void grow_sums(struct builder *builder)
{
    size_t old = builder->sums_cap, need = builder->graph.frames.count + 1;

    if (need <= old)
        return;
    builder->sums_cap = grow_cap(old, need);
    builder->sums = grow_to(builder->sums, builder->sums_cap, sizeof(*builder->sums));
    memset(builder->sums + old, 0, (builder->sums_cap - old) * sizeof(*builder->sums));
}

/* A function that is on the stack several times counts once. */
static void sum_stack(struct builder *builder, const frame_id *frames, uint32_t depth,
                      int64_t amount)
{
    struct stack_sums *sums;
    uint64_t stack = ++builder->stacks;

    grow_sums(builder);
    sums = builder->sums;
    for (uint32_t i = 0; i < depth; i++) {
        struct stack_sums *sum = &sums[frames[i]];

        if (sum->last != stack) {
            sum->last = stack;
            sum->cum = checked_add(sum->cum, amount);
        }
    }
    sums[frames[0]].self = checked_add(sums[frames[0]].self, amount);
}

static void plant_stack(struct builder *builder, const frame_id *frames, uint32_t depth,
                        const int64_t *values)
{
    node_id node = calltree_builder_path(&builder->tree_builder, frames, depth);

    for (uint32_t v = 0; v < builder->graph.value_count; v++)
        builder_add(builder, node, v, values[v]);
}

void builder_stack(struct builder *builder, const frame_id *frames, uint32_t depth,
                   const int64_t *values)
{
    if (builder_wants_labels(builder)) {
        bool is_kept = build_labels_pass(builder, values);

        if (is_kept && depth)
            frames = build_labels_root(builder, frames, &depth);
        builder->stack_label_count = 0;
        if (!is_kept)
            return;
    }
    if (depth == 0)
        return;
    if (builder->options.need == LEVEL_FLAT)
        sum_stack(builder, frames, depth, values[builder->graph.value]);
    else
        plant_stack(builder, frames, depth, values);
}

void build_stacks_finish(struct builder *builder)
{
    struct functions *functions = &builder->graph.functions;

    if (!builder->sums)
        return;
    for (frame_id frame = 1; frame < builder->sums_cap; frame++) {
        const struct stack_sums *sum = &builder->sums[frame];

        if (sum->last == 0)
            continue;

        uint32_t at = functions_add(functions, frame);

        functions->self[at] = sum->self;
        functions->cum[at] = sum->cum;
        functions->calls[at] = functions->primitive_calls[at] = UNKNOWN;
    }
    functions->listed = functions->count;
    builder->graph.has[LEVEL_FLAT] = true;
}
