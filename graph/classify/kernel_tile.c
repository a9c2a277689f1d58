/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/classify/kernel_tile.h"

#include "base/attr.h"

enum { TILE_MIN = 8, TILE_MAX = 512, SPLIT_MAX = 1024 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Digits at the start of `text`, which moves behind them. */
static bool take_number(struct span *text, unsigned *number)
{
    size_t len = 0;

    *number = 0;
    while (len < text->len && len < 5 && is_digit(text->at[len]))
        *number = *number * 10 + (unsigned)(text->at[len++] - '0');
    *text = span_after(*text, len);
    return len > 0;
}

/* "128x64", at the end or before "_" or another size. */
static bool take_sizes(struct span text, unsigned *first, unsigned *second)
{
    if (!take_number(&text, first) || !text.len || *text.at != 'x')
        return false;
    text = span_after(text, 1);
    if (!take_number(&text, second))
        return false;
    return !text.len || *text.at == 'x' || *text.at == '_';
}

static bool is_tile(unsigned first, unsigned second)
{
    return first >= TILE_MIN && first <= TILE_MAX && second >= TILE_MIN && second <= TILE_MAX;
}

/* Tensile multiplies column by column: its first size is the framework's columns. */
static const struct {
    const char *before;
    bool is_by_columns;
} words[] = {
    {"_MT", true},      /* Cijk_Ailk_Bljk_BBS_BH_MT256x128x64_ */
    {"_bt", false},     /* igemm_fwd_gtcx_nhwc_fp32_bx0_bt128x128x32 */
    {"tilesize", false} /* sm90_xmma_gemm_…_tilesize128x256x64_ */
};

static bool find_behind_word(struct span name, struct kernel_tile *tile)
{
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        size_t at = span_find(name, span_of(words[i].before));
        unsigned first, second;

        if (at == SIZE_MAX ||
            !take_sizes(span_after(name, at + strlen(words[i].before)), &first, &second) ||
            !is_tile(first, second))
            continue;
        tile->rows = (uint16_t)(words[i].is_by_columns ? second : first);
        tile->columns = (uint16_t)(words[i].is_by_columns ? first : second);
        return true;
    }
    return false;
}

/* cuBLAS before Hopper: "volta_h884gemm_256x64_ldg8_nn", column by column, too. */
static bool is_by_columns(struct span name)
{
    return span_starts(name, SPAN("maxwell_")) || span_starts(name, SPAN("volta_")) ||
           span_starts(name, SPAN("turing_")) || span_starts(name, SPAN("ampere_"));
}

/* "simt_sgemm_256x128_8x4_nn", "nvjet_tst_128x256_64x4": the first pair of sizes after a "_". */
static bool find_pair(struct span name, struct kernel_tile *tile)
{
    unsigned first, second;

    for (size_t i = 0; i + 1 < name.len; i++) {
        if (name.at[i] != '_' || !is_digit(name.at[i + 1]) ||
            !take_sizes(span_after(name, i + 1), &first, &second) || !is_tile(first, second))
            continue;
        tile->rows = (uint16_t)(is_by_columns(name) ? second : first);
        tile->columns = (uint16_t)(is_by_columns(name) ? first : second);
        return true;
    }
    return false;
}

/* CUTLASS 3 writes its tile as types, "tuple<cute::C<128>, cute::C<256>, cute::C<64>>", and before
 * it, likewise, how many blocks make a cluster: those numbers are too small for a tile. */
static bool find_types(struct span name, struct kernel_tile *tile)
{
    for (size_t at; (at = span_find(name, SPAN("tuple<"))) != SIZE_MAX;) {
        struct span rest = name = span_after(name, at + 6);
        unsigned size[2] = {0, 0};

        for (int i = 0; i < 2 && (at = span_find(rest, SPAN("C<"))) != SIZE_MAX; i++) {
            rest = span_after(rest, at + 2);
            take_number(&rest, &size[i]);
        }
        if (!is_tile(size[0], size[1]))
            continue;
        tile->rows = (uint16_t)size[0];
        tile->columns = (uint16_t)size[1];
        return true;
    }
    return false;
}

/* "…_GSU4_…", "…splitK…": how many it does not say. */
static unsigned find_split(struct span name)
{
    size_t at = span_find(name, SPAN("_GSU"));
    struct span rest = at == SIZE_MAX ? (struct span){0} : span_after(name, at + 4);
    unsigned split;

    return take_number(&rest, &split) && split <= SPLIT_MAX ? split : 0;
}

struct kernel_tile kernel_tile(struct span name)
{
    struct kernel_tile tile = {0};

    if (find_behind_word(name, &tile) || find_types(name, &tile) || find_pair(name, &tile))
        tile.split = (uint16_t)find_split(name);
    return tile;
}
