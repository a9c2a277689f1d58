/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_counters.c — kernels by their names in tables, how long they ran, and what hardware counted of them */
#include "parsers/device/kernel_counters.h"

#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "base/symbols/symbols.h"
#include "graph/classify/kernel_class.h"

str_id kernel_name_intern(struct builder *builder, struct span name)
{
    struct arena arena = {0};
    str_id known;

    if (!span_starts(name, SPAN("_Z")) || memchr(name.at, '\0', name.len))
        return builder_intern(builder, name);
    known = builder_intern(builder, demangle_whole(&arena, arena_copy(&arena, name)));
    arena_free(&arena);
    return known;
}

enum frame_kind kernel_name_kind(struct span name)
{
    if (!span_starts(name, SPAN("[")))
        return device_work_kind(name);
    if (span_find_word(name, SPAN("memcpy")) != SIZE_MAX)
        return KIND_MEMCPY;
    return span_find_word(name, SPAN("memset")) == SIZE_MAX ? KIND_OTHER : KIND_MEMSET;
}

frame_id kernel_name_frame(struct builder *builder, struct span name, enum frame_kind kind)
{
    struct frame frame = {.name = kernel_name_intern(builder, name), .kind = kind};

    return builder_frame(builder, &frame);
}

/* ---- which metrics of nvprof and Nsight Compute count work, and in which unit ---- */

struct metric_meaning {
    const char *name;
    enum counter counter;
    int64_t factor; /* FLOP or bytes that one of it is */
    int rank;       /* of several that say the same the highest counts */
};

enum { SECTOR = 32, SHARED_LINE = 128 };

