/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/nvprof/nvprof_summary.h"

#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/grow.h"

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

void summary_heading(struct summary *summary, struct span text)
{
    summary->section = summary->row_section = section_of(text);
    if (span_starts(text, SPAN("NVTX result")))
        summary->is_ranged = true;
    else if (!span_starts(text, SPAN("Thread")) && !span_starts(text, SPAN("Domain")) &&
             !span_starts(text, SPAN("Range")))
        summary->is_ranged = false;
}

void summary_open_nsight(struct summary *summary, const struct table *table, bool is_os)
{
    summary->is_ranged = false;
    summary->section = table->is_ranges                        ? SECTION_RANGE
                       : table->count_title == COUNT_API_CALLS ? SECTION_API
                                                               : SECTION_GPU;
    if (summary->section == SECTION_API && is_os)
        summary->section = SECTION_OS;
    summary->row_section = summary->section;
}

static void add_to(struct summary_row *row, const struct summary_row *more)
{
    row->calls = checked_add(row->calls, more->calls);
    row->time = checked_add(row->time, more->time);
    row->min = more->min < row->min ? more->min : row->min;
    row->max = more->max > row->max ? more->max : row->max;
}

static void keep(struct summary *summary, const struct summary_row *row)
{
    uint32_t *at = idmap_at(&summary->places, idmap_pair(row->frame, row->section));

    if (*at != IDMAP_NONE) {
        add_to(&summary->rows[*at], row);
        return;
    }
    *at = (uint32_t)summary->count;
    summary->rows = grow_one(summary->rows, summary->count, &summary->cap, sizeof(*row));
    summary->rows[summary->count++] = *row;
}

