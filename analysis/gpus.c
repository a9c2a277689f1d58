#include "analysis/gpus.h"

#include <strings.h>

const char *const precision_names[] = {"fp64", "fp32", "tf32", "fp16", "bf16", "fp8", NULL};

static bool contains(struct span text, struct span word)
{
    for (size_t i = 0; i + word.len <= text.len; i++)
        if (strncasecmp(text.at + i, word.at, word.len) == 0)
            return true;
    return false;
}

const struct gpu *gpu_named(struct span name)
{
    const struct gpu *best = NULL;

    for (const struct gpu *gpu = gpus; gpu->pattern; gpu++)
        if (contains(name, span_of(gpu->pattern)) &&
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
