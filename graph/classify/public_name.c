/* SPDX-License-Identifier: Apache-2.0 */
/* Which names say nothing of the people who wrote the program: those of libraries, of steps, of known kernels. */
#include "graph/classify/event_class.h"
#include "graph/classify/function_class.h"
#include "graph/classify/step_label.h"

/* Namespaces of the frameworks' own operators. */
static bool is_operator_of_framework(struct span name)
{
    static const struct span known[] = {LITERAL("aten"),  LITERAL("prim"),        LITERAL("prims"),
                                        LITERAL("c10d"),  LITERAL("nccl"),        LITERAL("torch"),
                                        LITERAL("c10"),   LITERAL("torchvision"), LITERAL("autograd"),
                                        LITERAL("mpi"),   LITERAL("gloo"),        LITERAL("quantized"),
                                        LITERAL("_c10d_functional")};
    struct span space = span_split(&name, ':');

    for (size_t i = 0; i < COUNT_OF(known); i++)
        if (span_eq(space, known[i]))
            return true;
    return false;
}

bool frame_name_is_public(const struct graph *graph, frame_id id)
{
    const struct frame *frame = graph_frame(graph, id);
    struct frame_class class = graph_class(graph, id);
    struct span name = graph_text(graph, frame->name);
    struct step_label label;

    switch (frame->kind) {
    case KIND_RUNTIME:
    case KIND_MEMCPY:
    case KIND_MEMSET:
    case KIND_COMMUNICATION:
    case KIND_SYNC:
        return true;
    case KIND_KERNEL:
        return class.family != FAMILY_OTHER && class.family != FAMILY_NONE;
    case KIND_OPERATOR:
        return is_operator_of_framework(name);
    case KIND_ANNOTATION:
        return class.role == ROLE_STEP || class.role == ROLE_DATALOADER ||
               class.role == ROLE_COMMUNICATION || step_label_parse(name, &label);
    default:
        return (frame->file || frame->module) && !is_own_code(graph, id);
    }
}

/* "/home/me/venv/lib/python3.11/site-packages/torch/x.py" → "torch/x.py"; what no folder of packages is in, its last
 * part. */
struct span path_in_packages(struct span path)
{
    static const struct span folders[] = {LITERAL("site-packages/"), LITERAL("dist-packages/"),
                                          LITERAL("node_modules/"), LITERAL("pkg/mod/")};
    size_t slash;

    for (size_t i = 0; i < COUNT_OF(folders); i++) {
        size_t at = span_find(path, folders[i]);

        if (at != SIZE_MAX)
            return span_after(path, at + folders[i].len);
    }
    slash = span_rfind(path, '/');
    return slash == SIZE_MAX ? path : span_after(path, slash + 1);
}
