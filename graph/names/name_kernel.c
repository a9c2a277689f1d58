/* SPDX-License-Identifier: Apache-2.0 */
/* Labels of kernels: of loops over elements, of what wraps others, of attention, and of all else by the own name and
 * the first type of elements among its arguments. */
#include "graph/names/name_label.h"

#include <string.h>

#include "base/checked.h"

/* ---- facts that families share ---- */

void label_types(struct label *label, struct span in, struct span out)
{
    if (in.len && out.len && !span_eq(in, out))
        label_fact(label, LABEL_TYPE, JOINED(label->arena, in, SPAN("->"), out));
    else
        label_fact(label, LABEL_TYPE, in.len ? in : out);
}

void label_arguments(struct label *label, const struct name_part *part)
{
    struct span rest = part->arguments, argument;

    if (label->is_brief)
        return;
    for (unsigned i = 1; i <= 64 && next_argument(&rest, &argument); i++) {
        struct span element = element_type(argument);

        if (!rest.len && i == 1 && element.len)
            label_extra(label, LABEL_TEMPLATE, element);
        else
            label_extra(label, (enum word_key)(LABEL_TEMPLATE + i - 1),
                        JOINED(label->arena, span_of(arena_printf(label->arena, "T%u=", i)),
                               element.len ? element : type_short(argument, label->arena)));
    }
}

void label_parameters(struct label *label, const struct name_part *part, bool keeps_const)
{
    enum { SHORT_ENOUGH = 28 };
    struct span rest = part->parameters, parameter, text = SPAN("(");
    unsigned count = 0;

    if (!part->has_parameters || label->is_brief)
        return;
    for (; next_argument(&rest, &parameter) && text.len < 4096; count++) {
        struct span type = type_short(parameter, label->arena);

        text = JOINED(label->arena, text, count ? SPAN(",") : SPAN(""), type,
                      keeps_const && span_find(parameter, SPAN("const")) != SIZE_MAX ? SPAN(" const") : SPAN(""),
                      span_ends(parameter, SPAN("*"))   ? SPAN("*")
                      : span_ends(parameter, SPAN("&")) ? SPAN("&")
                                                        : SPAN(""));
    }
    text = JOINED(label->arena, text, SPAN(")"));
    if (text.len > SHORT_ENOUGH)
        label_extra(label, LABEL_PARAMETER_COUNT, span_of(arena_printf(label->arena, "(%u args)", count)));
    label_extra(label, LABEL_PARAMETERS, text);
}

struct span kernel_identifier(struct span name)
{
    static const struct span middles[] = {LITERAL("_cuda_kernel"), LITERAL("CUDAKernel"), LITERAL("_kernel_val"),
                                          LITERAL("_kernel"), LITERAL("Kernel")};
    static const struct span endings[] = {LITERAL("_vectorized"), LITERAL("_impl"), LITERAL("_vec"), LITERAL("")};
    static const struct span begins[] = {LITERAL("vectorized_"), LITERAL("cunn_")};
    struct span shorter = name;

    if (name.len < 9)
        return name;
    for (size_t i = 0; i < COUNT_OF(middles) && shorter.len == name.len; i++)
        for (size_t k = 0; k < COUNT_OF(endings) && shorter.len == name.len; k++) {
            struct span front = name;

            if (!span_ends(name, endings[k]))
                continue;
            front.len -= endings[k].len;
            if (span_ends(front, middles[i]))
                shorter.len = front.len - middles[i].len;
        }
    for (size_t i = 0; i < COUNT_OF(begins); i++)
        if (span_starts(shorter, begins[i]) && shorter.len >= begins[i].len + 6)
            shorter = span_after(shorter, begins[i].len);
    return shorter.len > 2 && !span_eq(shorter, SPAN("global")) ? shorter : name;
}

struct span identifier_fitting(struct span name, struct arena *arena)
{
    static const struct span words[][2] = {
        {LITERAL("embedding"), LITERAL("emb")},       {LITERAL("backward"), LITERAL("bwd")},
        {LITERAL("forward"), LITERAL("fwd")},         {LITERAL("codegen_"), LITERAL("")},
        {LITERAL("unweighted"), LITERAL("unw")},      {LITERAL("weighted"), LITERAL("wtd")},
        {LITERAL("_kernel"), LITERAL("")},            {LITERAL("gradient"), LITERAL("grad")},
        {LITERAL("statistics"), LITERAL("stats")},    {LITERAL("transform_input"), LITERAL("apply")},
        {LITERAL("reduction"), LITERAL("reduce")},    {LITERAL("elementwise"), LITERAL("elem")},
        {LITERAL("temperature"), LITERAL("temp")},    {LITERAL("configuration"), LITERAL("config")}};

    if (name.len <= LABEL_WIDTH)
        return name;
    for (size_t i = 0; i < COUNT_OF(words) && name.len > 32; i++) {
        size_t at;

        while ((at = span_find(name, words[i][0])) != SIZE_MAX)
            name = JOINED(arena, text_before(name, at), words[i][1], span_after(name, at + words[i][0].len));
    }
    return name;
}

/* ---- numbers and truths among template arguments ---- */

static bool nth_number(struct span arguments, unsigned wanted, struct span *number)
{
    struct span argument;

    while (next_argument(&arguments, &argument))
        if (span_is_digits(argument) && wanted-- == 0) {
            *number = argument;
            return true;
        }
    return false;
}

static struct span first_type_among(struct span arguments, bool is_floating_only)
{
    struct span argument, element;

