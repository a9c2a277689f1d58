/* SPDX-License-Identifier: Apache-2.0 */
/* Matrix products and convolutions, whose libraries write their kind, type, tile and layout into one identifier. */
#include "graph/names/matrix_words.h"

#include <string.h>

#include "base/checked.h"

/* ---- AMD's Tensile: Cijk_Alik_Bljk_BBS_…_MT128x128x64_… ---- */

static bool label_tensile(struct label *label, struct span name)
{
    static const struct short_type types[] = {{"H", "fp16"}, {"B", "bf16"}, {"S", "fp32"}, {"D", "fp64"},
                                              {"C", "c64"},  {"Z", "c128"}, {"X", "tf32"}, {"I", "int8"},
                                              {"F", "fp8"},  {NULL, NULL}};
    struct span rest = name, word = NO_SPAN, a, b, type, tile;

    if (span_starts(rest, SPAN("Custom_")))
        rest = span_after(rest, strlen("Custom_"));
    if (!next_name_word(&rest, &word) || word.len != 4 || word.at[0] != 'C' || !next_name_word(&rest, &a) || a.len != 4 ||
        a.at[0] != 'A' || !next_name_word(&rest, &b) || b.len != 4 || b.at[0] != 'B' || !next_name_word(&rest, &type))
        return false;
    label->head = SPAN("gemm");
    label_fact(label, LABEL_TYPE, span_of(LOOKUP(types, span_before(type, 1)).shown ? LOOKUP(types, span_before(type, 1)).shown : ""));
    tile = numbered_word(rest, SPAN("MT"));
    label_fact(label, LABEL_TILE, tile);
    label_fact(label, LABEL_LAYOUT, JOINED(label->arena, span_eq(a, SPAN("Alik")) ? SPAN("t") : SPAN("n"),
                                          span_eq(b, SPAN("Bljk")) ? SPAN("n") : SPAN("t")));
    label_extra(label, LABEL_EPILOGUE, text_lower(label->arena, type));
    label_numbered(label, LABEL_SIZE, rest, SPAN("MI"), SPAN("MI"));
    label_numbered(label, LABEL_MODE, rest, SPAN("GSU"), SPAN("splitk"));
    return true;
}

/* ---- MIOpen's igemm_fwd_gtcx3_nhwc_bf16_…_bt128x128x32 ---- */

static bool label_miopen(struct label *label, struct span name)
{
    struct span rest = name, word, before = NO_SPAN, way;

    if (!span_starts(name, SPAN("igemm_")))
        return false;
    rest = span_after(name, strlen("igemm_"));
    if (!next_name_word(&rest, &way))
        return false;
    label->head = span_eq(way, SPAN("fwd"))   ? SPAN("conv_fwd")
                  : span_eq(way, SPAN("wrw")) ? SPAN("conv_wgrad")
                                              : SPAN("conv_dgrad");
    for (struct span words = rest; next_name_word(&words, &word); before = word)
        if (is_image_layout(before)) {
            label_fact(label, LABEL_TYPE, type_of_word(word));
            label_fact(label, LABEL_TILE, numbered_word(rest, SPAN("bt")));
            label_fact(label, LABEL_LAYOUT, before);
            return true;
        }
    return true;
}

/* ---- cuBLAS and cuDNN: sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_… ---- */

