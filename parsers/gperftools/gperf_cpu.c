/* SPDX-License-Identifier: Apache-2.0 */
/* gperf_cpu.c — the CPU profile of gperftools: native words, then the list of mappings
 *
 * Header: 0, how many more, 0 (1: Java), the period in µs, 0. A record: a count, a depth, as many
 * addresses. The last one: 0, 1, 0. Every address but the leaf's is that of a return. */
#include "base/checked.h"
#include "parsers/gperftools/gperftools.h"
#include "parsers/text/text_end.h"

enum { HEADER_WORDS = 5, NS_PER_US = 1000 };

struct words {
    struct input *in;
    struct word_form form;
};

static uint64_t word_at(const char *at, struct word_form form)
{
    uint64_t word = 0;

    for (unsigned i = 0; i < form.size; i++) {
        unsigned place = form.is_big_endian ? i : form.size - 1 - i;

        word = word << 8 | (unsigned char)at[place];
    }
    return word;
}

struct word_form cpu_form(struct span head)
{
    static const struct word_form forms[] = {{8, false}, {8, true}, {4, false}, {4, true}};

    for (size_t f = 0; f < COUNT_OF(forms); f++) {
        uint64_t word[HEADER_WORDS];

        if (head.len < (size_t)HEADER_WORDS * forms[f].size)
            continue;
        for (size_t i = 0; i < HEADER_WORDS; i++)
            word[i] = word_at(head.at + i * forms[f].size, forms[f]);
        if (word[0] == 0 && word[1] >= 3 && word[1] < 1024 && word[2] <= 1 && word[3] > 0 &&
            word[3] < INT64_MAX / NS_PER_US && word[4] == 0)
            return forms[f];
    }
    return (struct word_form){0};
}

static bool next_word(struct words *words, uint64_t *word, struct error *err)
{
    if (!input_has(words->in, words->form.size))
        return error_set_at(err, input_offset(words->in), 0, "a record is cut");
    *word = word_at(words->in->at, words->form);
    input_skip(words->in, words->form.size);
    return true;
}

static bool read_header(struct words *words, int64_t *period, bool *is_java, struct error *err)
{
    uint64_t word[HEADER_WORDS], extra;

    for (size_t i = 0; i < HEADER_WORDS; i++)
        if (!next_word(words, &word[i], err))
            return false;
    for (uint64_t i = 3; i < word[1]; i++)
        if (!next_word(words, &extra, err))
            return false;
    *is_java = word[2] == 1;
    *period = (int64_t)word[3] * NS_PER_US;
    return true;
}

static bool read_records(struct legacy *legacy, struct words *words, int64_t period, bool is_exact,
                         struct error *err)
{
    while (input_has(words->in, words->form.size)) {
        uint64_t offset = input_offset(words->in), count, depth, address;
        int64_t values[STACK_VALUES_MAX] = {0};

        if (!next_word(words, &count, err) || !next_word(words, &depth, err))
            return false;
        if (count == 0 && depth == 1 && input_has(words->in, words->form.size) &&
            word_at(words->in->at, words->form) == 0) {
            input_skip(words->in, words->form.size);
            return true;
        }
        if (count > INT64_MAX)
            return error_set_at(err, offset, 0, "a record with an impossible count");
        values[0] = (int64_t)count;
        if (__builtin_mul_overflow(values[0], period, &values[1]))
            values[1] = INT64_MAX;
        stacks_begin_row(&legacy->stacks, values);
        for (uint64_t i = 0; i < depth; i++) {
            if (!next_word(words, &address, err))
                return false;
            stacks_push(&legacy->stacks, i && address && !is_exact ? address - 1 : address);
        }
    }
    if (!legacy->has_caller_places) /* pprof --raw leaves the last one out */
        text_ends_within(legacy->builder, "the records");
    return true;
}

bool cpu_parse(struct legacy *legacy, struct error *err)
{
    struct words words = {legacy->in, cpu_form(input_peek(legacy->in, HEADER_WORDS * 8))};
    struct span line;
    int64_t period;
    bool is_java, is_exact;

    legacy->values[0] = (struct value_name){SPAN("samples"), UNIT_COUNT};
    legacy->values[1] = (struct value_name){SPAN("cpu"), UNIT_NS};
    legacy->value_count = 2;
    if (!read_header(&words, &period, &is_java, err))
        return false;
    is_exact = is_java || legacy->has_caller_places;
    if (!read_records(legacy, &words, period, is_exact, err))
        return false;
    if (!is_exact)
        stacks_drop_handlers(&legacy->stacks);
    if (legacy->has_caller_places && period == NS_PER_US)
        legacy->value_count = 1; /* what --raw makes of a profile of anything */
    else
        builder_known_fact(legacy->builder, FACT_PERIOD, period, UNIT_NS);
    while (is_java && input_line(legacy->in, &line))
        java_symbol(legacy, line);
    return true;
}
