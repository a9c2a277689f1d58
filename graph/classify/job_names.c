/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/classify/job_names.h"

#include <stdbool.h>
#include <stddef.h>

#include "base/checked.h"

/* ---- the operations of traces that tell a training job's phases, not its kernels ---- */

static const struct {
    struct span name, label;
} phases[PHASE_COUNT] = {
    [PHASE_FORWARD] = {LITERAL("forward-compute"), LITERAL("forward-compute")},
    [PHASE_BACKWARD] = {LITERAL("backward-compute"), LITERAL("backward-compute")},
    [PHASE_FORWARD_SEND] = {LITERAL("forward-send"), LITERAL("forward-pp-comm")},
    [PHASE_FORWARD_RECV] = {LITERAL("forward-recv"), LITERAL("forward-pp-comm")},
    [PHASE_BACKWARD_SEND] = {LITERAL("backward-send"), LITERAL("backward-pp-comm")},
    [PHASE_BACKWARD_RECV] = {LITERAL("backward-recv"), LITERAL("backward-pp-comm")},
    [PHASE_GATHER] = {LITERAL("params-all-gather"), LITERAL("params-all-gather")},
    [PHASE_SCATTER] = {LITERAL("grads-reduce-scatter"), LITERAL("grads-reduce-scatter")},
    [PHASE_SEPARATE] = {LITERAL("separate-grads-all-reduce"), LITERAL("separate-grads-all-reduce")},
    [PHASE_EMBEDDING] = {LITERAL("embedding-grads-all-reduce"),
                         LITERAL("embedding-grads-all-reduce")},
    [PHASE_LAYERNORM] = {LITERAL("layernorm-grads-all-reduce"),
                         LITERAL("layernorm-grads-all-reduce")},
    [PHASE_CLIP] = {LITERAL("optimizer-clip-main-grad"), LITERAL("optimizer-clip-main-grad")},
    [PHASE_COLLECT_GARBAGE] = {LITERAL("gc"), LITERAL("gc")},
    [PHASE_OPTIMIZER] = {LITERAL("optimizer"), LITERAL("optimizer")},
};

enum training_phase training_phase_of(struct span name)
{
    enum training_phase phase = 0;

    while (phase < PHASE_COUNT && !span_eq(name, phases[phase].name))
        phase++;
    return phase;
}

struct span training_phase_name(enum training_phase phase)
{
    return phases[phase].name;
}

struct span training_phase_label(enum training_phase phase)
{
    return phases[phase].label;
}

/* The number after `word`, which is taken off the front together with it. */
static bool take_number(struct span *text, struct span word, uint32_t *number)
{
    uint64_t value;
    size_t digits;

    if (!span_starts(*text, word))
        return false;
    *text = span_after(*text, word.len);
    digits = span_digits(*text);
    if (!span_to_u64((struct span){text->at, digits}, &value) || value > UINT16_MAX)
        return false;
    *text = span_after(*text, digits);
    *number = (uint32_t)value;
    return true;
}

bool training_phase_thread(struct span name, uint32_t *stage, uint32_t *tensor)
{
    return take_number(&name, SPAN("PP rank "), stage) &&
           take_number(&name, SPAN(", TP rank "), tensor);
}

/* ---- along which dimension of a job the ranks of a process group differ ---- */

static const struct {
    struct span word;
    enum parallel_dimension dimension;
} beginnings[] =
    {
        {LITERAL("TENSOR_MODEL_PARALLEL"), DIMENSION_TENSOR},
        {LITERAL("TENSOR_PARALLEL"), DIMENSION_TENSOR},
        {LITERAL("PIPELINE_MODEL_PARALLEL"), DIMENSION_PIPELINE},
        {LITERAL("PIPELINE_PARALLEL"), DIMENSION_PIPELINE},
        {LITERAL("DATA_PARALLEL"), DIMENSION_DATA},
},
  shorts[] = {
      {LITERAL("tp"), DIMENSION_TENSOR},   {LITERAL("mp"), DIMENSION_TENSOR},
      {LITERAL("pp"), DIMENSION_PIPELINE}, {LITERAL("dp"), DIMENSION_DATA},
      {LITERAL("fsdp"), DIMENSION_DATA},   {LITERAL("ddp"), DIMENSION_DATA},
};

enum parallel_dimension parallel_dimension_of(struct span use)
{
    size_t underscore = span_rfind(use, '_');

    /* groups of two dimensions at once, such as DATA_PARALLEL_GROUP_WITH_CP, are of none */
    for (size_t i = 0; i < COUNT_OF(beginnings); i++) {
        struct span rest = span_after(use, beginnings[i].word.len);

        if (span_starts(use, beginnings[i].word) &&
            (rest.len == 0 || span_eq(rest, SPAN("_GROUP")) || span_eq(rest, SPAN("_GROUP_GLOO"))))
            return beginnings[i].dimension;
    }
    if (underscore != SIZE_MAX && span_starts(use, SPAN("mesh_")))
        use = span_after(use, underscore + 1);
    for (size_t i = 0; i < COUNT_OF(shorts); i++)
        if (span_eq(use, shorts[i].word))
            return shorts[i].dimension;
    return DIMENSION_NONE;
}
