/* SPDX-License-Identifier: Apache-2.0 */
/* perf_script_lines.c — the first line of a sample, which has the columns that its user wanted, and the lines of its stack */
#include "parsers/perf/perf_script.h"

#include <ctype.h>
#include <string.h>

#include "base/checked.h"
#include "graph/model/graph.h"

enum { TOKENS_MAX = 64 };

#define RECORD "PERF_RECORD_"

/* ---- the first line of a sample ---- */

/* "1234.567890:" */
static bool is_time(struct span token)
{
    struct span seconds = span_split(&token, '.');

    return span_is_digits(seconds) && span_ends(token, SPAN(":")) &&
           span_is_digits((struct span){token.at, token.len - 1});
}

int64_t perf_time_ns(struct span token)
{
    int64_t seconds;
    struct span whole = span_split(&token, '.');
    int64_t ns = 0;

    token.len--;
    for (size_t i = 0; i < 9; i++)
        ns = ns * 10 + (i < token.len ? token.at[i] - '0' : 0);
    return span_to_i64(whole, &seconds) ? checked_add(checked_mul(seconds, 1000000000), ns) : UNKNOWN;
}

/* "[003]" */
static bool is_cpu(struct span token)
{
    return token.len > 2 && token.at[0] == '[' && span_ends(token, SPAN("]")) &&
           span_is_digits((struct span){token.at + 1, token.len - 2});
}

bool perf_is_thread(struct span token)
{
    struct span process = span_split(&token, '/');

    return (span_is_digits(process) || span_eq(process, SPAN("-1"))) &&
           (token.len == 0 || span_is_digits(token));
}

struct tokens {
    struct span list[TOKENS_MAX];
    size_t count;
};

static void split_tokens(struct span line, struct tokens *tokens)
{
    tokens->count = 0;
    while (tokens->count < TOKENS_MAX && (tokens->list[tokens->count] = span_word(&line)).len)
        tokens->count++;
}

static struct span until(struct span line, struct span token)
{
    return span_trim((struct span){line.at, (size_t)(token.at - line.at)});
}

/* The period and the event, from a token on. */
static void read_event(struct span line, const struct tokens *tokens, size_t at,
                       struct perf_header *header)
{
    if (at + 1 < tokens->count && span_to_i64(tokens->list[at], &header->period))
        at++;
    if (at < tokens->count && span_ends(tokens->list[at], SPAN(":"))) {
        header->event = tokens->list[at];
        header->rest =
            span_trim(span_after(line, (size_t)(header->event.at - line.at) + header->event.len));
        header->event.len--;
    }
}

/* Where the thread stands when there is no time to find it by: before the first token that ends
 * in a colon, with the period between or not. */
static size_t thread_without_time(const struct tokens *tokens)
{
    for (size_t i = 1; i < tokens->count; i++) {
        if (!span_ends(tokens->list[i], SPAN(":")))
            continue;
        if (i > 1 && span_is_digits(tokens->list[i - 1]) && perf_is_thread(tokens->list[i - 2]))
            return i - 2;
        return perf_is_thread(tokens->list[i - 1]) ? i - 1 : 0;
    }
    return 0;
}

bool perf_header_read(struct span line, struct perf_header *header)
{
    struct tokens tokens;
    size_t time = 0, thread;

    split_tokens(line, &tokens);
    *header = (struct perf_header){0};
    while (time < tokens.count && !is_time(tokens.list[time]))
        time++;
    if (time == tokens.count) {
        thread = line.len && isspace((unsigned char)line.at[0]) ? 0 : thread_without_time(&tokens);
        if (thread == 0)
            return false;
        header->command = until(line, tokens.list[thread]);
        header->thread = tokens.list[thread];
        read_event(line, &tokens, thread + 1, header);
        return header->event.len > 0;
    }
    thread = time;
    if (thread && is_cpu(tokens.list[thread - 1]))
        thread--;
    if (thread && perf_is_thread(tokens.list[thread - 1]))
        thread--;
    header->command = until(line, tokens.list[thread]);
    header->time = tokens.list[time];
    header->thread = tokens.list[thread];
    read_event(line, &tokens, time + 1, header);
    if (time + 1 < tokens.count && span_starts(tokens.list[time + 1], SPAN(RECORD)))
        header->record =
            span_after(line, (size_t)(tokens.list[time + 1].at - line.at) + strlen(RECORD));
    return true;
}

/* ---- the lines of a stack ---- */

static bool is_hex(struct span text)
{
    return text.len && span_hex_digits(text) == text.len;
}

/* Where the parenthesis opens that closes at the end of the text; libraries may hold some of
 * their own, as "(deleted)". */
static size_t last_group(struct span text)
{
    size_t depth = 0;

    for (size_t i = text.len; i-- > 0;) {
        depth += text.at[i] == ')';
        if (text.at[i] == '(' && --depth == 0)
            return i;
        if (depth == 0)
            break;
    }
    return SIZE_MAX;
}

bool perf_call_read(struct span line, struct perf_call *call)
{
    struct span rest = span_trim(line);
    struct span address = span_word(&rest);
    size_t group, plus;

    if (span_starts(address, SPAN("0x")))
        address = span_after(address, 2);
    if (!is_hex(address))
        return false;
    rest = span_trim(rest);
    group = last_group(rest);
    *call = (struct perf_call){.name = rest};
    if (!span_hex_to_u64(address, &call->address))
        return false;
    if (group != SIZE_MAX && (group == 0 || rest.at[group - 1] == ' ')) {
        call->library = (struct span){rest.at + group + 1, rest.len - group - 2};
        call->name = span_trim((struct span){rest.at, group});
    }
    plus = span_rfind(call->name, '+');
    if (plus != SIZE_MAX && span_starts(span_after(call->name, plus), SPAN("+0x")) &&
        is_hex(span_after(call->name, plus + 3)))
        call->name.len = plus;
    return true;
}
