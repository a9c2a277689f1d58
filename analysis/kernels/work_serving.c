/* SPDX-License-Identifier: Apache-2.0 */
/* work_serving.c — FLOPs and bytes of what servers of models run: norms, rotary, cached attention, experts, fused elements */
#include "analysis/kernels/work.h"

#include <math.h>

#include "base/checked.h"

/* Ideal traffic: each array once. Where the trace leaves a size open there are a low and a high end:
 * which experts were chosen, how far a window reaches, which rows are the same. */

static double last_size(const struct operand *dims)
{
    return dims->count ? (double)dims->number[dims->count - 1] : 0;
}

static double size_before_last(const struct operand *dims)
{
    return dims->count > 1 ? (double)dims->number[dims->count - 2] : 0;
}

static double first_size(const struct operand *dims)
{
    return dims->count ? (double)dims->number[0] : 0;
}

static double bytes_of(const struct operator_call *call, uint32_t at)
{
    return work_count(work_input(call, at)) * (double)work_element(call, at).bytes;
}

static double element_bytes(const struct operator_call *call, uint32_t at)
{
    return (double)work_element(call, at).bytes;
}

static double number_at(const struct operator_call *call, uint32_t at)
{
    const struct operand *numbers = input_at(call->values, at);

    return numbers->kind == INPUT_NUMBERS && numbers->count == 1 ? (double)numbers->number[0] : 0;
}

static void set_bracket(struct sizes *sizes, double low_flops, double low_bytes)
{
    sizes->has_low = true;
    sizes->low_flops = low_flops;
    sizes->low_bytes = low_bytes;
}

/* ---- quantised products: a scale for each row or block, beside the matrices ---- */

static bool scaled_product(const struct operator_call *call, bool is_by_rows, struct sizes *sizes)
{
    uint32_t at = call->operator.at, out = call->operator.also;
    const struct operand *a = work_input(call, at), *b = work_input(call, at + 1);
    double m, n, k = last_size(a), out_bytes = element_bytes(call, out);

    if (a->count != 2 || b->count != 2 || k != (is_by_rows ? last_size(b) : size_before_last(b)))
        return false;
    m = size_before_last(a);
    n = is_by_rows ? size_before_last(b) : last_size(b);
    sizes->flops = 2 * m * n * k;
    sizes->weights_low = sizes->weights_high =
        bytes_of(call, at + 1) + bytes_of(call, at + 3);
    sizes->bytes = bytes_of(call, at) + bytes_of(call, at + 2) + sizes->weights_high +
                   m * n * (out_bytes > 0 ? out_bytes : 2);
    sizes->problem =
        (struct problem){.kind = PROBLEM_PRODUCT, .m = m, .n = n, .k = k, .batch = 1};
    return true;
}

/* ---- norms, activations, rotary embedding ---- */

/* 4 FLOP an element and 2 a row; with a residual, which is read and written, 5. */
static bool norm(const struct operator_call *call, bool adds, struct sizes *sizes)
{
    const struct operand *x = work_input(call, call->operator.at);
    double columns = last_size(x), count = work_count(x);

    if (!(columns > 0))
        return false;
    sizes->flops = (adds ? 5 : 4) * count + 2 * count / columns;
    sizes->bytes = (adds ? 4 : 2) * bytes_of(call, call->operator.at) +
                   columns * element_bytes(call, call->operator.also);
    return true;
}

/* exp, add, divide and two products an element of the output. */
static bool gated(const struct operator_call *call, struct sizes *sizes)
{
    double out = work_count(work_input(call, 0));

    sizes->flops = 5 * out;
    sizes->bytes = 2 * out * element_bytes(call, 1) + bytes_of(call, 0);
    return out > 0;
}

/* In place; equal positions share a row of the table. */
static bool rotary(const struct operator_call *call, struct sizes *sizes)
{
    const struct operand *table = work_input(call, 4);
    double tokens = work_count(work_input(call, 0)), head = number_at(call, 3);
    double rows = last_size(table), heads, turned, moved;

    if (!(tokens > 0) || !(head > 0) || table->count != 2)
        return false;
    heads = floor(work_count(work_input(call, 1)) / tokens / head) +
            floor(work_count(work_input(call, 2)) / tokens / head);
    turned = tokens * heads * rows;
    moved = 2 * turned * element_bytes(call, 1) + bytes_of(call, 0);
    sizes->flops = 3 * turned;
    sizes->bytes = moved + fmin(tokens, (double)table->number[0]) * rows * element_bytes(call, 4);
    set_bracket(sizes, sizes->flops, moved + rows * element_bytes(call, 4));
    return true;
}

