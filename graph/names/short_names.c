/* SPDX-License-Identifier: Apache-2.0 */
/* The label of a function: which family makes it, and where it is kept once it was asked for. */
#include "graph/names/short_names.h"

#include <string.h>

#include "base/checked.h"
#include "graph/names/name_label.h"

/* ---- the label of one name ---- */

/* What tells nothing in PyTorch's ranges. */
static void label_operator(struct label *label, struct span name)
{
    static const struct span parts[][2] = {{LITERAL("autograd::engine::evaluate_function: "), LITERAL("autograd: ")},
                                           {LITERAL("torch::autograd::"), LITERAL("")},
                                           {LITERAL("(anonymous namespace)::"), LITERAL("")},
                                           {LITERAL("._checkpoint_wrapped_module"), LITERAL("")},
                                           {LITERAL("._fsdp_wrapped_module"), LITERAL("")},
                                           {LITERAL("._orig_mod"), LITERAL("")}};

    label->head = name;
    if (name.len > 4096)
        return;
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        size_t at;

        while ((at = span_find(label->head, parts[i][0])) != SIZE_MAX && label->head.len > parts[i][0].len)
            label->head = JOINED(label->arena, span_before(label->head, at), parts[i][1],
                                 span_after(label->head, at + parts[i][0].len));
    }
}

bool is_kernel_name(struct span name, bool is_runtime)
{
    static const char *const begins[] = {"Cijk_", "igemm_", "nvjet", "cutlass_", "triton_", "ncclKernel_",
                                         "ncclDevKernel_", NULL};
    static const char *const loops[] = {"at::native::", "EigenMetaKernel<", "multi_tensor_apply_kernel<", NULL};

    if (span_starts_any(name, begins) || span_find(name, SPAN("_xmma_")) != SIZE_MAX)
        return true;
    if (is_runtime && span_starts(name, SPAN("void ")))
        return true;
    return memchr(name.at ? name.at : "", '<', name.len) && span_holds_any(name, loops);
}

static void label_of_kind(struct label *label, struct span name, enum frame_kind kind, struct span file, int64_t line,
                          struct span module)
{
    label->head = name;
    if (kind == KIND_KERNEL || kind == KIND_COMMUNICATION ||
        (!file.len && (kind == KIND_RUNTIME || kind == KIND_HOST || kind == KIND_ANNOTATION || kind == KIND_OTHER) &&
         is_kernel_name(name, kind == KIND_RUNTIME)))
        label_kernel(label, name);
    else if (kind == KIND_OPERATOR)
        label_operator(label, name);
    else if (kind == KIND_PYTHON)
        label_python(label, name, file, line);
    else if (kind == KIND_HOST)
        label_host(label, name, file, line, module);
}

/* Facts beyond the width of a label come back where they tell twins apart. */
static void limit_facts(struct label *label)
{
    size_t width = label->head.len;

    for (uint32_t i = 0; i < label->fact_count; i++)
        width += 1 + label->facts[i].text.len;
    while (width > LABEL_WIDTH && label->fact_count &&
           !(label->fact_count == 1 && label->facts[0].key == LABEL_TYPE)) {
        struct label_word fact = label->facts[--label->fact_count];

        width -= 1 + fact.text.len;
        if (label->extra_count == LABEL_EXTRAS_MAX)
            label->extra_count--;
        memmove(label->extras + 1, label->extras, label->extra_count++ * sizeof(*label->extras));
        label->extras[0] = fact;
    }
}

static void label_of_name(struct label *label, struct span name, enum frame_kind kind, struct span file, int64_t line,
                   struct span module)
{
    label_of_kind(label, name, kind, file, line, module);
    limit_facts(label);
    label_extra(label, LABEL_KIND, JOINED(label->arena, SPAN("("), span_of(frame_kind_name(kind)), SPAN(")")));
}

/* Rows of files and of groups have labels of their own. */
static bool is_group(const struct graph *graph, const struct frame *frame)
{
    return (graph->selection.grouped_by && frame->name == frame->file) || graph->frames.detail == DETAIL_FILE ||
           frame->is_nameless;
}

/* Names longer than anybody reads are cut, so that many of them cost no more than their number. */
static struct span clipped(struct span text)
{
    enum { READ_MAX = 2048 };
    size_t len = text.len < READ_MAX ? text.len : READ_MAX;

    while (len < text.len && len > 0 && ((unsigned char)text.at[len] & 0xC0) == 0x80)
        len--;
    return span_before(text, len);
}

void label_of_frame(struct label *label, const struct graph *graph, frame_id id)
{
    const struct frame *frame = graph_frame(graph, id);
    struct span file = graph_text(graph, frame->file);
    bool is_fine = graph->frames.detail == DETAIL_LINE || graph->frames.detail == DETAIL_ADDRESS;

    if (is_group(graph, frame) || (is_fine && frame->kind != KIND_PYTHON)) {
        label->head = frame_label(graph, id, label->arena);
        if (is_fine && !is_group(graph, frame)) { /* a place within a function: what is around the name stays */
            struct span name = graph_text(graph, frame->name), shown = label->head;
            size_t at = name.len ? span_find(shown, name) : SIZE_MAX;
            struct label own = {.arena = label->arena};

            label_of_name(&own, name, frame->kind, file, 0, NO_SPAN);
            if (at != SIZE_MAX)
                label->head = JOINED(label->arena, span_before(shown, at), own.head, span_after(shown, at + name.len));
        }
        label_extra(label, LABEL_KIND,
                    JOINED(label->arena, SPAN("("), span_of(frame_kind_name(frame->kind)), SPAN(")")));
        return;
    }
    label_of_name(label, clipped(graph_text(graph, frame->name)), frame->kind, clipped(file), frame->lacks_line ? 0 : frame->line,
                  graph_text(graph, frame->module));
}

struct span short_name(struct span name, enum frame_kind kind, struct arena *arena)
{
    struct label label = {.arena = arena};

    label_of_name(&label, name, kind, NO_SPAN, 0, NO_SPAN);
    return label_text(&label, arena);
}

struct span graph_short_name(const struct graph *graph, frame_id id)
{
    struct short_names *names;

    if (!id || id >= graph->frames.count)
        return NO_SPAN;
    names = graph_short_names(graph);
    if (!names->texts[id].at)
        short_names_tell_apart(names, graph, id);
    return names->texts[id];
}
