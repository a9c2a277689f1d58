/* SPDX-License-Identifier: Apache-2.0 */
/* The peaks that work is compared with: the user's, the device's own, or those of a table of
 * GPUs. */
#include "cmd/options/ceiling_choice.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/kernels/roofline.h"
#include "cmd/options/gpu_file.h"
#include "parsers/csv/measured_ceilings.h"

static const char *const precision_choices[] = {"auto", "fp64", "fp32", "tf32", "fp16",
                                                "bf16", "fp8",  "int8", NULL};

const struct option ceiling_options[] = {
    OPT_GROUP("Ceilings"),
    OPT_NUMBER(0, "peak-tflops", struct ceiling_choice, peak_tflops, "T",
               "the compute peak, for every precision"),
    OPT_NUMBER(0, "peak-gbs", struct ceiling_choice, peak_gbs, "G",
               "the memory bandwidth, in GB/s"),
    OPT_NUMBER(0, "link-gbs", struct ceiling_choice, link_gbs, "G",
               "the bandwidth between host and device, one way, in GB/s"),
    OPT_NUMBER(0, "l2-gbs", struct ceiling_choice, l2_gbs, "G",
               "the bandwidth of the L2 cache, in GB/s, where counters saw it"),
    OPT_NUMBER(0, "l1-gbs", struct ceiling_choice, l1_gbs, "G",
               "the bandwidth of all L1 caches together, likewise"),
    OPT_TEXT(0, "gpu", struct ceiling_choice, gpu, "NAME",
             "take the peaks of this GPU instead of the one that the profile names"),
    OPT_FILE(0, "gpu-file", struct ceiling_choice, gpu_file, "FILE",
             "take them from a file of key = value; with --gpu, of the GPU of that name in it"),
    OPT_TEXT(
        0, "achievable", struct ceiling_choice, achievable, "SHARE",
        "take this share of the matrix units' peaks, or 'measured': what the best libraries reach"),
    OPT_NUMBER(0, "clock-mhz", struct ceiling_choice, clock_mhz, "F",
               "the clock that the device's multiprocessors ran at"),
    OPT_CHOICE(0, "precision", struct ceiling_choice, precision, "P",
               "whose peak counts [auto: by the types of the inputs]", precision_choices),
    OPT_END,
};

/* ---- which GPU ---- */

enum { CANDIDATES_MAX = 16 };

/* "H100" is part of several names: the user has to say which. */
static const struct gpu *find_asked(const char *asked, struct error *err)
{
    const struct gpu *candidates[CANDIDATES_MAX];
    const struct gpu *gpu = gpu_named(span_of(asked));
    uint32_t count = gpu ? 0 : gpus_like(span_of(asked), candidates, CANDIDATES_MAX);
    char list[200];
    size_t len = 0;

    if (gpu || count == 1)
        return gpu ? gpu : candidates[0];
    error_set(err, ERROR_USAGE, "%s GPU named '%.60s'",
              count ? "the peaks are known of more than one" : "no peaks are known of a", asked);
    if (count == 0) {
        error_hint(err, "give --peak-tflops and --peak-gbs, or --gpu-file: ptk roofline --gpus "
                        "prints the form of it");
        return NULL;
    }
    for (uint32_t i = 0; i < count && len + 40 < sizeof(list); i++)
        len += (size_t)snprintf(list + len, sizeof(list) - len, "%s'%s'", i ? ", " : "",
                                candidates[i]->pattern);
    error_hint(err, "there are %s", list);
    return NULL;
}

static const struct gpu *first_gpu(const struct report_input *inputs, uint32_t count,
                                   bool *is_by_parts)
{
    const struct gpu *gpu = NULL;

    for (uint32_t file = 0; file < count; file++) {
        const struct graph *graph = inputs[file].graph;

        for (uint32_t i = 0; !gpu && i < graph->source.devices.count; i++)
            gpu = device_gpu(&graph->source.devices.list[i],
                             graph_text(graph, graph->source.devices.list[i].name), is_by_parts);
    }
    return gpu;
}

/* ---- peaks ---- */

/* Where peaks are from. */
struct origin {
    const char *compute, *memory, *link; /* NULL: not known */
    const char *l2, *l1;                 /* likewise */
};

static void take_gpu(const struct gpu *gpu, bool is_by_parts, struct arena *arena,
                     struct ceilings *ceilings, struct origin *origin)
{
    const char *name =
        arena_printf(arena, "%s: %s%s, dense",
                                    strcmp(gpu->source, "file") == 0 ? "file" : "table",
                                    gpu->pattern, is_by_parts ? " by its parts" : "");

    for (uint32_t i = 0; i < PRECISION_COUNT; i++)
        ceilings->flops[i] = gpu->flops[i];
    ceilings->memory = gpu->memory;
    ceilings->link = gpu->link;
    ceilings->last_cache = gpu->last_cache;
    ceilings->units = gpu->units;
    ceilings->achievable = gpu_achievable(gpu);
    *origin = (struct origin){name, name, gpu->link > 0 ? name : NULL, NULL, NULL};
}

