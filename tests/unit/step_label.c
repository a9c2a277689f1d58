/* SPDX-License-Identifier: Apache-2.0 */
/* step_label.c — what the labels of serving steps say */
#include <criterion/criterion.h>

#include "base/checked.h"
#include "graph/classify/step_label.h"
#include "graph/model/graph.h"

#define NO UNKNOWN

Test(step_label, says_stage_requests_and_tokens)
{
    static const struct {
        const char *text;
        enum serving_stage stage;
        int64_t prompts, generations, prompt_tokens, generation_tokens, tokens, padded;
        bool has_sums;
    } cases[] = {
        {"execute_context_9(8155)_generation_37(37)", STAGE_MIXED, 9, 37, 8155, 37, 8192, NO, false},
        {"execute_context_0(0)_generation_0(0)", STAGE_DUMMY, 0, 0, 0, 0, 0, NO, false},
        {"execute_4_context_0(sq0sk0sqsq0sqsk0)_generation_4(sq4sk40sqsq4sqsk40)", STAGE_DECODE, 0,
         4, 0, 4, 4, NO, true},
        {"step[DECODE bs=48]", STAGE_DECODE, 0, 48, 0, 48, 48, NO, false},
        {"step[EXTEND bs=2 toks=300]", STAGE_PREFILL, 2, 0, 300, 0, 300, NO, false},
        {"step[MIXED bs=9]", STAGE_MIXED, NO, NO, NO, NO, NO, NO, false},
        {"step[MIXED bs=3 toks=12 c_sq=10 c_sk=10 c_sqsq=100 c_sqsk=100 g_sq=2 g_sk=9 g_sqsq=2 "
         "g_sqsk=9 c=1 g=2]",
         STAGE_MIXED, 1, 2, 10, 2, 12, NO, true},
        {"step[TARGET_VERIFY bs=4]", STAGE_DECODE, 0, 4, 0, NO, NO, NO, false},
        {"step[TARGET_VERIFY bs=4 c_sq=16 c_sk=90 c_sqsq=64 c_sqsk=360]", STAGE_DECODE, 0, 4, 0, 16,
         16, NO, true},
        {"step[IDLE bs=0]", STAGE_DUMMY, 0, 0, 0, 0, 0, NO, false},
        {"step[DRAFT_EXTEND bs=4]", STAGE_DRAFT, NO, NO, NO, NO, NO, NO, false},
        {"step[DLLM_EXTEND bs=4]", STAGE_OTHER, NO, NO, NO, NO, NO, NO, false},
        {"prefill[bs=2 tok=512 ctx=[100, 412]]", STAGE_PREFILL, 2, 0, 512, 0, 512, NO, false},
        {"eager_decode[bs=117/128 tok=117 p=0 d=117]", STAGE_DECODE, 0, 117, 0, 117, 117, 128,
         false},
        {"decode[bs=5 tok=20 p=1 d=4]", STAGE_MIXED, 1, 4, NO, NO, 20, NO, false},
        {"dummy_eager_decode[bs=1 tok=1 d=1]", STAGE_DUMMY, 0, 1, 0, 1, 1, NO, false},
        {"[Executor] _forward_step 7: 2 ctx reqs, 4 gen reqs", STAGE_MIXED, 2, 4, NO, 4, NO, NO,
         false},
        {"[Executor] _forward_step: 0 ctx reqs, 4 gen reqs", STAGE_DECODE, 0, 4, 0, 4, 4, NO,
         false},
        {"[Executor] _forward_step 7: 2 ctx reqs, 90 ctx tokens, 0 gen reqs", STAGE_PREFILL, 2, 0,
         90, 0, 90, NO, false},
        {"draft[1/3 bs=8]", STAGE_DRAFT, NO, NO, NO, NO, NO, NO, false},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct step_label label;

        cr_assert(step_label_parse(span_of(cases[i].text), &label), "%s", cases[i].text);
        cr_expect_eq(label.stage, cases[i].stage, "%s", cases[i].text);
        cr_expect_eq(label.prompts, cases[i].prompts, "%s", cases[i].text);
        cr_expect_eq(label.generations, cases[i].generations, "%s", cases[i].text);
        cr_expect_eq(label.prompt_tokens, cases[i].prompt_tokens, "%s", cases[i].text);
        cr_expect_eq(label.generation_tokens, cases[i].generation_tokens, "%s", cases[i].text);
        cr_expect_eq(label.tokens, cases[i].tokens, "%s", cases[i].text);
        cr_expect_eq(label.padded, cases[i].padded, "%s", cases[i].text);
        cr_expect_eq(label.has_sums, cases[i].has_sums, "%s", cases[i].text);
    }
}

Test(step_label, other_ranges_are_none)
{
    static const char *const names[] = {
        "",
        "ProfilerStep#7",
        "step[3]",
        "step[",
        "prefill[]",
        "execute_context_2(100)_generation_",
        "execute_context_99999999999999999999(1)_generation_1(1)",
        "schedule: allocate_slots",
        "gpu_model_runner: forward",
        "capture_8_decode",
        "[Executor] _schedule",
    };

    for (size_t i = 0; i < COUNT_OF(names); i++) {
        struct step_label label;

        cr_expect_not(step_label_parse(span_of(names[i]), &label), "%s", names[i]);
    }
}