static bool label_xmma(struct label *label, struct span name)
{
    static const char *const skipped[] = {"implicit", "gemm", "indexed", "wo", "smem", NULL};
    struct span rest = name, arch, word = NO_SPAN, way, type = NO_SPAN, layout = NO_SPAN, before = NO_SPAN;
    struct span tile = numbered_word(name, SPAN("tilesize"));

    if (!span_starts(name, SPAN("sm")) || !next_name_word(&rest, &arch) || !next_name_word(&rest, &word) ||
        !span_eq(word, SPAN("xmma")) || !next_name_word(&rest, &way) || !tile.len)
        return false;
    label->head = span_eq(way, SPAN("gemm")) ? way : JOINED(label->arena, SPAN("conv_"), way);
    while (next_name_word(&rest, &word) && !span_starts(word, SPAN("tilesize"))) {
        if (!type.len && span_is_any(word, skipped))
            continue;
        if (!type.len)
            type = type_at_begin(word).len ? type_at_begin(word) : word;
        else if (span_starts(word, SPAN("tf32")))
            type = SPAN("tf32");
        else if (is_layout(word, false) && !layout.len)
            layout = word;
        before = word;
    }
    if (!layout.len && is_image_layout(before))
        layout = before;
    label_fact(label, LABEL_TYPE, type);
    label_fact(label, LABEL_TILE, tile);
    label_fact(label, LABEL_LAYOUT, layout);
    label_epilogues(label, rest);
    if (holds_word(name, SPAN("indexed")))
        label_extra(label, LABEL_MODE, SPAN("indexed"));
    label_extra(label, LABEL_ARCH, arch);
    label_numbered(label, LABEL_REST, rest, SPAN("stage"), SPAN("stage"));
    label_numbered(label, LABEL_REST, rest, SPAN("warpgroupsize"), SPAN("wgs"));
    label_numbered(label, LABEL_SIZE, rest, SPAN("warpsize"), SPAN("ws"));
    if (span_find(rest, SPAN("segment_k_on")) != SIZE_MAX)
        label_extra(label, LABEL_LAMBDA, SPAN("segon"));
    label_numbered(label, LABEL_FUNCTOR, rest, SPAN("g"), SPAN("g"));
    label_numbered(label, LABEL_TEMPLATE, rest, SPAN("align"), SPAN("al"));
    label_numbered(label, LABEL_TEMPLATE, rest, SPAN("alignc"), SPAN("al"));
    return true;
}

/* ---- cuBLAS: nvjet_tst_192x208_64x4_1x1_h_bz_coopB_bias_TNT ---- */

static bool label_nvjet(struct label *label, struct span name)
{
    static const struct short_type types[] = {{"h", "fp16"}, {"t", "bf16"}, {"s", "fp32"},   {"q", "fp8e4m3"},
                                              {"r", "fp8e5m2"}, {"d", "fp64"}, {"o", "fp4"}, {NULL, NULL}};
    struct span rest = name, word = NO_SPAN, letters, tile = NO_SPAN, depth = NO_SPAN, stages, cluster = NO_SPAN, last = NO_SPAN;
    struct span whole = NO_SPAN; /* "128x128x64": tile and depth in one word */
    const char *type;

    if (!span_starts(name, SPAN("nvjet")) || !next_name_word(&rest, &word))
        return false;
    do {
        if (!next_name_word(&rest, &letters))
            return false;
    } while (span_starts(letters, SPAN("sm")) && letters.len > 2 && is_digit(letters.at[2]));
    while (next_name_word(&rest, &word)) {
        if (numbers_by_x(word) == 3 && !tile.len)
            whole = tile = word;
        else if (numbers_by_x(word) == 2 && !tile.len)
            tile = word;
        else if (numbers_by_x(word) == 2 && !depth.len && !whole.len)
            depth = word;
        else if (numbers_by_x(word) == 2 && !cluster.len)
            cluster = word;
        last = word;
    }
    if (!tile.len || (!depth.len && !whole.len))
        return false;
    stages = span_after(depth, span_digits(depth) + 1);
    type = LOOKUP(types, span_before(letters, 1)).shown;
    label->head = SPAN("gemm");
    label_fact(label, LABEL_TYPE, type ? span_of(type) : letters);
    label_fact(label, LABEL_TILE,
               whole.len ? whole : JOINED(label->arena, tile, SPAN("x"), span_before(depth, span_digits(depth))));
    if (is_layout(last, true))
        label_fact(label, LABEL_LAYOUT, text_lower(label->arena, last));
    if (span_find(name, SPAN("splitK")) != SIZE_MAX)
        label_fact(label, LABEL_EPILOGUE, SPAN("splitk"));
    if (holds_word(name, SPAN("bias")))
        label_fact(label, LABEL_EPILOGUE, SPAN("bias"));
    if (span_find(name, SPAN("coop")) != SIZE_MAX)
        label_fact(label, LABEL_EPILOGUE, SPAN("coop"));
    if (depth.len)
        label_extra(label, LABEL_REST, JOINED(label->arena, SPAN("stages"), stages));
    if (cluster.len)
        label_extra(label, LABEL_MODE, JOINED(label->arena, SPAN("cluster"), cluster));
    label_extra(label, LABEL_LIBRARY, SPAN("nvjet"));
    return true;
}

/* ---- cuBLAS, cuDNN, TensorRT, CUTLASS: ampere_bf16_s16816gemm_bf16_128x64_…_stages_64x4_nn ---- */

