/* SPDX-License-Identifier: Apache-2.0 */
/* paddle_items.c — Paddle's tables with a row for each name */
#include <string.h>

#include "graph/classify/function_class.h"
#include "render/reports/summary_tables.h"

static const char cpu_heading[] = "CPU Total / Avg / Max / Min / Ratio(%)";
static const char gpu_heading[] = "GPU Total / Avg / Max / Min / Ratio(%)";

enum { CELLS_MAX = 5 };

/* The rows of a table before they are written, since the longest cell decides the width. */
struct paddle_rows {
    const char *(*cells)[CELLS_MAX]; /* a row with only the first one is a banner */
    uint32_t count;
};

static const char *count_of(const struct paddle_page *page, int64_t count)
{
    return arena_printf(page->arena, "%lld", (long long)count);
}

static const char *thread_banner(const struct paddle_page *page, const int64_t *threads,
                                 bool is_by_thread, uint32_t thread)
{
    return is_by_thread ? arena_printf(page->arena, "Thread: %lld", (long long)threads[thread])
                        : "Thread: All threads merged";
}

static void widen_all(struct paddle_page *page, const struct paddle_rows *rows)
{
    for (uint32_t i = 0; i < rows->count; i++)
        for (uint32_t column = 1; column < page->columns && rows->cells[i][1]; column++)
            paddle_widen(page, column, rows->cells[i][column]);
}

static void write_rows(const struct paddle_page *page, const struct paddle_rows *rows)
{
    for (uint32_t i = 0; i < rows->count; i++)
        if (rows->cells[i][1])
            paddle_row(page, rows->cells[i]);
        else
            paddle_banner(page, rows->cells[i][0]);
}

static void write_heading(const struct paddle_page *page, const char *title,
                          const char *const *headings)
{
    paddle_title(page, title);
    paddle_rule(page);
    paddle_row(page, headings);
    paddle_rule(page);
}

/* ---- operators ---- */

static const char *indented(const struct paddle_page *page, const struct summary_operator *row)
{
    switch (row->level) {
    case OPERATOR_INNER:
    case OPERATOR_WORK:
        return arena_printf(page->arena, "  %s", paddle_name(page, row->item.name, 50));
    case OPERATOR_INNER_WORK:
        return arena_printf(page->arena, "    %s", paddle_name(page, row->item.name, 48));
    default:
        return paddle_name(page, row->item.name, 0);
    }
}

static const char *flops_of(const struct paddle_page *page, const struct summary_operator *row,
                            bool has_paddle_flops)
{
    if (row->level != OPERATOR_ITSELF)
        return "-";
    if (row->item.flops == UNKNOWN)
        return has_paddle_flops ? "0" : "-";
    return count_of(page, row->item.flops);
}

static void operator_cells(const struct paddle_page *page, const struct summary_operator *row,
                           bool has_paddle_flops, const char **cells)
{
    bool is_work = row->level == OPERATOR_WORK || row->level == OPERATOR_INNER_WORK;
    const struct summary_item *item = &row->item;

    cells[0] = indented(page, row);
    cells[1] = count_of(page, item->calls);
    cells[2] = is_work ? "- / - / - / - / -"
                       : paddle_spread(page, &item->cpu, item->calls, row->cpu_share);
    cells[3] = paddle_spread(page, &item->gpu, item->calls, row->gpu_share);
    cells[4] = flops_of(page, row, has_paddle_flops);
}

const char *paddle_operators(const struct summary_operators *operators, struct arena *arena,
                             enum time_unit unit)
{
    struct paddle_page page;
    struct paddle_rows rows = {
        arena_array(arena, (size_t)operators->count * 2, sizeof(*rows.cells)), 0};

    paddle_page_begin(&page, arena, unit);
    page.columns = 5;
    memcpy(page.widths, (uint32_t[]){52, 6, 40, 40, 10}, 5 * sizeof(uint32_t));
    for (uint32_t i = 0; i < operators->count; i++) {
        const struct summary_operator *row = &operators->rows[i];

        if (i == 0 || row->thread != row[-1].thread)
            rows.cells[rows.count++][0] =
                thread_banner(&page, operators->threads, operators->is_by_thread, row->thread);
        operator_cells(&page, row, operators->has_paddle_flops, rows.cells[rows.count++]);
    }
    widen_all(&page, &rows);
    write_heading(&page, "Operator Summary",
                  (const char *[]){"Name", "Calls", cpu_heading, gpu_heading, "FLOPs"});
    write_rows(&page, &rows);
    paddle_rule(&page);
    fputs("\n\n", page.out);
    return paddle_page_end(&page);
}

/* ---- kernels ---- */

const char *paddle_kernels(const struct summary_list *kernels, struct arena *arena,
                           enum time_unit unit)
{
    struct paddle_page page;
    struct paddle_rows rows = {arena_array(arena, kernels->count, sizeof(*rows.cells)), 0};

