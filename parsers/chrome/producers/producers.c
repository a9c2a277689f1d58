/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/chrome/producers/producers.h"

#include "base/attr.h"

struct mark {
    const char *category; /* how it begins */
    const char *producer;
};

/* The most telling first: Node writes some of Chrome's categories, too. */
static const struct mark marks[] = {
    {"ProfileStep", "Paddle"},
    {"OperatorInner", "Paddle"},
    {"async_npu", "Ascend"},
    {"gpu_op", "unitrace"},
    {"cpu_op", "PyTorch (Kineto)"},
    {"cuda_runtime", "PyTorch (Kineto)"},
    {"python_function", "PyTorch (Kineto)"},
    {"ac2g", "PyTorch (Kineto)"},
    {"py-spy", "py-spy"},
    {"fee", "VizTracer"},
    {"FEE", "VizTracer"},
    {"action processing", "Bazel"},
    {"checkTypes", "TypeScript"},
    {"Session", "ONNX Runtime"},
    {"node,", "Node.js"},
    {"node.", "Node.js"},
    {"devtools.timeline", "Chrome"},
    {"disabled-by-default-devtools", "Chrome"},
    {"disabled-by-default-v8", "Chrome"},
    {"blink.user_timing", "Chrome"},
    {"toplevel", "Chrome"},
};

static bool has_category(const struct classes *classes, const struct builder *builder,
                         const char *start)
{
    for (uint32_t i = 1; i < classes->count; i++)
        if (span_starts(builder_text(builder, classes->list[i].name), span_of(start)))
            return true;
    return false;
}

const char *producer_by_categories(const struct classes *classes, const struct builder *builder)
{
    for (size_t i = 0; i < COUNT_OF(marks); i++)
        if (has_category(classes, builder, marks[i].category))
            return marks[i].producer;
    return NULL;
}
