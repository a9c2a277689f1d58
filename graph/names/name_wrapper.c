/* SPDX-License-Identifier: Apache-2.0 */
/* Labels of kernels that run others: wrappers of CUTLASS, Composable Kernel, Thrust and rocPRIM are what they run. */
#include "graph/names/name_label.h"

#include <string.h>

#include "base/checked.h"

struct span gemm_shape(struct span text, struct arena *arena)
{
    size_t at = span_find(text, SPAN("GemmShape<"));
    struct span rest, m, n, k;

    if (at == SIZE_MAX)
        return NO_SPAN;
    rest = span_after(text, at + strlen("GemmShape"));
    rest = span_before(span_after(rest, 1), bracket_end(rest, 0) - 1);
    if (!next_argument(&rest, &m) || !next_argument(&rest, &n) || !next_argument(&rest, &k))
        return NO_SPAN;
    return JOINED(arena, m, SPAN("x"), n, SPAN("x"), k);
}

/* The width of a head of CK's attention: the last number of its shape's sequence. */
static struct span attention_head(struct span text, struct arena *arena)
{
    size_t at = span_find(text, SPAN("Shape<"));
    struct span rest, number = NO_SPAN, last = NO_SPAN;

    if (span_find(text, SPAN("Fmha")) == SIZE_MAX || at == SIZE_MAX)
        return NO_SPAN;
    rest = span_after(text, at + strlen("Shape<"));
    at = span_find(rest, SPAN("sequence<"));
    if (at == SIZE_MAX || at > 16)
        return NO_SPAN;
    rest = span_after(rest, at + strlen("sequence"));
    rest = span_before(span_after(rest, 1), bracket_end(rest, 0) - 1);
    while (next_argument(&rest, &number))
        last = number;
    return last.len ? JOINED(arena, SPAN("hd"), last) : NO_SPAN;
}

static bool is_wrapper(struct span name)
{
    static const char *const names[] = {"Kernel", "Kernel2", "kentry", "device_kernel", "launch_by_value",
                                        "cuda_task", "static_kernel", "_kernel_agent", NULL};

    return span_is_any(name, names);
}

/* The first argument that is neither a number nor an architecture. */
static struct span wrapped(struct span arguments, struct span *arch)
{
    struct span argument, found = NO_SPAN;

    while (next_argument(&arguments, &argument)) {
        size_t scope = span_rfind(argument, ':');
        struct span last = scope == SIZE_MAX ? argument : span_after(argument, scope + 1);

        if (span_starts(last, SPAN("gfx")))
            *arch = last;
        else if (!found.len && !is_constant(argument))
            found = argument;
    }
    return found;
}

/* The word of a Thrust kernel's argument that says what it does. */
struct span thrust_word(struct span text)
{
    static const char *const parts[] = {"_functor", "transform", "reduce", "scan", "sort", "for_each", "unary", "binary", NULL};
    struct span found = NO_SPAN;

    while (text.len) {
        size_t len = 0;

        while (len < text.len && is_word_char(text.at[len]))
            len++;
        if (len && span_holds_any(span_before(text, len), parts))
            found = span_before(text, len);
        text = span_after(text, len ? len : 1);
    }
    return found;
}

bool label_wrapper(struct label *label, const struct name_part *part, struct span outermost, struct span scope)
{
    struct span arch = NO_SPAN, inner, last, name, arguments, word, shape;
    struct name_part of_inner = {0};
    size_t behind;

    if (!is_wrapper(part->name) || !(inner = wrapped(part->arguments, &arch)).len)
        return false;
    behind = span_rfind(span_before(inner, span_find(inner, SPAN("<"))), ':');
    last = behind == SIZE_MAX ? inner : span_after(inner, behind + 1);
    if (label_matrix_kernel(label, last)) {
        label_extra(label, LABEL_SCOPE, scope);
        return true;
    }
    word = span_eq(outermost, SPAN("thrust")) ? thrust_word(inner) : NO_SPAN;
    if (word.len) {
        label->head = JOINED(label->arena, SPAN("thrust "), word);
        label_details(label, part, scope);
        return true;
    }
    name = last_part_name(inner, &arguments, label->arena);
    if (!name.len)
        return false;
    shape = gemm_shape(inner, label->arena);
    if (span_starts(name, SPAN("Gemm")) && shape.len) {
        label->head = SPAN("gemm");
        label_fact(label, LABEL_TYPE, first_element_type(inner, true));
        label_fact(label, LABEL_TILE, shape);
        label_extra(label, LABEL_LIBRARY, SPAN("cutlass"));
        label_details(label, part, scope);
        return true;
    }
    label->head = kernel_identifier(name);
    if (span_starts(outermost, SPAN("ck")))
        label->head = JOINED(label->arena, SPAN("ck "), label->head);
    else if (span_eq(outermost, SPAN("thrust")))
        label->head = JOINED(label->arena, SPAN("thrust "), label->head);
    label_fact(label, LABEL_TYPE, first_element_type(inner, true));
    label_fact(label, LABEL_SIZE, attention_head(inner, label->arena));
    of_inner.arguments = arguments;
    label_arguments(label, &of_inner);
    label_extra(label, LABEL_ARCH, arch);
    label_parameters(label, part, false);
    return true;
}
/* ---- rocPRIM: what its trampolines run ---- */

bool label_rocprim(struct label *label, const struct name_part *part, struct span normal, struct span scope)
{
    struct span what = kernel_identifier(part->name), config = word_after(normal, SPAN("wrapped_"));
    size_t at;

    if (span_eq(part->name, SPAN("trampoline_kernel"))) {
        what = SPAN("kernel");
        if (span_ends(config, SPAN("_config"))) {
            what = span_before(config, config.len - strlen("_config"));
        } else if ((at = span_find(normal, SPAN("_impl"))) != SIZE_MAX) {
            size_t begin = at;

            while (begin > 0 && is_word_char(normal.at[begin - 1]))
                begin--;
            what = at > begin ? (struct span){normal.at + begin, at - begin} : what;
        }
    }
    label->head = JOINED(label->arena, SPAN("rocprim "), what);
    label_fact(label, LABEL_TYPE, first_type_among(part->arguments, false));
    label_details(label, part, scope);
    return true;
}
