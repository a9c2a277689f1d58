/* SPDX-License-Identifier: Apache-2.0 */
/* cause_evidence.c — what each cause is called, and the figures that it rests on */
#include <math.h>
#include <stdio.h>

#include "analysis/advice/causes.h"
#include "analysis/kernels/roofline.h"
#include "graph/classify/event_class.h"

const struct cause_text cause_texts[CAUSE_COUNT] = {
    [CAUSE_TOO_FEW_TILES] = {"too-few-tiles", "a product has fewer tiles than the device has units",
                             "smaller tiles, split-K or stream-K, several products in one (bmm, "
                             "grouped), larger batches"},
    [CAUSE_PARTIAL_WAVE] = {"partial-wave", "the last wave of tiles leaves units without work",
                            "another tile, sizes that fill the wave, stream-K"},
    [CAUSE_PARTIAL_TILES] = {"partial-tiles", "tiles reach beyond the result",
                             "sizes that are multiples of the tile (64, 128): pad, or choose them"},
    [CAUSE_MISALIGNED] =
        {"misaligned", "rows do not begin at multiples of 16 bytes",
         "pad to multiples of 8 elements of 16 bits, 4 of 32, 16 of 8; best to 128 "
         "bytes"},
    [CAUSE_LONG_K] = {"long-k", "few long sums are each done by one block", "split-K, stream-K"},
    [CAUSE_SKINNY] = {"skinny", "a product with a short side does little work a byte",
                      "fuse it with its neighbours, batch several of them"},
    [CAUSE_SMALL_BATCH] = {"small-batch", "a matrix times few vectors only reads the matrix",
                           "larger batches, quantised weights, speculative decoding"},
    [CAUSE_FULL_PRECISION] = {"full-precision", "single precision leaves the matrix units unused",
                              "torch.backends.cuda.matmul.allow_tf32, torch.autocast"},
    [CAUSE_DEPTHWISE] = {"depthwise",
                         "a depthwise convolution is bound by memory and uses no "
                         "matrix units",
                         "channels_last, fuse it with its neighbours; grouped or full convolutions "
                         "where the model allows"},
    [CAUSE_FEW_CHANNELS] = {"few-channels", "a convolution has too few channels for whole vectors",
                            "pad channels to multiples of 8 (of 4 in single precision), "
                            "channels_last, space-to-depth"},
    [CAUSE_ASYMMETRIC_FILTER] = {"asymmetric-filter",
                                 "few kernels are tuned for such a filter, and "
                                 "none is Winograd's",
                                 "cudnn.benchmark=True, square filters, or a product"},
    [CAUSE_DILATED] = {"dilated", "a dilated filter reuses little of the caches",
                       "smaller dilation on a smaller image, channels_last"},
    [CAUSE_TRANSPOSED_CONVOLUTION] = {"transposed-convolution",
                                      "a transposed convolution works in uneven phases",
                                      "filters that are multiples of the stride; upsampling and a "
                                      "convolution; pixel shuffle"},
    [CAUSE_POINTWISE_IS_GEMM] = {"pointwise-is-gemm", "a 1x1 convolution is a product of matrices",
                                 "channels_last, or linear(): then what holds for products"},
    [CAUSE_LAYOUT_CONVERSION] = {"layout-conversion", "tensors are put into another order and back",
                                 "memory_format=torch.channels_last for model and input"},
    [CAUSE_UNFUSED_ATTENTION] = {"unfused-attention",
                                 "attention is computed operator by operator, through memory",
                                 "scaled_dot_product_attention, FlashAttention"},
    [CAUSE_MATH_BACKEND] = {"math-backend",
                            "no fused attention took the inputs: it is computed operator by "
                            "operator",
                            "16-bit types, heads of 256 at most, is_causal instead of a mask; "
                            "sdpa_kernel([FLASH_ATTENTION]) warns why not"},
    [CAUSE_UNFUSED_EXPERTS] = {"unfused-moe", "experts' products run one after the other",
                               "a fused or grouped product (grouped_mm, fused_moe)"},
    [CAUSE_SHORT_SEQUENCE] = {"short-sequence", "sequences are too short to hide memory",
                              "larger batches, packed sequences (varlen)"},
    [CAUSE_DECODE] = {"decode", "few queries read all keys and values",
                      "larger batches, split-KV (FlashDecoding), grouped heads, quantised caches"},
    [CAUSE_TOO_FEW_BLOCKS] = {"too-few-blocks", "attention has fewer blocks than the device units",
                              "larger batches, kernels that split the keys"},
    [CAUSE_HEAD_PADDED] = {"head-dimension-padded", "heads are padded to the next power of two",
                           "heads of 64, 128 or 256"},
    [CAUSE_LARGE_HEAD] = {"large-head-dimension",
                          "large heads leave room for one small tile a unit",
                          "heads of 128 at most, kernels made for large heads"},
    [CAUSE_FEW_TOKENS] = {"few-tokens-per-expert", "experts' weights are read for few tokens each",
                          "larger batches, expert parallelism, quantised weights"},
    [CAUSE_STRIDED_ACCESS] = {"strided-access", "inputs lie in memory in different orders",
                              "contiguous() once, or produce them in one order"},
    [CAUSE_BROADCAST_COPY] = {"broadcast-copy", "a copy writes out what expand() only stretched",
                              "operators that window by themselves (matmul, einsum), no "
                              "contiguous() or repeat()"},
    [CAUSE_CAST_TRAFFIC] = {"cast-traffic", "tensors are copied from one floating type to another",
                            "casts that are kept, or fused (torch.compile); weights in the type "
                            "that they are used in"},
    [CAUSE_UNFUSED_CHAIN] = {"unfused-chain",
                             "each of several elementwise kernels reads and writes the same "
                             "elements",
                             "torch.compile, jit.script, a fused kernel"},
    [CAUSE_TAIL_WAVE] = {"tail-wave", "the last wave of blocks leaves units without work",
                         "sizes or blocks that fill the wave, grid-stride loops"},
    [CAUSE_TINY_KERNEL] = {"tiny-kernel", "kernels cannot be faster than what starting one costs",
                           "foreach=True and fused=True optimisers, torch.compile, CUDA graphs"},
    [CAUSE_LOW_OCCUPANCY] = {"low-occupancy", "too few warps are resident to hide latency",
                             "fewer registers or less shared memory a block, another block size"},
    [CAUSE_FAR_FROM_ROOF] = {"kernel-far-from-roof",
                             "the kernels are slow, and their shapes do not explain it",
                             "tuning (cudnn.benchmark, TunableOp, autotune), another library or "
                             "backend"},
    [CAUSE_CACHE_RESIDENT] = {"cache-resident", "what a call moves comes from the cache",
                              "nothing: no fault"},
    [CAUSE_ABOVE_ROOF] = {"above-roof",
                          "work, times or peaks are wrong: kernels are faster than the "
                          "device can be",
                          "check which GPU and precision it is compared with; Winograd, sparsity or "
                          "data that stays in caches need less than the formula"},
};

