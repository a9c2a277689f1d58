/* SPDX-License-Identifier: Apache-2.0 */
/* events_report.c — every event of some functions, with all that is on record of it */
#include "render/reports/reports.h"

#include <stdlib.h>

#include "base/io/io.h"
#include "base/text/format.h"
#include "graph/names/names.h"
#include "render/reports/report_columns.h"
#include "render/writers/writer.h"

typedef struct {
    frame_id frame;
    int64_t at, start, duration, step;
    str_id track, process;
    int32_t device;
    frame_id launcher;
    int64_t launch_start;
    const char *arguments;
} row;

static bool is_before(const void *context, uint32_t a, uint32_t b)
{
    const struct instance *list = context;

    return list[a].event < list[b].event;
}

/* As a trace has them, `{"stream":7}`; by instance. They are read in the order of events. */
static const char **arguments_of(const struct graph *graph, const struct instances *instances,
                                 struct arena *arena)
{
    static const size_t head = sizeof(",\"args\":") - 1;
    const char **texts = arena_array(arena, instances->count, sizeof(*texts));
    uint32_t *order = arena_array(arena, instances->count, sizeof(*order));
    struct trace_args args;
    struct row_text rows = {0};

    trace_args_init(&args, graph, arena);
    for (uint32_t i = 0; i < instances->count; i++)
        order[i] = i;
    sort_stable(order, instances->count, is_before, instances->list);
    for (uint32_t i = 0; i < instances->count; i++) {
        char *text = NULL;
        size_t size = 0;

        rows.out = memory_stream_open(&text, &size);
        trace_args_write(&args, instances->list[order[i]].event, &rows);
        row_text_flush(&rows);
        memory_stream_close(rows.out, &text);
        texts[order[i]] =
            size > head ? arena_copy(arena, (struct span){text + head, size - head}) : NULL;
        free(text);
    }
    return texts;
}

/* The function's name; of several those that are shown. */
static const char *who_ran(const struct graph *graph, const struct instances *instances, struct arena *arena)
{
    const frame_id *frame = graph->timeline.frame;
    frame_id first = instances->count ? frame[instances->list[0].event] : 0;

    for (uint32_t i = 1; i < instances->count; i++)
        if (frame[instances->list[i].event] != first)
            return "What matches";
    return first ? arena_copy(arena, graph_short_name(graph, first)) : "What matches";
}

static void add_percentiles(const struct graph *graph, const struct instances *instances, struct arena *arena,
                            struct report *report)
{
    const struct percentiles *percentiles = &instances->percentiles;
    char sum[FORMAT_LEN], least[FORMAT_LEN], median[FORMAT_LEN], p95[FORMAT_LEN], p99[FORMAT_LEN],
        most[FORMAT_LEN], deviation[FORMAT_LEN];

    report_number(report, "count", instances->total);
    report_time(report, "sum", percentiles->sum);
    report_time(report, "min", percentiles->least);
    report_time(report, "median", percentiles->median);
    report_time(report, "p95", percentiles->p95);
    report_time(report, "p99", percentiles->p99);
    report_time(report, "max", percentiles->most);
    report_real(report, "deviation", percentiles->deviation);
    report_beforef(report, arena,
                   "%s ran %s for %s: %s to %s, median %s, p95 %s, p99 %s, deviation %s.",
                   who_ran(graph, instances, arena), format_many(arena, instances->total, "time"), format_value(sum, percentiles->sum, UNIT_NS),
                   format_value(least, percentiles->least, UNIT_NS),
                   format_value(most, percentiles->most, UNIT_NS),
                   format_value(median, percentiles->median, UNIT_NS),
                   format_value(p95, percentiles->p95, UNIT_NS), format_value(p99, percentiles->p99, UNIT_NS),
                   format_value(deviation, (int64_t)percentiles->deviation, UNIT_NS));
}

void events_report(const struct graph *graph, const struct instances *instances,
                   struct arena *arena, struct report *report)
{
    static const struct column columns[] = {
        TIME_AT("start", start, FOR_MACHINES),
        TIME_AT("at", at, FOR_PEOPLE),
        TIME_AT("duration", duration),
        FRAME_AT(frame, COLUMN_MACHINES),
        STRING_AT("track", track),
        STRING_AT("process", process),
        INDEX_AT("device", device, FOR_MACHINES),
        COUNT_AT("step", step),
        TIME_AT("launch_start", launch_start, FOR_MACHINES),
        TEXT_BY(cell_frame_name, "launcher", launcher, .heading = "launched by"),
        LABEL_AT("name", frame, FOR_PEOPLE),
        TEXT_AT("arguments", arguments),
    };
    const struct table_context context = graph_context(graph, arena);
    const struct timeline *timeline = &graph->timeline;
    const char **arguments = arguments_of(graph, instances, arena);
    struct table *table = TABLE_BEGIN(&context, columns, instances->count, "rows", NULL);

    add_percentiles(graph, instances, arena, report);
    for (uint32_t i = 0; i < instances->count; i++) {
        const struct instance *instance = &instances->list[i];
        const struct track *track = &timeline->tracks[instance->track];

        TABLE_ADD(table, .frame = timeline->frame[instance->event],
                  .start = timeline->start[instance->event],
                  .at = timeline->start[instance->event] - instances->origin,
                  .duration = timeline->duration[instance->event], .step = instance->step,
                  .track = track->name, .process = track->process, .device = track->device,
                  .launcher = instance->launcher,
                  .launch_start = instance->launch == NO_EVENT ? TABLE_NULL
                                                               : timeline->start[instance->launch],
                  .arguments = arguments[i]);
    }
    report_table(report, table);
    if (instances->count < instances->total)
        report_afterf(report, arena, "%u more; -n 0 shows all",
                      instances->total - instances->count);
}