/* 2 FLOP an element: the largest, and the scale. */
static bool quantise(const struct operator_call *call, struct sizes *sizes)
{
    double count = work_count(work_input(call, call->operator.at));

    sizes->flops = 2 * count;
    sizes->bytes = bytes_of(call, call->operator.at) + bytes_of(call, call->operator.also) +
                   bytes_of(call, 2);
    return count > 0;
}

/* ---- cached keys and values ---- */

/* Slots of padding are skipped: at least those of the step's tokens are written. */
static bool cache_write(const struct operator_call *call, bool is_latent, struct sizes *sizes)
{
    const struct operand *slots = work_input(call, is_latent ? 3 : 4);
    uint32_t cache = call->operator.also;
    double tokens = work_count(slots), real = tokens, row = 0;

    for (uint32_t i = 0; i < 2; i++) {
        const struct operand *x = work_input(call, i);
        double own = x->count && x->number[0] > 0 ? work_count(x) / (double)x->number[0] : 0;

        row += own *
               (element_bytes(call, i) + element_bytes(call, is_latent ? cache : cache + i));
    }
    if (call->step && call->step->tokens != UNKNOWN)
        real = fmin(tokens, (double)call->step->tokens);
    sizes->bytes = tokens * row + bytes_of(call, is_latent ? 3 : 4);
    set_bracket(sizes, 0, sizes->bytes - (tokens - real) * row);
    return tokens > 0 && row > 0;
}

/* What the step's label knows of all its requests together. */
struct cached_lengths {
    double queries, keys, pairs; /* pairs: of a query and a key that it looks at, twice */
};

/* Where no sums are on record: each query sees its own key. */
static void take_least(const struct step_label *step, double rows, struct cached_lengths *lengths)
{
    double queries = step && step->tokens != UNKNOWN ? fmin(rows, (double)step->tokens) : rows;

    *lengths = (struct cached_lengths){queries, queries, 2 * queries};
}

/* Of so many rows of queries. Of a request's queries the last sees all its keys, the one before it one
 * less, and so on. */
static bool find_lengths(const struct operator_call *call, double rows,
                         struct cached_lengths *lengths, struct sizes *sizes)
{
    const struct step_label *step = call->step;
    const struct step_sums *c, *g;

    sizes->is_least = !step || !step->has_sums;
    if (sizes->is_least) {
        take_least(step, rows, lengths);
        return call->takes_least;
    }
    c = &step->prompt;
    g = &step->generation;
    lengths->queries = (double)c->queries + (double)g->queries;
    lengths->keys = (double)c->keys + (double)g->keys;
    lengths->pairs = 2 * (double)c->query_keys - (double)c->queries_squared +
                     2 * (double)g->query_keys - (double)g->queries_squared + (double)g->queries;
    return true;
}

static bool cached_attention(const struct operator_call *call, bool may_be_window,
                             struct sizes *sizes)
{
    uint32_t at = call->operator.at, k_at = call->operator.also;
    const struct operand *q = work_input(call, at), *v = work_input(call, k_at + 1);
    struct cached_lengths lengths;
    double heads = size_before_last(q), depth = last_size(q), width = last_size(v);
    double cached_heads = size_before_last(v), own, kept;

    if (q->count < 3 || v->count < 3 || !find_lengths(call, first_size(q), &lengths, sizes))
        return false;
    own = lengths.queries * heads *
          (depth * element_bytes(call, at) + width * element_bytes(call, at));
    kept = cached_heads * (depth + width) * element_bytes(call, k_at);
    sizes->flops = heads * (depth + width) * lengths.pairs;
    sizes->cache_high = sizes->cache_low = lengths.keys * kept;
    sizes->bytes = own + sizes->cache_high;
    sizes->problem = (struct problem){.kind = PROBLEM_ATTENTION,
                                      .m = lengths.queries,
                                      .n = lengths.keys,
                                      .batch = heads,
                                      .depth = depth};
    if (may_be_window) { /* each query sees its own key at least */
        sizes->cache_low = lengths.queries * kept;
        set_bracket(sizes, 2 * lengths.queries * heads * (depth + width),
                    own + sizes->cache_low);
    }
    return true;
}

