/* SPDX-License-Identifier: Apache-2.0 */
/* step_label.c — the grammars of serving steps' labels: vLLM's, SGLang's, ATOM's and TensorRT-LLM's */
#include "graph/classify/step_label.h"

#include <stddef.h>

#include "base/checked.h"
#include "graph/model/graph.h"

const char *serving_stage_name(enum serving_stage stage)
{
    static const char *const names[STAGE_COUNT] = {
        [STAGE_PREFILL] = "prefill", [STAGE_DECODE] = "decode", [STAGE_MIXED] = "mixed",
        [STAGE_DRAFT] = "draft",     [STAGE_DUMMY] = "dummy",   [STAGE_OTHER] = "other"};

    return names[stage];
}

static bool take_number(struct span *rest, int64_t *number)
{
    size_t digits = span_digits(*rest);
    bool ok = span_to_i64((struct span){rest->at, digits}, number);

    *rest = span_after(*rest, digits);
    return ok;
}

static bool take_text(struct span *rest, struct span text)
{
    if (!span_starts(*rest, text))
        return false;
    *rest = span_after(*rest, text.len);
    return true;
}

/* ---- labels whose figures stand in fixed places ---- */

/* Where a letter of a pattern puts its number. */
static const struct {
    char letter;
    size_t field;
} places[] = {
    {'R', offsetof(struct step_label, prompts)},
    {'A', offsetof(struct step_label, prompt.queries)},
    {'K', offsetof(struct step_label, prompt.keys)},
    {'Q', offsetof(struct step_label, prompt.queries_squared)},
    {'X', offsetof(struct step_label, prompt.query_keys)},
    {'r', offsetof(struct step_label, generations)},
    {'a', offsetof(struct step_label, generation.queries)},
    {'k', offsetof(struct step_label, generation.keys)},
    {'q', offsetof(struct step_label, generation.queries_squared)},
    {'x', offsetof(struct step_label, generation.query_keys)},
};

/* "%R" is a number for a place, "%N" one that says nothing new. */
static const struct {
    const char *text;
    bool has_prompt_tokens, has_generation_tokens, has_sums, may_go_on;
} patterns[] = {
    {"execute_%N_context_%R(sq%Ask%Ksqsq%Qsqsk%X)_generation_%r(sq%ask%ksqsq%qsqsk%x)", true, true,
     true, false},
    {"execute_context_%R(%A)_generation_%r(%a)", true, true, false, false},
    {"[Executor] _forward_step %N: %R ctx reqs, %A ctx tokens, %r gen reqs", true, false, false,
     true},
    {"[Executor] _forward_step %N: %R ctx reqs, %r gen reqs", false, false, false, true},
    {"[Executor] _forward_step: %R ctx reqs, %r gen reqs", false, false, false, true},
};

static void set_place(struct step_label *label, char letter, int64_t number)
{
    for (size_t i = 0; i < COUNT_OF(places); i++)
        if (places[i].letter == letter)
            *(int64_t *)((char *)label + places[i].field) = number;
}

static bool take_pattern(struct span rest, const char *pattern, bool may_go_on,
                         struct step_label *label)
{
    for (const char *at = pattern; *at; at++) {
        int64_t number;

        if (*at != '%') {
            if (!rest.len || rest.at[0] != *at)
                return false;
            rest = span_after(rest, 1);
            continue;
        }
        if (!take_number(&rest, &number))
            return false;
        set_place(label, *++at, number);
    }
    return !rest.len || may_go_on;
}

static enum serving_stage stage_of(int64_t prompts, int64_t generations)
{
    if (prompts > 0)
        return generations > 0 ? STAGE_MIXED : STAGE_PREFILL;
    return generations > 0 ? STAGE_DECODE : STAGE_DUMMY;
}

static bool parse_fixed(struct span name, struct step_label *label)
{
    for (size_t i = 0; i < COUNT_OF(patterns); i++) {
        struct step_label at = {0};

        if (!take_pattern(name, patterns[i].text, patterns[i].may_go_on, &at))
            continue;
        at.prompt_tokens =
            patterns[i].has_prompt_tokens || at.prompts == 0 ? at.prompt.queries : UNKNOWN;
        at.generation_tokens =
            patterns[i].has_generation_tokens ? at.generation.queries : at.generations;
        at.tokens = sum_known(at.prompt_tokens, at.generation_tokens);
        at.padded = UNKNOWN;
        at.has_sums = patterns[i].has_sums;
        at.stage = stage_of(at.prompts, at.generations);
        *label = at;
        return true;
    }
    return false;
}

