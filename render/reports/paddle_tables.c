/* SPDX-License-Identifier: Apache-2.0 */
/* paddle_tables.c — the look of Paddle's text tables, and those of the whole run: devices, types, phases, batches */
#include "render/reports/summary_tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/io/io.h"
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

/* "12.50", a percentage. */
static const char *paddle_ratio(const struct paddle_page *page, double share)
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

void paddle_title(const struct paddle_page *page, const char *title)
{
    paddle_banner(page, title);
    fprintf(page->out, "Time unit: %s\n", time_unit_names[page->unit]);
}

void paddle_rule(const struct paddle_page *page)
{
    for (uint32_t i = 0; i < page->columns; i++) {
        repeat(page->out, '-', page->widths[i]);
        repeat(page->out, ' ', GAP);
    }
    putc('\n', page->out);
}

/* Dashes over the whole width. */
static void paddle_bar(const struct paddle_page *page)
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

/* ---- what the whole run looks like: devices, types of event, phases, batches ---- */

static void set_widths(struct paddle_page *page, uint32_t first, uint32_t others, uint32_t columns)
{
    page->columns = columns;
    page->widths[0] = first;
    for (uint32_t i = 1; i < columns; i++)
        page->widths[i] = others;
}

/* ---- devices ---- */

static void cpu_row(const struct paddle_page *page, const char *name, double share)
{
    if (!isnan(share))
        paddle_row(page, (const char *[]){name, paddle_ratio(page, share)});
}

const char *paddle_devices(const struct summary_devices *devices, struct arena *arena)
{
    struct paddle_page page;

    paddle_page_begin(&page, arena, TIME_UNIT_MS);
    set_widths(&page, 30, 20, 2);
    paddle_banner(&page, "Device Summary");
    paddle_rule(&page);
    paddle_row(&page, (const char *[]){"Device", "Utilization (%)"});
    paddle_rule(&page);
    cpu_row(&page, "CPU(Process)", devices->process_cpu);
    cpu_row(&page, "CPU(System)", devices->system_cpu);
    for (uint32_t i = 0; i < devices->count; i++)
        paddle_row(&page, (const char *[]){arena_printf(arena, "GPU%d", devices->rows[i].device),
                                           paddle_ratio(&page, devices->rows[i].share)});
    paddle_rule(&page);
    fputs("Note:\n"
          "CPU(Process) Utilization = Current process CPU time over all cpu cores / elapsed time, "
          "so max utilization can be reached 100% * number of cpu cores.\n"
          "CPU(System) Utilization = All processes CPU time over all cpu cores(busy time) / (busy "
          "time + idle time).\n"
          "GPU Utilization = Current process GPU time / elapsed time.\n",
          page.out);
    paddle_bar(&page);
    fputs("\n\n", page.out);
    return paddle_page_end(&page);
}

/* ---- types of event ---- */

static const char *type_name(const struct paddle_page *page, const struct summary_type *type,
                             bool is_indented)
{
    const char *name = paddle_name(page, type->name, 0);

    return is_indented ? arena_printf(page->arena, "  %s", name) : name;
}

static void type_row(const struct paddle_page *page, const struct summary_type *type,
                     bool is_indented)
{
    paddle_row(page,
               (const char *[]){type_name(page, type, is_indented),
                                arena_printf(page->arena, "%lld", (long long)type->calls),
                                paddle_time(page, type->time), paddle_ratio(page, type->share)});
}

static const char overview_note[] =
    "Note:\n"
    "In this table, We sum up all collected events in terms of event type.\n"
    "The time of events collected on host are presented as CPU Time, and as GPU Time if on "
    "device.\n"
    "Events with different types may overlap or inclusion, e.g. Operator includes OperatorInner, "
    "so the sum of ratios is not 100%.\n"
    "The time of events in the same type with overlap will not calculate twice, and all time is "
    "summed after merged.\n"
    "Example:\n"
    "Thread 1:\n"
    "  Operator: |___________|     |__________|\n"
    "Thread 2:\n"
    "  Operator:   |____________|     |___|\n"
    "After merged:\n"
    "  Result:   |______________|  |__________|\n\n";

