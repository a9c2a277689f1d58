/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/classify/event_class.h"

#include <ctype.h>

#include "base/checked.h"

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
    {"cuda_sync", KIND_SYNC, ROW_SYNC},
    {"overhead", KIND_OTHER, ROW_THREAD},
    {"trace", KIND_OTHER, ROW_TOTALS},
    {"critical path component", KIND_ANNOTATION, ROW_TOTALS}, /* Bazel's: actions once more */
};

static bool is_same(struct span text, const char *lower)
{
    for (size_t i = 0; i < text.len; i++)
        if (tolower((unsigned char)text.at[i]) != lower[i] || !lower[i])
            return false;
    return lower[text.len] == '\0';
}

struct event_category event_category_named(struct span name)
{
    struct event_category category = {
        KIND_HOST, ROW_THREAD, !name.len || is_same(name, tensorflow) || is_same(name, cuda)};

    for (size_t i = 0; i < COUNT_OF(categories); i++)
        if (is_same(name, categories[i].name)) {
            category.kind = categories[i].kind;
            category.row = categories[i].row;
        }
    return category;
}
