/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text/text.h"

#include <string.h>

static bool is_plain(struct utf8 c)
{
    return c.kind == UTF8_CHAR && !utf8_is_control(c.code) && (c.code | 1) != 0xFFFF;
}

/* How many of the first bytes are printable ASCII: most names are nothing else. */
static size_t ascii_prefix(struct span text)
{
    size_t at = 0;

    while (at < text.len && text.at[at] >= ' ' && text.at[at] < 0x7f)
        at++;
    return at;
}

static size_t plain_prefix(struct span text)
{
    size_t at = ascii_prefix(text);

    while (at < text.len) {
        struct utf8 c = utf8_next(span_after(text, at));

        if (!is_plain(c))
            break;
        at += c.len;
    }
    return at;
}

/* At most 8 bytes: \n, \x1b, \u2028, \ud800 */
static int visible(char out[12], struct utf8 c)
{
    if (c.kind == UTF8_CHAR && c.code == '\n')
        return snprintf(out, 12, "\\n");
    if (c.kind == UTF8_CHAR && c.code == '\t')
        return snprintf(out, 12, "\\t");
    if (c.kind == UTF8_BYTE || c.code < 0x100)
        return snprintf(out, 12, "\\x%02x", c.code);
    return snprintf(out, 12, c.code > 0xFFFF ? "\\U%06x" : "\\u%04x", c.code);
}

struct span escape_plain(struct arena *arena, struct span text)
{
    size_t prefix = plain_prefix(text);

    if (prefix == text.len)
        return text;

    size_t room = text.len > SIZE_MAX / 12 ? 0 : prefix + (text.len - prefix) * 8 + 1;
    char *copy = arena_array(arena, room, 1);
    size_t len = prefix;

    memcpy(copy, text.at, prefix);
    while (prefix < text.len) {
        struct utf8 c = utf8_next(span_after(text, prefix));

        if (is_plain(c)) {
            memcpy(copy + len, text.at + prefix, c.len);
            len += c.len;
        } else {
            char shown[12];
            int width = visible(shown, c);

            memcpy(copy + len, shown, (size_t)width);
            len += (size_t)width;
        }
        prefix += c.len;
    }
    return (struct span){copy, len};
}

static bool is_continuation(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

struct span escape_shortened(struct arena *arena, struct span text, size_t most)
{
    size_t head = most / 2, tail = text.len - most / 2;
    char *both;

    if (text.len <= most)
        return escape_plain(arena, text);
    while (head && is_continuation(text.at[head]))
        head--;
    while (tail < text.len && is_continuation(text.at[tail]))
        tail++;
    both = arena_array(arena, most + 3, 1);
    memcpy(both, text.at, head);
    memcpy(both + head, "...", 3);
    memcpy(both + head + 3, text.at + tail, text.len - tail);
    return escape_plain(arena, (struct span){both, head + 3 + text.len - tail});
}

static void json_special(FILE *out, struct utf8 c)
{
    static const char short_form[] = {['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f',
                                      ['\r'] = 'r', ['"'] = '"',  ['\\'] = '\\'};

    if (c.kind == UTF8_BYTE)
        fprintf(out, "\\udc%02x", c.code);
    else if (c.code < sizeof(short_form) && short_form[c.code])
        fprintf(out, "\\%c", short_form[c.code]);
    else
        fprintf(out, "\\u%04x", c.code);
}

/* Whether 8 bytes are printable ASCII without a quote and a backslash. */
static bool are_clean(const char *at)
{
    const uint64_t ones = UINT64_MAX / 255, highs = ones << 7;
    uint64_t eight, quote, slash, del;

    memcpy(&eight, at, sizeof(eight));
    quote = eight ^ ones * '"';
    slash = eight ^ ones * '\\';
    del = eight ^ ones * 0x7f;
    return !((eight | (eight - ones * ' ') | (quote - ones) | (slash - ones) | (del - ones)) &
             highs);
}

/* How much of the text a JSON string can hold as it is. */
static size_t json_prefix(struct span text)
{
    size_t at = 0;

    while (at < text.len) {
        while (text.len - at >= 8 && are_clean(text.at + at))
            at += 8;
        if (at == text.len)
            break;

        struct utf8 c = utf8_next(span_after(text, at));

        if (!is_plain(c) || c.code == '"' || c.code == '\\')
            break;
        at += c.len;
    }
    return at;
}

void escape_json(FILE *out, struct span text)
{
    putc('"', out);
    while (text.len) {
        size_t clean = json_prefix(text);

        fwrite(text.at, 1, clean, out);
        text = span_after(text, clean);
        if (text.len) {
            struct utf8 c = utf8_next(text);

            json_special(out, c);
            text = span_after(text, c.len);
        }
    }
    putc('"', out);
}

/* https://owasp.org/www-community/attacks/CSV_Injection */
static bool is_formula(struct span text)
{
    return text.len && memchr("=+-@\t\r", text.at[0], 6);
}

void escape_csv(FILE *out, struct span text, struct csv_readers readers)
{
    struct arena arena = {0};
    bool needs_quotes = false, is_defused = readers.is_spreadsheet && is_formula(text);

    if (readers.is_terminal)
        text = escape_plain(&arena, text);
    for (size_t i = 0; i < text.len && !needs_quotes; i++)
        needs_quotes =
            text.at[i] == ',' || text.at[i] == '"' || text.at[i] == '\n' || text.at[i] == '\r';
    if (needs_quotes)
        putc('"', out);
    if (is_defused)
        putc('\'', out);
    for (size_t i = 0; needs_quotes && i < text.len; i++) {
        if (text.at[i] == '"')
            putc('"', out);
        putc(text.at[i], out);
    }
    if (needs_quotes)
        putc('"', out);
    else
        fwrite(text.at, 1, text.len, out);
    arena_free(&arena);
}

/* Text that goes into a language with backslashes before `special` and HTML's entities. */
static void escape_markup(FILE *out, struct span text, const char *special, bool has_tags)
{
    while (text.len) {
        struct utf8 c = utf8_next(text);
        char shown[12];

        if (!is_plain(c)) {
            visible(shown, c);
            fprintf(out, "\\%s", shown);
        } else if (c.code == '<' && has_tags) {
            fputs("&lt;", out);
        } else if (c.code == '&') {
            fputs("&amp;", out);
        } else if (c.code < 0x80 && strchr(special, (int)c.code)) {
            fprintf(out, "\\%c", (int)c.code);
        } else {
            fwrite(text.at, 1, c.len, out);
        }
        text = span_after(text, c.len);
    }
}

void escape_markdown(FILE *out, struct span text)
{
    escape_markup(out, text, "\\`*_{}[]()#|~>", true);
}

/* Graphviz knows HTML's entities, but no tags in quotes. */
void escape_dot(FILE *out, struct span text)
{
    escape_markup(out, text, "\"\\", false);
}

size_t escape_cells(struct span plain)
{
    size_t cells = ascii_prefix(plain);

    plain = span_after(plain, cells);
    while (plain.len) {
        struct utf8 c = utf8_next(plain);

        cells += c.kind == UTF8_CHAR ? utf8_cells(c.code) : 1;
        plain = span_after(plain, c.len);
    }
    return cells;
}

size_t escape_fit(struct span plain, size_t cells)
{
    size_t at = 0, used = 0;

    while (at < plain.len) {
        struct utf8 c = utf8_next(span_after(plain, at));

        used += c.kind == UTF8_CHAR ? utf8_cells(c.code) : 1;
        if (used > cells)
            break;
        at += c.len;
    }
    return at;
}
