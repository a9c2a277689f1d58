/* SPDX-License-Identifier: Apache-2.0 */
#include "render/reports/reports.h"

#include "analysis/execution/overlap.h"
#include "base/checked.h"
#include "base/text/format.h"
#include "graph/classify/function_class.h"
#include "render/reports/report_columns.h"

#include <inttypes.h>

enum { OWNERS_LISTED = 20 };

void row_overlap(struct row_writer *row, const struct overlap_figures *all)
{
    row_number(row, all->start);
    row_number(row, all->span);
    row_number(row, all->busy);
    row_real(row, share_of(all->busy, all->span));
    row_number(row, all->idle);
    row_real(row, share_of(all->idle, all->span));
    row_number(row, all->compute);
    row_number(row, all->communication);
    row_number(row, all->exposed_communication);
    row_number(row, all->hidden_communication);
    row_number(row, all->memory);
    row_number(row, all->exposed_memory);
    row_number(row, all->events);
}

static void row_device(struct row_writer *row, int32_t device)
{
    row_number(row, device < 0 ? TABLE_NULL : device);
}

/* ---- devices and steps ---- */

static const struct column device_columns[] = {
    COUNT_COLUMN("device", NULL),
    OVERLAP_COLUMNS,
};

static void add_devices(const struct overlap *overlap, struct arena *arena, struct report *report)
{
    struct table *table = table_new(arena, device_columns, COUNT_OF(device_columns),
                                    overlap->device_count, "devices", "Devices");

    for (uint32_t i = 0; i < overlap->device_count; i++) {
        struct row_writer row = table_row(table, i);

        row_device(&row, overlap->devices[i].device);
        row_overlap(&row, &overlap->devices[i].all);
    }
    report_table(report, table);
}

static const struct column step_columns[] = {
    COUNT_COLUMN("step", NULL),
    COUNT_COLUMN("device", NULL),
    OVERLAP_COLUMNS,
};

static void add_steps(const struct overlap *overlap, struct arena *arena, struct report *report)
{
    struct table *table = table_new(arena, step_columns, COUNT_OF(step_columns),
                                    overlap->step_count, "steps", "Devices, while each step ran");

    for (uint32_t i = 0; i < overlap->step_count; i++) {
        const struct overlap_step *step = &overlap->steps[i];
        struct row_writer row = table_row(table, i);

        row_figure(&row, step->step);
        row_device(&row, step->device);
        row_overlap(&row, &step->all);
    }
    report_table(report, table);
}

/* ---- gaps ---- */

static const struct column cause_columns[] = {
    TEXT_COLUMN("cause", NULL),
    COUNT_COLUMN("gaps", NULL),
    TIME_COLUMN("idle", NULL),
    {.key = "share", .heading = "%", .kind = CELL_SHARE, .use = COLUMN_ALL, .is_heat = true},
};

static void add_causes(const struct gaps *gaps, struct arena *arena, struct report *report)
{
    uint32_t height = 0, at = 0;
    int64_t idle = 0;
    struct table *table;

    for (int cause = 0; cause < GAP_CAUSE_COUNT; cause++) {
        height += gaps->by_cause[cause].count > 0;
        idle = checked_add(idle, gaps->by_cause[cause].time);
    }
    table = table_new(arena, cause_columns, COUNT_OF(cause_columns), height, "idle_causes",
                      "Why devices were idle");
    for (int cause = 0; cause < GAP_CAUSE_COUNT; cause++) {
        struct row_writer row = table_row(table, at);

        if (gaps->by_cause[cause].count == 0)
            continue;
        row_text(&row, span_of(gap_cause_name((enum gap_cause)cause)));
        row_number(&row, gaps->by_cause[cause].count);
        row_number(&row, gaps->by_cause[cause].time);
        row_real(&row, share_of(gaps->by_cause[cause].time, idle));
        at++;
    }
    report_table(report, table);
}

static const struct column owner_columns[] = {
    TEXT_COLUMN("cause", NULL),
    TEXT_COLUMN("class", NULL),
    COUNT_COLUMN("gaps", NULL),
    TIME_COLUMN("idle", NULL),
    {.key = "share", .heading = "%", .kind = CELL_SHARE, .use = COLUMN_ALL, .is_heat = true},
    FRAME_COLUMNS(COLUMN_ALL),
    {.key = "what", .kind = CELL_TEXT, .use = COLUMN_PEOPLE},
};

static void add_owners(const struct gaps *gaps, uint32_t limit, struct arena *arena,
                       struct report *report)
{
    const struct graph *graph = report->inputs[0].graph;
    uint32_t height = limit_rows(gaps->owner_count, limit);
    struct table *table = table_new(arena, owner_columns, COUNT_OF(owner_columns), height,
                                    "idle_owners", "Who owns the idle time");
    int64_t idle = 0;

    for (int cause = 0; cause < GAP_CAUSE_COUNT; cause++)
        idle = checked_add(idle, gaps->by_cause[cause].time);
    for (uint32_t i = 0; i < height; i++) {
        const struct idle_owner *owner = &gaps->owners[i];
        struct row_writer row = table_row(table, i);

        row_text(&row, span_of(gap_cause_name(owner->cause)));
        row_text(&row, span_of(idle_class_name(owner->class)));
        row_number(&row, owner->gaps);
        row_number(&row, owner->time);
        row_real(&row, share_of(owner->time, idle));
        row_frame(&row, graph, owner->frame);
        row_label(&row, graph, owner->frame, arena);
    }
    report_table(report, table);
}

