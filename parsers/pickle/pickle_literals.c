/* SPDX-License-Identifier: Apache-2.0 */
/* pickle_literals.c — numbers and texts as a pickle spells them */
#include "parsers/pickle/pickle.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory/memory.h"
#include "base/text/escape.h"

bool literal_int(struct span text, int64_t *whole)
{
    bool is_negative;

    text = span_trim(text);
    if (span_ends(text, SPAN("L")))
        text.len--;
    if (span_to_i64(text, whole))
        return true;
    is_negative = span_starts(text, SPAN("-"));
    *whole = is_negative ? -INT64_MAX : INT64_MAX;
    return span_is_digits(span_after(text, is_negative));
}

int64_t literal_long(struct span bytes)
{
    uint64_t number = 0;
    bool is_negative = bytes.len && (bytes.at[bytes.len - 1] & 0x80);
    char filler = is_negative ? '\xff' : '\0';

    while (bytes.len && bytes.at[bytes.len - 1] == filler)
        bytes.len--;
    if (bytes.len > 8 || (bytes.len == 8 && ((bytes.at[7] & 0x80) != 0) != is_negative))
        return is_negative ? -INT64_MAX : INT64_MAX;
    for (size_t i = 8; i-- > 0;)
        number = number << 8 | (unsigned char)(i < bytes.len ? bytes.at[i] : filler);
    return (int64_t)number == INT64_MIN ? -INT64_MAX : (int64_t)number;
}

bool literal_real(struct span text, double *real)
{
    char copy[64];
    char *end;

    text = span_trim(text);
    if (text.len == 0 || text.len >= sizeof(copy))
        return false;
    memcpy(copy, text.at, text.len);
    copy[text.len] = '\0';
    *real = strtod(copy, &end);
    return end == copy + text.len;
}

/* `count` hexadecimal digits at the front of the text. */
static bool read_hex(struct span text, size_t count, uint32_t *code)
{
    uint64_t number;

    if (text.len < count || !span_hex_to_u64((struct span){text.at, count}, &number))
        return false;
    *code = (uint32_t)number;
    return true;
}

/* One escape after its backslash; returns how many bytes of the text it is, 0 when it is none. */
static size_t unescape(struct span text, char *byte)
{
    static const char from[] = "\\'\"ntr", into[] = "\\'\"\n\t\r";
    const char *known = text.len && text.at[0] ? strchr(from, text.at[0]) : NULL;
    uint32_t code;

    if (known) {
        *byte = into[known - from];
        return 1;
    }
    if (text.len && text.at[0] == 'x' && read_hex(span_after(text, 1), 2, &code)) {
        *byte = (char)code;
        return 3;
    }
    return 0;
}

struct span literal_string(struct span text, struct arena *arena)
{
    char *copy = arena_array(arena, text.len + 1, 1);
    size_t len = 0;

    if (text.len >= 2 && (text.at[0] == '\'' || text.at[0] == '"'))
        text = (struct span){text.at + 1, text.len - 2};
    while (text.len) {
        size_t taken = text.at[0] == '\\' ? unescape(span_after(text, 1), &copy[len]) : 0;

        if (!taken)
            copy[len] = text.at[0];
        len++;
        text = span_after(text, taken + 1);
    }
    return (struct span){copy, len};
}

struct span literal_unicode(struct span text, struct arena *arena)
{
    char *copy = arena_array(arena, text.len * 2 + 1, 1); /* Latin-1 takes two bytes at most */
    size_t len = 0;

    while (text.len) {
        uint32_t code = (unsigned char)text.at[0];
        size_t taken = 1;
        char kind = text.len > 1 && code == '\\' ? text.at[1] : '\0';

        if (kind == 'u' && read_hex(span_after(text, 2), 4, &code))
            taken = 6;
        else if (kind == 'U' && read_hex(span_after(text, 2), 8, &code) && code < 0x110000)
            taken = 10;
        else
            code = (unsigned char)text.at[0];
        len += utf8_write(copy + len, code);
        text = span_after(text, taken);
    }
    return (struct span){copy, len};
}
