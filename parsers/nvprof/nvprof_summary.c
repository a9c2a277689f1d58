/* SPDX-License-Identifier: Apache-2.0 */
/* nvprof_summary.c — tables of sums: the tree of CPU samples, and one row a kernel, copy or call */
#include "parsers/nvprof/nvprof.h"

#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "base/text/decimal.h"
#include "parsers/csv/csv.h"
#include "parsers/device/kernel_counters.h"
#include "parsers/text/text_end.h"

/* "98.54%", "98.5" */
static void add_share(struct table_shares *shares, struct span text)
{
    struct span digits = text;
    int64_t share;
    size_t point;

    if (span_ends(digits, SPAN("%")))
        digits.len--;
    point = span_rfind(digits, '.');
    if (point == SIZE_MAX || !decimal_scaled(digits, 2, &share)) {
        shares->is_unreadable = true;
        return;
    }
    shares->found = checked_add(shares->found, share);
    shares->step = digits.len - point > 2 ? 1 : 10;
    shares->rows++;
}

/* ---- "CPU profiling result": a tree as text, callees first ("bottom up") or callers ---- */

void cpu_samples_end_rows(struct cpu_samples *samples, struct builder *builder)
{
    const struct table_shares *shares = &samples->shares;

    if (!shares->is_unreadable)
        text_check_shares(builder, "the CPU profile", shares->found, shares->rows, shares->step);
    samples->shares = (struct table_shares){0};
}

void cpu_samples_heading(struct cpu_samples *samples, struct builder *builder, struct span text)
{
    cpu_samples_end_rows(samples, builder);
    samples->is_open = span_starts(text, SPAN("CPU profiling result"));
    samples->depth = 0;
    if (samples->is_open)
        samples->is_top_down = span_find(text, SPAN("(top down)")) != SIZE_MAX;
}

/* ---- rows ---- */

/* Two blanks behind the time, then two characters a level: "| " or blanks. */
static uint32_t take_depth(struct span *line)
{
    uint32_t depth = 0;

    *line = span_after(*line, 2);
    while (depth < CPU_DEPTH_MAX &&
           (span_starts(*line, SPAN("| ")) || span_starts(*line, SPAN("  ")))) {
        *line = span_after(*line, 2);
        depth++;
    }
    return depth;
}

/* A row that is deeper than one below the row before it hangs in the air: some were left out. */
bool cpu_samples_take(struct cpu_samples *samples, struct builder *builder, struct span line)
{
    struct column_unit none = {0};
    struct span rest, percent, time;
    int64_t ns, resolution;
    uint32_t depth, parent;

    if (!samples->is_open)
        return false;
    rest = line;
    percent = span_word(&rest);
    time = span_word(&rest);
    line = span_after(line, (size_t)(time.at + time.len - line.at)); /* blanks tell the depth */
    if (!span_ends(percent, SPAN("%")) || !quantity_time(time, none, &ns, &resolution) || ns < 0 ||
        line.len < 3)
        return false;
    depth = take_depth(&line);
    if (depth > samples->depth || depth >= CPU_DEPTH_MAX || !line.len)
        return false;
    parent = depth ? samples->open[depth - 1] : 0;
    if (!parent)
        add_share(&samples->shares, percent);
    vector_add(samples, (struct cpu_row){kernel_name_frame(builder, span_trim(line), KIND_HOST),
                                         parent, ns});
    if (parent)
        samples->list[parent - 1].rest = checked_sub(samples->list[parent - 1].rest, ns);
    samples->open[depth] = (uint32_t)samples->count;
    samples->depth = depth + 1;
    return true;
}

/* ---- the end ---- */

/* From the row up: these are the callers of a tree of callers, and in the other tree the
 * callees. */
static void plant(const struct cpu_samples *samples, struct stack_builder *builder, size_t row)
{
    frame_id path[CPU_DEPTH_MAX];
    uint32_t depth = 0;
    node_id node = 0;

    for (uint32_t at = (uint32_t)row + 1; at && depth < CPU_DEPTH_MAX;
         at = samples->list[at - 1].parent)
        path[depth++] = samples->list[at - 1].frame;
    for (uint32_t i = 0; i < depth; i++)
        node = builder_child(builder, node, path[samples->is_top_down ? depth - 1 - i : i]);
    builder_add(builder, node, 0, samples->list[row].rest);
}

