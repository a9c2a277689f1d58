/* SPDX-License-Identifier: Apache-2.0 */
/* budget.c — a report in at most so many bytes: the last rows of each table are left out, then lines below it, then lines
 * above it, but for the first, of which there is always a begin */
#include <stdlib.h>
#include <string.h>

#include "base/io/io.h"
#include "base/text/escape.h"
#include "base/text/format.h"
#include "render/forms/report.h"

/* What is asked for, and what a try leaves of it. */
struct budget_try {
    const struct report *whole;
    enum report_format format;
    const struct text_style *style;
    uint32_t tokens;
    uint32_t rows, before, after; /* a table, lines above and below */
};

static bool is_shown(const struct budget_try *try, const struct table *table)
{
    return table_is_for(table, report_is_for_people(try->format) ? COLUMN_PEOPLE : COLUMN_MACHINES);
}

static uint32_t at_most(uint32_t count, uint32_t most)
{
    return count < most ? count : most;
}

/* Rows that are laid out already are lines. Adds those beyond `rows` to `left_out`. */
static const char *first_lines(const char *text, uint32_t rows, struct arena *arena, uint32_t *left_out)
{
    struct span rest = span_of(text);
    size_t len;

    while (rest.len && rows--)
        span_split(&rest, '\n');
    len = rest.len ? (size_t)(rest.at - text) : strlen(text);
    while (rest.len) {
        span_split(&rest, '\n');
        ++*left_out;
    }
    return arena_copy(arena, (struct span){text, len});
}

/* Of each row of `table` its first rows. */
static void cut_inner(struct table *table, uint32_t rows, struct arena *arena, uint32_t *left_out)
{
    const struct table *all = table->inner;
    struct table *inner = arena_alloc(arena, sizeof(*inner));
    uint32_t *first = arena_array(arena, (size_t)table->height + 1, sizeof(*first));
    size_t room = 0;

    for (uint32_t row = 0; row < table->height; row++)
        room += at_most(table->first[row + 1] - table->first[row], rows);
    *inner = *all;
    inner->height = 0;
    inner->cells = arena_array(arena, room + 1, all->row_size + 1);
    inner->frames = all->frames ? arena_array(arena, room + 1, sizeof(*inner->frames)) : NULL;
    for (uint32_t row = 0; row < table->height; row++) {
        uint32_t from = table->first[row], all_rows = table->first[row + 1] - from, count = at_most(all_rows, rows);

        if (count)
            memcpy(inner->cells + (size_t)inner->height * all->row_size, all->cells + (size_t)from * all->row_size,
                   (size_t)count * all->row_size);
        if (all->frames)
            memcpy(inner->frames + inner->height, all->frames + from, count * sizeof(*all->frames));
        first[row] = inner->height;
        inner->height += count;
        *left_out += all_rows - count;
    }
    first[table->height] = inner->height;
    table->inner = inner;
    table->first = first;
}

static const struct table *cut_table(const struct table *all, uint32_t rows, struct arena *arena, uint32_t *left_out)
{
    struct table *table = arena_alloc(arena, sizeof(*table));

    *table = *all;
    if (all->text) {
        table->text = first_lines(all->text, rows, arena, left_out);
        return table;
    }
    table->height = at_most(all->height, rows);
    *left_out += all->height - table->height;
    if (all->inner)
        cut_inner(table, rows, arena, left_out);
    return table;
}

/* What the try leaves, in `arena`. */
static struct report cut_report(const struct budget_try *try, struct arena *arena)
{
    struct report report = *try->whole;

    report.arena = arena;
    report.tables = NULL;
    report.after = NULL;
    report.table_count = report.after_count = 0;
    report.before_count = try->before;
    for (uint32_t i = 0; i < try->whole->table_count; i++) {
        uint32_t uncounted = 0, *left_out = is_shown(try, try->whole->tables[i]) ? &report.rows_left_out : &uncounted;

        report_table(&report, cut_table(try->whole->tables[i], try->rows, arena, left_out));
    }
    for (uint32_t i = 0; i < try->after; i++)
        report_after(&report, try->whole->after[i]);
    if (report.rows_left_out && (try->before || !try->whole->before_count))
        report_afterf(&report, arena, "%s left out: --budget %u",
                      format_many(arena, report.rows_left_out, "more row"), try->tokens);
    return report;
}