/* A data sheet knows the clock that tensor cores hold, which a device's greatest clock is not: with
 * one at hand, only the clock that the user gives counts for more. */
static void take_device(const struct device_peaks *peaks, bool is_clock_given,
                        struct ceilings *ceilings, struct origin *origin)
{
    bool has_table = origin->compute != NULL;

    for (uint32_t i = 0; i < PRECISION_COUNT; i++)
        if (peaks->flops[i] > 0 &&
            (is_clock_given || !has_table || i == PRECISION_FP32 || i == PRECISION_FP64))
            ceilings->flops[i] = peaks->flops[i];
    if (peaks->flops[PRECISION_FP32] > 0)
        origin->compute = is_clock_given ? "the device's parts, at the clock given"
                          : has_table    ? "the device's parts and clock; tensor cores by table"
                                         : "the device's parts and clock";
    if (peaks->memory > 0) {
        ceilings->memory = peaks->memory;
        origin->memory = "the device's parts";
    }
}

/* What the profiler itself measured on the device counts for more than a data sheet. */
static void take_measured(const struct report_input *inputs, uint32_t count,
                          struct ceilings *ceilings, struct origin *origin)
{
    static const char *const from = "measured, roofline.csv";
    struct measured_ceilings measured;
    bool is_there = false;

    for (uint32_t i = 0; !is_there && i < count; i++)
        is_there = inputs[i].path && measured_ceilings_beside(inputs[i].path, &measured);
    if (!is_there)
        return;
    for (uint32_t i = 0; i < PRECISION_COUNT; i++)
        if (measured.flops[i] > 0) {
            ceilings->flops[i] = measured.flops[i];
            origin->compute = from;
        }
    ceilings->memory = measured.memory;
    ceilings->cache[CACHE_L2] = measured.l2;
    ceilings->cache[CACHE_L1] = measured.l1;
    ceilings->achievable = 1; /* it was reached */
    origin->memory = origin->l2 = origin->l1 = from;
}

/* Peaks as they can be reached, in place of the vendor's. */
static bool take_achievable(const struct ceiling_choice *choice, struct ceilings *ceilings,
                            struct origin *origin, struct arena *arena, struct error *err)
{
    bool is_measured = choice->achievable && strcmp(choice->achievable, "measured") == 0;
    char *end = NULL;
    double share;

    if (!choice->achievable)
        return true;
    share = is_measured ? ceilings->achievable : strtod(choice->achievable, &end);
    if (end && end != choice->achievable && *end == '%') {
        share /= 100;
        end++;
    }
    if (is_measured && !(share > 0))
        return error_set(err, ERROR_LACK,
                         "what the best libraries reach is not known of the GPU: give a share");
    if (!(share > 0 && share <= 1) || (end && (end == choice->achievable || *end)))
        return error_set(err, ERROR_USAGE,
                         "--achievable takes a share up to 1, or 'measured', not '%.60s'",
                         choice->achievable);
    for (int i = PRECISION_TF32; i < PRECISION_COUNT; i++)
        ceilings->flops[i] *= share;
    ceilings->achievable = 1;
    if (origin->compute)
        origin->compute =
            arena_printf(arena, "%s; %.3g%% of it in tf32 and below", origin->compute, share * 100);
    return true;
}

/* --precision and peaks replace what was found; an unknown precision is compared with single. */
static void take_given(const struct ceiling_choice *choice, struct ceilings *ceilings,
                       struct origin *origin)
{
    double peak = ceilings->flops[choice->precision ? choice->precision - 1 : PRECISION_FP32];

    for (uint32_t i = 0; choice->precision && i < PRECISION_COUNT; i++)
        ceilings->flops[i] = peak;
    ceilings->flops[PRECISION_UNKNOWN] = peak;
    for (uint32_t i = 0; choice->peak_tflops > 0 && i <= PRECISION_COUNT; i++)
        ceilings->flops[i] = choice->peak_tflops * 1e12;
    if (choice->peak_tflops > 0)
        origin->compute = "given";
    if (choice->peak_gbs > 0) {
        ceilings->memory = choice->peak_gbs * 1e9;
        origin->memory = "given";
    }
    if (choice->link_gbs > 0) {
        ceilings->link = choice->link_gbs * 1e9;
        origin->link = "given";
    }
    if (choice->l2_gbs > 0) {
        ceilings->cache[CACHE_L2] = choice->l2_gbs * 1e9;
        origin->l2 = "given";
    }
    if (choice->l1_gbs > 0) {
        ceilings->cache[CACHE_L1] = choice->l1_gbs * 1e9;
        origin->l1 = "given";
    }
}

/* ---- what is said of them ---- */

static const char *peak_text(double peak, const char *from, struct arena *arena)
{
    return peak > 0 ? arena_printf(arena, "%.4g (%s)", peak, from) : "unknown";
}