const char *cause_remedy(enum kernel_cause cause, const struct ceilings *ceilings)
{
    bool lacks_tf32 =
        ceilings->flops[PRECISION_FP16] > 0 && !(ceilings->flops[PRECISION_TF32] > 0);

    return cause == CAUSE_FULL_PRECISION && lacks_tf32
               ? "torch.autocast: this device's matrix units take 16 bits, and no TF32"
               : cause_texts[cause].remedy;
}

static const char *precision_text(const double *peaks, enum precision precision,
                                  struct arena *arena)
{
    return arena_printf(arena, "%s %.4g TFLOP/s", precision_names[precision],
                        peaks[precision] / 1e12);
}

static const char *figure(double value, struct arena *arena)
{
    return arena_printf(arena, value < 100 ? "%.3g" : "%.0f", value);
}

static const char *intensity_text(const struct slow_group *slow, const struct ceilings *ceilings,
                                  struct arena *arena)
{
    const struct work *work = &slow->group.work;
    double peak = ceilings->flops[slow->group.precision];
    double intensity = work->bytes > 0 ? (double)work->flops / (double)work->bytes : NAN;

    if (isnan(intensity))
        return "bytes that are not known";
    if (!(peak > 0) || !(ceilings->memory > 0))
        return arena_printf(arena, "%s FLOP/B", figure(intensity, arena));
    return arena_printf(arena, "%s FLOP/B (the ridge is at %s)", figure(intensity, arena),
                        figure(peak / ceilings->memory, arena));
}

