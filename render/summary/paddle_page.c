/* SPDX-License-Identifier: Apache-2.0 */
#include "render/summary/summary_report.h"

#include <stdlib.h>
#include <string.h>

#include "base/io/output.h"
#include "base/text/escape.h"

enum { GAP = 2 };

const char *const time_unit_names[] = {"ms", "s", "us", "ns", NULL};

void paddle_page_begin(struct paddle_page *page, struct arena *arena, enum time_unit unit)
{
    *page = (struct paddle_page){.arena = arena, .unit = unit};
    page->out = memory_stream_open(&page->text, &page->size);
}

const char *paddle_page_end(struct paddle_page *page)
{
    const char *text;

    memory_stream_close(page->out, &page->text);
    text = arena_copy(page->arena, (struct span){page->text, page->size});
    free(page->text);
    return text;
}

static const double unit_length[] = {
    [TIME_UNIT_MS] = 1e6, [TIME_UNIT_S] = 1e9, [TIME_UNIT_US] = 1e3, [TIME_UNIT_NS] = 1};

static double in_unit(const struct paddle_page *page, int64_t ns)
{
    return (double)ns / unit_length[page->unit];
}

const char *paddle_time(const struct paddle_page *page, int64_t ns)
{
    return arena_printf(page->arena, "%.2f", in_unit(page, ns));
}

const char *paddle_ratio(const struct paddle_page *page, double share)
{
    return arena_printf(page->arena, "%.2f", share * 100);
}

const char *paddle_spread(const struct paddle_page *page, const struct spread *spread,
                          int64_t calls, double share)
{
    double average = (double)spread->total / (double)calls / unit_length[page->unit];

    return arena_printf(page->arena, "%.2f / %.2f / %.2f / %.2f / %.2f",
                        in_unit(page, spread->total), average, in_unit(page, spread->max),
                        in_unit(page, spread->min), share * 100);
}

static uint32_t length_of(struct span text)
{
    uint32_t count = 0;

    for (size_t i = 0; i < text.len; i++)
        count += ((unsigned char)text.at[i] & 0xC0) != 0x80; /* what goes on a character is none */
    return count;
}

uint32_t paddle_length(const char *text)
{
    return length_of(span_of(text));
}

const char *paddle_name(const struct paddle_page *page, struct span name, uint32_t most)
{
    struct span plain = escape_plain(page->arena, name), rest = plain;

    for (uint32_t i = 0; i + 3 < most; i++)
        rest = span_after(rest, utf8_next(rest).len);
    if (most == 0 || rest.len <= 3 || length_of(plain) <= most)
        return arena_copy(page->arena, plain);
    return arena_printf(page->arena, "%.*s...", (int)(rest.at - plain.at), plain.at);
}

void paddle_widen(struct paddle_page *page, uint32_t column, const char *cell)
{
    uint32_t length = paddle_length(cell);

    if (length > page->widths[column])
        page->widths[column] = length;
}

static void repeat(FILE *out, char byte, uint32_t count)
{
    char bytes[64];

    memset(bytes, byte, sizeof(bytes));
    for (uint32_t part; count; count -= part) {
        part = count < sizeof(bytes) ? count : sizeof(bytes);
        fwrite(bytes, 1, part, out);
    }
}

static uint32_t line_length(const struct paddle_page *page)
{
    uint32_t length = 0;

    for (uint32_t i = 0; i < page->columns; i++)
        length += page->widths[i] + GAP;
    return length - GAP;
}

void paddle_banner(const struct paddle_page *page, const char *text)
{
    uint32_t length = line_length(page), own = paddle_length(text);
    uint32_t left = own < length ? (length - own) / 2 : 0;

    repeat(page->out, '-', left);
    fputs(text, page->out);
    repeat(page->out, '-', own < length ? length - own - left : 0);
    putc('\n', page->out);
}

static void paddle_unit(const struct paddle_page *page)
{
    fprintf(page->out, "Time unit: %s\n", time_unit_names[page->unit]);
}

void paddle_title(const struct paddle_page *page, const char *title)
{
    paddle_banner(page, title);
    paddle_unit(page);
}

void paddle_rule(const struct paddle_page *page)
{
    for (uint32_t i = 0; i < page->columns; i++) {
        repeat(page->out, '-', page->widths[i]);
        repeat(page->out, ' ', GAP);
    }
    putc('\n', page->out);
}

void paddle_bar(const struct paddle_page *page)
{
    repeat(page->out, '-', line_length(page));
    putc('\n', page->out);
}

void paddle_row(const struct paddle_page *page, const char *const *cells)
{
    for (uint32_t i = 0; i < page->columns; i++) {
        uint32_t length = paddle_length(cells[i]);

        fputs(cells[i], page->out);
        repeat(page->out, ' ', GAP + (length < page->widths[i] ? page->widths[i] - length : 0));
    }
    putc('\n', page->out);
}