/* A fused multiply-add is two FLOP, as nvprof's flop_count_* have it already. */
static const struct metric_meaning meanings[] = {
    {"flop_count_hp", COUNTER_FLOP_HALF, 1, 0},
    {"flop_count_sp", COUNTER_FLOP_SINGLE, 1, 0},
    {"flop_count_dp", COUNTER_FLOP_DOUBLE, 1, 0},
    {"flops_sp", COUNTER_FLOP_SINGLE, 1, 0}, /* Fermi and early Kepler */
    {"flops_dp", COUNTER_FLOP_DOUBLE, 1, 0},
    {"dram_read_transactions", COUNTER_DRAM_BYTES, SECTOR, 0},
    {"dram_write_transactions", COUNTER_DRAM_BYTES, SECTOR, 0},
    {"dram_read_bytes", COUNTER_DRAM_BYTES, 1, 1}, /* Volta */
    {"dram_write_bytes", COUNTER_DRAM_BYTES, 1, 1},
    {"l2_read_transactions", COUNTER_L2_BYTES, SECTOR, 0},
    {"l2_write_transactions", COUNTER_L2_BYTES, SECTOR, 0},
    {"gld_transactions", COUNTER_L1_BYTES, SECTOR, 0},
    {"gst_transactions", COUNTER_L1_BYTES, SECTOR, 0},
    {"atomic_transactions", COUNTER_L1_BYTES, SECTOR, 0},
    {"local_load_transactions", COUNTER_L1_BYTES, SECTOR, 0},
    {"local_store_transactions", COUNTER_L1_BYTES, SECTOR, 0},
    {"shared_load_transactions", COUNTER_L1_BYTES, SHARED_LINE, 0},
    {"shared_store_transactions", COUNTER_L1_BYTES, SHARED_LINE, 0},
    {"smsp__sass_thread_inst_executed_op_dadd_pred_on.sum", COUNTER_FLOP_DOUBLE, 1, 1},
    {"smsp__sass_thread_inst_executed_op_dmul_pred_on.sum", COUNTER_FLOP_DOUBLE, 1, 1},
    {"smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", COUNTER_FLOP_DOUBLE, 2, 1},
    {"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", COUNTER_FLOP_SINGLE, 1, 1},
    {"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", COUNTER_FLOP_SINGLE, 1, 1},
    {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", COUNTER_FLOP_SINGLE, 2, 1},
    {"smsp__sass_thread_inst_executed_op_hadd_pred_on.sum", COUNTER_FLOP_HALF, 1, 1},
    {"smsp__sass_thread_inst_executed_op_hmul_pred_on.sum", COUNTER_FLOP_HALF, 1, 1},
    {"smsp__sass_thread_inst_executed_op_hfma_pred_on.sum", COUNTER_FLOP_HALF, 2, 1},
    {"sm__sass_thread_inst_executed_op_dadd_pred_on.sum", COUNTER_FLOP_DOUBLE, 1, 0},
    {"sm__sass_thread_inst_executed_op_dmul_pred_on.sum", COUNTER_FLOP_DOUBLE, 1, 0},
    {"sm__sass_thread_inst_executed_op_dfma_pred_on.sum", COUNTER_FLOP_DOUBLE, 2, 0},
    {"sm__sass_thread_inst_executed_op_fadd_pred_on.sum", COUNTER_FLOP_SINGLE, 1, 0},
    {"sm__sass_thread_inst_executed_op_fmul_pred_on.sum", COUNTER_FLOP_SINGLE, 1, 0},
    {"sm__sass_thread_inst_executed_op_ffma_pred_on.sum", COUNTER_FLOP_SINGLE, 2, 0},
    {"sm__sass_thread_inst_executed_op_hadd_pred_on.sum", COUNTER_FLOP_HALF, 1, 0},
    {"sm__sass_thread_inst_executed_op_hmul_pred_on.sum", COUNTER_FLOP_HALF, 1, 0},
    {"sm__sass_thread_inst_executed_op_hfma_pred_on.sum", COUNTER_FLOP_HALF, 2, 0},
    {"dram__bytes.sum", COUNTER_DRAM_BYTES, 1, 2},
    {"dram__bytes_read.sum", COUNTER_DRAM_BYTES, 1, 1},
    {"dram__bytes_write.sum", COUNTER_DRAM_BYTES, 1, 1},
    {"dram__bytes_op_read.sum", COUNTER_DRAM_BYTES, 1, 1}, /* Blackwell */
    {"dram__bytes_op_write.sum", COUNTER_DRAM_BYTES, 1, 1},
    {"dram__sectors_read.sum", COUNTER_DRAM_BYTES, SECTOR, 0},
    {"dram__sectors_write.sum", COUNTER_DRAM_BYTES, SECTOR, 0},
    {"lts__t_bytes.sum", COUNTER_L2_BYTES, 1, 2},
    {"lts__t_sectors.sum", COUNTER_L2_BYTES, SECTOR, 1},
    {"lts__t_sectors_op_read.sum", COUNTER_L2_BYTES, SECTOR, 0}, /* CUDA 10 */
    {"lts__t_sectors_op_write.sum", COUNTER_L2_BYTES, SECTOR, 0},
    {"lts__t_sectors_op_atom.sum", COUNTER_L2_BYTES, SECTOR, 0},
    {"lts__t_sectors_op_red.sum", COUNTER_L2_BYTES, SECTOR, 0},
    {"l1tex__t_bytes.sum", COUNTER_L1_BYTES, 1, 1},
    {NULL, 0, 0, 0}, /* metrics that count no work */
};

/* How often kernels, copies and calls ran, and how long, where a file has a row for each of them
 * and no timeline. */

/* What the times can be summed by. */
enum totals_value { TOTALS_TIME, TOTALS_HOST, TOTALS_DEVICE, TOTALS_VALUES };

void kernel_totals_add(struct kernel_totals *totals, const struct kernel_total *row)
{
    uint32_t *at = idmap_at(&totals->places, idmap_pair(row->frame, row->section));
    struct kernel_total *sum;

    totals->read[row->section]++;
    if (*at == IDMAP_NONE) {
        *at = (uint32_t)totals->count;
        vector_add(totals, *row);
        return;
    }
    sum = &totals->list[*at];
    sum->calls = checked_add(sum->calls, row->calls);
    sum->time = checked_add(sum->time, row->time);
    sum->min = row->min < sum->min ? row->min : sum->min;
    sum->max = row->max > sum->max ? row->max : sum->max;
}

void kernel_totals_add_launch(struct kernel_totals *totals, frame_id frame, int64_t ns)
{
    kernel_totals_add(totals, &(struct kernel_total){
                                  .frame = frame, .calls = 1, .time = ns, .min = ns, .max = ns});
}

static const struct value_name totals_values[TOTALS_VALUES] = {
    [TOTALS_TIME] = {LITERAL("time"), UNIT_NS},
    [TOTALS_HOST] = {LITERAL("host"), UNIT_NS},
    [TOTALS_DEVICE] = {LITERAL("device"), UNIT_NS},
};

/* Gives the builder the rows that are part of a value. */
static void kernel_totals_list(const struct kernel_totals *totals, struct builder *builder,
                               enum totals_value value)
{
    for (size_t i = 0; i < totals->count; i++) {
        const struct kernel_total *row = &totals->list[i];
        int64_t self = row->section == SECTION_RANGE ? 0 : row->time;
        uint32_t function;

        if (value != TOTALS_TIME && (row->section == SECTION_GPU) != (value == TOTALS_DEVICE))
            continue;
        function = builder_function(builder_callgraph(builder), row->frame);
        builder_list(builder_callgraph(builder), function,
                     &(struct call_figures){row->calls, row->calls, self, row->time});
        builder_extremes(builder_callgraph(builder), function, row->min, row->max);
    }
    if (value == TOTALS_DEVICE && totals->read[SECTION_API])
        warning_say(builder_warnings(builder), WARNING_LOSS,
                    "only the device's time is counted here; --value host has the API calls, "
                    "--value time both");
}

/* Facts about the rows read. */
static void kernel_totals_note(const struct kernel_totals *totals, struct builder *builder)
{
    static const char *const keys[SECTION_COUNT] = {
        [SECTION_GPU] = "device_rows",      [SECTION_API] = "api_rows",
        [SECTION_OPENACC] = "openacc_rows", [SECTION_OS] = "os_rows",
        [SECTION_RANGE] = "range_rows",
    };

    for (int i = 0; i < SECTION_COUNT; i++)
        if (totals->read[i])
            builder_fact(builder, keys[i], (int64_t)totals->read[i], UNIT_COUNT);
}

/* The mean time of a launch of a kernel, in ns; UNKNOWN. */
static int64_t kernel_totals_mean(const struct kernel_totals *totals, frame_id frame)
{
    uint32_t at = idmap_find(&totals->places, idmap_pair(frame, SECTION_GPU));

    if (at == IDMAP_NONE || totals->list[at].calls == 0)
        return UNKNOWN;
    return totals->list[at].time / totals->list[at].calls;
}

void kernel_totals_free(struct kernel_totals *totals)
{
    free(totals->list);
    idmap_free(&totals->places);
}

/* ---- what hardware counters saw of each kernel, or of each of its launches ---- */

static uint32_t add_kernel(struct kernel_counters *counters, frame_id frame, int64_t nth)
{
    struct counted_kernel kernel = {.sum = {.frame = frame,
                                            .nth = nth,
                                            .grid = UNKNOWN,
                                            .block = UNKNOWN,
                                            .time = UNKNOWN,
                                            .compute_ppm = UNKNOWN,
                                            .memory_ppm = UNKNOWN}};

    for (int i = 0; i < COUNTER_COUNT; i++)
        kernel.sum.figure[i] = UNKNOWN;
    vector_add(&counters->kernels, kernel);
    return (uint32_t)counters->kernels.count - 1;
}

uint32_t kernel_counters_kernel(struct kernel_counters *counters, frame_id frame, str_id device)
{
    uint32_t *at = idmap_at(&counters->kernel_of, idmap_pair(frame, device));

    if (*at == IDMAP_NONE)
        *at = add_kernel(counters, frame, -1);
    return *at;
}

uint32_t kernel_counters_launch(struct kernel_counters *counters, frame_id frame, str_id device)
{
    uint32_t *last = idmap_at(&counters->launches_of, idmap_pair(frame, device));
    uint32_t kernel;

    *last = *last == IDMAP_NONE ? 0 : *last + 1;
    kernel = add_kernel(counters, frame, *last);
    counters->kernels.list[kernel].sum.launches = 1;
    return kernel;
}

void kernel_counters_launched(struct kernel_counters *counters, uint32_t kernel, uint32_t metric,
                              int64_t launches)
{
    struct counted_kernel *at = &counters->kernels.list[kernel];

    if (at->sum.launches == 0)
        at->first_metric = metric;
    if (at->first_metric == metric)
        at->sum.launches = checked_add(at->sum.launches, launches);
}

uint32_t kernel_counters_metric(struct kernel_counters *counters, struct builder *builder,
                                struct span name)
{
    size_t instances = span_find(name, SPAN(" ("));
    str_id id;
    uint32_t *at;

    if (span_ends(name, SPAN(" instances)")) && instances != SIZE_MAX)
        name.len = instances;
    id = builder_intern(builder, name);
    at = idmap_at(&counters->metric_of, id);
    if (*at == IDMAP_NONE) {
        *at = (uint32_t)counters->metrics.count;
        vector_add(&counters->metrics, (struct kernel_metric){.name = id});
    }
    return *at;
}

void kernel_counters_add(struct kernel_counters *counters, const struct builder *builder,
                         uint32_t kernel, uint32_t metric, int64_t total)
{
    struct kernel_metric *named = &counters->metrics.list[metric];
    struct counted_kernel *at = &counters->kernels.list[kernel];
    const struct metric_meaning *meaning = &LOOKUP(meanings, builder_text(builder, named->name));
    int64_t *figure;

    named->is_sum = true;
    vector_add(&counters->cells, (struct metric_cell){kernel, metric, total});
    if (!meaning->name || meaning->rank < at->rank[meaning->counter])
        return;
    figure = &at->sum.figure[meaning->counter];
    if (meaning->rank > at->rank[meaning->counter])
        *figure = UNKNOWN;
    at->rank[meaning->counter] = meaning->rank;
    total = checked_mul(total, meaning->factor);
    *figure = *figure == UNKNOWN ? total : checked_add(*figure, total);
}

/* ---- the end ---- */

/* Bytes over bytes a second, of all launches; throughputs are averages of theirs. */
static int64_t derived_time(const struct kernel_counts *sum, int64_t rate)
{
    int64_t bytes = sum->figure[COUNTER_DRAM_BYTES];

    if (bytes == UNKNOWN || bytes <= 0 || rate <= 0)
        return UNKNOWN;
    return (int64_t)((double)bytes / (double)rate * 1e9 + 0.5);
}

static void give(struct counted_kernel *kernel, const struct kernel_totals *totals,
                 struct builder *builder)
{
    int64_t mean = kernel_totals_mean(totals, kernel->sum.frame);

    if (kernel->sum.time != UNKNOWN) {
        builder_counted(builder_counters(builder), &kernel->sum, false);
        return;
    }
    kernel->sum.time =
        mean != UNKNOWN
            ? checked_mul(mean, kernel->sum.launches)
            : derived_time(&kernel->sum, checked_add(kernel->read_rate, kernel->write_rate));
    builder_counted(builder_counters(builder), &kernel->sum,
                    mean == UNKNOWN && kernel->sum.time != UNKNOWN);
}

void kernel_counters_give(struct kernel_counters *counters, const struct kernel_totals *totals,
                          struct builder *builder)
{
    for (size_t i = 0; i < counters->kernels.count; i++)
        give(&counters->kernels.list[i], totals, builder);
}

/* A function's figures, which can be in several kernels: of several devices, or launches. */
static struct call_figures *figures_of(struct call_figures *figures, struct idmap *place,
                                       frame_id frame)
{
    uint32_t *at = idmap_at(place, frame);

    if (*at == IDMAP_NONE) {
        *at = (uint32_t)place->count - 1;
        figures[*at] = (struct call_figures){0};
    }
    return &figures[*at];
}

/* Lists every kernel with its sum of one metric; UINT32_MAX: its launches. */
static void kernel_counters_list(const struct kernel_counters *counters,
                                 struct callgraph_builder *builder, uint32_t metric)
{
    const struct counted_kernel *kernels = counters->kernels.list;
    struct call_figures *figures = grow_zeroed(counters->kernels.count + 1, sizeof(*figures));
    struct idmap place = {0};

    for (size_t i = 0; i < counters->kernels.count; i++) {
        struct call_figures *all = figures_of(figures, &place, kernels[i].sum.frame);

        all->calls = checked_add(all->calls, kernels[i].sum.launches);
    }
    for (size_t i = 0; i < counters->cells.count; i++) {
        const struct metric_cell *cell = &counters->cells.list[i];
        struct call_figures *all = figures_of(figures, &place, kernels[cell->kernel].sum.frame);

        if (cell->metric == metric)
            all->self = checked_add(all->self, cell->total);
    }
    for (size_t i = 0; i < counters->kernels.count; i++) {
        frame_id frame = kernels[i].sum.frame;
        struct call_figures *all = figures_of(figures, &place, frame);

        all->primitive_calls = all->calls;
        all->self = metric == UINT32_MAX ? all->calls : all->self;
        all->cum = all->self;
        builder_list(builder, builder_function(builder, frame), all);
    }
    idmap_free(&place);
    free(figures);
}

void kernel_counters_free(struct kernel_counters *counters)
{
    free(counters->kernels.list);
    free(counters->metrics.list);
    free(counters->cells.list);
    idmap_free(&counters->kernel_of);
    idmap_free(&counters->metric_of);
    idmap_free(&counters->launches_of);
}

/* The level of files without a trace: a row a kernel, copy or call; each metric that adds up is a
 * value that rows can be ranked by. */

/* The values that a file has, and what each is. */
struct counter_columns {
    struct value_name *names;
    uint32_t *metric; /* of a value; UINT32_MAX: launches */
    uint32_t count;
    uint32_t first_metric; /* those before are of the totals */
};

/* Transactions, and instructions that are two FLOP, are counts. */
static enum unit unit_of(struct span metric)
{
    const struct metric_meaning *meaning = &LOOKUP(meanings, metric);

    if (meaning->factor != 1)
        return UNIT_COUNT;
    return meaning->counter < COUNTER_DRAM_BYTES ? UNIT_FLOP : UNIT_BYTES;
}

static void add_value(struct counter_columns *values, struct value_name name, uint32_t metric)
{
    values->names[values->count] = name;
    values->metric[values->count++] = metric;
}

static void collect_values(struct counter_columns *values, const struct kernel_totals *totals,
                           const struct kernel_counters *counters, struct builder *builder)
{
    size_t room = TOTALS_VALUES + 1 + counters->metrics.count;

    values->names = grow_zeroed(room, sizeof(*values->names));
    values->metric = grow_zeroed(room, sizeof(*values->metric));
    for (uint32_t i = 0; totals->count && i < TOTALS_VALUES; i++)
        add_value(values, totals_values[i], UINT32_MAX);
    values->first_metric = values->count;
    if (counters->kernels.count)
        add_value(values, (struct value_name){SPAN("launches"), UNIT_COUNT}, UINT32_MAX);
    for (uint32_t i = 0; i < counters->metrics.count; i++) {
        struct span name = builder_text(builder, counters->metrics.list[i].name);

        if (counters->metrics.list[i].is_sum)
            add_value(values, (struct value_name){name, unit_of(name)}, i);
    }
}

bool kernel_flat(const struct kernel_totals *totals, const struct kernel_counters *counters,
                 struct builder *builder, struct error *err)
{
    struct counter_columns values = {0};
    uint32_t value;
    bool ok;

    collect_values(&values, totals, counters, builder);
    ok = builder_begin(
        builder, LEVEL_FLAT, values.names, values.count,
        totals->count ? (totals->read[SECTION_GPU] ? TOTALS_DEVICE : TOTALS_HOST) : 0, err);
    value = ok ? builder_value(builder) : 0;
    if (ok && value < values.first_metric)
        kernel_totals_list(totals, builder, (enum totals_value)value);
    else if (ok)
        kernel_counters_list(counters, builder_callgraph(builder), values.metric[value]);
    if (ok)
        kernel_totals_note(totals, builder);
    free(values.names);
    free(values.metric);
    return ok;
}
