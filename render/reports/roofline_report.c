/* SPDX-License-Identifier: Apache-2.0 */
#include "render/reports/reports.h"

#include "analysis/advice/causes.h"
#include "analysis/kernels/roofline.h"
#include "base/checked.h"
#include "base/text/format.h"
#include "graph/classify/function_class.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const struct column columns[] = {
    {.key = "name", .kind = CELL_TEXT, .use = COLUMN_MACHINES},
    {.key = "kind", .kind = CELL_TEXT, .use = COLUMN_MACHINES},
    COUNT_COLUMN("calls", NULL),
    TIME_COLUMN("time", NULL),
    {.key = "explained", .kind = CELL_VALUE, .use = COLUMN_MACHINES, .unit = UNIT_NS},
    {.key = "flops", .kind = CELL_VALUE, .use = COLUMN_MACHINES, .unit = UNIT_FLOP},
    {.key = "bytes", .kind = CELL_VALUE, .use = COLUMN_MACHINES, .unit = UNIT_BYTES},
    {.key = "l2_bytes", .kind = CELL_VALUE, .use = COLUMN_MACHINES, .unit = UNIT_BYTES},
    {.key = "l1_bytes", .kind = CELL_VALUE, .use = COLUMN_MACHINES, .unit = UNIT_BYTES},
    TEXT_COLUMN("precision", "in"),
    TEXT_COLUMN("precision_source", "told by"),
    RATIO_COLUMN("intensity", "FLOP/B"),
    RATIO_COLUMN("l2_intensity", "in L2"),
    RATIO_COLUMN("l1_intensity", "in L1"),
    {.key = "achieved_flops", .kind = CELL_RATIO, .use = COLUMN_MACHINES},
    {.key = "TFLOP/s", .kind = CELL_RATIO, .use = COLUMN_PEOPLE},
    {.key = "achieved_bytes", .kind = CELL_RATIO, .use = COLUMN_MACHINES},
    {.key = "GB/s", .kind = CELL_RATIO, .use = COLUMN_PEOPLE},
    {.key = "attainable_flops", .kind = CELL_RATIO, .use = COLUMN_MACHINES},
    SHARE_COLUMN("efficiency", "of roof"),
    TIME_COLUMN("saving", "could save"),
    TEXT_COLUMN("bound", NULL),
    TEXT_COLUMN("cause", NULL),
    TEXT_COLUMN("work_source", "work from"),
    {.key = "name", .kind = CELL_TEXT, .use = COLUMN_PEOPLE},
};

static const char *const source_names[] = {NULL, "counters", "shapes", "copies", "given", "shares"};

static const char *const precision_sources[] = {NULL, "counters", "name", "inputs", "assumed"};

static void row_name(struct row_writer *row, const char *name)
{
    row_text(row, name ? span_of(name) : NO_TEXT);
}

static int64_t cache_bytes(const struct roofline_row *row, enum cache cache)
{
    bool is_known = row->source == WORK_COUNTERS && row->cache_bytes[cache] != UNKNOWN;

    return is_known ? row->cache_bytes[cache] : TABLE_NULL;
}

/* People see the caches only where counters saw them. */
static const struct column *columns_for(const struct roofline *roofline, struct arena *arena)
{
    struct column *list = arena_array(arena, COUNT_OF(columns), sizeof(*list));
    bool has[CACHE_COUNT] = {false};

    for (uint32_t i = 0; i < roofline->count; i++)
        for (int cache = 0; cache < CACHE_COUNT; cache++)
            has[cache] |= !isnan(roofline->rows[i].cache_intensity[cache]);
    memcpy(list, columns, sizeof(columns));
    for (size_t i = 0; i < COUNT_OF(columns); i++)
        if ((strcmp(list[i].key, "l2_intensity") == 0 && !has[CACHE_L2]) ||
            (strcmp(list[i].key, "l1_intensity") == 0 && !has[CACHE_L1]))
            list[i].use = COLUMN_MACHINES;
    return list;
}

/* The first cause of the group with the most to save that the row has to do with. */
static const char *cause_of(const struct kernel_causes *causes, frame_id frame)
{
    for (uint32_t i = 0; causes && i < causes->count; i++) {
        const struct slow_group *slow = &causes->list[i];

        if (slow->causes && (slow->group.kernel == frame || slow->group.frame == frame))
            return cause_texts[kernel_cause_first(slow)].name;
    }
    return NULL;
}

static void fill_row(struct row_writer *row, const struct graph *graph,
                     const struct roofline_row *from, const struct kernel_causes *causes,
                     struct arena *arena)
{
    const struct frame *frame = graph_frame(graph, from->frame);
    bool is_known = from->source != WORK_NONE;
    const char *precision =
        from->precision == PRECISION_UNKNOWN ? "fp32" : precision_names[from->precision];

