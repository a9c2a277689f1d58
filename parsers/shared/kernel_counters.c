/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/shared/kernel_counters.h"

#include <stdlib.h>

#include "base/checked.h"
#include "parsers/shared/metric_names.h"

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
    const struct metric_meaning *meaning = metric_meaning(builder_text(builder, named->name));
    int64_t *figure;

    named->is_sum = true;
    vector_add(&counters->cells, (struct metric_cell){kernel, metric, total});
    if (!meaning || meaning->rank < at->rank[meaning->counter])
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

void kernel_counters_list(const struct kernel_counters *counters, struct callgraph_builder *builder,
                          uint32_t metric)
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