/* "s16816gemm" is s, 16816 and gemm; a type may stand between: "s1688tf32gemm". */
struct product_word {
    struct span letters, digits, type, way;
};

static bool is_product_word(struct span word, struct product_word *product)
{
    static const char *const ways[] = {"gemm", "cudnn", "fprop", "dgrad", "wgrad", NULL};
    struct span rest = word;
    size_t letters = 0;

    for (size_t i = 0; ways[i]; i++) {
        struct span way = span_of(ways[i]);

        if (!span_ends(word, way))
            continue;
        *product = (struct product_word){.way = {word.at + word.len - way.len, way.len}};
        rest.len -= way.len;
        while (letters < rest.len && is_lower_letter(rest.at[letters]))
            letters++;
        product->letters = span_before(rest, letters);
        rest = span_after(rest, letters);
        product->digits = span_before(rest, span_digits(rest));
        product->type = type_of_word(span_after(rest, span_digits(rest)));
        return rest.len == span_digits(rest) || product->type.len;
    }
    return false;
}

static bool is_architecture(struct span word)
{
    static const char *const names[] = {"maxwell", "pascal", "volta", "turing", "ampere", "ada",
                                        "hopper",  "blackwell", NULL};

    return span_is_any(word, names);
}

static void add_tile(struct label *label, struct span words, bool is_cutlass)
{
    struct span rest = words, word, tile = NO_SPAN, depth = NO_SPAN, before = NO_SPAN, layout = NO_SPAN,
                image = NO_SPAN, whole;

    while (next_name_word(&rest, &word)) {
        if (numbers_by_x(word) == 2 && !tile.len)
            tile = word;
        else if (numbers_by_x(word) == 2 && !depth.len &&
                 (span_eq(before, SPAN("stages")) || (is_cutlass && numbers_by_x(before) == 2)))
            depth = word;
        else if (is_layout(word, false) && !layout.len)
            layout = word;
        else if (is_image_layout(word) && !image.len)
            image = word;
        before = word;
    }
    whole = tile;
    if (tile.len && depth.len)
        whole = JOINED(label->arena, tile, SPAN("x"), span_before(depth, span_digits(depth)));
    label_fact(label, LABEL_TILE, whole);
    label_fact(label, LABEL_LAYOUT, layout);
    label_fact(label, LABEL_SIZE, image);
    if (depth.len)
        label_extra(label, LABEL_REST, JOINED(label->arena, SPAN("stages"), span_after(depth, span_digits(depth) + 1)));
}

static bool label_blas(struct label *label, struct span name)
{
    static const char *const prefixes[] = {"trt", "cudnn", "infer", "train", "cublas", "cutlass3x", NULL};
    static const struct span sizes[] = {LITERAL("small"), LITERAL("medium"), LITERAL("large"), LITERAL("interior")};
    struct span rest = name, word, type = NO_SPAN, arch = NO_SPAN, sliced;
    struct product_word product = {0};
    bool is_cutlass = false, is_simt = false, is_known = false;

    while (!product.way.len) {
        if (!next_name_word(&rest, &word))
            return false;
        if (is_architecture(word)) {
            arch = word;
            is_known = true;
        } else if (span_eq(word, SPAN("cutlass"))) {
            is_cutlass = is_known = true;
        } else if (is_cutlass && (span_is_digits(word) || (span_starts(word, SPAN("sm")) && word.len > 3))) {
            arch = span_starts(word, SPAN("sm")) ? word : JOINED(label->arena, SPAN("sm"), word);
        } else if (span_eq(word, SPAN("simt"))) {
            is_simt = true;
        } else if (type_of_word(word).len) {
            type = type_of_word(word);
        } else if (!span_is_any(word, prefixes) && !span_eq(word, SPAN("tensorop")) &&
                   !span_eq(word, SPAN("wmma")) && !is_product_word(word, &product)) {
            return false;
        }
    }
    if (!is_known)
        return false;
    if (!type.len)
        type = product.type;
    if (!type.len && next_name_word(&(struct span){rest.at, rest.len}, &word)) {
        struct span behind = rest;

        next_name_word(&behind, &word);
        if (type_of_word(word).len && behind.len && is_digit(behind.at[0]))
            type = type_of_word(word);
    }
    if (!type.len)
        type = type_of_letters(product.letters, product.digits.len > 0);
    if (!type.len)
        type = product.letters;
    label->head = span_eq(product.way, SPAN("gemm")) ? product.way
                  : span_find(rest, SPAN("winograd")) != SIZE_MAX ? SPAN("winograd")
                  : span_eq(product.way, SPAN("cudnn"))
                      ? SPAN("conv")
                      : JOINED(label->arena, SPAN("conv_"), product.way);
    label_fact(label, LABEL_TYPE, type);
    for (size_t i = 0; i < COUNT_OF(sizes); i++)
        if (holds_word(rest, sizes[i]))
            label_extra(label, LABEL_MODE, sizes[i]);
    sliced = numbered_word(rest, SPAN("sliced"));
    if (sliced.len)
        label_extra(label, LABEL_LAMBDA, JOINED(label->arena, SPAN("sliced"), sliced));
    add_tile(label, rest, is_cutlass);
    label_epilogues(label, rest);
    label_extra(label, LABEL_ARCH, arch);
    if (is_simt)
        label_extra(label, LABEL_FUNCTOR, SPAN("simt"));
    label_numbered(label, LABEL_TEMPLATE, rest, SPAN("align"), SPAN("align"));
    label_extra(label, LABEL_SCOPE, product.digits);
    return true;
}