static const struct column gap_columns[] = {
    COUNT_COLUMN("device", NULL),
    TIME_COLUMN("start", "at"),
    TIME_COLUMN("idle", NULL),
    TEXT_COLUMN("cause", NULL),
    TEXT_COLUMN("waited_in", "host waited in"),
    TEXT_COLUMN("owner", "most of it"),
    {.key = "ended", .kind = CELL_TEXT, .use = COLUMN_MACHINES},
    {.key = "began", .kind = CELL_TEXT, .use = COLUMN_MACHINES},
    {.key = "what ended", .kind = CELL_TEXT, .use = COLUMN_PEOPLE},
    {.key = "what began", .kind = CELL_TEXT, .use = COLUMN_PEOPLE},
};

static struct span event_name(const struct graph *graph, event_id event)
{
    return graph_text(graph, graph_frame(graph, graph->timeline.frame[event])->name);
}

static void add_gaps(const struct overlap *overlap, struct arena *arena, struct report *report)
{
    const struct graph *graph = report->inputs[0].graph;
    const struct gaps *gaps = &overlap->gaps;
    struct table *table = table_new(arena, gap_columns, COUNT_OF(gap_columns), gaps->count, "gaps",
                                    "Largest gaps, and what ran on both sides");

    for (uint32_t i = 0; i < gaps->count; i++) {
        const struct gap *gap = &gaps->largest[i];
        struct row_writer row = table_row(table, i);

        row_device(&row, gap->device);
        row_number(&row, checked_sub(gap->start, overlap->start));
        row_number(&row, gap->length);
        row_text(&row, span_of(gap_cause_name(gap->cause)));
        row_text(&row, gap->waited == NO_EVENT ? NO_TEXT : event_name(graph, gap->waited));
        row_text(&row,
                 gap->owner ? graph_text(graph, graph_frame(graph, gap->owner)->name) : NO_TEXT);
        row_text(&row, event_name(graph, gap->before));
        row_text(&row, event_name(graph, gap->after));
        row_text(&row, kernel_name_short(event_name(graph, gap->before), arena));
        row_text(&row, kernel_name_short(event_name(graph, gap->after), arena));
    }
    report_table(report, table);
}

/* ---- kinds and tracks ---- */

static const struct column kind_columns[] = {
    TEXT_COLUMN("kind", NULL),
    COUNT_COLUMN("events", NULL),
    TIME_COLUMN("sum", NULL),
    TIME_COLUMN("union", NULL),
};

static void add_kinds(const struct overlap *overlap, struct arena *arena, struct report *report)
{
    struct table *table = table_new(arena, kind_columns, COUNT_OF(kind_columns),
                                    overlap->kind_count, "kinds", "Kinds");

    for (uint32_t i = 0; i < overlap->kind_count; i++) {
        struct row_writer row = table_row(table, i);

        const struct overlap_kind *kind = &overlap->kinds[i];

        row_text(&row, span_of(kind->family == FAMILY_NONE ? frame_kind_name(kind->kind)
                                                           : kernel_family_name(kind->family)));
        row_number(&row, kind->events);
        row_number(&row, kind->sum);
        row_number(&row, kind->union_);
    }
    report_table(report, table);
}

static const struct column track_columns[] = {
    COUNT_COLUMN("device", NULL), TEXT_COLUMN("kind", NULL),  COUNT_COLUMN("events", NULL),
    TIME_COLUMN("sum", NULL),     TIME_COLUMN("busy", NULL),  SHARE_COLUMN("share", "%"),
    TEXT_COLUMN("process", NULL), TEXT_COLUMN("track", NULL),
};

static void add_tracks(const struct overlap *overlap, struct arena *arena, struct report *report)
{
    const struct graph *graph = report->inputs[0].graph;
    struct table *table = table_new(arena, track_columns, COUNT_OF(track_columns),
                                    overlap->track_count, "tracks", "Tracks");

    for (uint32_t i = 0; i < overlap->track_count; i++) {
        const struct overlap_track *track = &overlap->tracks[i];
        const struct track *at = &graph->timeline.tracks[track->track];
        struct row_writer row = table_row(table, i);

        row_device(&row, at->device);
        row_text(&row, span_of(track_kind_name(at->kind)));
        row_number(&row, track->events);
        row_number(&row, track->sum);
        row_number(&row, track->busy);
        row_real(&row, share_of(track->busy, overlap->span));
        row_text(&row, graph_text(graph, at->process));
        row_text(&row, graph_text(graph, at->name));
    }
    report_table(report, table);
}

/* ---- all of it ---- */

static void headline(const struct overlap *overlap, struct arena *arena, struct report *report)
{
    char span[FORMAT_LEN];

    format_value(span, overlap->span, UNIT_NS);
    if (overlap->device_count == 0)
        report_beforef(report, arena, "no device work in %s", span);
    else
        report_beforef(report, arena, "%" PRIu32 " device%s in %s", overlap->device_count,
                       overlap->device_count == 1 ? "" : "s", span);
}

void overlap_report(const struct overlap *overlap, struct arena *arena, struct report *report)
{
    report_number(report, "span", overlap->span);
    report_number(report, "steps_left_out", overlap->steps_left_out);
    headline(overlap, arena, report);
    add_devices(overlap, arena, report);
    if (overlap->step_count)
        add_steps(overlap, arena, report);
    if (overlap->gaps.count) {
        add_causes(&overlap->gaps, arena, report);
        add_owners(&overlap->gaps, OWNERS_LISTED, arena, report);
        add_gaps(overlap, arena, report);
    }
    add_kinds(overlap, arena, report);
    add_tracks(overlap, arena, report);
}
