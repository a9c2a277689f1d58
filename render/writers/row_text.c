/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "render/writers/writer.h"

void row_text_flush(struct row_text *rows)
{
    fwrite(rows->room, 1, rows->used, rows->out);
    rows->written += rows->used;
    rows->used = 0;
}

/* The room is filled before it is written: of whole blocks stdio makes no copy. The text may be in the
 * room itself. */
void row_text_put_beyond(struct row_text *rows, struct span text)
{
    do {
        struct span part = span_before(text, sizeof(rows->room) - rows->used);

        memmove(rows->room + rows->used, part.at, part.len);
        rows->used += part.len;
        text = span_after(text, part.len);
        if (rows->used == sizeof(rows->room))
            row_text_flush(rows);
    } while (text.len);
}

void row_text_number(struct row_text *rows, int64_t number)
{
    static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                                "25262728293031323334353637383940414243444546474849"
                                "50515253545556575859606162636465666768697071727374"
                                "75767778798081828384858687888990919293949596979899";
    uint64_t size = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    char digits[24], *at = digits + sizeof(digits);

    for (; size >= 10; size /= 100)
        memcpy(at -= 2, pairs + size % 100 * 2, 2);
    if (size || at == digits + sizeof(digits))
        *--at = (char)('0' + size);
    if (number < 0)
        *--at = '-';
    row_text_put(rows, (struct span){at, (size_t)(digits + sizeof(digits) - at)});
}

void row_text_json(struct row_text *rows, struct span text)
{
    if (!escape_json_is_plain(text)) {
        row_text_flush(rows);
        escape_json(rows->out, text);
        return;
    }
    row_text_put(rows, SPAN("\""));
    row_text_put(rows, text);
    row_text_put(rows, SPAN("\""));
}
