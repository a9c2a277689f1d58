/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_file.c — reads GPUs' peaks of a file of "key = value", and writes the built-in table in that form */
#include "cmd/options/gpu_file.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/io/io.h"

static const struct gpu_key {
    const char *name;
    size_t field;
    double scale;
    bool is_whole; /* an int, else a double */
} keys[] = {
    {"fp64", offsetof(struct gpu, flops[PRECISION_FP64]), 1e12, false},
    {"fp32", offsetof(struct gpu, flops[PRECISION_FP32]), 1e12, false},
    {"tf32", offsetof(struct gpu, flops[PRECISION_TF32]), 1e12, false},
    {"fp16", offsetof(struct gpu, flops[PRECISION_FP16]), 1e12, false},
    {"bf16", offsetof(struct gpu, flops[PRECISION_BF16]), 1e12, false},
    {"fp8", offsetof(struct gpu, flops[PRECISION_FP8]), 1e12, false},
    {"int8", offsetof(struct gpu, flops[PRECISION_INT8]), 1e12, false},
    {"memory", offsetof(struct gpu, memory), 1e9, false},
    {"link", offsetof(struct gpu, link), 1e9, false},
    {"cache", offsetof(struct gpu, last_cache), 1048576, false},
    {"units", offsetof(struct gpu, units), 1, true},
};

static double figure_of(const struct gpu *gpu, const struct gpu_key *key)
{
    const char *at = (const char *)gpu + key->field;

    return key->is_whole ? *(const int *)at : *(const double *)at / key->scale;
}

void gpu_table_write(FILE *out)
{
    fputs("# TFLOP/s, dense; memory and link in GB/s, the link one way; cache in MiB\n", out);
    for (const struct gpu *gpu = gpus; gpu->pattern; gpu++) {
        fprintf(out, "\n[%s]\n", gpu->pattern);
        for (size_t i = 0; i < COUNT_OF(keys); i++)
            if (figure_of(gpu, &keys[i]) > 0)
                fprintf(out, "%s = %.6g\n", keys[i].name, figure_of(gpu, &keys[i]));
    }
}

/* A figure above 0; "1e3" is one. */
static bool read_figure(struct span text, double *figure)
{
    char copy[64], *end;

    if (!text.len || text.len >= sizeof(copy))
        return false;
    memcpy(copy, text.at, text.len);
    copy[text.len] = '\0';
    *figure = strtod(copy, &end);
    return !*end && isfinite(*figure) && *figure >= 0 && *figure < 1e9;
}

static bool take_line(struct span line, struct gpu *gpu)
{
    struct span name = span_trim(span_split(&line, '='));
    double figure;

    for (size_t i = 0; i < COUNT_OF(keys); i++) {
        char *at = (char *)gpu + keys[i].field;

        if (!span_is_word(name, keys[i].name))
            continue;
        if (!read_figure(span_trim(line), &figure) || (keys[i].is_whole && figure > 1e6))
            return false;
        if (keys[i].is_whole)
            *(int *)at = (int)figure;
        else
            *(double *)at = figure * keys[i].scale;
        return true;
    }
    return false;
}

static bool is_asked(const char *name, const char *asked)
{
    size_t len = strlen(asked);

    for (const char *at = name; *at; at++)
        if (strncasecmp(at, asked, len) == 0)
            return true;
    return false;
}

/* "[NAME]", whose name may be in quotes. */
static bool take_name(struct span line, struct span *name)
{
    if (line.len < 3 || line.at[0] != '[' || line.at[line.len - 1] != ']')
        return false;
    *name = span_trim((struct span){line.at + 1, line.len - 2});
    if (name->len > 1 && name->at[0] == '"' && name->at[name->len - 1] == '"')
        *name = (struct span){name->at + 1, name->len - 2};
    return name->len > 0;
}

static const struct gpu *find_in(struct input *in, const char *asked, struct arena *arena,
                                 struct error *err)
{
    struct gpu *found = NULL;
    struct gpu at = {.pattern = "GPU", .source = "file"};
    struct span line, name;
    uint32_t number = 0;
    bool has_figures = false, is_new = true;

    while ((is_new = input_line(in, &line)) || has_figures) {
        struct span text = is_new ? span_trim(span_split(&line, '#')) : (struct span){NULL, 0};

        number++;
        if (is_new && !text.len)
            continue;
        if (!is_new || take_name(text, &name)) {
            if (has_figures && !found && (!asked || is_asked(at.pattern, asked))) {
                found = arena_alloc(arena, sizeof(*found));
                *found = at;
            }
            has_figures = false;
            if (!is_new)
                break;
            at = (struct gpu){.pattern = arena_copy(arena, name), .source = "file"};
        } else if (take_line(text, &at)) {
            has_figures = true;
        } else {
            error_set(err, ERROR_INPUT, "line %u is no \"key = value\" of a GPU", number);
            error_hint(err, "keys are fp64, fp32, tf32, fp16, bf16, fp8, int8 (TFLOP/s), memory, "
                            "link (GB/s), cache (MiB) and units: ptk roofline --gpus shows the "
                            "built-in table");
            return NULL;
        }
    }
    in->unended.is_set = false;
    if (!found)
        error_set(err, ERROR_USAGE, asked ? "it has no GPU named '%.60s'" : "it has no GPU%.0s",
                  asked ? asked : "");
    return found;
}

const struct gpu *gpu_file_read(const char *path, const char *asked, struct arena *arena,
                                struct error *err)
{
    const struct gpu *gpu = NULL;
    struct input in;

    if (input_open(&in, path, &(struct input_options){.max_size = 1 << 20}, err)) {
        gpu = find_in(&in, asked, arena, err);
        input_close(&in);
    }
    if (!gpu)
        error_file(err, path);
    return gpu;
}