static const char *tiles_text(const struct slow_group *slow, struct arena *arena)
{
    const struct tiling *t = &slow->tiling;

    return arena_printf(arena, "%.0f tiles of %.0fx%.0f%s%s", t->tiles / t->split, t->rows,
                        t->columns,
                        t->split > 1 ? arena_printf(arena, " by %.0f blocks each", t->split) : "",
                        t->is_assumed ? " (assumed)" : "");
}

static const char *rate_text(const struct slow_group *slow, const struct ceilings *ceilings,
                             struct arena *arena)
{
    const struct kernel_group *g = &slow->group;
    double rate = g->time > 0 ? g->bytes / (double)g->time : NAN;

    return ceilings->memory > 0
               ? arena_printf(arena, "%.4g of %.4g GB/s", rate, ceilings->memory / 1e9)
               : arena_printf(arena, "%.4g GB/s", rate);
}

static bool is_bound_by_memory(const struct slow_group *slow, const struct ceilings *ceilings)
{
    const struct work *work = &slow->group.work;

    return !((double)work->flops / ceilings->flops[slow->group.precision] >
             (double)work->bytes / ceilings->memory);
}

static const char *roof_text(const struct slow_group *slow, const struct ceilings *ceilings,
                             struct arena *arena)
{
    return arena_printf(arena, "%.1f%% of the roof, %s%s", slow->efficiency * 100,
                        is_bound_by_memory(slow, ceilings) ? "" : "at ",
                        is_bound_by_memory(slow, ceilings) ? rate_text(slow, ceilings, arena)
                                                           : intensity_text(slow, ceilings, arena));
}

static const char *occupancy_text(const struct graph *graph, const struct slow_group *slow,
                                  struct arena *arena)
{
    struct occupancy o;
    const char *by;

    if (!launch_occupancy(graph, slow->group.device, slow->group.longest, &o))
        return "";
    if (o.limit == LIMIT_NOT_KNOWN)
        return arena_printf(arena, "%.3g%% of what fits, as the file has it", o.share * 100);
    by = o.limit == LIMITED_BY_REGISTERS
             ? arena_printf(arena, "%.0f registers a thread", (double)o.registers)
         : o.limit == LIMITED_BY_SHARED_MEMORY
             ? arena_printf(arena, "%.0f bytes of shared memory", (double)o.shared_memory)
             : "the threads of a multiprocessor";
    return arena_printf(arena, "%s allow %.0f block%s of %.0f threads: %.3g%% of what fits", by,
                        o.blocks, o.blocks == 1 ? "" : "s", o.threads, o.share * 100);
}

/* ---- by what the work is ---- */

static const char *product_text(const struct kernel_causes *causes, const struct slow_group *slow,
                                const struct ceilings *ceilings, enum kernel_cause cause,
                                struct arena *arena)
{
    const struct problem *p = &slow->group.work.problem;
    const struct tiling *t = &slow->tiling;

