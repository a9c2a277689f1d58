/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/shared/json_spacing.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* How long the string is that begins here, with its quotes. */
static uint32_t string_length(const char *at, uint32_t left)
{
    uint32_t length = 1;

    while (length < left && at[length] != '"')
        length += at[length] == '\\' && length + 1 < left ? 2 : 1;
    return length < left ? length + 1 : left;
}

/* Writes it spaced, which is at most twice as long, and says how long it became; NULL: only
 * that. */
static uint32_t space(struct token token, char *to)
{
    uint32_t written = 0;

    for (uint32_t i = 0; i < token.len;) {
        uint32_t taken = token.at[i] == '"' ? string_length(token.at + i, token.len - i) : 1;

        if (!is_blank(token.at[i])) {
            if (to)
                memcpy(to + written, token.at + i, taken);
            written += taken;
        }
        if (token.at[i] == ',' || token.at[i] == ':') {
            if (to)
                to[written] = ' ';
            written++;
        }
        i += taken;
    }
    return written;
}

/* Whether every blank outside of strings is the one space after a comma or a colon, and there is
 * one after each. */
static bool is_spaced(struct token token)
{
    bool is_due = false;

    for (uint32_t i = 0; i < token.len;) {
        char c = token.at[i];

        if (is_due != (c == ' ') || (c != ' ' && is_blank(c)))
            return false;
        is_due = c == ',' || c == ':';
        i += c == '"' ? string_length(token.at + i, token.len - i) : 1;
    }
    return !is_due;
}

struct token token_spaced(struct token token, struct arena *arena)
{
    struct token spaced = {0};
    char *copy;

    if (!token.at || (token.at[0] != '[' && token.at[0] != '{') || token.len > UINT32_MAX / 2 ||
        is_spaced(token))
        return token;
    spaced.len = space(token, NULL);
    copy = arena_array(arena, spaced.len, 1);
    space(token, copy);
    spaced.at = copy;
    return spaced;
}
