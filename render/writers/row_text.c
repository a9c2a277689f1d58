/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "render/writers/writer.h"

void row_text_flush(struct row_text *rows)
{
    fwrite(rows->room, 1, rows->used, rows->out);
    rows->used = 0;
}

void row_text_put(struct row_text *rows, struct span text)
{
    if (text.len > sizeof(rows->room) - rows->used)
        row_text_flush(rows);
    if (text.len > sizeof(rows->room)) {
        fwrite(text.at, 1, text.len, rows->out);
        return;
    }
    memcpy(rows->room + rows->used, text.at, text.len);
    rows->used += text.len;
}

void row_text_number(struct row_text *rows, int64_t number)
{
    uint64_t size = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    char digits[24], *at = digits + sizeof(digits);

    do
        *--at = (char)('0' + size % 10);
    while (size /= 10);
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