    switch (cause) {
    case CAUSE_TOO_FEW_TILES:
        return arena_printf(arena, "%s for %.0f units: %.3g%% of them work",
                            tiles_text(slow, arena), causes->units, t->waves * 100);
    case CAUSE_PARTIAL_WAVE:
        return arena_printf(arena, "%s on %.0f units: %.2f waves, %.3g%% used",
                            tiles_text(slow, arena), causes->units, t->waves,
                            t->waves / ceil(t->waves) * 100);
    case CAUSE_PARTIAL_TILES:
        return arena_printf(arena, "%.0fx%.0f fills %.3g%% of %s", p->m, p->n, t->use * 100,
                            tiles_text(slow, arena));
    case CAUSE_MISALIGNED:
        return arena_printf(arena, "K = %.0f, N = %.0f of %d bytes: rows of %.0f and %.0f bytes",
                            p->k, p->n, p->element_bytes, p->k * p->element_bytes,
                            p->n * p->element_bytes);
    case CAUSE_LONG_K:
        return arena_printf(arena, "K = %.0f is %.0f times the larger of M and N; %s", p->k,
                            p->k / fmax(p->m, p->n), tiles_text(slow, arena));
    case CAUSE_SKINNY:
    case CAUSE_SMALL_BATCH:
        return arena_printf(arena, "%.0fx%.0fx%.0f: %s", p->m, p->n, p->k,
                            intensity_text(slow, ceilings, arena));
    case CAUSE_FULL_PRECISION:
        if (!slow->group.has_work)
            return "the kernels' names show single precision, and the device has tensor cores";
        return arena_printf(
            arena, "%s beside %s", precision_text(ceilings->flops, PRECISION_FP32, arena),
            precision_text(ceilings->flops,
                           ceilings->flops[PRECISION_TF32] > 0 ? PRECISION_TF32 : PRECISION_FP16,
                           arena));
    default:
        return NULL;
    }
}

static const char *convolution_text(const struct slow_group *slow, const struct ceilings *ceilings,
                                    enum kernel_cause cause, struct arena *arena)
{
    const struct problem *p = &slow->group.work.problem;

    switch (cause) {
    case CAUSE_DEPTHWISE:
        return arena_printf(arena, "%.0f groups of one channel: %s", p->batch,
                            intensity_text(slow, ceilings, arena));
    case CAUSE_FEW_CHANNELS:
        return arena_printf(arena, "%.0f channels of %d bytes: %.0f bytes, in vectors of 16",
                            p->channels, p->element_bytes, p->channels * p->element_bytes);
    case CAUSE_ASYMMETRIC_FILTER:
    case CAUSE_DILATED:
    case CAUSE_TRANSPOSED_CONVOLUTION:
    case CAUSE_POINTWISE_IS_GEMM:
        return arena_printf(arena, "as a product %.0fx%.0fx%.0f: %s", p->m, p->n, p->k,
                            roof_text(slow, ceilings, arena));
    default:
        return NULL;
    }
}

static const char *attention_text(const struct kernel_causes *causes, const struct slow_group *slow,
                                  const struct ceilings *ceilings, enum kernel_cause cause,
                                  struct arena *arena)
{
    const struct problem *p = &slow->group.work.problem;

    switch (cause) {
    case CAUSE_SHORT_SEQUENCE:
    case CAUSE_DECODE:
        return arena_printf(arena, "%.0f queries, %.0f keys: %s", p->m, p->n,
                            intensity_text(slow, ceilings, arena));
    case CAUSE_TOO_FEW_BLOCKS:
        return arena_printf(arena, "%.0f heads in blocks of 128 queries: %.0f for %.0f units",
                            p->batch, p->batch * ceil(p->m / 128), causes->units);
    case CAUSE_HEAD_PADDED:
        return arena_printf(arena, "%.0f of %.0f: %.3g%%", p->depth, exp2(ceil(log2(p->depth))),
                            p->depth / exp2(ceil(log2(p->depth))) * 100);
    case CAUSE_LARGE_HEAD:
        return arena_printf(arena, "heads of %.0f: %s", p->depth, roof_text(slow, ceilings, arena));
    default:
        return NULL;
    }
}

