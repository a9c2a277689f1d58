/* SPDX-License-Identifier: Apache-2.0 */
/* device_peaks.c — what a GPU can do at most: by its name, or by its parts */
#include <strings.h>

#include "analysis/kernels/roofline.h"

enum { NVIDIA_WARP = 32 };

/* By compute capability: lanes of a multiprocessor, and FLOP a clock of its tensor cores, dense, as
 * for cards of the data centre. Where GeForce cards have fewer of the latter, they are left out. */
static const struct {
    int32_t major, minor;
    int single, twice, tensor, tf32; /* lanes of fp32 and fp64; FLOP a clock of fp16 and tf32 */
} capabilities[] = {
    {2, 0, 32, 16, 0, 0},  {2, 1, 48, 4, 0, 0},         {3, 0, 192, 8, 0, 0},
    {3, 5, 192, 64, 0, 0}, {3, 7, 192, 64, 0, 0},       {5, 0, 128, 4, 0, 0},
    {5, 2, 128, 4, 0, 0},  {5, 3, 128, 4, 0, 0},        {6, 0, 64, 32, 0, 0},
    {6, 1, 128, 4, 0, 0},  {6, 2, 128, 4, 0, 0},        {7, 0, 64, 32, 1024, 0},
    {7, 5, 64, 2, 0, 0},   {8, 0, 64, 32, 2048, 1024},  {8, 6, 128, 2, 0, 0},
    {8, 9, 128, 2, 0, 0},  {9, 0, 128, 64, 4096, 2048}, {10, 0, 128, 64, 8192, 4096},
    {12, 0, 128, 2, 0, 0},
};

static void find_flops(const struct device *device, double clock, struct device_peaks *peaks)
{
    for (size_t i = 0; i < COUNT_OF(capabilities); i++) {
        double each = (double)device->sms * clock;

        if (capabilities[i].major != device->major || capabilities[i].minor != device->minor)
            continue;
        peaks->flops[PRECISION_FP32] = each * capabilities[i].single * 2;
        peaks->flops[PRECISION_FP64] = each * capabilities[i].twice * 2;
        peaks->flops[PRECISION_FP16] = each * capabilities[i].tensor;
        peaks->flops[PRECISION_BF16] = device->major >= 8 ? each * capabilities[i].tensor : 0;
        peaks->flops[PRECISION_TF32] = each * capabilities[i].tf32;
    }
}

bool device_peaks_find(const struct device *device, double clock, struct device_peaks *peaks)
{
    bool is_nvidia = device->warp_size == 0 || device->warp_size == NVIDIA_WARP;

    *peaks = (struct device_peaks){.memory = (double)device->peak_bandwidth};
    if (clock <= 0)
        clock = (double)device->clock;
    if (is_nvidia && device->sms > 0 && clock > 0)
        find_flops(device, clock, peaks);
    if (device->peak_flop > 0)
        peaks->flops[PRECISION_FP32] = (double)device->peak_flop;
    if (peaks->memory <= 0 && device->memory_clock > 0 && device->memory_bus_width > 0)
        peaks->memory = (double)device->memory_clock * (double)device->memory_bus_width / 8;
    return peaks->flops[PRECISION_FP32] > 0 || peaks->memory > 0;
}

/* ---- models ---- */

/* GPUs that profiles name by what says nothing: the first row that fits. */
static const struct model {
    int32_t major, minor, warp_size;
    int64_t sms, memory; /* at least so many bytes */
    const char *pattern;
} models[] = {
    {8, 0, 32, 108, 60000000000, "A100-SXM4-80GB"},
    {8, 0, 32, 108, 0, "A100-SXM4-40GB"},
    {9, 0, 32, 132, 130000000000, "H200"},
    {9, 0, 32, 132, 0, "H100 80GB HBM3"},
    {9, 0, 64, 104, 0, "MI210"},
    {9, 0, 64, 110, 0, "MI250X"},
    {9, 4, 64, 304, 230000000000, "MI325X"},
    {9, 4, 64, 304, 0, "MI300X"},
};