/* ---- labels of keys and values in brackets ---- */

/* The number of "key=123" among words; `otherwise` where there is none. */
static int64_t value_of(struct span words, struct span key, int64_t otherwise)
{
    struct span rest = words, word;
    int64_t number;

    while ((word = span_word(&rest)).len)
        if (take_text(&word, key) && take_text(&word, SPAN("=")) && take_number(&word, &number))
            return number;
    return otherwise;
}

static void take_sums(struct span words, const char *prefix, struct step_sums *sums)
{
    static const struct {
        const char *key;
        size_t field;
    } keys[] = {{"sq", offsetof(struct step_sums, queries)},
                {"sk", offsetof(struct step_sums, keys)},
                {"sqsq", offsetof(struct step_sums, queries_squared)},
                {"sqsk", offsetof(struct step_sums, query_keys)}};
    struct span rest = words, word;

    while ((word = span_word(&rest)).len)
        for (size_t i = 0; i < COUNT_OF(keys); i++) {
            struct span at = word;

            if (take_text(&at, span_of(prefix)) && take_text(&at, span_of(keys[i].key)) &&
                take_text(&at, SPAN("=")))
                (void)take_number(&at, (int64_t *)((char *)sums + keys[i].field));
        }
}

/* What SGLang calls its steps. */
static const struct mode {
    const char *name;
    enum serving_stage stage;
    bool is_verification; /* generation, whose sums stand as those of prompts */
} modes[] = {
    {"EXTEND", STAGE_PREFILL, false},        {"SPLIT_PREFILL", STAGE_PREFILL, false},
    {"MIXED", STAGE_MIXED, false},           {"DECODE", STAGE_DECODE, false},
    {"TARGET_VERIFY", STAGE_DECODE, true},   {"IDLE", STAGE_DUMMY, false},
    {"DRAFT_EXTEND", STAGE_DRAFT, false},    {"DRAFT_EXTEND_V2", STAGE_DRAFT, false},
    {"DRAFT_DECODE", STAGE_DRAFT, false},    {NULL, STAGE_OTHER, false},
};

/* In capitals. */
static bool is_mode(struct span name)
{
    for (size_t i = 0; i < name.len; i++)
        if (!is_digit(name.at[i]) && name.at[i] != '_' && !(name.at[i] >= 'A' && name.at[i] <= 'Z'))
            return false;
    return name.len > 0 && !is_digit(name.at[0]);
}

static void set_prefill(struct step_label *label, int64_t requests, int64_t tokens)
{
    label->prompts = requests;
    label->prompt_tokens = label->tokens = tokens;
    label->generations = label->generation_tokens = 0;
}

static void set_decode(struct step_label *label, int64_t requests, int64_t tokens)
{
    label->generations = requests;
    label->generation_tokens = label->tokens = tokens;
    label->prompts = label->prompt_tokens = 0;
}

/* "DECODE bs=48 g_sq=48 g_sk=912" */
static bool parse_modes(struct span words, struct step_label *label)
{
    struct span rest = words, name = span_word(&rest);
    const struct mode *mode = &LOOKUP(modes, name);
    int64_t requests = value_of(words, SPAN("bs"), UNKNOWN);
    int64_t tokens = value_of(words, SPAN("toks"), UNKNOWN);
    bool has_queries;

    if (!is_mode(name))
        return false;
    label->stage = mode->stage;
    label->mode = name;
    label->has_sums = value_of(words, SPAN("c_sqsk"), UNKNOWN) != UNKNOWN ||
                      value_of(words, SPAN("g_sqsk"), UNKNOWN) != UNKNOWN;
    has_queries = value_of(words, SPAN("c_sq"), UNKNOWN) != UNKNOWN ||
                  value_of(words, SPAN("g_sq"), UNKNOWN) != UNKNOWN;
    take_sums(words, "c_", mode->is_verification ? &label->generation : &label->prompt);
    take_sums(words, "g_", &label->generation);
    label->tokens = tokens;
    if (has_queries)
        label->tokens = checked_add(label->prompt.queries, label->generation.queries);
    if (mode->stage == STAGE_PREFILL) {
        set_prefill(label, requests, label->tokens);
    } else if (mode->stage == STAGE_DECODE) {
        set_decode(label, requests,
                   label->tokens != UNKNOWN ? label->tokens
                   : mode->is_verification              ? UNKNOWN
                                                        : requests);
    } else if (mode->stage == STAGE_DUMMY) {
        set_prefill(label, 0, 0);
    } else if (mode->stage == STAGE_MIXED) {
        label->prompts = value_of(words, SPAN("c"), UNKNOWN);
        label->generations = value_of(words, SPAN("g"), UNKNOWN);
        label->prompt_tokens = has_queries ? label->prompt.queries : UNKNOWN;
        label->generation_tokens = has_queries ? label->generation.queries : UNKNOWN;
    }
    return true;
}