bool cpu_samples_finish(struct cpu_samples *samples, struct builder *builder, struct error *err)
{
    static const struct value_name values[] = {{LITERAL("time"), UNIT_NS}};

    if (!builder_begin(builder, LEVEL_CALLTREE, values, 1, 0, err))
        return false;
    for (size_t i = 0; i < samples->count; i++)
        if (samples->list[i].rest > 0)
            plant(samples, builder_stacks(builder), i);
    builder_fact(builder, "cpu_rows", (int64_t)samples->count, UNIT_COUNT);
    return true;
}

void cpu_samples_free(struct cpu_samples *samples)
{
    free(samples->list);
}

/* ---- summary tables: one row a kernel, copy or API call, with its count and times ---- */

static const enum frame_kind host_kinds[SECTION_COUNT] = {
    [SECTION_API] = KIND_RUNTIME,
    [SECTION_OPENACC] = KIND_HOST,
    [SECTION_OS] = KIND_HOST,
    [SECTION_RANGE] = KIND_ANNOTATION,
};

/* The type in a row's first column, or a heading above a table. */
static enum section section_of(struct span text)
{
    if (span_starts(text, SPAN("API calls")))
        return SECTION_API;
    if (span_starts(text, SPAN("Range")) || span_find(text, SPAN("(incl)")) != SIZE_MAX)
        return SECTION_RANGE;
    return span_find(text, SPAN("(excl)")) == SIZE_MAX ? SECTION_GPU : SECTION_OPENACC;
}

void summary_heading(struct nvprof_summary *summary, struct span text)
{
    summary->section = summary->row_section = section_of(text);
    if (span_starts(text, SPAN("NVTX result")))
        summary->is_ranged = true;
    else if (!span_starts(text, SPAN("Thread")) && !span_starts(text, SPAN("Domain")) &&
             !span_starts(text, SPAN("Range")))
        summary->is_ranged = false;
}

void summary_open_nsight(struct nvprof_summary *summary, const struct nvprof_table *table,
                         bool is_os)
{
    summary->is_ranged = false;
    summary->section = table->is_ranges                        ? SECTION_RANGE
                       : table->count_title == COUNT_API_CALLS ? SECTION_API
                                                               : SECTION_GPU;
    if (summary->section == SECTION_API && is_os)
        summary->section = SECTION_OS;
    summary->row_section = summary->section;
}

/* The sum, from whichever of two columns says it with more places. */
static int64_t exact_time(int64_t time, int64_t coarse, int64_t avg, int64_t fine, int64_t calls)
{
    int64_t product;

    if (coarse <= 1 || __builtin_mul_overflow(fine, calls, &fine) || fine >= coarse ||
        __builtin_mul_overflow(avg, calls, &product))
        return time;
    return product;
}

static bool read_figures(const struct nvprof_table *table, const struct nvprof_row *row,
                         struct kernel_total *figures)
{
    int64_t avg, coarse, fine, ignored;

    if (!quantity_count(row->cell[COLUMN_CALLS], &figures->calls) ||
        !quantity_time(row->cell[COLUMN_TIME], table->header.unit[COLUMN_TIME], &figures->time,
                       &coarse) ||
        !quantity_time(row->cell[COLUMN_AVG], table->header.unit[COLUMN_AVG], &avg, &fine) ||
        !quantity_time(row->cell[COLUMN_MIN], table->header.unit[COLUMN_MIN], &figures->min,
                       &ignored) ||
        !quantity_time(row->cell[COLUMN_MAX], table->header.unit[COLUMN_MAX], &figures->max,
                       &ignored))
        return false;
    figures->time = exact_time(figures->time, coarse, avg, fine, figures->calls);
    return figures->calls >= 0 && figures->time >= 0;
}

/* Calls and kernels are in two reports of nsys: the first one that is met counts. */
static bool is_resummed(struct nvprof_summary *summary, const struct nvprof_table *table,
                        enum section section, enum frame_kind kind)
{
    enum table_kind *teller = &summary->teller[section];

    if (!table->is_nsight || kind == KIND_MEMCPY || kind == KIND_MEMSET)
        return false;
    if (*teller == TABLE_NONE)
        *teller = table->kind;
    summary->resummed += *teller != table->kind;
    return *teller != table->kind;
}