    paddle_page_begin(&page, arena, unit);
    page.columns = 3;
    memcpy(page.widths, (uint32_t[]){90, 6, 40}, 3 * sizeof(uint32_t));
    for (uint32_t i = 0; i < kernels->count; i++) {
        const struct summary_named *row = &kernels->rows[i];
        const char **cells = rows.cells[rows.count++];

        cells[0] = paddle_name(&page, kernel_name_without_arguments(row->item.name), 90);
        cells[1] = count_of(&page, row->item.calls);
        cells[2] = paddle_spread(&page, &row->item.gpu, row->item.calls, row->gpu_share);
    }
    widen_all(&page, &rows);
    write_heading(&page, "Kernel Summary", (const char *[]){"Name", "Calls", gpu_heading});
    write_rows(&page, &rows);
    paddle_rule(&page);
    fputs("\n\n", page.out);
    return paddle_page_end(&page);
}

/* ---- ranges ---- */

/* The name column is as wide as the longest name. */
static struct paddle_rows named_rows(struct paddle_page *page, const struct summary_list *list,
                                     bool has_banners)
{
    struct paddle_rows rows = {
        arena_array(page->arena, (size_t)list->count * 2, sizeof(*rows.cells)), 0};

    page->columns = 4;
    memcpy(page->widths, (uint32_t[]){0, 6, 40, 40}, 4 * sizeof(uint32_t));
    for (uint32_t i = 0; i < list->count; i++) {
        const struct summary_named *row = &list->rows[i];
        const char **cells;

        if (has_banners && (i == 0 || row->thread != row[-1].thread))
            rows.cells[rows.count++][0] =
                thread_banner(page, list->threads, list->is_by_thread, row->thread);
        cells = rows.cells[rows.count++];
        cells[0] = paddle_name(page, row->item.name, 0);
        cells[1] = count_of(page, row->item.calls);
        cells[2] = paddle_spread(page, &row->item.cpu, row->item.calls, row->cpu_share);
        cells[3] = paddle_spread(page, &row->item.gpu, row->item.calls, row->gpu_share);
        paddle_widen(page, 0, cells[0]);
    }
    widen_all(page, &rows);
    return rows;
}

/* A rule ends the table where no banners of threads divide it. */
static const char *named_text(const struct summary_list *list, const char *title, bool has_banners,
                              struct arena *arena, enum time_unit unit)
{
    struct paddle_page page;
    struct paddle_rows rows;

    paddle_page_begin(&page, arena, unit);
    rows = named_rows(&page, list, has_banners);
    write_heading(&page, title, (const char *[]){"Name", "Calls", cpu_heading, gpu_heading});
    write_rows(&page, &rows);
    if (!has_banners)
        paddle_rule(&page);
    fputs("\n\n", page.out);
    return paddle_page_end(&page);
}

const char *paddle_manipulations(const struct summary_list *list, struct arena *arena,
                                 enum time_unit unit)
{
    return named_text(list, "Memory Manipulation Summary", false, arena, unit);
}

const char *paddle_user_defined(const struct summary_list *list, struct arena *arena,
                                enum time_unit unit)
{
    return named_text(list, "UserDefined Summary", true, arena, unit);
}

/* ---- memory ---- */

static void write_place(struct paddle_page *page, const struct summary_memory *memory,
                        const struct summary_place *place)
{
    paddle_banner(
        page, arena_printf(page->arena, "Memory Summary - %s", paddle_name(page, place->name, 0)));
    if (place->peak_allocated != UNKNOWN)
        fprintf(page->out, "Peak Allocated Memory: %lld\n", (long long)place->peak_allocated);
    if (place->peak_reserved != UNKNOWN)
        fprintf(page->out, "Peak Reserved Memory: %lld\n", (long long)place->peak_reserved);
    paddle_rule(page);
    paddle_row(page, (const char *[]){"Name", "Type", "Allocation Count", "Free Count",
                                      "Allocation Size", "Free Size", "Increased Size"});
    paddle_rule(page);
    for (uint32_t i = place->first; i < place->first + place->count; i++) {
        const struct summary_allocation *row = &memory->rows[i];

        paddle_row(page,
                   (const char *[]){paddle_name(page, row->name, 50),
                                    row->is_reserved ? "Reserved" : "Allocated",
                                    count_of(page, row->allocations), count_of(page, row->frees),
                                    count_of(page, row->allocated), count_of(page, row->freed),
                                    count_of(page, row->allocated - row->freed)});
    }
    fputs("\n\n", page->out);
}

const char *paddle_memory(const struct summary_memory *memory, struct arena *arena)
{
    struct paddle_page page;

    paddle_page_begin(&page, arena, TIME_UNIT_MS);
    page.columns = 7;
    memcpy(page.widths, (uint32_t[]){50, 12, 15, 15, 15, 15, 15}, 7 * sizeof(uint32_t));
    for (uint32_t i = 0; i < memory->place_count; i++)
        write_place(&page, memory, &memory->places[i]);
    return paddle_page_end(&page);
}