const char *paddle_overview(const struct summary_overview *overview, struct arena *arena,
                            enum time_unit unit)
{
    struct paddle_page page;

    paddle_page_begin(&page, arena, unit);
    set_widths(&page, 25, 25, 4);
    for (uint32_t i = 0; i < overview->count; i++) /* Paddle's own are short, others' need not be */
        paddle_widen(&page, 0, type_name(&page, &overview->rows[i], true));
    paddle_title(&page, "Overview Summary");
    paddle_rule(&page);
    paddle_row(&page, (const char *[]){"Event Type", "Calls", "CPU Time", "Ratio (%)"});
    paddle_rule(&page);
    for (uint32_t i = 0; i < overview->host_count; i++)
        type_row(&page, &overview->rows[i], i > 0);
    paddle_rule(&page);
    paddle_row(&page, (const char *[]){"", "Calls", "GPU Time", "Ratio (%)"});
    paddle_rule(&page);
    for (uint32_t i = overview->host_count; i < overview->count; i++)
        type_row(&page, &overview->rows[i], true);
    paddle_rule(&page);
    fputs(overview_note, page.out);
    paddle_bar(&page);
    fputs("\n\n", page.out);
    return paddle_page_end(&page);
}

/* ---- phases ---- */

static const char *rest_cell(const struct paddle_page *page, int64_t time, double share)
{
    return arena_printf(page->arena, "%s / - / - / - / %s", paddle_time(page, time),
                        paddle_ratio(page, share));
}

static void phase_cells(const struct paddle_page *page, const struct summary_phase *phase,
                        const char *cells[4])
{
    const struct summary_item *item = &phase->item;
    bool is_rest = phase->role == ROLE_NONE;

    cells[0] = arena_printf(page->arena, "%s%s", phase->role == ROLE_STEP ? "" : "  ",
                            arena_copy(page->arena, item->name));
    cells[1] = is_rest ? "-" : arena_printf(page->arena, "%lld", (long long)item->calls);
    cells[2] = is_rest ? rest_cell(page, item->cpu.total, phase->cpu_share)
                       : paddle_spread(page, &item->cpu, item->calls, phase->cpu_share);
    cells[3] = is_rest ? rest_cell(page, item->gpu.total, phase->gpu_share)
                       : paddle_spread(page, &item->gpu, item->calls, phase->gpu_share);
}

const char *paddle_model(const struct summary_model *model, struct arena *arena,
                         enum time_unit unit)
{
    struct paddle_page page;
    const char *cells[6][4];

    paddle_page_begin(&page, arena, unit);
    set_widths(&page, 15, 40, 4);
    page.widths[1] = 6;
    for (uint32_t i = 0; i < model->count; i++) {
        phase_cells(&page, &model->rows[i], cells[i]);
        for (uint32_t column = 1; column < 4; column++)
            paddle_widen(&page, column, cells[i][column]);
    }
    paddle_title(&page, "Model Summary");
    paddle_rule(&page);
    paddle_row(&page, (const char *[]){"Name", "Calls", "CPU Total / Avg / Max / Min / Ratio(%)",
                                       "GPU Total / Avg / Max / Min / Ratio(%)"});
    paddle_rule(&page);
    for (uint32_t i = 0; i < model->count; i++)
        paddle_row(&page, cells[i]);
    paddle_rule(&page);
    fputs("Note:\n"
          "In this table, GPU time is the sum of all device(GPU) events called in the phase.\n"
          "Unlike overview summary, if two device(GPU) events execute on different streams with "
          "overlap time, we sum them directly here.\n\n",
          page.out);
    paddle_bar(&page);
    fputs("\n\n", page.out);
    return paddle_page_end(&page);
}