/* Ranges may lie within each other, and activities told by range are a part of the others. */
void summary_end_rows(struct nvprof_summary *summary, struct builder *builder)
{
    static const char *const names[SECTION_COUNT] = {[SECTION_GPU] = "GPU activities",
                                                     [SECTION_API] = "API calls",
                                                     [SECTION_OS] = "operating system calls"};
    const struct table_shares *shares = &summary->shares;

    if (names[summary->row_section] && !summary->is_ranged && !shares->is_unreadable)
        text_check_shares(builder, names[summary->row_section], shares->found, shares->rows,
                          shares->step);
    summary->shares = (struct table_shares){0};
}

bool summary_take(struct nvprof_summary *summary, struct builder *builder,
                  const struct nvprof_table *table, const struct nvprof_row *row)
{
    struct kernel_total figures;
    struct span name = row->cell[COLUMN_NAME];
    enum frame_kind kind;

    if (table->is_nsight && table->is_ranges && span_starts(name, SPAN(":")))
        name = span_after(name, 1); /* the default domain */
    if (!name.len || !read_figures(table, row, &figures))
        return false;
    if (row->cell[COLUMN_TYPE].len && section_of(row->cell[COLUMN_TYPE]) != summary->row_section) {
        summary_end_rows(summary, builder);
        summary->row_section = section_of(row->cell[COLUMN_TYPE]);
    }
    add_share(&summary->shares, row->cell[COLUMN_PERCENT]);
    figures.section = summary->row_section;
    kind = figures.section == SECTION_GPU ? kernel_name_kind(name) : host_kinds[figures.section];
    if (is_resummed(summary, table, figures.section, kind))
        return true;
    if (summary->is_ranged && figures.section != SECTION_RANGE && summary->has_main) {
        summary->totals.read[figures.section]++;
        summary->retold++;
        return true;
    }
    summary->has_main |= !summary->is_ranged && figures.section <= SECTION_API;
    figures.frame = kernel_name_frame(builder, name, kind);
    kernel_totals_add(&summary->totals, &figures);
    return true;
}

/* The sums are not in the file: they follow from the means, which have a decimal that is lost. */
static bool take_mean(struct nvprof_summary *summary, const struct nvprof_table *table,
                      const struct nvprof_row *row, enum nvprof_column avg,
                      struct kernel_total *figures)
{
    enum nvprof_column min = avg + 1, max = avg + 2;
    int64_t mean, ignored;

    if (!quantity_count(row->cell[COLUMN_CALLS], &figures->calls) || figures->calls < 0 ||
        !quantity_time(row->cell[avg], table->header.unit[avg], &mean, &ignored) || mean < 0 ||
        !quantity_time(row->cell[min], table->header.unit[min], &figures->min, &ignored) ||
        !quantity_time(row->cell[max], table->header.unit[max], &figures->max, &ignored))
        return false;
    figures->time = checked_mul(mean, figures->calls);
    kernel_totals_add(&summary->totals, figures);
    return true;
}

bool summary_take_executions(struct nvprof_summary *summary, struct builder *builder,
                             const struct nvprof_table *table, const struct nvprof_row *row)
{
    struct span call = row->cell[COLUMN_CALL], name = row->cell[COLUMN_NAME];
    struct kernel_total calls = {.section = SECTION_API}, kernels = {.section = SECTION_GPU};

    if (!call.len || !name.len)
        return false;
    calls.frame = kernel_name_frame(builder, call, KIND_RUNTIME);
    kernels.frame = kernel_name_frame(builder, name, kernel_name_kind(name));
    return (is_resummed(summary, table, SECTION_API, KIND_RUNTIME) ||
            take_mean(summary, table, row, COLUMN_CALL_AVG, &calls)) &&
           (is_resummed(summary, table, SECTION_GPU, KIND_KERNEL) ||
            take_mean(summary, table, row, COLUMN_AVG, &kernels));
}

void summary_warn(const struct nvprof_summary *summary, struct warnings *warnings)
{
    warning_count_many(warnings, WARNING_NOTE, "rows repeated by NVTX range, left out",
                       summary->retold);
    warning_count_many(warnings, WARNING_NOTE, "sums that another report repeats, left out",
                       summary->resummed);
}

void summary_free(struct nvprof_summary *summary)
{
    kernel_totals_free(&summary->totals);
}
