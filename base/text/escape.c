/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8, the width of characters, and text made safe for terminals, JSON, CSV, Markdown
 * and Graphviz. */
#include "base/text/escape.h"

#include <string.h>

#include "base/checked.h"

static struct utf8 lone_byte(struct span text)
{
    return (struct utf8){UTF8_BYTE, (unsigned char)text.at[0], 1};
}

struct utf8 utf8_next(struct span text)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char lead = (unsigned char)text.at[0];
    unsigned len = lead < 0x80 ? 1 : lead < 0xC0 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    uint32_t code = len == 1 ? lead : lead & (0x7Fu >> len);

    if (len == 0 || lead > 0xF4 || len > text.len)
        return lone_byte(text);
    for (unsigned i = 1; i < len; i++) {
        unsigned char next = (unsigned char)text.at[i];

        if ((next & 0xC0) != 0x80)
            return lone_byte(text);
        code = code << 6 | (next & 0x3F);
    }
    if (code < least[len] || code > 0x10FFFF)
        return lone_byte(text);
    return (struct utf8){code >= 0xD800 && code <= 0xDFFF ? UTF8_SURROGATE : UTF8_CHAR, code, len};
}

struct range {
    uint32_t first, last;
};

static bool is_in(uint32_t code, const struct range *ranges, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (code >= ranges[i].first && code <= ranges[i].last)
            return true;
    return false;
}

bool utf8_is_control(uint32_t code)
{
    static const struct range ranges[] = {
        {0x00, 0x1F},     {0x7F, 0x9F},     {0x61C, 0x61C},   {0x200B, 0x200F},
        {0x2028, 0x202E}, {0x2060, 0x206F}, {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB},
    };

    return is_in(code, ranges, COUNT_OF(ranges));
}

unsigned utf8_cells(uint32_t code)
{
    static const struct range zero[] = {
        {0x300, 0x36F},   {0x483, 0x489},   {0x591, 0x5BD},   {0x1AB0, 0x1AFF},
        {0x1DC0, 0x1DFF}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F},
    };
    static const struct range wide[] = {
        {0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0x33FF},   {0x3400, 0x4DBF},
        {0x4E00, 0x9FFF},   {0xA000, 0xA4CF},   {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},
        {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},   {0x1F300, 0x1F64F},
        {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD},
    };

    if (code < 0x300)
        return 1;
    if (is_in(code, zero, COUNT_OF(zero)))
        return 0;
    return is_in(code, wide, COUNT_OF(wide)) ? 2 : 1;
}

size_t utf8_write(char *to, uint32_t code)
{
    if (code < 0x80) {
        to[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        to[0] = (char)(0xC0 | code >> 6);
        to[1] = (char)(0x80 | (code & 0x3F));
        return 2;
    }
    if (code < 0x10000) {
        to[0] = (char)(0xE0 | code >> 12);
        to[1] = (char)(0x80 | (code >> 6 & 0x3F));
        to[2] = (char)(0x80 | (code & 0x3F));
        return 3;
    }
    to[0] = (char)(0xF0 | code >> 18);
    to[1] = (char)(0x80 | (code >> 12 & 0x3F));
    to[2] = (char)(0x80 | (code >> 6 & 0x3F));
    to[3] = (char)(0x80 | (code & 0x3F));
    return 4;
}

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

bool escape_json_is_plain(struct span text)
{
    return json_prefix(text) == text.len;
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

/* A character of a quoted field, which may be an end of a line or a tabulator. */
static void csv_character(FILE *out, struct span text, struct utf8 c)
{
    char room[12];

    if (text.at[0] == '"')
        putc('"', out);
    if (is_plain(c) || memchr("\t\n\r", text.at[0], 3))
        fwrite(text.at, 1, c.len, out);
    else
        fwrite(room, 1, (size_t)visible(room, c), out);
}

/* https://owasp.org/www-community/attacks/CSV_Injection */
static bool is_formula(struct span text)
{
    return text.len && memchr("=+-@\t\r", text.at[0], 6);
}

bool escape_csv_is_plain(struct span text, struct csv_readers readers)
{
    return escape_json_is_plain(text) && !(text.len && memchr(text.at, ',', text.len)) &&
           !(readers.is_spreadsheet && is_formula(text));
}

void escape_csv(FILE *out, struct span text, struct csv_readers readers)
{
    struct arena arena = {0};
    bool is_defused = readers.is_spreadsheet && is_formula(text);
    bool needs_quotes = false;

    if (readers.is_terminal)
        text = escape_plain(&arena, text);
    for (size_t i = 0; i < text.len && !needs_quotes; i++)
        needs_quotes =
            text.at[i] == ',' || text.at[i] == '"' || text.at[i] == '\n' || text.at[i] == '\r';
    if (needs_quotes)
        putc('"', out);
    if (is_defused)
        putc('\'', out);
    while (text.len) {
        size_t prefix = needs_quotes ? 0 : plain_prefix(text);
        struct utf8 c;

        fwrite(text.at, 1, prefix, out);
        text = span_after(text, prefix);
        if (!text.len)
            break;
        c = utf8_next(text);
        csv_character(out, text, c);
        text = span_after(text, c.len);
    }
    if (needs_quotes)
        putc('"', out);
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