static size_t size_of(const struct report *report, const struct budget_try *try)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = memory_stream_open(&text, &size);

    report_write(report, try->format, try->style, out);
    memory_stream_close(out, &text);
    free(text);
    return size;
}

static bool fits(const struct budget_try *try)
{
    struct arena arena = {0};
    struct report report = cut_report(try, &arena);
    size_t size = size_of(&report, try);

    arena_free(&arena);
    return size <= (uint64_t)try->tokens * BYTES_PER_TOKEN;
}

/* From which number of rows on nothing is left out. */
static uint32_t tallest_of(const struct budget_try *try)
{
    uint32_t tallest = 0;

    for (uint32_t i = 0; i < try->whole->table_count; i++) {
        const struct table *table = try->whole->tables[i];
        uint32_t height = table->height;

        for (uint32_t row = 0; table->inner && row < table->height; row++)
            if (table->first[row + 1] - table->first[row] > height)
                height = table->first[row + 1] - table->first[row];
        for (const char *at = table->text; at && (at = strchr(at, '\n')); at++)
            height++;
        tallest = height > tallest ? height : tallest;
    }
    return tallest;
}

/* The most rows that fit, 1 or more do: tries grow no larger than twice what is written. */
static void find_rows(struct budget_try *try)
{
    uint32_t tallest = tallest_of(try), fitting_rows = 1, too_many = tallest + 1;

    for (uint32_t rows = 2; fitting_rows < tallest && too_many > tallest; rows = at_most(rows * 2, tallest)) {
        try->rows = rows;
        *(fits(try) ? &fitting_rows : &too_many) = rows;
    }
    while (fitting_rows + 1 < too_many && too_many <= tallest) {
        try->rows = fitting_rows + (too_many - fitting_rows) / 2;
        *(fits(try) ? &fitting_rows : &too_many) = try->rows;
    }
    try->rows = fitting_rows;
}

/* A row of each table is worth more than lines below; the first lines above more than all. */
static bool choose(struct budget_try *try)
{
    try->before = try->whole->before_count;
    try->rows = 1;
    for (try->after = try->whole->after_count;; try->after--) {
        if (fits(try)) {
            find_rows(try);
            return true;
        }
        if (try->after == 0)
            break;
    }
    for (try->rows = 0;; try->before--) {
        if (fits(try))
            return try->before > 0 || !report_is_for_people(try->format);
        if (try->before == 0 || !report_is_for_people(try->format))
            return false;
    }
}

/* The begin of the first line alone; what a form puts before some letters takes room, too. */
static void begin_only(struct budget_try *try, struct report *report)
{
    struct span first = escape_plain(report->arena, span_of(report->before[0]));
    size_t most = (size_t)try->tokens * BYTES_PER_TOKEN, len = most < first.len ? most : first.len, size;
    struct report begin = {.command = report->command, .lack = report->lack};

    for (;; len -= size - most < len ? size - most : len) {
        struct arena arena = {0};

        while (len < first.len && len && ((unsigned char)first.at[len] & 0xC0) == 0x80)
            len--;
        begin.arena = &arena;
        begin.before_count = 0;
        if (len)
            report_beforef(&begin, &arena, "%.*s...", (int)len, first.at);
        size = size_of(&begin, try);
        arena_free(&arena);
        if (size <= most || !len)
            break;
    }
    begin.arena = report->arena;
    begin.before_count = 0;
    if (len)
        report_beforef(&begin, report->arena, "%.*s...", (int)len, first.at);
    *report = begin;
}

bool report_fit(struct report *report, enum report_format format, const struct text_style *style, uint32_t tokens,
                struct error *err)
{
    struct budget_try try = {.whole = report, .format = format, .style = style, .tokens = tokens};

    if (choose(&try)) {
        *report = cut_report(&try, report->arena);
        return true;
    }
    if (report_is_for_people(format) && report->before_count) {
        begin_only(&try, report);
        return true;
    }
    return error_set(err, ERROR_USAGE, "%u tokens, of %d bytes each, are too few for %s", tokens, BYTES_PER_TOKEN,
                     format == REPORT_CSV    ? "the names of the columns"
                     : format == REPORT_JSON ? "the fields that are no rows"
                                             : "this answer");
}