    while (next_argument(&arguments, &argument)) {
        element = element_type(argument);
        if (element.len && (!is_floating_only || is_floating(element)))
            return element;
    }
    return NO_SPAN;
}

static struct span last_part_name(struct span type, struct span *arguments, struct arena *arena)
{
    struct name_parts parts = name_parts(type, arena);

    *arguments = NO_SPAN;
    if (!parts.count)
        return NO_SPAN;
    *arguments = parts.list[parts.count - 1].arguments;
    return parts.list[parts.count - 1].name;
}

/* "2" of OpaqueType<2> anywhere in a text. */
static struct span opaque_bytes(struct span text)
{
    size_t at = span_find(text, SPAN("OpaqueType<"));

    text = at == SIZE_MAX ? NO_SPAN : span_after(text, at + strlen("OpaqueType<"));
    return text_before(text, span_digits(text));
}

static void label_details(struct label *label, const struct name_part *part, struct span scope)
{
    label_arguments(label, part);
    label_parameters(label, part, false);
    label_extra(label, LABEL_SCOPE, scope);
}

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

static bool label_flash(struct label *label, const struct name_part *part, struct span scope)
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

/* ---- what runs others ---- */

/* Where something stands in a text behind a mark, up to a byte that is no part of a word. */
static struct span word_after(struct span text, struct span mark)
{
    size_t at = span_find(text, mark), len = 0;

    if (at == SIZE_MAX)
        return NO_SPAN;
    text = span_after(text, at + mark.len);
    while (len < text.len && is_word_char(text.at[len]))
        len++;
    return text_before(text, len);
}

/* "128x256x64" of GemmShape<128, 256, 64> anywhere in a text. */
static struct span gemm_shape(struct span text, struct arena *arena)
{
    size_t at = span_find(text, SPAN("GemmShape<"));
    struct span rest, m, n, k;

    if (at == SIZE_MAX)
        return NO_SPAN;
    rest = span_after(text, at + strlen("GemmShape"));
    rest = text_before(span_after(rest, 1), bracket_end(rest, 0) - 1);
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
    rest = text_before(span_after(rest, 1), bracket_end(rest, 0) - 1);
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
static struct span thrust_word(struct span text)
{
    static const char *const parts[] = {"_functor", "transform", "reduce", "scan", "sort", "for_each", "unary", "binary", NULL};
    struct span found = NO_SPAN;

    while (text.len) {
        size_t len = 0;

        while (len < text.len && is_word_char(text.at[len]))
            len++;
        if (len && span_holds_any(text_before(text, len), parts))
            found = text_before(text, len);
        text = span_after(text, len ? len : 1);
    }
    return found;
}

static bool label_wrapper(struct label *label, const struct name_part *part, struct span outermost, struct span scope)
{
    struct span arch = NO_SPAN, inner, last, name, arguments, word, shape;
    struct name_part of_inner = {0};
    size_t behind;

    if (!is_wrapper(part->name) || !(inner = wrapped(part->arguments, &arch)).len)
        return false;
    behind = span_rfind(text_before(inner, span_find(inner, SPAN("<"))), ':');
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

/* ---- families by the own name ---- */

static bool label_rocprim(struct label *label, const struct name_part *part, struct span normal, struct span scope)
{
    struct span what = kernel_identifier(part->name), config = word_after(normal, SPAN("wrapped_"));
    size_t at;

    if (span_eq(part->name, SPAN("trampoline_kernel"))) {
        what = SPAN("kernel");
        if (span_ends(config, SPAN("_config"))) {
            what = text_before(config, config.len - strlen("_config"));
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

/* "TensorCwiseBinaryOp" → "CwiseBinary": the first that is no bookkeeping. */
static struct span tensor_operation(struct span text)
{
    size_t at;

    while ((at = span_find(text, SPAN("Tensor"))) != SIZE_MAX) {
        struct span word;

        text = span_after(text, at + strlen("Tensor"));
        word = text_before(text, 0);
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

static bool label_eigen(struct label *label, const struct name_part *part, struct span scope)
{
    struct span rest = part->arguments, tree, what, scalar, index = NO_SPAN, dims;
    size_t at;

    if (!span_eq(part->name, SPAN("EigenMetaKernel")) || !next_argument(&rest, &tree))
        return false;
    what = tensor_operation(tree);
    scalar = word_after(tree, SPAN("scalar_"));
    if (span_starts(what, SPAN("Cwise")) && span_ends(scalar, SPAN("_op")))
        what = text_before(scalar, scalar.len - 3);
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
static bool label_embedding(struct label *label, const struct name_part *part, struct span scope)
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
    what = text_before(rest, at);
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

static bool label_softmax(struct label *label, const struct name_part *part, struct span normal, struct span scope)
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

static bool label_concatenation(struct label *label, const struct name_part *part, struct span scope)
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
static bool label_random(struct label *label, const struct name_part *part, struct span normal, struct span scope)
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
    return text_before(name, end + 1);
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
    clone = span_trim(span_after(text_before(full, full.len - (is_cut ? strlen("…") : 0)), name.len));
    label_extra(label, LABEL_CLONE, clone);
    if (is_cut)
        label_extra(label, LABEL_CUT, SPAN("cut"));
    if (!name.len || name.at[0] == '[' || span_starts(name, SPAN("Memcpy ")) || span_starts(name, SPAN("Memset ")) ||
        (name.at[0] == '(' && !span_starts(name, SPAN("(anonymous namespace)"))))
        return;
    if (is_one_identifier(name) &&
        label_library_kernel(label, text_before(name, span_find(name, SPAN("(")))))
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
