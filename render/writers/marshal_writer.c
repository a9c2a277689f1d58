#include "render/writers/marshal_writer.h"

#include <string.h>

#include "base/text/utf8.h"

enum { CAN_BE_REFERRED_TO = 0x80, DIGIT_BITS = 15 };

static void put_bytes(struct marshal_out *marshal, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        putc((int)(value >> (8 * i) & 0xff), marshal->out);
}

bool marshal_again(struct marshal_out *marshal, marshal_ref ref)
{
    if (!ref)
        return false;
    putc('r', marshal->out);
    put_bytes(marshal, ref - 1, 4);
    return true;
}

/* What 32 bits cannot hold is written in digits of 15 bits. */
void marshal_int(struct marshal_out *marshal, int64_t value)
{
    uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    int32_t digits = 0;

    if (value >= INT32_MIN && value <= INT32_MAX) {
        putc('i', marshal->out);
        put_bytes(marshal, (uint32_t)value, 4);
        return;
    }
    for (uint64_t rest = size; rest; rest >>= DIGIT_BITS)
        digits++;
    putc('l', marshal->out);
    put_bytes(marshal, (uint32_t)(value < 0 ? -digits : digits), 4);
    for (; digits; digits--, size >>= DIGIT_BITS)
        put_bytes(marshal, size & ((1 << DIGIT_BITS) - 1), 2);
}

void marshal_float(struct marshal_out *marshal, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof(bits));
    putc('g', marshal->out);
    put_bytes(marshal, bits, 8);
}

/* U+DC80 … U+DCFF in three bytes. */
static void put_stray(struct marshal_out *marshal, unsigned char byte)
{
    putc(0xed, marshal->out);
    putc(0xb0 | byte >> 6, marshal->out);
    putc(0x80 | (byte & 0x3f), marshal->out);
}

marshal_ref marshal_text(struct marshal_out *marshal, struct span text)
{
    uint32_t len = 0;

    for (struct span rest = text; rest.len;) {
        struct utf8 next = utf8_next(rest);

        len += next.kind == UTF8_BYTE ? 3 : next.len;
        rest = span_after(rest, next.len);
    }
    putc('u' | CAN_BE_REFERRED_TO, marshal->out);
    put_bytes(marshal, len, 4);
    for (struct span rest = text; rest.len;) {
        struct utf8 next = utf8_next(rest);

        if (next.kind == UTF8_BYTE)
            put_stray(marshal, (unsigned char)rest.at[0]);
        else
            fwrite(rest.at, 1, next.len, marshal->out);
        rest = span_after(rest, next.len);
    }
    return ++marshal->objects;
}

marshal_ref marshal_tuple(struct marshal_out *marshal, unsigned count)
{
    putc(')' | CAN_BE_REFERRED_TO, marshal->out);
    putc((int)count, marshal->out);
    return ++marshal->objects;
}

void marshal_dict_begin(struct marshal_out *marshal)
{
    putc('{', marshal->out);
}

void marshal_dict_end(struct marshal_out *marshal)
{
    putc('0', marshal->out);
}