/* What most likely makes the roof, or the work, wrong. */
static const char *doubt_text(const struct graph *graph, const struct slow_group *slow,
                              const struct ceilings *ceilings)
{
    const struct kernel_group *g = &slow->group;

    if (graph_class(graph, g->kernel).is_winograd)
        return "Winograd's algorithm needs fewer FLOP";
    if (is_bound_by_memory(slow, ceilings))
        return "data that stays in caches, or times that cannot be";
    return g->precision == PRECISION_FP32 && graph_class(graph, g->kernel).matrix != MATRIX_ON_CORES
               ? "TF32 that the kernel's name does not show, or a clock above the peak's"
               : "sparsity, a clock above the peak's, or another GPU";
}

const char *kernel_cause_evidence(const struct graph *graph, const struct kernel_causes *causes,
                                  const struct slow_group *slow, const struct ceilings *ceilings,
                                  enum kernel_cause cause, struct arena *arena)
{
    const struct kernel_group *g = &slow->group;
    const struct problem *p = &g->work.problem;
    const char *text = product_text(causes, slow, ceilings, cause, arena);

    text = text ? text : convolution_text(slow, ceilings, cause, arena);
    text = text ? text : attention_text(causes, slow, ceilings, cause, arena);
    if (text)
        return text;
    switch (cause) {
    case CAUSE_UNFUSED_EXPERTS:
        return arena_printf(
            arena, "%.0f products by weights of %.0fx%.0f, %.3g rows each on average",
            (double)g->calls, p->k, p->n, g->flops / (2 * p->k * p->n) / (double)g->calls);
    case CAUSE_TAIL_WAVE: {
        struct property_cursors near = {.columns = graph->timeline.properties};
        double waves = launch_waves(graph, &near, g->device, g->longest);

        return arena_printf(arena, "%.2f waves of blocks, %.3g%% used", waves,
                            waves / ceil(waves) * 100);
    }
    case CAUSE_CACHE_RESIDENT:
        return arena_printf(arena, "%.3g of %.3g MB of cache: %s",
                            g->bytes / (double)g->calls / 1e6, ceilings->last_cache / 1e6,
                            rate_text(slow, ceilings, arena));
    case CAUSE_LAYOUT_CONVERSION:
        return arena_printf(arena, "%.3g%% of the operator's kernel time",
                            (double)g->layout_time / (double)g->time * 100);
    case CAUSE_CAST_TRAFFIC:
        return rate_text(slow, ceilings, arena);
    case CAUSE_UNFUSED_CHAIN:
        return arena_printf(arena,
                            "%.3g%% of its time in chains of %.10g or more over %.4g elements",
                            (double)g->chain_time / (double)g->time * 100,
                            causes->thresholds->of[LIMIT_CHAIN], p->m);
    case CAUSE_UNFUSED_ATTENTION:
    case CAUSE_MATH_BACKEND:
        return arena_printf(arena,
                            "%.4g MB of scores are written and read between products and "
                            "softmax",
                            (p->kind == PROBLEM_PRODUCT
                                 ? p->m * p->batch * fmax(p->n, p->k)
                                 : (double)g->work.bytes / 2 / fmax(p->element_bytes, 1)) *
                                p->element_bytes / 1e6);
    case CAUSE_FEW_TOKENS:
        return arena_printf(arena, "%.0f tokens to %.0f of %.0f experts: %.3g each", p->tokens,
                            p->chosen, p->batch, p->tokens * p->chosen / p->batch);
    case CAUSE_BROADCAST_COPY:
        return arena_printf(arena, "each element is written %.0f times; %s", p->repeats,
                            rate_text(slow, ceilings, arena));
    case CAUSE_STRIDED_ACCESS:
        return rate_text(slow, ceilings, arena);
    case CAUSE_TINY_KERNEL:
        return arena_printf(arena, "%.3g us a call, %.0f calls",
                            (double)g->time / (double)g->calls / 1e3, (double)g->calls);
    case CAUSE_LOW_OCCUPANCY:
        return occupancy_text(graph, slow, arena);
    case CAUSE_ABOVE_ROOF:
        return arena_printf(arena, "%s: %s", roof_text(slow, ceilings, arena),
                            doubt_text(graph, slow, ceilings));
    default:
        return roof_text(slow, ceilings, arena);
    }
}
