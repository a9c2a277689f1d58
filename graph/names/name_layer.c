/* SPDX-License-Identifier: Apache-2.0 */
/* Labels of kernels of layers: FlashAttention, softmax, embeddings, concatenations, random numbers, Eigen's loops. */
#include "graph/names/name_label.h"

#include <string.h>

#include "base/checked.h"

/* ---- FlashAttention ---- */

/* Its flags have no names: which is which follows from how many there are. */
static void add_flash_flags(struct label *label, struct span arguments, bool is_backward, bool is_split)
{
    struct span argument, rest = arguments, shown[12];
    enum word_key keys[12];
    unsigned flags = 0, count = 0;

    while (next_argument(&rest, &argument))
        flags += span_eq(argument, SPAN("true")) || span_eq(argument, SPAN("false"));
#define FLAG(key, name) (keys[count] = (key), shown[count++] = SPAN(name))
    if (!is_split)
        FLAG(LABEL_DROPOUT, "dropout");
    FLAG(LABEL_CAUSAL, "causal");
    if (is_split || flags > (is_backward ? 4 : 5))
        FLAG(LABEL_LOCAL, "local");
    if (is_split || flags > (is_backward ? 5 : 6))
        FLAG(LABEL_ALIBI, "alibi");
    FLAG(LABEL_FUNCTOR, "evenMN");
    FLAG(LABEL_FUNCTOR, "evenK");
    if (is_backward || flags > 7)
        FLAG(LABEL_FUNCTOR, "softcap");
#undef FLAG
    for (unsigned at = 0; at < count && next_argument(&arguments, &argument);) {
        if (!span_eq(argument, SPAN("true")) && !span_eq(argument, SPAN("false")))
            continue;
        if (span_eq(argument, SPAN("true"))) {
            if (keys[at] == LABEL_FUNCTOR)
                label_extra(label, (enum word_key)(LABEL_TEMPLATE + 32 + at), shown[at]);
            else
                label_extra(label, keys[at], shown[at]);
        }
        at++;
    }
}

bool label_flash(struct label *label, const struct name_part *part, struct span scope)
{
    static const enum word_key order[] = {LABEL_CAUSAL, LABEL_LOCAL, LABEL_DROPOUT, LABEL_ALIBI};
    struct span name = part->name, traits = NO_SPAN, rest = part->arguments, of_traits, number;
    struct label flags = {.arena = label->arena};
    bool is_backward, is_plain;

    if (span_starts(name, SPAN("pytorch_")))
        name = span_after(name, strlen("pytorch_"));
    if (span_ends(name, SPAN("_kernel")))
        name.len -= strlen("_kernel");
    if (!(span_starts(name, SPAN("flash_fwd")) || span_starts(name, SPAN("flash_bwd"))) ||
        !next_argument(&rest, &traits) || span_find(traits, SPAN("kernel_traits")) == SIZE_MAX)
        return false;
    is_backward = span_starts(name, SPAN("flash_bwd"));
    is_plain = span_eq(name, SPAN("flash_bwd_dot_do_o")) || span_eq(name, SPAN("flash_bwd_convert_dq")) ||
               span_find(name, SPAN("clear")) != SIZE_MAX || span_find(name, SPAN("combine")) != SIZE_MAX;
    last_part_name(traits, &of_traits, label->arena);
    label->head = span_eq(name, SPAN("flash_bwd_dq_dk_dv_loop_seqk_parallel")) ? SPAN("flash_bwd") : name;
    label_fact(label, LABEL_TYPE, first_type_among(of_traits, false));
    if (nth_number(of_traits, 0, &number))
        label_fact(label, LABEL_SIZE, JOINED(label->arena, SPAN("hd"), number));
    if (!is_plain)
        add_flash_flags(&flags, rest, is_backward, span_find(name, SPAN("splitkv")) != SIZE_MAX);
    for (size_t i = 0; i < COUNT_OF(order); i++)
        for (uint32_t k = 0; k < flags.extra_count; k++)
            if (flags.extras[k].key == order[i])
                label_fact(label, order[i], flags.extras[k].text);
    if (nth_number(of_traits, 1, &number) && nth_number(of_traits, 2, &of_traits)) {
        struct span depth = of_traits;

        label_extra(label, LABEL_TILE, JOINED(label->arena, SPAN("tile"), number, SPAN("x"), depth));
        last_part_name(traits, &of_traits, label->arena);
        if (nth_number(of_traits, 3, &number))
            label_extra(label, LABEL_REST, JOINED(label->arena, SPAN("warps"), number));
    }
    for (uint32_t k = 0; k < flags.extra_count; k++)
        if (flags.extras[k].key >= LABEL_TEMPLATE)
            label_extra(label, LABEL_FUNCTOR, flags.extras[k].text);
    label_details(label, part, scope);
    return true;
}
/* ---- Eigen ---- */