const struct gpu *device_gpu(const struct device *device, struct span name, bool *is_by_parts)
{
    const struct gpu *gpu = gpu_named(name);

    *is_by_parts = gpu == NULL;
    for (size_t i = 0; !gpu && i < COUNT_OF(models); i++) {
        const struct model *m = &models[i];

        if (device->major == m->major && device->minor == m->minor && device->sms == m->sms &&
            device->warp_size == m->warp_size && device->memory >= m->memory)
            gpu = gpu_named(span_of(m->pattern));
    }
    return gpu;
}

/* ---- GPUs by name ---- */

const char *const precision_names[] = {"fp64", "fp32", "tf32", "fp16", "bf16", "fp8", "int8", NULL};

static bool contains(struct span text, struct span word)
{
    for (size_t i = 0; i + word.len <= text.len; i++)
        if (strncasecmp(text.at + i, word.at, word.len) == 0)
            return true;
    return false;
}

/* "NVIDIA L4" is not in "NVIDIA L40". */
static bool has_model(struct span name, struct span pattern)
{
    for (size_t i = 0; i + pattern.len <= name.len; i++) {
        size_t end = i + pattern.len;
        bool is_longer = end < name.len && is_digit(name.at[end]);

        if (!is_longer && strncasecmp(name.at + i, pattern.at, pattern.len) == 0)
            return true;
    }
    return false;
}

/* A GPU with less than the model's own peaks. */
static bool is_less_than_its_name(struct span name)
{
    return contains(name, SPAN("Laptop")) || contains(name, SPAN("Max-Q")) ||
           contains(name, SPAN(" MIG "));
}

const struct gpu *gpu_named(struct span name)
{
    const struct gpu *best = NULL;

    if (is_less_than_its_name(name))
        return NULL;
    for (const struct gpu *gpu = gpus; gpu->pattern; gpu++)
        if (has_model(name, span_of(gpu->pattern)) &&
            (!best || strlen(gpu->pattern) > strlen(best->pattern)))
            best = gpu;
    return best;
}

uint32_t gpus_like(struct span text, const struct gpu **found, uint32_t limit)
{
    uint32_t count = 0;

    for (const struct gpu *gpu = gpus; gpu->pattern && count < limit; gpu++)
        if (contains(span_of(gpu->pattern), text))
            found[count++] = gpu;
    return count;
}

double gpu_achievable(const struct gpu *gpu)
{
    static const struct {
        const char *pattern;
        double share;
    } measured[] = {{"A100", 271.0 / 312},  {"H100", 794.0 / 989},   {"H200", 794.0 / 989},
                    {"GH200", 794.0 / 989}, {"B200", 1745.0 / 2250}, {"MI300X", 668.0 / 1307}};

    for (size_t i = 0; i < sizeof(measured) / sizeof(*measured); i++)
        if (contains(span_of(gpu->pattern), span_of(measured[i].pattern)))
            return measured[i].share;
    return 0;
}

/* The vendors' data sheets give both ways together: half of that. */
double gpu_peer_link(const struct gpu *gpu)
{
    static const struct {
        const char *pattern;
        double gbs;
    } known[] = {{"P100-SXM2", 80},      {"V100-SXM2", 150}, {"A100-SXM4", 300},
                 {"A100-SXM-80GB", 300}, {"A800-SXM4", 200}, {"H100 80GB HBM3", 450},
                 {"H800", 200},          {"H20", 450},       {"H200", 450},
                 {"B200", 900},          {"B300", 900},      {"MI300X", 448},
                 {"MI325X", 448}};

    for (size_t i = 0; i < COUNT_OF(known); i++)
        if (has_model(span_of(gpu->pattern), span_of(known[i].pattern)))
            return known[i].gbs * 1e9;
    return 0;
}
