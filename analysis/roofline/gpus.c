/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/roofline/roofline.h"

#include <strings.h>

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