/* "TensorCwiseBinaryOp" → "CwiseBinary": the first that is no bookkeeping. */
static struct span tensor_operation(struct span text)
{
    size_t at;

    while ((at = span_find(text, SPAN("Tensor"))) != SIZE_MAX) {
        struct span word;

        text = span_after(text, at + strlen("Tensor"));
        word = span_before(text, 0);
        while (word.len < text.len && is_word_char(text.at[word.len]))
            word.len++;
        if (span_ends(word, SPAN("Op")) && word.len > 2) {
            word.len -= 2;
            if (!span_eq(word, SPAN("Assign")) && !span_eq(word, SPAN("Eval")) && !span_eq(word, SPAN("Reshaping")))
                return word;
        }
    }
    return NO_SPAN;
}

bool label_eigen(struct label *label, const struct name_part *part, struct span scope)
{
    struct span rest = part->arguments, tree, what, scalar, index = NO_SPAN, dims;
    size_t at;

    if (!span_eq(part->name, SPAN("EigenMetaKernel")) || !next_argument(&rest, &tree))
        return false;
    what = tensor_operation(tree);
    scalar = word_after(tree, SPAN("scalar_"));
    if (span_starts(what, SPAN("Cwise")) && span_ends(scalar, SPAN("_op")))
        what = span_before(scalar, scalar.len - 3);
    else
        what = what.len ? text_lower(label->arena, what) : SPAN("assign");
    label->head = JOINED(label->arena, SPAN("eigen "), what);
    label_fact(label, LABEL_TYPE, first_element_type(tree, true));
    at = span_find(tree, SPAN("Tensor<"));
    if (at != SIZE_MAX) {
        dims = span_after(tree, at + strlen("Tensor<"));
        if (next_argument(&dims, &index) && next_argument(&dims, &index) && span_is_digits(index))
            label_fact(label, LABEL_SIZE, JOINED(label->arena, index, SPAN("d")));
    }
    while (next_argument(&rest, &index))
        continue;
    label_extra(label, LABEL_LAYOUT, element_type(index));
    label_details(label, part, scope);
    return true;
}

/* FBGEMM's tables: split_embedding_backward_codegen_rowwise_adagrad_unweighted_kernel_cta_per_row_1 */
bool label_embedding(struct label *label, const struct name_part *part, struct span scope)
{
    static const struct span begins[][2] = {
        {LITERAL("split_embedding_backward_codegen_"), LITERAL("tbe_bwd")},
        {LITERAL("split_embedding_codegen_forward_"), LITERAL("tbe_fwd")},
        {LITERAL("split_embedding_codegen_grad_"), LITERAL("tbe_grad")}};
    struct span rest = NO_SPAN, what, weights = NO_SPAN, mode = NO_SPAN;
    size_t at, last;

    for (size_t i = 0; i < COUNT_OF(begins); i++)
        if (span_starts(part->name, begins[i][0])) {
            rest = span_after(part->name, begins[i][0].len);
            label->head = begins[i][1];
        }
    at = span_find(rest, SPAN("_kernel"));
    if (!rest.len || at == SIZE_MAX)
        return false;
    what = span_before(rest, at);
    mode = span_after(rest, at + strlen("_kernel"));
    if (mode.len && mode.at[0] == '_')
        mode = span_after(mode, 1);
    last = span_rfind(mode, '_');
    if (last != SIZE_MAX && span_is_digits(span_after(mode, last + 1)))
        mode.len = last;
    if (span_ends(what, SPAN("_nobag")))
        what.len -= strlen("_nobag");
    if (span_ends(what, SPAN("weighted"))) {
        weights = span_ends(what, SPAN("unweighted")) ? SPAN("unweighted") : SPAN("weighted");
        what.len -= weights.len;
        what.len -= what.len && what.at[what.len - 1] == '_';
    }
    if (what.len)
        label->head = JOINED(label->arena, label->head, SPAN("_"), what);
    label_fact(label, LABEL_TYPE, first_type_among(part->arguments, false));
    label_fact(label, LABEL_MODE, mode);
    label_extra(label, LABEL_SIZE, weights);
    label_details(label, part, scope);
    return true;
}

