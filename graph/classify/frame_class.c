/* SPDX-License-Identifier: Apache-2.0 */
/* The class of each frame, decided once, and what the categories of traces stand for. */
#include "graph/classify/event_class.h"

#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/classify/step_label.h"

/* TensorFlow 1 and Paddle's Fluid have but one, wherever it ran; so do nvprof2json and
 * nsys2json. */
static const char tensorflow[] = "op", cuda[] = "cuda";

/* PyTorch's of all years, Paddle's, TensorFlow's and some of Python's. */
static const struct {
    const char *name; /* in lower case */
    enum frame_kind kind;
    enum row_role row;
} categories[] = {
    {"cpu_op", KIND_OPERATOR, ROW_THREAD},
    {"operator", KIND_OPERATOR, ROW_THREAD},
    {tensorflow, KIND_OPERATOR, ROW_THREAD},
    {"pythonop", KIND_OPERATOR, ROW_THREAD},
    {"communication", KIND_OPERATOR, ROW_THREAD},
    {"operatorinner", KIND_HOST, ROW_THREAD},
    {"user_annotation", KIND_ANNOTATION, ROW_THREAD},
    {"userdefined", KIND_ANNOTATION, ROW_THREAD},
    {"nvtx", KIND_ANNOTATION, ROW_THREAD},
    {"pythonuserdefined", KIND_ANNOTATION, ROW_THREAD},
    {"profilestep", KIND_ANNOTATION, ROW_THREAD},
    {"dataloader", KIND_ANNOTATION, ROW_THREAD},
    {"forward", KIND_ANNOTATION, ROW_THREAD},
    {"backward", KIND_ANNOTATION, ROW_THREAD},
    {"optimization", KIND_ANNOTATION, ROW_THREAD},
    {"gpu_user_annotation", KIND_OTHER, ROW_RANGES},
    {"cuda_profiler_range", KIND_OTHER, ROW_RANGES},
    {"cuda_runtime", KIND_RUNTIME, ROW_THREAD},
    {"cuda_driver", KIND_RUNTIME, ROW_THREAD},
    {"runtime", KIND_RUNTIME, ROW_THREAD},
    {"driver", KIND_RUNTIME, ROW_THREAD},
    {"cudaruntime", KIND_RUNTIME, ROW_THREAD},
    {"mluruntime", KIND_RUNTIME, ROW_THREAD},
    {"xpu_runtime", KIND_RUNTIME, ROW_THREAD},
    {"xpu_driver", KIND_RUNTIME, ROW_THREAD},
    {"mtia_runtime", KIND_RUNTIME, ROW_THREAD},
    {"glow_runtime", KIND_RUNTIME, ROW_THREAD},
    {"privateuse1_runtime", KIND_RUNTIME, ROW_THREAD},
    {"privateuse1_driver", KIND_RUNTIME, ROW_THREAD},
    {"python_function", KIND_PYTHON, ROW_THREAD},
    {"python", KIND_PYTHON, ROW_THREAD},
    {"fee", KIND_PYTHON, ROW_THREAD}, /* of VizTracer: function entry and exit */
    {"py-spy", KIND_PYTHON, ROW_THREAD},
    {"kernel", KIND_KERNEL, ROW_STREAM},
    {"gpu_op", KIND_KERNEL, ROW_STREAM}, /* of Intel's unitrace */
    {"mtia_ccp_events", KIND_KERNEL, ROW_STREAM},
    {"gpu_memcpy", KIND_MEMCPY, ROW_STREAM},
    {"memcpy", KIND_MEMCPY, ROW_STREAM},
    {"gpu_memset", KIND_MEMSET, ROW_STREAM},
    {"memset", KIND_MEMSET, ROW_STREAM},
    {"collective_comm", KIND_COMMUNICATION, ROW_STREAM},
    {"hip_api", KIND_RUNTIME, ROW_THREAD}, /* these and the next are rocprofv3's */
    {"hsa_api", KIND_RUNTIME, ROW_THREAD},
    {"rccl_api", KIND_RUNTIME, ROW_THREAD},
    {"marker_api", KIND_ANNOTATION, ROW_THREAD},
    {"kernel_dispatch", KIND_KERNEL, ROW_STREAM},
    {"memory_copy", KIND_MEMCPY, ROW_STREAM},
    {"cuda_sync", KIND_SYNC, ROW_SYNC},
    {"overhead", KIND_OTHER, ROW_THREAD},
    {"trace", KIND_OTHER, ROW_TOTALS},
    {"critical path component", KIND_ANNOTATION, ROW_TOTALS}, /* Bazel's: actions once more */
};

struct event_category event_category_named(struct span name)
{
    struct event_category category = {KIND_HOST, ROW_THREAD,
                                      !name.len || span_is_word(name, tensorflow) ||
                                          span_is_word(name, cuda)};

    for (size_t i = 0; i < COUNT_OF(categories); i++)
        if (span_is_word(name, categories[i].name)) {
            category.kind = categories[i].kind;
            category.row = categories[i].row;
        }
    return category;
}

