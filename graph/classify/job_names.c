/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/classify/job_names.h"

#include <stdbool.h>
#include <stddef.h>

#include "base/checked.h"

/* ---- the operations of traces that tell a training job's phases, not its kernels ---- */

static const struct {
    struct span name, label;
} phases[PHASE_COUNT] = {
    [PHASE_FORWARD] = {{"forward-compute", 15}, {"forward-compute", 15}},
    [PHASE_BACKWARD] = {{"backward-compute", 16}, {"backward-compute", 16}},
    [PHASE_FORWARD_SEND] = {{"forward-send", 12}, {"forward-pp-comm", 15}},
    [PHASE_FORWARD_RECV] = {{"forward-recv", 12}, {"forward-pp-comm", 15}},
    [PHASE_BACKWARD_SEND] = {{"backward-send", 13}, {"backward-pp-comm", 16}},
    [PHASE_BACKWARD_RECV] = {{"backward-recv", 13}, {"backward-pp-comm", 16}},
    [PHASE_GATHER] = {{"params-all-gather", 17}, {"params-all-gather", 17}},
    [PHASE_SCATTER] = {{"grads-reduce-scatter", 20}, {"grads-reduce-scatter", 20}},
    [PHASE_SEPARATE] = {{"separate-grads-all-reduce", 25}, {"separate-grads-all-reduce", 25}},
    [PHASE_EMBEDDING] = {{"embedding-grads-all-reduce", 26}, {"embedding-grads-all-reduce", 26}},
    [PHASE_LAYERNORM] = {{"layernorm-grads-all-reduce", 26}, {"layernorm-grads-all-reduce", 26}},
    [PHASE_CLIP] = {{"optimizer-clip-main-grad", 24}, {"optimizer-clip-main-grad", 24}},
    [PHASE_COLLECT_GARBAGE] = {{"gc", 2}, {"gc", 2}},
    [PHASE_OPTIMIZER] = {{"optimizer", 9}, {"optimizer", 9}},
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
        {{"TENSOR_MODEL_PARALLEL", 21}, DIMENSION_TENSOR},
        {{"TENSOR_PARALLEL", 15}, DIMENSION_TENSOR},
        {{"PIPELINE_MODEL_PARALLEL", 23}, DIMENSION_PIPELINE},
        {{"PIPELINE_PARALLEL", 17}, DIMENSION_PIPELINE},
        {{"DATA_PARALLEL", 13}, DIMENSION_DATA},
},
  shorts[] = {
      {{"tp", 2}, DIMENSION_TENSOR}, {{"mp", 2}, DIMENSION_TENSOR}, {{"pp", 2}, DIMENSION_PIPELINE},
      {{"dp", 2}, DIMENSION_DATA},   {{"fsdp", 4}, DIMENSION_DATA}, {{"ddp", 3}, DIMENSION_DATA},
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
