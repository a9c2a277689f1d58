/* SPDX-License-Identifier: Apache-2.0 */
/* The label of each function of a graph: which family makes it, and where it is kept once it was asked for. */
#include "graph/names/short_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "graph/names/name_label.h"

/* ---- the label of one name ---- */

/* What tells nothing in PyTorch's ranges. */
static void label_operator(struct label *label, struct span name)
{
    static const struct span parts[][2] = {{LITERAL("autograd::engine::evaluate_function: "), LITERAL("autograd: ")},
                                           {LITERAL("torch::autograd::"), LITERAL("")},
                                           {LITERAL("._checkpoint_wrapped_module"), LITERAL("")},
                                           {LITERAL("._fsdp_wrapped_module"), LITERAL("")},
                                           {LITERAL("._orig_mod"), LITERAL("")}};

    label->head = name;
    if (name.len > 4096)
        return;
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        size_t at;

        while ((at = span_find(label->head, parts[i][0])) != SIZE_MAX && label->head.len > parts[i][0].len)
            label->head = JOINED(label->arena, text_before(label->head, at), parts[i][1],
                                 span_after(label->head, at + parts[i][0].len));
    }
}

/* A kernel by its name alone: some traces show them as ranges or calls of the runtime. */
static bool is_kernel_name(struct span name, bool is_runtime)
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
    return text_before(text, len);
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
                label->head = JOINED(label->arena, text_before(shown, at), own.head, span_after(shown, at + name.len));
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

/* ---- the labels of a graph ---- */

static uint64_t hash_of(struct span text)
{
    uint64_t hash = 0xcbf29ce484222325u;

    for (size_t i = 0; i < text.len; i++)
        hash = (hash ^ (unsigned char)text.at[i]) * 0x100000001b3u;
    return hash ^ hash >> 29;
}

struct span label_tail(struct span head)
{
    size_t at = head.len;

    if (head.len && head.at[head.len - 1] == ')') { /* "attn.py:88(forward)" */
        size_t open = span_rfind(head, '(');

        if (open != SIZE_MAX && open > 0 && open + 2 < head.len && is_digit(head.at[open - 1]))
            return (struct span){head.at + open + 1, head.len - open - 2};
    }
    while (at > 0 && head.at[at - 1] != '.' && !(head.at[at - 1] == ':' && at > 1 && head.at[at - 2] == ':'))
        at--;
    return at < head.len ? span_after(head, at) : head;
}

static void chain(struct idmap *firsts, frame_id *next, struct span text, frame_id id)
{
    uint32_t *first = idmap_at(firsts, hash_of(text));

    next[id] = *first == IDMAP_NONE ? 0 : *first;
    *first = id;
}

/* Chains all frames by their labels, and by the last parts of their heads. */
static void update(struct short_names *names, const struct graph *graph)
{
    struct arena scratch = {0};
    frame_id count = (frame_id)graph->frames.count;

    if (names->count == count)
        return;
    idmap_free(&names->by_text);
    idmap_free(&names->by_tail);
    free(names->texts);
    names->by_text = names->by_tail = (struct idmap){0};
    names->texts = grow_zeroed(count, sizeof(*names->texts));
    names->next_of_text = grow_to(names->next_of_text, count, sizeof(frame_id));
    names->next_of_tail = grow_to(names->next_of_tail, count, sizeof(frame_id));
    names->count = count;
    for (frame_id id = 1; id < count; id++) {
        struct label label;

        label.arena = &scratch;
        label_clear(&label);
        label.is_brief = true;
        label_of_frame(&label, graph, id);
        chain(&names->by_text, names->next_of_text, label_text(&label, &scratch), id);
        chain(&names->by_tail, names->next_of_tail, label_tail(label.head), id);
        arena_clear(&scratch);
    }
    arena_free(&scratch);
}

struct short_names *graph_short_names(const struct graph *graph)
{
    /* kept by the graph like what is derived of it: nothing else of it changes */
    struct short_names *names = (struct short_names *)(uintptr_t)&graph->short_names;

    update(names, graph);
    return names;
}

frame_id short_names_of_text(const struct short_names *names, struct span text)
{
    uint32_t first = names->count ? idmap_find(&names->by_text, hash_of(text)) : IDMAP_NONE;

    return first == IDMAP_NONE ? 0 : first;
}

frame_id short_names_of_tail(const struct short_names *names, struct span tail)
{
    uint32_t first = names->count ? idmap_find(&names->by_tail, hash_of(tail)) : IDMAP_NONE;

    return first == IDMAP_NONE ? 0 : first;
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