/* ---- communication ---- */

static const char distribution_note[] =
    "Note:\n"
    "Communication time: Communication Event time, Communication Op time and its kernel time on "
    "gpu.\n"
    "Computation time: Kernel time, except kernels belong to communication(nccl kernels).\n"
    "Overlap time: Communication time intersects with computation time.\n"
    "Example:\n"
    "Communication:\n"
    "  CPU:              |_________________|\n"
    "  GPU:                                  |______________|\n"
    "  Total:            |_________________| |______________|\n"
    "Computation time(Kernel):\n"
    "  GPU:         |________________|\n"
    "Overlap time:       |___________|\n\n";

const char *paddle_distribution(const struct summary_distribution *d, struct arena *arena,
                                enum time_unit unit)
{
    const struct {
        const char *name;
        int64_t time;
    } rows[] = {{"ProfileStep", d->total_time},
                {"  Communication", d->communication},
                {"  Computation", d->computation},
                {"  Overlap", d->overlap}};
    struct paddle_page page;

    paddle_page_begin(&page, arena, unit);
    set_widths(&page, 25, 25, 3);
    paddle_title(&page, "Distribution Summary");
    paddle_rule(&page);
    paddle_row(&page, (const char *[]){"Name", "Total Time", "Ratio (%)"});
    paddle_rule(&page);
    for (int i = 0; i < 4; i++) {
        double share = d->total_time ? (double)rows[i].time / (double)d->total_time : 0;

        paddle_row(&page, (const char *[]){rows[i].name, paddle_time(&page, rows[i].time),
                                           paddle_ratio(&page, share)});
    }
    paddle_rule(&page);
    fputs(distribution_note, page.out);
    paddle_bar(&page);
    fputs("\n\n", page.out);
    return paddle_page_end(&page);
}

/* ---- batches ---- */

/* Text in the middle; what is left over goes as in Python's str.center(). */
static const char *centred(struct arena *arena, const char *text, uint32_t width)
{
    uint32_t length = (uint32_t)strlen(text), blanks = length < width ? width - length : 0;
    uint32_t left = blanks / 2 + (blanks & width & 1);

    return arena_printf(arena, "%*s%s%*s", (int)left, "", text, (int)(blanks - left), "");
}

static const char *figure(struct arena *arena, double value)
{
    return centred(arena, arena_printf(arena, "%.5f", value), 15);
}

static void rate_row(const struct paddle_page *page, const char *name,
                     const struct summary_rate *rate)
{
    fprintf(page->out, "| %s | %s | %s | %s |\n", centred(page->arena, name, 15),
            figure(page->arena, rate->average), figure(page->arena, rate->max),
            figure(page->arena, rate->min));
}

const char *paddle_benchmark(const struct summary_benchmark *b, struct arena *arena)
{
    static const char title[] = "Perf Summary";
    struct paddle_page page;

    paddle_page_begin(&page, arena, TIME_UNIT_S);
    for (uint32_t i = 0; i < (100 - sizeof(title) + 1) / 2; i++)
        putc('=', page.out);
    fputs(title, page.out);
    for (uint32_t i = 0; i < (100 - sizeof(title) + 1) / 2; i++)
        putc('=', page.out);
    putc('\n', page.out);
    if (b->has_reader)
        fprintf(page.out, "Reader Ratio: %.3f%%\n", b->reader_share * 100);
    fputs("Time Unit: s, IPS Unit: steps/s\n", page.out);
    fprintf(page.out, "| %s | %s | %s | %s |\n", centred(arena, "", 15), centred(arena, "avg", 15),
            centred(arena, "max", 15), centred(arena, "min", 15));
    if (b->has_reader)
        rate_row(&page, "reader_cost", &b->reader);
    rate_row(&page, "batch_cost", &b->batch);
    rate_row(&page, "ips", &b->ips);
    return paddle_page_end(&page);
}