/* "bs=117/128 tok=117 p=0 d=117 sqsq=117": requests, and what the graph holds. */
static void parse_batch(struct span words, bool is_prefill, struct step_label *label)
{
    int64_t requests = value_of(words, SPAN("bs"), UNKNOWN);
    int64_t tokens = value_of(words, SPAN("tok"), UNKNOWN);
    int64_t prompts = value_of(words, SPAN("p"), 0);
    struct step_sums *sums = is_prefill ? &label->prompt : &label->generation;
    size_t slash = span_find(words, SPAN("/"));

    if (slash != SIZE_MAX) {
        struct span after = span_after(words, slash + 1);

        (void)take_number(&after, &label->padded);
    }
    label->has_sums = value_of(words, SPAN("sqsk"), UNKNOWN) != UNKNOWN;
    take_sums(words, "", sums);
    sums->queries = tokens == UNKNOWN ? 0 : tokens;
    label->stage = is_prefill ? STAGE_PREFILL : STAGE_DECODE;
    if (is_prefill) {
        set_prefill(label, requests, tokens);
    } else {
        set_decode(label, requests, tokens);
        if (prompts > 0) {
            label->stage = STAGE_MIXED;
            label->has_joint_sums = true;
            label->prompts = prompts;
            label->generations = value_of(words, SPAN("d"), UNKNOWN);
            label->prompt_tokens = label->generation_tokens = UNKNOWN;
        }
    }
}

/* "draft[1/3 bs=8]": of no requests of its own. */
static void parse_draft(struct span words, struct step_label *label)
{
    label->stage = STAGE_DRAFT;
    label->tokens = value_of(words, SPAN("T"), UNKNOWN);
}

static const struct {
    const char *prefix;
    bool is_of_modes, is_prefill, is_draft;
} keyed[] = {
    {"step[", true, false, false},   {"prefill[", false, true, false},
    {"decode[", false, false, false}, {"draft[", false, false, true},
    {"dspark[", false, false, true},
};

static bool parse_keyed(struct span name, struct step_label *label)
{
    bool is_dummy = take_text(&name, SPAN("dummy_"));

    (void)take_text(&name, SPAN("eager_"));
    if (!span_ends(name, SPAN("]")))
        return false;
    name.len--;
    *label = (struct step_label){.prompts = UNKNOWN,
                                 .generations = UNKNOWN,
                                 .prompt_tokens = UNKNOWN,
                                 .generation_tokens = UNKNOWN,
                                 .tokens = UNKNOWN,
                                 .padded = UNKNOWN};
    for (size_t i = 0; i < COUNT_OF(keyed); i++) {
        struct span words = name;

        if (!take_text(&words, span_of(keyed[i].prefix)))
            continue;
        if (span_find(words, SPAN("=")) == SIZE_MAX)
            return false;
        if (keyed[i].is_of_modes)
            return parse_modes(words, label);
        if (keyed[i].is_draft)
            parse_draft(words, label);
        else
            parse_batch(words, keyed[i].is_prefill, label);
        if (is_dummy)
            label->stage = STAGE_DUMMY;
        return true;
    }
    return false;
}

bool step_label_parse(struct span name, struct step_label *label)
{
    return parse_fixed(name, label) || parse_keyed(name, label);
}
