/* SPDX-License-Identifier: Apache-2.0 */
/* The label of a kernel: which family its name is of; all others by the own name and the first type of elements. */
#include "graph/names/name_label.h"

#include <string.h>

#include "base/checked.h"

/* ---- all others ---- */

static struct span type_of_kernel(const struct name_part *part)
{
    struct span rest = part->parameters, first = NO_SPAN, type = first_type_among(part->arguments, true);

    if (type.len)
        return type;
    type = first_type_among(part->arguments, false);
    next_argument(&rest, &first);
    return is_floating(element_type(first)) ? NO_SPAN : type; /* that of an index */
}

static void label_any_kernel(struct label *label, const struct name_part *part, struct span outermost, struct span scope,
                             struct span normal)
{
    struct span type = NO_SPAN, word, number, head = part->name, shape = gemm_shape(normal, label->arena);

    if (part->has_arguments)
        type = type_of_kernel(part);
    if (!type.len && part->has_arguments) {
        struct span rest = part->parameters, first = NO_SPAN;

        next_argument(&rest, &first);
        if (!element_type(first).len && !span_eq(part->name, SPAN("DeviceScanKernel")) &&
            first_type_among(part->arguments, false).len == 0)
            type = first_element_type(part->arguments, true);
    }
    if (shape.len && span_find(part->name, SPAN("emm")) != SIZE_MAX) {
        label->head = SPAN("gemm");
        label_fact(label, LABEL_TYPE, first_element_type(part->arguments, true));
        label_fact(label, LABEL_TILE, shape);
        label_details(label, part, scope);
        return;
    }
    if (span_eq(part->name, SPAN("kernel")) && scope.len)
        head = span_starts(scope, SPAN("gemvx")) ? SPAN("gemvx") : JOINED(label->arena, scope, SPAN("::kernel"));
    else if (span_eq(part->name, SPAN("act_and_mul_kernel")) && part->has_arguments) {
        size_t at = span_find(part->arguments, SPAN("_kernel")), begin = at;

        while (at != SIZE_MAX && begin > 0 && is_word_char(part->arguments.at[begin - 1]))
            begin--;
        head = at == SIZE_MAX ? kernel_identifier(head)
                              : JOINED(label->arena, (struct span){part->arguments.at + begin, at - begin}, SPAN("_and_mul"));
    } else {
        head = kernel_identifier(head);
    }
    head = identifier_fitting(head, label->arena);
    if (span_eq(outermost, SPAN("thrust"))) {
        word = thrust_word(part->arguments);
        head = JOINED(label->arena, SPAN("thrust "), head);
        label_fact(label, LABEL_FUNCTOR, word);
    }
    label->head = head;
    label_fact(label, LABEL_TYPE, type);
    if (span_starts(part->name, SPAN("paged_attention_v")) && nth_number(part->arguments, 0, &number))
        label_fact(label, LABEL_SIZE, JOINED(label->arena, SPAN("hd"), number));
    label_details(label, part, scope);
}

/* ---- a kernel's name ---- */

/* "name.kd", "name [clone .kd]": how AMD's tools write it. */
static struct span without_descriptor(struct span name)
{
    static const struct span endings[] = {LITERAL(" [clone .kd]"), LITERAL(".kd")};

    for (size_t i = 0; i < COUNT_OF(endings); i++)
        if (span_ends(name, endings[i]) && name.len > endings[i].len)
            name.len -= endings[i].len;
    return name;
}

static bool is_one_identifier(struct span name)
{
    size_t open = span_find(name, SPAN("("));

    for (size_t i = 0; i < name.len && i < open; i++)
        if (!is_word_char(name.at[i]) && !strchr(".-", name.at[i]))
            return false;
    return name.len > 0;
}

/* An operator that is shown as a kernel keeps its scope: aten::mm; a library's own kernel does not. */
static void label_scoped(struct label *label, struct span name)
{
    static const char *const libraries[] = {"ck_tile::", "ck::", "cutlass::", "at::native::", NULL};
    size_t at = span_rfind(name, ':');

    if (span_starts_any(name, libraries) && at + 1 < name.len)
        label->head = span_after(name, at + 1);
}

/* "device_kernel<fmha>_hdim64_bf16": words behind the arguments, which only tell twins apart. */
static struct span without_tail(struct label *label, struct span name)
{
    size_t open = span_find(name, SPAN("<")), end;

    if (open == SIZE_MAX || open == 0 || !is_word_char(name.at[open - 1]) || memchr(name.at, '(', name.len))
        return name;
    end = bracket_end(name, open);
    if (end + 1 >= name.len || name.at[end + 1] != '_')
        return name;
    label_extra(label, LABEL_REST, span_after(name, end + 2));
    return span_before(name, end + 1);
}

void label_kernel(struct label *label, struct span full)
{
    struct span name = full, normal, outermost, scope, clone;
    struct name_parts parts;
    struct name_part *part;
    bool is_cut = span_ends(full, SPAN("…"));

    while (span_ends(name, SPAN("…")))
        name.len -= strlen("…");
    name = without_descriptor(name);
    label->head = name;
    clone = span_trim(span_after(span_before(full, full.len - (is_cut ? strlen("…") : 0)), name.len));
    label_extra(label, LABEL_CLONE, clone);
    if (is_cut)
        label_extra(label, LABEL_CUT, SPAN("cut"));
    if (!name.len || name.at[0] == '[' || span_starts(name, SPAN("Memcpy ")) || span_starts(name, SPAN("Memset ")) ||
        (name.at[0] == '(' && !span_starts(name, SPAN("(anonymous namespace)"))))
        return;
    if (is_one_identifier(name) &&
        label_library_kernel(label, span_before(name, span_find(name, SPAN("(")))))
        return;
    if (span_starts(name, SPAN("_Z"))) {
        label_mangled(label, name);
        return;
    }
    if (span_find(name, SPAN("::")) != SIZE_MAX && !memchr(name.at, '<', name.len) &&
        !memchr(name.at, '(', name.len) && !memchr(name.at, ' ', name.len)) {
        label_scoped(label, name);
        return;
    }
    name = without_tail(label, name);
    normal = name_normal(name, label->arena);
    if (span_find(full, SPAN("(int)")) != SIZE_MAX || span_find(full, SPAN("(bool)")) != SIZE_MAX ||
        span_find(full, SPAN("(instance ")) != SIZE_MAX)
        label_extra(label, LABEL_DIALECT, SPAN("ncu"));
    parts = name_parts(normal, label->arena);
    if (!parts.count)
        return;
    if (parts.qualifiers.len && !label->extra_count)
        label_extra(label, LABEL_CLONE, parts.qualifiers);
    while (parts.count > 1 && span_starts(parts.list[parts.count - 1].name, SPAN("{lambda")))
        parts.count--;
    part = &parts.list[parts.count - 1];
    outermost = parts.count > 1 ? parts.list[0].name : NO_SPAN;
    scope = parts.count > 1 ? parts.list[parts.count - 2].name : NO_SPAN;
    if (label_wrapper(label, part, outermost, scope) || label_loop_kernel(label, part, normal) ||
        label_flash(label, part, scope) || label_eigen(label, part, scope) || label_embedding(label, part, scope) ||
        label_softmax(label, part, normal, scope) || label_concatenation(label, part, scope) ||
        label_random(label, part, normal, scope))
        return;
    if (span_eq(outermost, SPAN("rocprim")) && label_rocprim(label, part, normal, scope))
        return;
    if (!part->has_arguments && label_matrix_kernel(label, part->name))
        return;
    label_any_kernel(label, part, outermost, scope, normal);
}