/* One latent head, read once for all heads; `absorbed` products over it. */
static bool latent_attention(const struct operator_call *call, struct sizes *sizes)
{
    const struct operand *q = work_input(call, 0);
    double latent = last_size(work_input(call, 1)), rope = last_size(work_input(call, 2));
    struct cached_lengths lengths;
    double heads = size_before_last(q);

    if (q->count < 3 || !(latent > 0) || !find_lengths(call, first_size(q), &lengths, sizes))
        return false;
    sizes->flops = heads * lengths.pairs * (2 * latent + rope);
    sizes->cache_low = sizes->cache_high =
        lengths.keys * (latent + rope) * element_bytes(call, 1);
    sizes->bytes = sizes->cache_high +
                   lengths.queries * heads * (2 * latent + rope) * element_bytes(call, 0);
    return true;
}

/* Over a cache of pages: [pages, size, 1, latent + rotary]. Its width is what the last array of heads that is written
 * has. */
static bool latent_decode(const struct operator_call *call, struct sizes *sizes)
{
    const struct operand *q = work_input(call, 0), *cache = work_input(call, 1);
    double heads = size_before_last(q), depth = last_size(q), width = 0;
    struct cached_lengths lengths;

    for (uint32_t i = 2; i < call->shapes->count; i++)
        if (work_input(call, i)->count >= 3 && last_size(work_input(call, i)) <= depth)
            width = last_size(work_input(call, i));
    if (q->count < 3 || last_size(cache) != depth || !(width > 0) ||
        !find_lengths(call, first_size(q), &lengths, sizes))
        return false;
    sizes->flops = heads * lengths.pairs * (depth + width);
    sizes->cache_low = sizes->cache_high = lengths.keys * depth * element_bytes(call, 1);
    sizes->bytes = sizes->cache_high +
                   lengths.queries * heads * (depth + width) * element_bytes(call, 0);
    return true;
}

/* ---- experts whose sizes stand in the operators within ---- */

static double weight_bytes(enum weight_format format)
{
    static const double bytes[] = {[WEIGHTS_16_BITS] = 2,
                                   [WEIGHTS_8_BITS] = 1,
                                   [WEIGHTS_MXFP4] = 0.5 + 1.0 / 32, /* a scale for 32 */
                                   [WEIGHTS_NVFP4] = 0.5 + 1.0 / 16};

    return bytes[format];
}

/* At least as many experts as one token needs, at most all, are touched. */
static void touch_experts(const struct call_inside *inside, double tokens, double weights,
                          double moved, struct sizes *sizes)
{
    double experts = (double)inside->experts, chosen = (double)inside->chosen;

    sizes->weights_low = fmin(chosen, experts) * weights;
    sizes->weights_high = fmin(experts, tokens * chosen) * weights;
    sizes->bytes = moved + sizes->weights_high;
    set_bracket(sizes, sizes->flops, moved + sizes->weights_low);
}

/* Up to twice the inner size, an activation of one half times the other, down, and the sum over a
 * token's experts. */
static bool experts_inside(const struct operator_call *call, struct sizes *sizes)
{
    const struct operand *x = work_input(call, 0);
    const struct call_inside *inside = call->inside;
    double tokens = x->count == 2 ? (double)x->number[0] : 0, hidden = last_size(x);
    double e = element_bytes(call, 0), ew = weight_bytes(call->weights), rows, inner, out;

    if (!inside || !inside->chosen || !inside->experts || !inside->inner || !(tokens > 0))
        return false;
    rows = tokens * (double)inside->chosen;
    inner = (double)inside->inner;
    out = inside->hidden ? (double)inside->hidden : hidden;
    sizes->problem = (struct problem){.kind = PROBLEM_EXPERTS,
                                      .tokens = tokens,
                                      .batch = (double)inside->experts,
                                      .chosen = (double)inside->chosen};
    switch (call->part) {
    case EXPERTS_UP:
        sizes->flops = 2 * rows * hidden * 2 * inner;
        touch_experts(inside, tokens, hidden * 2 * inner * ew, (tokens * hidden + rows * inner) * e,
                      sizes);
        break;
    case EXPERTS_DOWN:
        sizes->flops = 2 * rows * inner * out;
        touch_experts(inside, tokens, inner * out * ew, (rows * inner + rows * out) * e, sizes);
        break;
    case EXPERTS_SUM:
        sizes->flops = (rows - tokens) * out;
        sizes->bytes = (rows + tokens) * out * e;
        sizes->problem = (struct problem){.kind = PROBLEM_OTHER};
        break;
    case EXPERTS_WHOLE:
        sizes->flops = 2 * rows * hidden * 2 * inner + 2 * rows * inner * out;
        touch_experts(inside, tokens, (hidden * 2 * inner + inner * out) * ew,
                      tokens * (hidden + out) * e, sizes);
        break;
    }
    return true;
}

