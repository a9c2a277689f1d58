/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/classify/event_class.h"

#include "base/memory/memory.h"

static void classify_call(struct frame_class *class, struct span name)
{
    struct runtime_call_class call = runtime_call_class(name);

    class->call = call.call;
    class->copy = call.copy;
    class->may_block = call.may_block;
    class->blocks = call.blocks;
    class->is_wait = is_waiting_call(name);
}

static void classify_kernel(struct frame_class *class, struct span name)
{
    struct kernel_arithmetic arithmetic = kernel_arithmetic(name);

    class->precision = arithmetic.precision;
    class->matrix = arithmetic.matrix;
    class->family = kernel_family(name);
    class->is_winograd = span_find_word(name, SPAN("winograd")) != SIZE_MAX;
    class->is_layout_change = class->family == FAMILY_COPY && changes_layout(name);
    if (class->family == FAMILY_GEMM || class->family == FAMILY_CONVOLUTION ||
        class->family == FAMILY_MOE)
        class->tile = kernel_tile(name);
    if (class->is_collective)
        class->family = FAMILY_COMMUNICATION;
}

struct frame_class frame_class(enum frame_kind kind, struct span name)
{
    struct frame_class class = {.role = host_role(kind, name),
                                .implied_phase = implied_phase(kind, name),
                                .blocking = blocking_function(name),
                                .precision = PRECISION_UNKNOWN,
                                .is_collective = kind == KIND_COMMUNICATION};

    switch (kind) {
    case KIND_RUNTIME:
        classify_call(&class, name);
        break;
    case KIND_SYNC:
        class.call = sync_row_scope(name);
        class.is_wait = true;
        break;
    case KIND_MEMCPY:
        class.copy = copy_direction_of_name(name);
        class.family = FAMILY_COPY;
        break;
    case KIND_MEMSET:
        class.family = FAMILY_COPY;
        break;
    case KIND_KERNEL:
    case KIND_COMMUNICATION:
        classify_kernel(&class, name);
        class.marks = name_marks(name);
        break;
    case KIND_OPERATOR:
        class.operator= operator_class(name);
        class.marks = name_marks(name);
        break;
    case KIND_PYTHON:
        class.is_import = span_eq(name, SPAN("_find_and_load"));
        class.is_module_body = span_eq(name, SPAN("<module>"));
        break;
    case KIND_HOST:
        class.is_import = span_eq(name, SPAN("Module.require"));
        class.marks = name_marks(name);
        break;
    default:
        class.marks = name_marks(name);
    }
    return class;
}

struct frame_class graph_class(const struct graph *graph, frame_id frame)
{
    const struct frame *of = graph_frame(graph, frame);

    return frame < graph->classes.count ? graph->classes.list[frame]
                                        : frame_class(of->kind, graph_text(graph, of->name));
}

void graph_classify(struct graph *graph)
{
    size_t count = graph->frames.count;

    if (graph->classes.count >= count)
        return;
    graph->classes.list = grow_to(graph->classes.list, count, sizeof(*graph->classes.list));
    for (frame_id id = (frame_id)graph->classes.count; id < count; id++)
        graph->classes.list[id] = frame_class(graph_frame(graph, id)->kind,
                                              graph_text(graph, graph_frame(graph, id)->name));
    graph->classes.count = count;
}