static void classify_kernel(struct frame_class *class, struct span name)
{
    struct kernel_arithmetic arithmetic = kernel_arithmetic(name);

    class->precision = arithmetic.precision;
    class->matrix = arithmetic.matrix;
    class->family = kernel_family(name);
    class->expert_part = expert_part(name);
    if (class->expert_part != EXPERTS_WHOLE)
        class->weight_format = weight_format(name);
    class->is_winograd = span_find_word(name, SPAN("winograd")) != SIZE_MAX;
    class->is_layout_change = class->family == FAMILY_COPY && changes_layout(name);
    if (class->family == FAMILY_GEMM || class->family == FAMILY_CONVOLUTION ||
        class->family == FAMILY_MOE)
        class->tile = kernel_tile(name);
    if (class->is_collective)
        class->family = FAMILY_COMMUNICATION;
}

/* The functions of vLLM, SGLang, ATOM and TensorRT-LLM that take requests in; PyTorch writes the file in
 * front: "core.py(870): _process_input_queue". */
static const char *const request_queues[] = {"_process_input_queue", "recv_requests",
                                             "pull_and_process_input_queue",
                                             "_get_from_request_queue", NULL};

static struct span last_word(struct span name)
{
    size_t blank = span_rfind(name, ' ');

    return blank == SIZE_MAX ? name : span_after(name, blank + 1);
}

static bool waits_for_requests(struct span name)
{
    return span_is_any(last_word(name), request_queues);
}

/* What starts, stops and writes out a recording: PyTorch's and JAX's functions, and CUPTI's. JAX writes the file and
 * line in front: "$profiler.py:213 stop_trace". */
static bool is_profiling(struct span name)
{
    static const char *const names[] = {
        "start_trace",
        "stop_trace",
        "prepare_trace",
        "_enable_profiler",
        "_disable_profiler",
        "_prepare_profiler",
        "cuptiFinalize",
        "cuptiActivityFlushAll",
        "_enable_profiler_legacy",
        "_disable_profiler_legacy",
    };
    static const struct span builtin = LITERAL("<built-in function ");

    if (span_starts(name, builtin)) {
        name = span_after(name, builtin.len);
        name.len -= name.len > 0;
    }
    if (span_starts(name, SPAN("$")))
        name = last_word(name);
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (span_eq(name, span_of(names[i])))
            return true;
    return false;
}

struct frame_class frame_class(enum frame_kind kind, struct span name)
{
    struct frame_class class = {.role = host_role(kind, name),
                                .implied_phase = implied_phase(kind, name),
                                .blocking = blocking_function(name),
                                .precision = PRECISION_UNKNOWN,
                                .is_collective = kind == KIND_COMMUNICATION};
    struct runtime_call_class call;
    struct step_label label;

    class.loads_by_processes = class.role == ROLE_DATALOADER && /* PyTorch's */
                               span_find(name, SPAN("#_MultiProcessing")) != SIZE_MAX;
    class.is_profiling = is_profiling(name);
    switch (kind) {
    case KIND_RUNTIME:
        call = runtime_call_class(name);
        class.call = call.call;
        class.copy = call.copy;
        class.may_block = call.may_block;
        class.blocks = call.blocks;
        class.is_wait = is_waiting_call(name);
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
        class.waits_for_requests = waits_for_requests(name);
        break;
    case KIND_HOST:
        class.is_rest = span_eq(name, SPAN("(program)")); /* V8's */
        class.is_import = span_eq(name, SPAN("Module.require")) ||     /* Node's */
                          span_starts(name, SPAN("runtime.doInit")) || /* Go's */
                          span_eq(name, SPAN("<__import__>"));         /* Python 2's */
        class.marks = name_marks(name);
        break;
    case KIND_ANNOTATION:
        class.is_serving_step = step_label_parse(name, &label);
        class.marks = name_marks(name);
        break;
    default:
        class.marks = name_marks(name);
    }
    return class;
}

/* PyTorch's own, whose step() collects what was recorded: whatever runs there, no program would without a recording. */
static bool is_file_of_profiler(struct span file)
{
    static const struct span folder = LITERAL("torch/profiler/");
    size_t at = span_find(file, folder);

    return at != SIZE_MAX && (at == 0 || file.at[at - 1] == '/');
}

struct frame_class graph_class_now(const struct graph *graph, frame_id id)
{
    const struct frame *frame = graph_frame(graph, id);
    struct frame_class class = frame_class(frame->kind, graph_text(graph, frame->name));

    class.is_profiling |=
        frame->kind == KIND_PYTHON && is_file_of_profiler(graph_text(graph, frame->file));
    return class;
}

void graph_classify(struct graph *graph)
{
    size_t count = graph->frames.count;

    if (graph->classes.count >= count)
        return;
    graph->classes.list = grow_to(graph->classes.list, count, sizeof(*graph->classes.list));
    for (frame_id id = (frame_id)graph->classes.count; id < count; id++)
        graph->classes.list[id] = graph_class_now(graph, id);
    graph->classes.count = count;
}