/* Reads the logits; writes weights, numbers of two bytes, and a matrix of bits. */
static bool top_experts(const struct operator_call *call, struct sizes *sizes)
{
    const struct operand *x = work_input(call, 0);
    double tokens = size_before_last(x), experts = last_size(x), chosen = number_at(call, 1);

    sizes->flops = 5 * tokens * chosen;
    sizes->bytes = bytes_of(call, 0) + tokens * chosen * (element_bytes(call, 0) + 2) +
                   tokens * ceil(experts / 32) * 4;
    return tokens > 0 && chosen > 0;
}

/* Inputs and outputs at least; what is allocated within is written and read once at most. */
static bool sort_tokens(const struct operator_call *call, struct sizes *sizes)
{
    double count = work_count(work_input(call, 0)), tokens = size_before_last(work_input(call, 0));
    double least = count * (2 * element_bytes(call, 0) + element_bytes(call, 1) + 8);

    sizes->bytes =
        least + (call->inside ? 2 * (double)call->inside->scratch + 4 * tokens : 4 * tokens);
    set_bracket(sizes, 0, least);
    return count > 0;
}

/* ---- what a compiler fused ---- */

/* Rows of a table that indices pick: as many as there are indices, at least one. The picked rows stand
 * in another array, so long and as wide. */
static bool is_picked_from(const struct operator_call *call, uint32_t at, double *rows)
{
    const struct operand *table = work_input(call, at);

    for (uint32_t i = 0; table->count == 2 && i < call->shapes->count; i++) {
        const struct operand *indices = work_input(call, i);
        const struct operand *type = input_at(call->types, i);
        bool is_index = type->kind == INPUT_DTYPE && (type->number[0] == DTYPE_INT32 ||
                                                      type->number[0] == DTYPE_INT64);

        if (!is_index || indices->count != 1 || indices->number[0] >= table->number[0])
            continue;
        for (uint32_t k = 0; k < call->shapes->count; k++) {
            const struct operand *out = work_input(call, k);

            if (k == at || out->count != 2 || out->number[0] != indices->number[0] ||
                out->number[1] != table->number[1])
                continue;
            *rows = (double)indices->number[0];
            return true;
        }
    }
    return false;
}

static bool fused_elements(const struct operator_call *call, struct sizes *sizes)
{
    double low = 0, most = 0, rows;

    for (uint32_t i = 0; i < call->shapes->count; i++) {
        const struct operand *x = work_input(call, i);
        double bytes = bytes_of(call, i), least = bytes;

        if (is_picked_from(call, i, &rows)) {
            least = last_size(x) * element_bytes(call, i);
            bytes = rows * least;
        }
        sizes->bytes += bytes;
        low += least;
        most = fmax(most, work_count(x));
    }
    if (call->operator.flops)
        sizes->flops = most;
    set_bracket(sizes, sizes->flops, low);
    return sizes->bytes > 0;
}

bool serving_sizes(const struct operator_call *call, struct sizes *sizes)
{
    switch (call->operator.kind) {
    case OPERATOR_SCALED_PRODUCT:
        return scaled_product(call, false, sizes);
    case OPERATOR_SCALED_LINEAR:
        return scaled_product(call, true, sizes);
    case OPERATOR_RMS_NORM:
        return norm(call, false, sizes);
    case OPERATOR_ADD_RMS_NORM:
        return norm(call, true, sizes);
    case OPERATOR_GATED:
        return gated(call, sizes);
    case OPERATOR_ROTARY:
        return rotary(call, sizes);
    case OPERATOR_CACHE_WRITE:
        return cache_write(call, false, sizes);
    case OPERATOR_LATENT_CACHE_WRITE:
        return cache_write(call, true, sizes);
    case OPERATOR_PAGED_ATTENTION:
        return cached_attention(call, false, sizes);
    case OPERATOR_WINDOW_ATTENTION:
        return cached_attention(call, true, sizes);
    case OPERATOR_LATENT_ATTENTION:
        return latent_attention(call, sizes);
    case OPERATOR_LATENT_DECODE:
        return latent_decode(call, sizes);
    case OPERATOR_QUANTISE:
        return quantise(call, sizes);
    case OPERATOR_EXPERTS_INSIDE:
        return experts_inside(call, sizes);
    case OPERATOR_TOP_EXPERTS:
        return top_experts(call, sizes);
    case OPERATOR_SORT_TOKENS:
        return sort_tokens(call, sizes);
    case OPERATOR_FUSED_ELEMENTS:
        return fused_elements(call, sizes);
    default:
        return false;
    }
}