void summary_add_launch(struct summary *summary, frame_id frame, int64_t ns)
{
    summary->read[SECTION_GPU]++;
    keep(summary,
         &(struct summary_row){.frame = frame, .calls = 1, .time = ns, .min = ns, .max = ns});
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

static bool read_figures(const struct table *table, const struct row *row,
                         struct summary_row *figures)
{
    int64_t avg, coarse, fine, ignored;

    if (!quantity_count(row->cell[COLUMN_CALLS], &figures->calls) ||
        !quantity_time(row->cell[COLUMN_TIME], table->unit[COLUMN_TIME], &figures->time, &coarse) ||
        !quantity_time(row->cell[COLUMN_AVG], table->unit[COLUMN_AVG], &avg, &fine) ||
        !quantity_time(row->cell[COLUMN_MIN], table->unit[COLUMN_MIN], &figures->min, &ignored) ||
        !quantity_time(row->cell[COLUMN_MAX], table->unit[COLUMN_MAX], &figures->max, &ignored))
        return false;
    figures->time = exact_time(figures->time, coarse, avg, fine, figures->calls);
    return figures->calls >= 0 && figures->time >= 0;
}

/* Calls and kernels are in two reports of nsys: the first one that is met counts. */
static bool is_resummed(struct summary *summary, const struct table *table, enum section section,
                        enum frame_kind kind)
{
    enum table_kind *teller = &summary->teller[section];

    if (!table->is_nsight || kind == KIND_MEMCPY || kind == KIND_MEMSET)
        return false;
    if (*teller == TABLE_NONE)
        *teller = table->kind;
    summary->resummed += *teller != table->kind;
    return *teller != table->kind;
}

bool summary_take(struct summary *summary, struct builder *builder, const struct table *table,
                  const struct row *row)
{
    struct summary_row figures;
    struct span name = row->cell[COLUMN_NAME];
    enum frame_kind kind;

    if (table->is_nsight && table->is_ranges && span_starts(name, SPAN(":")))
        name = span_after(name, 1); /* the default domain */
    if (!name.len || !read_figures(table, row, &figures))
        return false;
    if (row->cell[COLUMN_TYPE].len)
        summary->row_section = section_of(row->cell[COLUMN_TYPE]);
    figures.section = summary->row_section;
    kind = figures.section == SECTION_GPU ? device_name_kind(name) : host_kinds[figures.section];
    if (is_resummed(summary, table, figures.section, kind))
        return true;
    summary->read[figures.section]++;
    if (summary->is_ranged && figures.section != SECTION_RANGE && summary->has_main) {
        summary->retold++;
        return true;
    }
    summary->has_main |= !summary->is_ranged && figures.section <= SECTION_API;
    figures.frame = name_frame(builder, name, kind);
    keep(summary, &figures);
    return true;
}

/* The sums are not in the file: they follow from the means, which have a decimal that is lost. */
static bool take_mean(struct summary *summary, const struct table *table, const struct row *row,
                      enum column avg, struct summary_row *figures)
{
    enum column min = avg + 1, max = avg + 2;
    int64_t mean, ignored;

    if (!quantity_count(row->cell[COLUMN_CALLS], &figures->calls) || figures->calls < 0 ||
        !quantity_time(row->cell[avg], table->unit[avg], &mean, &ignored) || mean < 0 ||
        !quantity_time(row->cell[min], table->unit[min], &figures->min, &ignored) ||
        !quantity_time(row->cell[max], table->unit[max], &figures->max, &ignored))
        return false;
    figures->time = checked_mul(mean, figures->calls);
    summary->read[figures->section]++;
    keep(summary, figures);
    return true;
}

bool summary_take_executions(struct summary *summary, struct builder *builder,
                             const struct table *table, const struct row *row)
{
    struct span call = row->cell[COLUMN_CALL], name = row->cell[COLUMN_NAME];
    struct summary_row calls = {.section = SECTION_API}, kernels = {.section = SECTION_GPU};

    if (!call.len || !name.len)
        return false;
    calls.frame = name_frame(builder, call, KIND_RUNTIME);
    kernels.frame = name_frame(builder, name, device_name_kind(name));
    return (is_resummed(summary, table, SECTION_API, KIND_RUNTIME) ||
            take_mean(summary, table, row, COLUMN_CALL_AVG, &calls)) &&
           (is_resummed(summary, table, SECTION_GPU, KIND_KERNEL) ||
            take_mean(summary, table, row, COLUMN_AVG, &kernels));
}

/* ---- the end ---- */

const struct value_name summary_values[SUMMARY_VALUES] = {
    [SUMMARY_TIME] = {{"time", 4}, UNIT_NS},
    [SUMMARY_HOST] = {{"host", 4}, UNIT_NS},
    [SUMMARY_DEVICE] = {{"device", 6}, UNIT_NS},
};

enum summary_value summary_standard(const struct summary *summary)
{
    return summary->read[SECTION_GPU] ? SUMMARY_DEVICE : SUMMARY_HOST;
}

static bool is_part(const struct summary_row *row, enum summary_value value)
{
    return value == SUMMARY_TIME || (row->section == SECTION_GPU) == (value == SUMMARY_DEVICE);
}

void summary_list(const struct summary *summary, struct builder *builder, enum summary_value value)
{
    for (size_t i = 0; i < summary->count; i++) {
        const struct summary_row *row = &summary->rows[i];
        int64_t self = row->section == SECTION_RANGE ? 0 : row->time;
        uint32_t function;

        if (!is_part(row, value))
            continue;
        function = builder_function(builder, row->frame);
        builder_list(builder, function,
                     &(struct call_figures){row->calls, row->calls, self, row->time});
        builder_extremes(builder, function, row->min, row->max);
    }
    if (value == SUMMARY_DEVICE && summary->read[SECTION_API])
        warning_say(builder_warnings(builder), WARNING_LOSS,
                    "only the device's time is counted here; --value host has the API calls, "
                    "--value time both");
}

void summary_tell(const struct summary *summary, struct builder *builder)
{
    static const char *const keys[SECTION_COUNT] = {
        [SECTION_GPU] = "device_rows",      [SECTION_API] = "api_rows",
        [SECTION_OPENACC] = "openacc_rows", [SECTION_OS] = "os_rows",
        [SECTION_RANGE] = "range_rows",
    };

    for (int i = 0; i < SECTION_COUNT; i++)
        if (summary->read[i])
            builder_fact(builder, keys[i], (int64_t)summary->read[i], UNIT_COUNT);
    warning_count_many(builder_warnings(builder), WARNING_NOTE,
                       "rows told again by NVTX range, left out", summary->retold);
    warning_count_many(builder_warnings(builder), WARNING_NOTE,
                       "sums that another report tells again, left out", summary->resummed);
}

int64_t summary_mean(const struct summary *summary, frame_id frame)
{
    uint32_t at = idmap_find(&summary->places, idmap_pair(frame, SECTION_GPU));

    if (at == IDMAP_NONE || summary->rows[at].calls == 0)
        return UNKNOWN;
    return summary->rows[at].time / summary->rows[at].calls;
}

void summary_free(struct summary *summary)
{
    free(summary->rows);
    idmap_free(&summary->places);
}