/* "fp32 9.3, fp16 18.7"; the precisions that the device does not have, or of which nothing is
 * known, are left out. */
static const char *peaks_text(const double *flops, struct arena *arena)
{
    const char *text = "";
    bool is_one = flops[0] > 0;

    for (int i = 0; i < PRECISION_COUNT; i++) {
        is_one &= flops[i] == flops[0];
        if (flops[i] > 0)
            text = arena_printf(arena, "%s%s%s %.4g", text, *text ? ", " : "", precision_names[i],
                                flops[i] / 1e12);
    }
    if (is_one)
        return arena_printf(arena, "%.4g", flops[0] / 1e12);
    return *text ? text : "unknown";
}

static const char *cache_text(const char *name, double peak, const char *from, struct arena *arena)
{
    return peak > 0 ? arena_printf(arena, ", %s %.4g (%s)", name, peak / 1e9, from) : "";
}

static void write_origin(const struct ceilings *c, const struct origin *origin, struct arena *arena,
                         struct report *report)
{
    if (!origin->compute && !origin->memory && !origin->link && !(c->cache[CACHE_L2] > 0) &&
        !(c->cache[CACHE_L1] > 0)) {
        report_after(report, "No ceilings: the profile names no GPU that is known; give --gpu, "
                              "--gpu-file (ptk roofline --gpus prints its form), or --peak-tflops and "
                              "--peak-gbs");
        return;
    }
    report_afterf(report, arena, "Ceilings: %s TFLOP/s%s; memory %s, link %s%s%s GB/s.",
                   peaks_text(c->flops, arena),
                   origin->compute ? arena_printf(arena, " (%s)", origin->compute) : "",
                   peak_text(c->memory / 1e9, origin->memory, arena),
                   peak_text(c->link / 1e9, origin->link, arena),
                   cache_text("L2", c->cache[CACHE_L2], origin->l2, arena),
                   cache_text("L1", c->cache[CACHE_L1], origin->l1, arena));
}

static const double NEAR = 0.15;

static bool is_near(double given, double peak)
{
    return fabs(given - peak) <= NEAR * peak;
}

/* A peak that the device has in no precision is another card's, one with sparsity, or measured. */
static void doubt_peak(double given, const struct gpu *gpu, struct arena *arena,
                       struct report *report)
{
    bool is_sparse = false;

    for (int i = 0; i < PRECISION_COUNT; i++) {
        if (gpu->flops[i] > 0 && is_near(given, gpu->flops[i]))
            return;
        is_sparse |= i >= PRECISION_TF32 && gpu->flops[i] > 0 && is_near(given, 2 * gpu->flops[i]);
    }
    report_beforef(report, arena, "warning: --peak-tflops %.4g is not a peak of %s%s: %s",
                   given / 1e12, gpu->pattern,
                   is_sparse ? ", but twice one, as data sheets have it with sparsity" : "",
                   peaks_text(gpu->flops, arena));
}

/* ---- all ---- */

bool ceilings_find(const struct ceiling_choice *choice, const struct report_input *inputs,
                   uint32_t count, struct arena *arena, struct ceilings *ceilings,
                   struct report *report, struct error *err)
{
    const struct device *device = NULL;
    bool is_by_parts = false;
    bool is_asked = choice->gpu || choice->gpu_file;
    const struct gpu *gpu = choice->gpu_file
                                ? gpu_file_read(choice->gpu_file, choice->gpu, arena, err)
                            : choice->gpu ? find_asked(choice->gpu, err)
                                          : first_gpu(inputs, count, &is_by_parts);
    struct device_peaks peaks;
    struct origin origin = {0};

    *ceilings = (struct ceilings){0};
    if (is_asked && !gpu)
        return false;
    for (uint32_t i = 0; !device && i < count; i++)
        if (inputs[i].graph->source.devices.count)
            device = inputs[i].graph->source.devices.list;
    if (gpu)
        take_gpu(gpu, is_by_parts, arena, ceilings, &origin);
    if (!is_asked && device && device_peaks_find(device, choice->clock_mhz * 1e6, &peaks))
        take_device(&peaks, choice->clock_mhz > 0, ceilings, &origin);
    if (!is_asked)
        take_measured(inputs, count, ceilings, &origin);
    if (!is_asked && device && device->sms > 0)
        ceilings->units = (double)device->sms;
    if (!take_achievable(choice, ceilings, &origin, arena, err))
        return false;
    take_given(choice, ceilings, &origin);
    if (!report)
        return true;
    write_origin(ceilings, &origin, arena, report);
    if (gpu && choice->peak_tflops > 0)
        doubt_peak(choice->peak_tflops * 1e12, gpu, arena, report);
    if (gpu && gpu->memory > 0 && choice->peak_gbs * 1e9 > gpu->memory * (1 + NEAR))
        report_beforef(report, arena,
                       "warning: --peak-gbs %.4g is more than the memory of %s does: %.4g",
                       choice->peak_gbs, gpu->pattern, gpu->memory / 1e9);
    return true;
}
