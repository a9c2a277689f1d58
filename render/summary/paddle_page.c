#include "render/summary/paddle_page.h"

#include <stdlib.h>

#include "base/escape.h"
#include "base/oom.h"
#include "base/utf8.h"

enum { GAP = 2 };

const char *const time_unit_names[] = {"ms", "s", "us", "ns", NULL};

void paddle_page_begin(struct paddle_page *page, struct arena *arena, enum time_unit unit)
{
    *page = (struct paddle_page){.arena = arena, .unit = unit};
    page->out = open_memstream(&page->text, &page->size);
    if (!page->out)
        oom();
}

const char *paddle_page_end(struct paddle_page *page)
{
    const char *text;

    if (fclose(page->out) != 0)
        oom();
    text = arena_copy(page->arena, (struct span){page->text, page->size});
    free(page->text);
    return text;
}

const char *paddle_time(const struct paddle_page *page, int64_t ns)
{
    static const double scale[] = {
        [TIME_UNIT_MS] = 1e6, [TIME_UNIT_S] = 1e9, [TIME_UNIT_US] = 1e3, [TIME_UNIT_NS] = 1};

    return arena_printf(page->arena, "%.2f", (double)ns / scale[page->unit]);
}

const char *paddle_ratio(const struct paddle_page *page, double share)
{
    return arena_printf(page->arena, "%.2f", share * 100);
}

const char *paddle_spread(const struct paddle_page *page, const struct spread *spread,
                          int64_t calls, double share)
{
    static const double scale[] = {
        [TIME_UNIT_MS] = 1e6, [TIME_UNIT_S] = 1e9, [TIME_UNIT_US] = 1e3, [TIME_UNIT_NS] = 1};
    double average = (double)spread->total / (double)calls / scale[page->unit];

    return arena_printf(page->arena, "%s / %.2f / %s / %s / %s", paddle_time(page, spread->total),
                        average, paddle_time(page, spread->max), paddle_time(page, spread->min),
                        paddle_ratio(page, share));
}

uint32_t paddle_length(const char *text)
{
    uint32_t count = 0;

    for (; *text; text++)
        count += ((unsigned char)*text & 0xC0) != 0x80; /* what goes on a character is none */
    return count;
}

const char *paddle_name(const struct paddle_page *page, struct span name, uint32_t most)
{
    const char *plain = arena_copy(page->arena, escape_plain(page->arena, name));
    struct span rest = span_of(plain);

    if (most == 0 || paddle_length(plain) <= most)
        return plain;
    for (uint32_t i = 0; i + 3 < most; i++)
        rest = span_after(rest, utf8_next(rest).len);
    return arena_printf(page->arena, "%.*s...", (int)(rest.at - plain), plain);
}

void paddle_widen(struct paddle_page *page, uint32_t column, const char *cell)
{
    uint32_t length = paddle_length(cell);

    if (length > page->widths[column])
        page->widths[column] = length;
}

static void repeat(FILE *out, char byte, uint32_t count)
{
    while (count-- > 0)
        putc(byte, out);
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

void paddle_unit(const struct paddle_page *page)
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
        repeat(page->out, ' ', length < page->widths[i] ? page->widths[i] - length : 0);
        repeat(page->out, ' ', GAP);
    }
    putc('\n', page->out);
}
