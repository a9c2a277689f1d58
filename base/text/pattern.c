/* SPDX-License-Identifier: Apache-2.0 */
/* Regular expressions of bounded size over any bytes, and the word that is nearest to a mistyped
 * one. */
#include "base/text/pattern.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory/memory.h"
#include "base/text/escape.h"

/* What stands between two brackets, as far as it has been read. */
struct bracket_set {
    uint64_t before; /* its size, but for the last part */
    uint64_t last;   /* of the part that a repeat would be of */
};

static uint64_t at_most(uint64_t size)
{
    return size < PATTERN_SIZE_MAX + 1 ? size : PATTERN_SIZE_MAX + 1;
}

static void begin_part(struct bracket_set *bracket, uint64_t size)
{
    bracket->before = at_most(bracket->before + bracket->last);
    bracket->last = size;
}

/* "[^]a-z[:alpha:]]": a closing bracket is a character where it is first, and in a class. */
static const char *after_set(const char *at)
{
    at += at[1] == '^' ? 2 : 1;
    at += *at == ']';
    while (*at && *at != ']') {
        const char *end = *at == '[' && strchr(":.=", at[1]) && at[1] ? strchr(at + 2, ']') : NULL;

        at = end ? end + 1 : at + 1;
    }
    return *at ? at + 1 : at;
}

/* "{2,5}": how often the part is written out at most. */
static const char *after_count(const char *at, uint64_t *times)
{
    char *end;
    unsigned long least = strtoul(at + 1, &end, 10), most = least;

    if (*end == ',')
        most = strtoul(end + 1, &end, 10);
    *times = 1 + at_most(least > most ? least : most);
    return *end == '}' ? end + 1 : at + 1;
}

/* Its size; more than PATTERN_SIZE_MAX when it is too large or too deep for the library. */
static uint64_t size_of_pattern(const char *at)
{
    struct bracket_set open[PATTERN_DEPTH_MAX + 1] = {{0}};
    uint64_t times;
    size_t depth = 0;

    while (*at)
        switch (*at) {
        case '(':
            if (depth == PATTERN_DEPTH_MAX)
                return PATTERN_SIZE_MAX + 1;
            open[++depth] = (struct bracket_set){0};
            at++;
            break;
        case ')':
            at++;
            if (depth == 0)
                break;
            depth--;
            begin_part(&open[depth], at_most(open[depth + 1].before + open[depth + 1].last) + 1);
            break;
        case '[':
            begin_part(&open[depth], 1);
            at = after_set(at);
            break;
        case '{':
            at = after_count(at, &times);
            open[depth].last = at_most(open[depth].last * times);
            break;
        case '+': /* once, and then any number of times */
            open[depth].last = at_most(open[depth].last * 2);
            at++;
            break;
        case '*':
        case '?':
            at++;
            break;
        default:
            begin_part(&open[depth], 1);
            at += at[0] == '\\' && at[1] ? 2 : 1;
        }
    while (depth > 0) {
        depth--;
        begin_part(&open[depth], at_most(open[depth + 1].before + open[depth + 1].last));
    }
    return open[0].before + open[0].last;
}

/* ---- characters ---- */

/* The first character, whatever the locale: of bytes that are not UTF-8, as Python's surrogateescape
 * has them. */
static wchar_t character(struct span text, size_t *len)
{
    struct utf8 c = {.kind = UTF8_CHAR, .code = (unsigned char)text.at[0], .len = 1};

    if (c.code >= 0x80)
        c = utf8_next(text);
    *len = c.len;
    return (wchar_t)(c.kind == UTF8_BYTE ? 0xDC00 + c.code : c.code);
}

/* The text's characters, owned by the caller. */
static wchar_t *characters(struct span text, size_t *count)
{
    wchar_t *to = grow_to(NULL, text.len + 1, sizeof(*to));
    size_t len;

    for (*count = 0; text.len; text = span_after(text, len))
        to[(*count)++] = character(text, &len);
    return to;
}

bool pattern_compile(struct pattern *pattern, const char *text, struct error *err)
{
    uint64_t size = size_of_pattern(text);
    wchar_t *all;
    size_t count;
    char why[100];
    int fault;

    if (size > PATTERN_SIZE_MAX) {
        error_set(err, ERROR_USAGE, "'%.100s' is too large a regular expression", text);
        return error_hint(err,
                          "its repeats, written out, are more than %d characters, or its "
                          "brackets more than %d deep",
                          PATTERN_SIZE_MAX, PATTERN_DEPTH_MAX);
    }
    *pattern = (struct pattern){.size = size};
    all = characters(span_of(text), &count);
    fault = tre_regwncomp(&pattern->regex, all, count, REG_EXTENDED | REG_NOSUB);
    free(all);
    if (fault == REG_ESPACE)
        oom();
    if (fault) {
        tre_regerror(fault, &pattern->regex, why, sizeof(why));
        error_set(err, ERROR_USAGE, "'%.100s' is not a regular expression: %s", text, why);
        return error_hint(err, "put a backslash before a character that is meant literally");
    }
    if (tre_have_backrefs(&pattern->regex)) {
        tre_regfree(&pattern->regex);
        return error_set(err, ERROR_USAGE, "'%.100s' refers back to what it has matched", text);
    }
    if (text[0] && !strpbrk(text, "\\^$.[]|()*+?{}")) {
        pattern->literal = grow_to(NULL, strlen(text) + 1, 1);
        memcpy(pattern->literal, text, strlen(text) + 1);
    }
    return true;
}

/* For tre_reguexec(): the next character of the text that is left; 1 at its end. */
static int next_character(wchar_t *c, unsigned *step, void *left)
{
    struct span *text = left;
    size_t len = 0;

    *step = 1;
    *c = text->len ? character(*text, &len) : 0;
    *text = span_after(*text, len);
    return len == 0;
}

bool pattern_matches(const struct pattern *pattern, struct span text)
{
    const tre_str_source source = {.get_next_char = next_character, .context = &text};
    int fault;

    if (pattern->literal)
        return span_find(text, span_of(pattern->literal)) != SIZE_MAX;
    fault = tre_reguexec(&pattern->regex, &source, 0, NULL, 0);
    if (fault == REG_ESPACE)
        oom();
    return fault == 0;
}

void pattern_free(struct pattern *pattern)
{
    free(pattern->literal);
    tre_regfree(&pattern->regex);
}

enum { WORD_MAX = 32, FAR = 3 };

static unsigned least(unsigned a, unsigned b, unsigned c)
{
    unsigned low = a < b ? a : b;

    return low < c ? low : c;
}

/* Optimal string alignment: Levenshtein's distance with swaps of neighbours as one step. */
static unsigned distance_of(const char *a, size_t a_len, const char *b, size_t b_len)
{
    unsigned row[3][WORD_MAX + 1];

    for (unsigned j = 0; j <= b_len; j++)
        row[0][j] = j;
    for (unsigned i = 1; i <= a_len; i++) {
        unsigned *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];

        now[0] = i;
        for (unsigned j = 1; j <= b_len; j++) {
            now[j] = least(last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], before[j - 2] + 1, now[j]);
        }
    }
    return row[a_len % 3][b_len];
}

void suggestion_consider(struct suggestion *nearest, const char *word)
{
    size_t typed_len = strlen(nearest->typed), len = strlen(word);

    if (typed_len > WORD_MAX || len > WORD_MAX)
        return;

    unsigned distance = distance_of(nearest->typed, typed_len, word, len);

    if (distance < FAR && 3 * distance <= len + 1 && (!nearest->word || distance < nearest->distance)) {
        nearest->word = word;
        nearest->distance = distance;
    }
}
