/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/classify/training_phase.h"

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
    size_t digits = 0;

    if (!span_starts(*text, word))
        return false;
    *text = span_after(*text, word.len);
    while (digits < text->len && text->at[digits] >= '0' && text->at[digits] <= '9')
        digits++;
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
