/* SPDX-License-Identifier: Apache-2.0 */
/* Which properties the summary tables need, and all of those asked for, several at once. */
#include "analysis/summary/summary.h"

#include "analysis/captures/captures.h"
#include "base/parallel/parallel.h"

uint64_t summary_view_properties(enum summary_view view)
{
    const uint64_t shape = property_bit(PROP_BLOCKS_PER_SM) | property_bit(PROP_OCCUPANCY);
    const uint64_t memory = property_bit(PROP_PLACE) | property_bit(PROP_ALLOCATED) |
                            property_bit(PROP_RESERVED) | property_bit(PROP_BYTES);

    switch (view) {
    case VIEW_OPERATOR:
        return property_bit(PROP_SHAPES) | property_bit(PROP_FLOP) | property_bit(PROP_CONCRETE);
    case VIEW_OPERATOR_SHAPES:
        return property_bit(PROP_SHAPES);
    case VIEW_MEMORY:
        return memory | property_bit(PROP_PEAK_ALLOCATED) | property_bit(PROP_PEAK_RESERVED);
    case VIEW_MEMORY_PEAKS:
    case VIEW_MEMORY_CURVE:
        return memory;
    case VIEW_GPU:
        return shape;
    case VIEW_KERNEL_SHAPES:
        return shape | property_bit(PROP_GRID) | property_bit(PROP_BLOCK) |
               property_bit(PROP_REGISTERS) | property_bit(PROP_SHARED_MEMORY);
    case VIEW_COPIES:
        return property_bit(PROP_BYTES);
    case VIEW_GRAPHS:
        return captures_properties();
    default:
        return 0;
    }
}

/* The passes of the views; each has an arena of its own, since several run at once. */
struct passes {
    const struct host_tree *tree;
    const struct summary_options *options;
    struct summary *summary;
    struct arena arenas[VIEW_COUNT];
};

/* The overview repeats figures of the model and of the distribution, so one pass fills all
 * three. */
static void compute_overview(struct passes *passes, struct arena *arena)
{
    struct summary *s = passes->summary;
    bool has_overview = s->views & summary_view_bit(VIEW_OVERVIEW);

    if (has_overview || s->views & summary_view_bit(VIEW_MODEL))
        summary_model(passes->tree, &s->model);
    if (has_overview || s->views & summary_view_bit(VIEW_DISTRIBUTED))
        summary_distribution(passes->tree, &s->distribution);
    if (has_overview)
        summary_overview(passes->tree, &s->model, &s->distribution, arena, &s->overview);
}

static void compute_view(void *state, size_t piece)
{
    struct passes *passes = state;
    const struct host_tree *tree = passes->tree;
    const struct summary_options *options = passes->options;
    struct summary *s = passes->summary;
    struct arena *arena = &passes->arenas[piece];
    enum summary_view view = (enum summary_view)piece;

    if (view == VIEW_OVERVIEW)
        compute_overview(passes, arena);
    if (!(s->views & summary_view_bit(view)))
        return;
    switch (view) {
    case VIEW_DEVICE:
        summary_devices(tree, arena, &s->devices);
        break;
    case VIEW_OPERATOR:
        summary_operators(tree, options, arena, &s->operators);
        break;
    case VIEW_KERNEL:
        summary_kernels(tree, options, arena, &s->kernels);
        break;
    case VIEW_MEMORY_MANIPULATION:
        summary_manipulations(tree, arena, &s->manipulations);
        break;
    case VIEW_USER_DEFINED:
        summary_user_defined(tree, options, arena, &s->user_defined);
        break;
    case VIEW_MEMORY:
        summary_memory(tree, arena, &s->memory);
        break;
    case VIEW_BENCHMARK:
        summary_benchmark(tree, &s->benchmark);
        break;
    case VIEW_STEPS:
        summary_step_times(tree, arena, &s->step_times);
        break;
    case VIEW_GPU:
        summary_device_use(tree, arena, &s->device_uses);
        break;
    case VIEW_KERNEL_SHAPES:
        summary_kernel_shapes(tree, passes->options->limit, arena, &s->kernel_shapes);
        break;
    case VIEW_OPERATOR_SHAPES:
        summary_operator_shapes(tree, passes->options->limit, arena, &s->operator_shapes);
        break;
    case VIEW_LAUNCHES:
        summary_launches(tree, arena, &s->launches);
        break;
    case VIEW_QUEUES:
        stream_queues_find(tree->graph, arena, &s->queues);
        break;
    case VIEW_COPIES:
        summary_copies(tree, arena, &s->copies);
        break;
    case VIEW_GRAPHS:
        summary_graphs(tree, arena, &s->graphs);
        break;
    case VIEW_MEMORY_PEAKS:
        summary_memory_curve(tree, true, arena, &s->memory_peaks);
        break;
    case VIEW_MEMORY_CURVE:
        summary_memory_curve(tree, false, arena, &s->memory_curve);
        break;
    case VIEW_OVERVIEW:
    case VIEW_MODEL:
    case VIEW_DISTRIBUTED:
    case VIEW_COUNT:
        break;
    }
}

void summary_compute(const struct graph *graph, const struct summary_options *options,
                     struct arena *arena, struct summary *summary)
{
    struct host_tree tree;
    struct passes passes = {.tree = &tree, .options = options, .summary = summary};

    host_tree_make(graph, options->is_paddle_compat, &tree);
    *summary = (struct summary){
        .views = options->views,
        .total_time = tree.total_time,
        .steps = tree.step_count,
        .has_allocators = graph->timeline.properties[PROP_ALLOCATED].count > 0,
    };
    /* Without steps Paddle shows the devices and no more. */
    if (options->is_paddle_compat && tree.total_time == 0)
        summary->views &= options->asked_for | summary_view_bit(VIEW_DEVICE);
    parallel_for(thread_budget(), VIEW_COUNT, compute_view, &passes);
    for (enum summary_view view = 0; view < VIEW_COUNT; view++)
        arena_absorb(arena, &passes.arenas[view]);
    host_tree_free(&tree);
}