/* ---- CUTLASS 3: cutlass3x_sm100_tensorop_h256x256x128gemm_f8_f8_f32_bf16_bf16_256x256x128_2x1x1_0_tnn… ---- */

static bool label_cutlass3(struct label *label, struct span name)
{
    struct span rest = name, word, types[5], tile = NO_SPAN, cluster = NO_SPAN, layout = NO_SPAN;
    uint32_t count = 0;
    bool is_behind = false;

    if (!span_starts(name, SPAN("cutlass3x_")))
        return false;
    while (next_name_word(&rest, &word)) {
        if (!is_behind && span_ends(word, SPAN("gemm")))
            is_behind = true;
        else if (is_behind && numbers_by_x(word) == 3 && tile.len && !cluster.len)
            cluster = word;
        else if (is_behind && numbers_by_x(word) == 3 && !tile.len)
            tile = word;
        else if (is_behind && tile.len && !layout.len && is_layout(word, true))
            layout = word;
        else if (is_behind && !tile.len && count < COUNT_OF(types))
            types[count++] = word;
    }
    if (!tile.len)
        return false;
    label->head = SPAN("gemm");
    if (count)
        label_types(label, type_at_begin(types[0]).len ? type_at_begin(types[0]) : types[0],
                    count == 5 ? (type_at_begin(types[4]).len ? type_at_begin(types[4]) : types[4]) : NO_SPAN);
    label_fact(label, LABEL_TILE, tile);
    label_fact(label, LABEL_LAYOUT, layout);
    label_epilogues(label, name);
    if (cluster.len)
        label_extra(label, LABEL_MODE, JOINED(label->arena, SPAN("cluster"), cluster));
    return true;
}

/* ---- Triton's kernels for mixtures of experts: _matmul_ogs_NNT_bf16xbf16xmxfp4_128x128x128x1_swiglu ---- */

static bool label_ogs(struct label *label, struct span name)
{
    struct span rest, word, layout, type, tile, numbers, again;
    size_t at = span_find(name, SPAN("matmul_ogs_"));

    if (at == SIZE_MAX || at > 4)
        return false;
    rest = span_after(name, at + strlen("matmul_ogs_"));
    label->head = span_before(span_after(name, name.at[0] == '_'), at + strlen("matmul_ogs") - (name.at[0] == '_'));
    if (!next_name_word(&rest, &layout) || !next_name_word(&rest, &type) || !next_name_word(&rest, &tile))
        return false;
    again = type; /* one type for both operands is said once */
    word = span_before(type, span_find(type, SPAN("x")));
    if (type.len > 2 * word.len + 1 && span_starts(span_after(type, word.len + 1), word) &&
        type.at[2 * word.len + 1] == 'x')
        again = span_after(type, word.len + 1);
    label_fact(label, LABEL_TYPE, again);
    numbers = tile;
    for (int i = 0; i < 3 && numbers.len; i++)
        numbers = span_after(numbers, span_digits(numbers) + 1);
    label_fact(label, LABEL_TILE, numbers.len ? span_before(tile, (size_t)(numbers.at - tile.at) - 1) : tile);
    label_fact(label, LABEL_LAYOUT, text_lower(label->arena, layout));
    label_fact(label, LABEL_EPILOGUE, rest);
    if (numbers.len)
        label_extra(label, LABEL_MODE, JOINED(label->arena, SPAN("split"), numbers));
    return true;
}

