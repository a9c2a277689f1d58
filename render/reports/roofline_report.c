/* SPDX-License-Identifier: Apache-2.0 */
/* A row a kernel or operator: its work, and how near to its roof it is. */
#include "render/reports/reports.h"

#include "analysis/advice/causes.h"
#include "analysis/kernels/roofline.h"
#include "base/checked.h"
#include "base/text/format.h"
#include "graph/classify/function_class.h"
#include "graph/names/names.h"
#include "render/reports/report_columns.h"

#include <inttypes.h>
#include <math.h>

static const char *const source_names[] = {NULL,    "counters", "shapes", "copies",
                                           "given", "inferred", "shares"};

static const char *const precision_sources[] = {NULL, "counters", "name", "inputs", "assumed"};

static int64_t cache_bytes(const struct roofline_row *from, enum cache cache)
{
    bool is_known = from->source == WORK_COUNTERS && from->cache_bytes[cache] != UNKNOWN;

    return is_known ? from->cache_bytes[cache] : TABLE_NULL;
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

/* A row, and what is made of it. */
typedef struct {
    struct roofline_row of;
    int64_t flops, bytes, flops_low, bytes_low, l2_bytes, l1_bytes, saving;
    const char *precision, *precision_source, *bound, *cause, *source;
    double teraflops;
} row;

static const struct column columns[] = {
    TEXT_BY(cell_frame_name, "name", of.frame, FOR_MACHINES),
    TEXT_BY(cell_frame_kind, "kind", of.frame, FOR_MACHINES),
    COUNT_AT("calls", of.calls, .yields = 4),
    TIME_AT("time", of.time),
    TIME_AT("explained", of.explained, FOR_MACHINES),
    VALUE_AT("flops", flops, FOR_MACHINES, .unit = UNIT_FLOP),
    BYTES_AT("bytes", bytes, FOR_MACHINES),
    VALUE_AT("flops_low", flops_low, FOR_MACHINES, .unit = UNIT_FLOP),
    BYTES_AT("bytes_low", bytes_low, FOR_MACHINES),
    BYTES_AT("l2_bytes", l2_bytes, FOR_MACHINES),
    BYTES_AT("l1_bytes", l1_bytes, FOR_MACHINES),
    TEXT_AT("precision", precision, .heading = "in", .yields = 3),
    TEXT_AT("precision_source", precision_source, .heading = "known by", .yields = 9),
    RATIO_AT("intensity", of.intensity, .heading = "FLOP/B", .yields = 5),
    RATIO_AT("l2_intensity", of.cache_intensity[CACHE_L2], .heading = "in L2", .yields = 8),
    RATIO_AT("l1_intensity", of.cache_intensity[CACHE_L1], .heading = "in L1", .yields = 8),
    RATIO_AT("achieved_flops", of.achieved, FOR_MACHINES),
    RATIO_AT("TFLOP/s", teraflops, FOR_PEOPLE, .yields = 6),
    RATE_AT("achieved_bytes", "GB/s", of.bandwidth),
    RATIO_AT("attainable_flops", of.attainable, FOR_MACHINES),
    SHARE_AT("efficiency_low", of.efficiency_low, .heading = "at least", .yields = 7),
    SHARE_AT("efficiency", of.efficiency, .heading = "of roof"),
    TIME_AT("saving", saving, .heading = "could save"),
    TEXT_AT("bound", bound, .is_whole = true, .yields = 2),
    TEXT_AT("cause", cause, .is_whole = true, .yields = 1),
    TEXT_AT("work_source", source, .heading = "work from", .yields = 10),
    LABEL_AT("name", of.frame, FOR_PEOPLE),
};

static void add_row(struct table *table, const struct roofline_row *from,
                    const struct kernel_causes *causes)
{
    bool has_precision = from->precision_source != PRECISION_FROM_NOBODY;

    TABLE_ADD(table, .of = *from, .flops = from->source == WORK_NONE ? TABLE_NULL : from->flops,
              .bytes = from->source == WORK_NONE ? TABLE_NULL : from->bytes,
              .flops_low = from->source == WORK_NONE ? TABLE_NULL : from->flops_low,
              .bytes_low = from->source == WORK_NONE ? TABLE_NULL : from->bytes_low,
              .l2_bytes = cache_bytes(from, CACHE_L2), .l1_bytes = cache_bytes(from, CACHE_L1),
              .precision = !has_precision ? NULL
                           : from->precision == PRECISION_UNKNOWN
                               ? "fp32"
                               : precision_names[from->precision],
              .precision_source = precision_sources[from->precision_source],
              .teraflops = from->achieved / 1e12,
              .saving = isnan(from->efficiency) ? TABLE_NULL : llround(from->headroom),
              .bound = bound_name(from->bound), .cause = cause_of(causes, from->frame),
              .source = source_names[from->source]);
}

/* People see the caches only where counters saw them. */
static void hide_caches(const struct table *table, const struct roofline *roofline)
{
    static const char *const keys[CACHE_COUNT] = {
        [CACHE_L2] = "l2_intensity", [CACHE_L1] = "l1_intensity"};

    for (int cache = 0; cache < CACHE_COUNT; cache++) {
        bool is_known = false;

        for (uint32_t i = 0; i < roofline->count; i++)
            is_known |= !isnan(roofline->rows[i].cache_intensity[cache]);
        if (!is_known)
            table_column(table, keys[cache])->use = COLUMN_MACHINES;
    }
}

static bool has_bracket(const struct roofline *roofline)
{
    for (uint32_t i = 0; i < roofline->count; i++)
        if (!isnan(roofline->rows[i].efficiency_low) &&
            !(roofline->rows[i].efficiency_low >= roofline->rows[i].efficiency))
            return true;
    return false;
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
    if (has_source(roofline, WORK_INFERRED))
        report_after(report, "inferred: a graph without a capture does what the same operators do in "
                             "steps without a graph; its tokens are those in the step's label, and at "
                             "most those of any step with the same graph");
    if (has_source(roofline, WORK_SHAPES) || has_source(roofline, WORK_INFERRED))
        report_after(report,
                     "work from shapes is the least that the operator needs: its FLOP/B are "
                     "an upper bound, and caches may hold some of its bytes");
    if (has_bracket(roofline))
        report_after(report, "of work that is known as a bracket, such as that of experts whose "
                             "choice is not recorded, the high end counts; 'at least' is the "
                             "share at the low end");
    if (roofline->least > 0)
        report_after(report, "where lengths of sequences or a step's tokens are not recorded, 'at "
                             "least' is all that is known: each query with its own key, each graph "
                             "with its weights");
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
    struct table_context context = {.arena = arena, .graph = graph};
    struct table *table = TABLE_BEGIN(&context, columns, roofline->count, "rows", NULL);
    char share[FORMAT_LEN], time[FORMAT_LEN], least[FORMAT_LEN];

    for (uint32_t i = 0; i < roofline->count; i++)
        add_row(table, &roofline->rows[i], causes);
    hide_caches(table, roofline);
    if (!has_bracket(roofline))
        table_column(table, "efficiency_low")->use = COLUMN_MACHINES;
    report_real(report, "peak_flops", known(roof.flops));
    report_real(report, "peak_bytes_per_second", known(roof.bytes));
    report_real(report, "link_bytes_per_second", known(options->ceilings.link));
    report_real(report, "l2_bytes_per_second", known(options->ceilings.cache[CACHE_L2]));
    report_real(report, "l1_bytes_per_second", known(options->ceilings.cache[CACHE_L1]));
    report_real(report, "ridge", known(roof_ridge(&roof)));
    report_time(report, "kernel_time", roofline->kernel_time);
    report_time(report, "explained", roofline->explained);
    report_time(report, "least_known", roofline->least);
    report_beforef(report, arena, "The work of %s of %s of kernel time is known%s.",
                   format_share(share, share_of(roofline->explained, roofline->kernel_time)),
                   format_value(time, roofline->kernel_time, UNIT_NS),
                   roofline->least ? arena_printf(arena, ", of %s only the least",
                                                  format_share(least, share_of(roofline->least,
                                                                               roofline->kernel_time)))
                                   : "");
    report_table(report, table);
    add_notes(roofline, &options->ceilings, arena, report);
}