bool label_softmax(struct label *label, const struct name_part *part, struct span normal, struct span scope)
{
    struct span name = part->name, number, way, rest = part->arguments, argument, ending = NO_SPAN;
    bool is_warp = span_starts(name, SPAN("softmax_warp_")), is_log = false;

    if (!part->has_arguments)
        return false;
    if (is_warp) {
        way = span_after(name, strlen("softmax_warp_"));
        while (next_argument(&rest, &argument))
            if (span_eq(argument, SPAN("true")) || span_eq(argument, SPAN("false"))) {
                is_log = span_eq(argument, SPAN("true"));
                break;
            }
    } else if (span_starts(name, SPAN("cunn_SoftMax"))) {
        way = span_after(name, strlen("cunn_SoftMax"));
        ending = span_after(way, span_starts(way, SPAN("Forward")) ? 7 : span_starts(way, SPAN("Backward")) ? 8 : way.len);
        way.len -= ending.len;
        is_log = span_find(normal, SPAN("LogSoftMax")) != SIZE_MAX;
    } else {
        return false;
    }
    label->head = JOINED(label->arena, is_log ? SPAN("log_") : SPAN(""), SPAN("softmax_"), text_lower(label->arena, way));
    label_fact(label, LABEL_TYPE, first_type_among(part->arguments, true));
    if (is_warp)
        label_fact(label, LABEL_MODE, SPAN("warp"));
    if (is_warp && nth_number(part->arguments, 0, &number))
        label_extra(label, LABEL_SIZE, JOINED(label->arena, SPAN("2^"), number));
    else
        label_extra(label, LABEL_SIZE, ending);
    label_details(label, part, scope);
    return true;
}

/* "2" of OpaqueType<2> anywhere in a text. */
static struct span opaque_bytes(struct span text)
{
    size_t at = span_find(text, SPAN("OpaqueType<"));

    text = at == SIZE_MAX ? NO_SPAN : span_after(text, at + strlen("OpaqueType<"));
    return span_before(text, span_digits(text));
}

bool label_concatenation(struct label *label, const struct name_part *part, struct span scope)
{
    static const struct span details[] = {LITERAL("alignedK_"), LITERAL("aligned16_")};
    struct span rest = part->arguments, type, bytes, dims, mode;

    if (!span_starts(part->name, SPAN("CatArrayBatchedCopy")) || !next_argument(&rest, &type))
        return false;
    bytes = opaque_bytes(type);
    label->head = SPAN("cat");
    label_fact(label, LABEL_TYPE, bytes.len ? JOINED(label->arena, bytes, SPAN("B")) : element_type(type));
    if (nth_number(rest, 0, &dims))
        label_fact(label, LABEL_SIZE, JOINED(label->arena, dims, SPAN("d")));
    mode = span_after(part->name, strlen("CatArrayBatchedCopy_"));
    for (size_t i = 0; i < COUNT_OF(details); i++)
        if (span_starts(mode, details[i]))
            label_fact(label, LABEL_MODE, span_after(mode, details[i].len));
    if (mode.len && (label->fact_count == 0 || label->facts[label->fact_count - 1].key != LABEL_MODE))
        label_fact(label, LABEL_MODE, mode);
    label_extra(label, LABEL_LAYOUT, mode);
    label_details(label, part, scope);
    return true;
}

/* at::native::templates::cuda::uniform_and_transform<…> of random numbers. */
bool label_random(struct label *label, const struct name_part *part, struct span normal, struct span scope)
{
    size_t at = span_find(normal, SPAN("_and_transform")), begin = at;

    if (!span_starts(part->name, SPAN("distribution_")) || at == SIZE_MAX)
        return false;
    while (begin > 0 && is_word_char(normal.at[begin - 1]))
        begin--;
    label->head = (struct span){normal.at + begin, at - begin};
    label_fact(label, LABEL_TYPE, first_type_among(part->arguments, true));
    label_fact(label, LABEL_MODE, SPAN("philox"));
    label_details(label, part, scope);
    return true;
}