/* ---- TensorRT-LLM: bmm_MxE4m3_MxE2m1MxE4m3_Fp32_t128x16x256…_TN_transOut…_swiGlu… ---- */

/* "E4m3" → "fp8", with "mx" before it where blocks share a scale. */
static struct span mixed_type(struct span word, struct arena *arena)
{
    static const struct {
        const char *spelled, *shown;
    } names[] = {{"MxE2m1", "mxfp4"}, {"MxE4m3", "mxfp8"}, {"E2m1", "fp4"}, {"E4m3", "fp8"},
                 {"Bfloat16", "bf16"}, {"Fp16", "fp16"},   {"Fp32", "fp32"}, {NULL, NULL}};
    struct span made = NO_SPAN;

    while (word.len) {
        size_t i = 0;

        while (names[i].spelled && !span_starts(word, span_of(names[i].spelled)))
            i++;
        if (!names[i].spelled)
            return made.len ? JOINED(arena, made, word) : word;
        made = JOINED(arena, made, made.len ? SPAN("x") : SPAN(""), span_of(names[i].shown));
        word = span_after(word, strlen(names[i].spelled));
    }
    return made;
}

static bool label_bmm(struct label *label, struct span name)
{
    struct span rest, word, out, in, tile = NO_SPAN;

    if (!span_starts(name, SPAN("bmm_")))
        return false;
    rest = span_after(name, strlen("bmm_"));
    if (!next_name_word(&rest, &out) || !next_name_word(&rest, &in))
        return false;
    tile = numbered_word(rest, SPAN("t"));
    if (!tile.len)
        return false;
    label->head = SPAN("bmm");
    label_fact(label, LABEL_TYPE,
               JOINED(label->arena, mixed_type(in, label->arena), SPAN("->"), mixed_type(out, label->arena)));
    for (size_t x = 0, i = 0; i < tile.len; i++) /* "128x16x256u2": three numbers */
        if (!is_digit(tile.at[i]) && (tile.at[i] != 'x' || ++x > 2)) {
            tile.len = i;
            break;
        }
    label_fact(label, LABEL_TILE, tile);
    while (next_name_word(&rest, &word))
        if (word.len == 2 && is_layout(word, true) && is_upper_letter(word.at[0])) {
            label_fact(label, LABEL_LAYOUT, text_lower(label->arena, word));
            break;
        }
    if (span_find(name, SPAN("swiGlu")) != SIZE_MAX)
        label_fact(label, LABEL_EPILOGUE, SPAN("swiglu"));
    return true;
}

/* ---- what cuDNN generates: cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma_f16_knob_7_64x128x64_4x1x1_… ---- */

/* The operation stands before "knob", and the tile first of the sizes behind it. "f16" is any type of 16 bits. */
static bool label_generated(struct label *label, struct span name)
{
    static const struct span begin = LITERAL("cudnn_generated_fort_native_");
    struct span rest, word, head = NO_SPAN, arch = NO_SPAN, tile = NO_SPAN;
    bool is_behind = false;

    if (!span_starts(name, begin))
        return false;
    rest = span_after(name, begin.len);
    while (next_name_word(&rest, &word)) {
        if (span_eq(word, SPAN("knob")))
            is_behind = true;
        else if (is_behind && !tile.len && numbers_by_x(word) == 3)
            tile = word;
        else if (is_behind)
            label_extra(label, LABEL_REST, word);
        else if (span_starts(word, SPAN("sm")) && word.len > 2 && is_digit(word.at[2]))
            arch = word;
        else if (span_eq(word, SPAN("wgmma")) || span_eq(word, SPAN("f16")))
            label_extra(label, LABEL_FUNCTOR, word);
        else
            head = head.len ? JOINED(label->arena, head, SPAN("_"), word) : word;
    }
    if (!head.len)
        return false;
    label->head = head;
    label_fact(label, LABEL_TILE, tile);
    label_extra(label, LABEL_ARCH, arch);
    return true;
}

bool label_matrix_kernel(struct label *label, struct span name)
{
    return label_generated(label, name) || label_tensile(label, name) || label_miopen(label, name) ||
           label_xmma(label, name) || label_nvjet(label, name) || label_cutlass3(label, name) ||
           label_blas(label, name) || label_ogs(label, name) || label_bmm(label, name);
}