    row_text(row, graph_text(graph, frame->name));
    row_text(row, span_of(frame_kind_name(frame->kind)));
    row_number(row, from->calls);
    row_number(row, from->time);
    row_number(row, from->explained);
    row_number(row, is_known && from->flops != UNKNOWN ? from->flops : TABLE_NULL);
    row_number(row, is_known && from->bytes != UNKNOWN ? from->bytes : TABLE_NULL);
    row_number(row, cache_bytes(from, CACHE_L2));
    row_number(row, cache_bytes(from, CACHE_L1));
    row_name(row, from->precision_source == PRECISION_FROM_NOBODY ? NULL : precision);
    row_name(row, precision_sources[from->precision_source]);
    row_real(row, from->intensity);
    row_real(row, from->cache_intensity[CACHE_L2]);
    row_real(row, from->cache_intensity[CACHE_L1]);
    row_real(row, from->achieved);
    row_real(row, from->achieved / 1e12);
    row_real(row, from->bandwidth);
    row_real(row, from->bandwidth / 1e9);
    row_real(row, from->attainable);
    row_real(row, from->efficiency);
    row_number(row, isnan(from->efficiency) ? TABLE_NULL : llround(from->headroom));
    row_name(row, bound_name(from->bound));
    row_name(row, cause_of(causes, from->frame));
    row_name(row, source_names[from->source]);
    row_text(row, kernel_name_short(graph_text(graph, frame->name), arena));
}

static bool has_source(const struct roofline *roofline, enum work_source source)
{
    for (uint32_t i = 0; i < roofline->count; i++)
        if (roofline->rows[i].source == source)
            return true;
    return false;
}

static bool has_cache(const struct roofline *roofline, enum cache cache)
{
    for (uint32_t i = 0; i < roofline->count; i++)
        if (cache_bytes(&roofline->rows[i], cache) != TABLE_NULL)
            return true;
    return false;
}

/* Of a GPU whose other peaks are known. */
static void note_missing_peaks(const struct roofline *roofline, const struct ceilings *ceilings,
                               struct arena *arena, struct report *report)
{
    bool is_missing[PRECISION_COUNT] = {false};

    for (uint32_t i = 0; i < roofline->count; i++) {
        enum precision precision = roofline->rows[i].precision;

        if (roofline->rows[i].precision_source != PRECISION_FROM_NOBODY &&
            precision < PRECISION_COUNT && ceilings->flops[PRECISION_FP32] > 0)
            is_missing[precision] |= !(ceilings->flops[precision] > 0);
    }
    for (int i = 0; i < PRECISION_COUNT; i++)
        if (is_missing[i])
            report_afterf(report, arena,
                          "no peak in %s is known of this GPU, or it has none: what "
                          "is done in it has no share of a roof",
                          precision_names[i]);
}

static void add_notes(const struct roofline *roofline, const struct ceilings *ceilings,
                      struct arena *arena, struct report *report)
{
    bool lacks_l2 = ceilings->cache[CACHE_L2] > 0 && !has_cache(roofline, CACHE_L2);
    bool lacks_l1 = ceilings->cache[CACHE_L1] > 0 && !has_cache(roofline, CACHE_L1);

    if (!roofline->left_out && (lacks_l2 || lacks_l1))
        report_after(report, "a cache whose bandwidth is known has no counters here: its roof is "
                             "compared with nothing");
    note_missing_peaks(roofline, ceilings, arena, report);
    if (roofline->above)
        report_afterf(report, arena,
                      "rows above 100%% of the roof, last because nothing says what they could "
                      "save: %" PRIu32 " (data that stays in caches, a clock above the nominal "
                      "one, or a peak of another card, precision or unit)",
                      roofline->above);
    if (has_source(roofline, WORK_SHAPES))
        report_after(report,
                     "work from shapes is the least that the operator needs: its FLOP/B are "
                     "an upper bound, and caches may hold some of its bytes");
    if (has_source(roofline, WORK_SHARES))
        report_after(report, "work from shares: FLOPs and bytes were not counted; what is of the "
                             "roof is the larger of the profiler's own shares of compute and "
                             "memory");
    if (roofline->left_out > roofline->above_left_out)
        report_afterf(report, arena, "%" PRIu32 " more rows could save less; -n 0 shows all",
                      roofline->left_out - roofline->above_left_out);
    if (roofline->above_left_out)
        report_afterf(report, arena, "%" PRIu32 " more rows are above the roof; -n 0 shows all",
                      roofline->above_left_out);
}

static double known(double ceiling)
{
    return ceiling > 0 ? ceiling : NAN;
}

void roofline_report(const struct roofline *roofline, const struct roofline_options *options,
                     const struct kernel_causes *causes, struct arena *arena, struct report *report)
{
    const struct graph *graph = report->inputs[0].graph;
    const double *flops = options->ceilings.flops;
    struct roof roof = {flops[PRECISION_FP32], options->ceilings.memory};
    struct table *table = table_new(arena, columns_for(roofline, arena), COUNT_OF(columns),
                                    roofline->count, "rows", NULL);
    char share[FORMAT_LEN], time[FORMAT_LEN];

    for (uint32_t i = 0; i < roofline->count; i++) {
        struct row_writer row = table_row(table, i);

        fill_row(&row, graph, &roofline->rows[i], causes, arena);
    }
    report_real(report, "peak_flops", known(roof.flops));
    report_real(report, "peak_bytes_per_second", known(roof.bytes));
    report_real(report, "link_bytes_per_second", known(options->ceilings.link));
    report_real(report, "l2_bytes_per_second", known(options->ceilings.cache[CACHE_L2]));
    report_real(report, "l1_bytes_per_second", known(options->ceilings.cache[CACHE_L1]));
    report_real(report, "ridge", known(roof_ridge(&roof)));
    report_number(report, "kernel_time", roofline->kernel_time);
    report_number(report, "explained", roofline->explained);
    report_beforef(report, arena, "the work of %s of %s of kernel time is known",
                   format_share(share, share_of(roofline->explained, roofline->kernel_time)),
                   format_value(time, roofline->kernel_time, UNIT_NS));
    report_table(report, table);
    add_notes(roofline, &options->ceilings, arena, report);
}
