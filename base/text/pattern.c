/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text/pattern.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory/oom.h"

/* What stands between two brackets, as far as it has been read. */
struct bracket {
    uint64_t before; /* its size, but for the last part */
    uint64_t last;   /* of the part that a repeat would be of */
};

static uint64_t at_most(uint64_t size)
{
    return size < PATTERN_SIZE_MAX + 1 ? size : PATTERN_SIZE_MAX + 1;
}

static void begin_part(struct bracket *bracket, uint64_t size)
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

/* False when it is too large or too deep for the library. */
static bool is_bounded(const char *at)
{
    struct bracket open[PATTERN_DEPTH_MAX + 1] = {{0}};
    uint64_t times;
    size_t depth = 0;

    while (*at)
        switch (*at) {
        case '(':
            if (depth == PATTERN_DEPTH_MAX)
                return false;
            open[++depth] = (struct bracket){0};
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
    return open[0].before + open[0].last <= PATTERN_SIZE_MAX;
}

bool pattern_compile(struct pattern *pattern, const char *text, struct error *err)
{
    int fault;
    char why[100];

    if (!is_bounded(text)) {
        error_set(err, ERROR_USAGE, "'%.100s' is too large a regular expression", text);
        return error_hint(err,
                          "its repeats, written out, are more than %d characters, or its "
                          "brackets more than %d deep",
                          PATTERN_SIZE_MAX, PATTERN_DEPTH_MAX);
    }
    fault = regcomp(&pattern->regex, text, REG_EXTENDED | REG_NOSUB);

    if (fault == 0)
        return true;
    if (fault == REG_ESPACE)
        oom();
    regerror(fault, &pattern->regex, why, sizeof(why));
    error_set(err, ERROR_USAGE, "'%.100s' is not a regular expression: %s", text, why);
    return error_hint(err, "put a backslash before a character that is meant literally");
}

bool pattern_matches(const struct pattern *pattern, struct span text)
{
    int fault;

    errno = 0;
    fault = regexec(&pattern->regex, text.at, 0, NULL, 0);
    /* glibc says REG_NOMATCH, too, where it had no memory to search with */
    if (fault && (fault != REG_NOMATCH || errno == ENOMEM))
        oom();
    return fault == 0;
}

void pattern_free(struct pattern *pattern)
{
    regfree(&pattern->regex);
}
