/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text/text.h"

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
