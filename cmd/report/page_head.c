/* SPDX-License-Identifier: Apache-2.0 */
/* page_head.c — what stands first on a report's page: what ran, and a picture of where the time went */
#include "cmd/report/chapters.h"

#include <inttypes.h>
#include <string.h>

#include "base/checked.h"
#include "base/text/format.h"
#include "graph/names/names.h"

/* ---- what ran ---- */

/* The file's name without its folders, and without what says how it is packed. */
const char *page_short_name(const char *path, struct arena *arena)
{
    static const char *const endings[] = {".gz", ".zst", ".json", ".trace", ".pt"};
    const char *slash = strrchr(path, '/');
    struct span name = span_of(slash && slash[1] ? slash + 1 : path);

    for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++)
        if (span_ends(name, span_of(endings[i])) && name.len > strlen(endings[i]))
            name.len -= strlen(endings[i]);
    return arena_copy(arena, name);
}

static const char *append(struct arena *arena, const char *line, const char *fact)
{
    return *line ? arena_printf(arena, "%s · %s", line, fact) : fact;
}

static const char *append_devices(const struct graph *graph, struct arena *arena, const char *line)
{
    const struct profile_source *source = &graph->source;
    struct span name;

    if (!source->devices.count)
        return line;
    name = graph_text(graph, source->devices.list[0].name);
    if (!name.len)
        return line;
    if (source->devices.count > 1)
        return append(
            arena, line,
            arena_printf(arena, "%zu × %.*s", source->devices.count, (int)name.len, name.at));
    return append(arena, line, arena_copy(arena, name));
}

/* "16 of 64 ranks" */
static const char *ranks_text(const struct job *job, struct arena *arena)
{
    uint32_t there = job->model.shard->summary_count;

    return there < job->world ? arena_printf(arena, "%" PRIu32 " of %" PRIu32 " ranks", there, job->world)
                              : format_many(arena, there, "rank");
}

/* "PyTorch (Kineto) · NVIDIA A100 · 2 steps · 2.000 ms" */
const char *page_facts(const struct report_context *context, struct arena *arena)
{
    const struct graph *graph = &context->profile->graph;
    const struct bottlenecks *devices = &context->devices;
    const char *line = append(arena, "",
                              graph->source.producer       ? graph->source.producer
                              : graph->source.format_title ? graph->source.format_title
                                                           : "profile");
    char text[FORMAT_LEN];
    int64_t figure;

    line = append_devices(graph, arena, line);
    if (context->job_result)
        line = append(arena, line, ranks_text(context->job_result, arena));
    else if (graph_fact(graph, FACT_WORLD_SIZE, &figure) && figure > 1)
        line = append(arena, line, arena_printf(arena, "%" PRId64 " ranks", figure));
    if (devices->count && devices->steps)
        line = append(arena, line, format_many(arena, devices->steps, "step"));
    if (devices->count)
        line = append(
            arena, line,
            arena_printf(arena, "%s", format_value(text, devices->devices[0].span, UNIT_NS)));
    else if (graph->has[LEVEL_FLAT])
        line = append(arena, line, format_many(arena, graph->functions.listed, "function"));
    return line;
}

/* ---- the stacked bar: where an average step's time went ---- */

static const char *const idle_styles[IDLE_CLASS_COUNT] = {
    [IDLE_OF_INPUT] = "input",
    [IDLE_OF_SYNC] = "sync",
    [IDLE_OF_COPY] = "copy",
    [IDLE_OF_ALLOCATOR] = "allocator",
    [IDLE_OF_LAUNCH] = "launch",
    [IDLE_OF_SETUP] = "setup",
    [IDLE_OF_PROFILER] = "profiler",
    [IDLE_OF_EARLIER] = "earlier",
    [IDLE_OF_REQUESTS] = "requests",
    [IDLE_OF_HOST] = "host",
    [IDLE_OF_DEPENDENCY] = "dependency",
    [IDLE_OF_UNKNOWN] = "unknown",
};

static void add_part(struct page_bar *bar, const char *style, const char *name, int64_t time)
{
    if (time > 0 && bar->count < PAGE_BAR_PARTS)
        bar->parts[bar->count++] = (struct page_bar_part){style, name, time};
}

/* Of the first device: its parts are together the span. */
static void fill_device_bar(const struct bottlenecks *devices, struct arena *arena,
                            struct page_bar *bar)
{
    const struct device_bottleneck *device = &devices->devices[0];
    int64_t steps = devices->steps ? devices->steps : 1;

    bar->unit = UNIT_NS;
    bar->whole = device->span / steps;
    bar->title = devices->steps ? "an average step of the device" : "the device's time";
    if (devices->count > 1)
        bar->title = arena_printf(arena, "%s (device %d)", bar->title, (int)device->device);
    if (devices->has_only_collectives) {
        add_part(bar, "communication", "collectives", device->communication_only);
        add_part(bar, "unknown", "not recorded", device->idle);
        return;
    }
    add_part(bar, "compute", "compute", device->compute / steps);
    add_part(bar, "communication", "exposed communication", device->communication_only / steps);
    add_part(bar, "copies", "exposed copies", device->copy_only / steps);
    for (int class = 0; class < IDLE_CLASS_COUNT; class ++)
        if (!idle_is_left_out((enum idle_class) class))
            add_part(bar, idle_styles[class],
                     arena_printf(arena, "idle: %s", idle_class_name((enum idle_class) class)),
                     device->idle_by[class] / steps);
}

/* The functions with the most time of their own. */
static bool fill_function_bar(const struct graph *graph, struct arena *arena, struct page_bar *bar)
{
    static const char *const styles[] = {"f0", "f1", "f2", "f3", "f4"};
    enum { FUNCTIONS = sizeof(styles) / sizeof(*styles) };
    struct hotspots_options wanted = {.limit = FUNCTIONS};
    struct hotspots hotspots;
    struct error err = {0};

    if (!graph->has[LEVEL_FLAT] || graph->values.is_inclusive ||
        !order_parse(&wanted.order, "self", &err))
        return false;
    hotspots_compute(graph, &wanted, arena, &hotspots);
    bar->unit = graph_unit(graph);
    bar->whole = hotspots.whole;
    bar->title = bar->unit == UNIT_NS      ? "own time of functions"
                 : bar->unit == UNIT_BYTES ? "memory by function"
                                           : "functions with the most";
    for (uint32_t i = 0; i < hotspots.count && i < FUNCTIONS; i++) {
        uint32_t function = hotspots.rows[i].function;

        add_part(bar, styles[i],
                 arena_copy(arena, graph_short_name(graph, graph->functions.frame[function])),
                 graph->functions.self[function]);
    }
    return bar->count > 0 && bar->whole > 0;
}

bool page_bar_fill(const struct report_context *context, struct arena *arena, struct page_bar *bar)
{
    *bar = (struct page_bar){.count = 0};
    if (context->devices.count) {
        fill_device_bar(&context->devices, arena, bar);
        return bar->whole > 0;
    }
    return fill_function_bar(&context->profile->graph, arena, bar);
}
