/* SPDX-License-Identifier: Apache-2.0 */
/* step_label.h — what the label of a serving step says: its stage, requests, tokens, and sums over their lengths */
#ifndef PTK_GRAPH_CLASSIFY_STEP_LABEL_H
#define PTK_GRAPH_CLASSIFY_STEP_LABEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory/span.h"

/* Servers of language models name each pass through the model: vLLM, SGLang, ATOM and TensorRT-LLM.
 *
 *     execute_context_9(8155)_generation_37(37)      mixed, 8192 tokens
 *     step[DECODE bs=48]                             decode, 48 tokens
 *     eager_decode[bs=117/128 tok=117 d=117]         decode, 117 tokens, padded to 128
 *     [Executor] _forward_step 7: 0 ctx reqs, 4 gen reqs */

enum serving_stage {
    STAGE_PREFILL, /* prompts alone */
    STAGE_DECODE,  /* generation alone, and verification of drafts */
    STAGE_MIXED,
    STAGE_DRAFT, /* a draft model's */
    STAGE_DUMMY, /* no requests: it keeps other ranks in step */
    STAGE_OTHER, /* a mode that is none of these: step_label.mode */
    STAGE_COUNT
};

/* "prefill", "decode". */
const char *serving_stage_name(enum serving_stage stage);

/* Sums over the requests of a step: of the tokens that are computed now (queries), and of those that
 * they look at (keys). */
struct step_sums {
    int64_t queries, keys, queries_squared, query_keys;
};

/* UNKNOWN: the label does not say. */
struct step_label {
    enum serving_stage stage;
    struct span mode;             /* of STAGE_OTHER; borrowed from the name */
    int64_t prompts, generations; /* requests */
    int64_t prompt_tokens, generation_tokens;
    int64_t tokens; /* of both */
    int64_t padded; /* requests that the captured graph holds */
    bool has_sums;
    bool has_joint_sums; /* those of prompts are in those of generations */
    struct step_sums prompt, generation;
};

/* False when the name is no such label. */
bool step_label_parse(struct span name, struct step_label *label);

#endif
