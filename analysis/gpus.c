#include "analysis/gpus.h"

#include <strings.h>

const char *const precision_names[] = {"fp64", "fp32", "tf32", "fp16", "bf16", "fp8", NULL};

static bool contains(struct span text, const char *word)
{
    size_t len = strlen(word);

    for (size_t i = 0; i + len <= text.len; i++)
        if (strncasecmp(text.at + i, word, len) == 0)
            return true;
    return false;
}

const struct gpu *gpu_named(struct span name)
{
    const struct gpu *best = NULL;

    for (const struct gpu *gpu = gpus; gpu->pattern; gpu++)
        if (contains(name, gpu->pattern) && (!best || strlen(gpu->pattern) > strlen(best->pattern)))
            best = gpu;
    return best;
}
