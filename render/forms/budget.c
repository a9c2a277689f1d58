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
struct fitting {
    const struct report *whole;
    enum report_format format;
    const struct text_style *style;
    uint32_t tokens;
    uint32_t rows, before, after; /* a table, lines above and below */
};

static bool is_shown(const struct fitting *fitting, const struct table *table)
{
    return table_is_for(table, report_is_for_people(fitting->format) ? COLUMN_PEOPLE : COLUMN_MACHINES);
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
    inner->cells = arena_array(arena, room * all->width + 1, sizeof(*inner->cells));
    inner->frames = all->frames ? arena_array(arena, room + 1, sizeof(*inner->frames)) : NULL;
    for (uint32_t row = 0; row < table->height; row++) {
        uint32_t from = table->first[row], all_rows = table->first[row + 1] - from, count = at_most(all_rows, rows);

        memcpy(inner->cells + (size_t)inner->height * all->width, all->cells + (size_t)from * all->width,
               (size_t)count * all->width * sizeof(*all->cells));
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
static struct report cut_report(const struct fitting *fitting, struct arena *arena)
{
    struct report report = *fitting->whole;

    report.arena = arena;
    report.tables = NULL;
    report.after = NULL;
    report.table_count = report.after_count = 0;
    report.before_count = fitting->before;
    for (uint32_t i = 0; i < fitting->whole->table_count; i++) {
        uint32_t uncounted = 0, *left_out = is_shown(fitting, fitting->whole->tables[i]) ? &report.rows_left_out : &uncounted;

        report_table(&report, cut_table(fitting->whole->tables[i], fitting->rows, arena, left_out));
    }
    for (uint32_t i = 0; i < fitting->after; i++)
        report_after(&report, fitting->whole->after[i]);
    if (report.rows_left_out && (fitting->before || !fitting->whole->before_count))
        report_afterf(&report, arena, "%s left out: --budget %u",
                      format_many(arena, report.rows_left_out, "more row"), fitting->tokens);
    return report;
}

static size_t size_of(const struct report *report, const struct fitting *fitting)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = memory_stream_open(&text, &size);

    report_write(report, fitting->format, fitting->style, out);
    memory_stream_close(out, &text);
    free(text);
    return size;
}

static bool fits(const struct fitting *fitting)
{
    struct arena arena = {0};
    struct report report = cut_report(fitting, &arena);
    size_t size = size_of(&report, fitting);

    arena_free(&arena);
    return size <= (uint64_t)fitting->tokens * BYTES_PER_TOKEN;
}

/* From which number of rows on nothing is left out. */
static uint32_t tallest_of(const struct fitting *fitting)
{
    uint32_t tallest = 0;

    for (uint32_t i = 0; i < fitting->whole->table_count; i++) {
        const struct table *table = fitting->whole->tables[i];
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
static void find_rows(struct fitting *fitting)
{
    uint32_t tallest = tallest_of(fitting), fitting_rows = 1, too_many = tallest + 1;

    for (uint32_t rows = 2; fitting_rows < tallest && too_many > tallest; rows = at_most(rows * 2, tallest)) {
        fitting->rows = rows;
        *(fits(fitting) ? &fitting_rows : &too_many) = rows;
    }
    while (fitting_rows + 1 < too_many && too_many <= tallest) {
        fitting->rows = fitting_rows + (too_many - fitting_rows) / 2;
        *(fits(fitting) ? &fitting_rows : &too_many) = fitting->rows;
    }
    fitting->rows = fitting_rows;
}

/* A row of each table is worth more than lines below; the first lines above more than all. */
static bool choose(struct fitting *fitting)
{
    fitting->before = fitting->whole->before_count;
    fitting->rows = 1;
    for (fitting->after = fitting->whole->after_count;; fitting->after--) {
        if (fits(fitting)) {
            find_rows(fitting);
            return true;
        }
        if (fitting->after == 0)
            break;
    }
    for (fitting->rows = 0;; fitting->before--) {
        if (fits(fitting))
            return fitting->before > 0 || !report_is_for_people(fitting->format);
        if (fitting->before == 0 || !report_is_for_people(fitting->format))
            return false;
    }
}

/* The begin of the first line alone; what a form puts before some letters takes room, too. */
static void begin_only(struct fitting *fitting, struct report *report)
{
    struct span first = escape_plain(report->arena, span_of(report->before[0]));
    size_t most = (size_t)fitting->tokens * BYTES_PER_TOKEN, len = most < first.len ? most : first.len, size;
    struct report begin = {.command = report->command, .lack = report->lack};

    for (;; len -= size - most < len ? size - most : len) {
        struct arena arena = {0};

        while (len < first.len && len && ((unsigned char)first.at[len] & 0xC0) == 0x80)
            len--;
        begin.arena = &arena;
        begin.before_count = 0;
        if (len)
            report_beforef(&begin, &arena, "%.*s...", (int)len, first.at);
        size = size_of(&begin, fitting);
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
    struct fitting fitting = {.whole = report, .format = format, .style = style, .tokens = tokens};

    if (choose(&fitting)) {
        *report = cut_report(&fitting, report->arena);
        return true;
    }
    if (report_is_for_people(format) && report->before_count) {
        begin_only(&fitting, report);
        return true;
    }
    return error_set(err, ERROR_USAGE, "%u tokens, of %d bytes each, are too few for %s", tokens, BYTES_PER_TOKEN,
                     format == REPORT_CSV    ? "the names of the columns"
                     : format == REPORT_JSON ? "the fields that are no rows"
                                             : "this answer");
}
