/* SPDX-License-Identifier: Apache-2.0 */
/* Devices and their steps: what hid what, why they were idle, and what ran on tracks. */
#include "render/reports/reports.h"

#include "analysis/execution/overlap.h"
#include "base/checked.h"
#include "base/text/format.h"
#include "graph/classify/function_class.h"
#include "graph/names/names.h"
#include "render/reports/report_columns.h"

#include <inttypes.h>

enum { OWNERS_LISTED = 20 };

static void add_devices(const struct overlap *overlap, const struct table_context *context,
                        struct report *report)
{
    typedef struct overlap_device row;
    static const struct column columns[] = {INDEX_AT("device", device), OVERLAP_AT(all)};

    report_table(report, TABLE_OF(context, columns, overlap->devices, overlap->device_count,
                                  "devices", "Devices"));
}

static void add_steps(const struct overlap *overlap, const struct table_context *context,
                      struct report *report)
{
    typedef struct overlap_step row;
    static const struct column columns[] = {COUNT_AT("step", step), INDEX_AT("device", device),
                                            OVERLAP_AT(all)};

    report_table(report, TABLE_OF(context, columns, overlap->steps, overlap->step_count, "steps",
                                  "Devices, while each step ran"));
}

/* ---- gaps; shares are of all idle time ---- */

static void add_causes(const struct gaps *gaps, const struct table_context *context,
                       struct report *report)
{
    typedef struct {
        const char *cause;
        int64_t gaps, idle;
    } row;
    static const struct column columns[] = {
        TEXT_AT("cause", cause),
        COUNT_AT("gaps", gaps),
        TIME_AT("idle", idle),
        SHARE_OF_WHOLE("share", idle, .heading = "%", .is_heat = true),
    };
    struct table *table =
        TABLE_BEGIN(context, columns, GAP_CAUSE_COUNT, "idle_causes", "Why devices were idle");

    for (int cause = 0; cause < GAP_CAUSE_COUNT; cause++)
        if (gaps->by_cause[cause].count)
            TABLE_ADD(table, gap_cause_name((enum gap_cause)cause), gaps->by_cause[cause].count,
                      gaps->by_cause[cause].time);
    report_table(report, table);
}

static void add_owners(const struct gaps *gaps, const struct table_context *context,
                       struct report *report)
{
    typedef struct {
        struct idle_owner of;
        const char *cause, *class;
    } row;
    static const struct column columns[] = {
        TEXT_AT("cause", cause, .is_whole = true),
        TEXT_AT("class", class, .is_spare = true),
        COUNT_AT("gaps", of.gaps),
        TIME_AT("idle", of.time),
        SHARE_OF_WHOLE("share", of.time, .heading = "%", .is_heat = true),
        FRAME_AT(of.frame, COLUMN_ALL),
        SHORT_AT(of.frame),
        LABEL_AT("what", of.frame, FOR_PEOPLE),
    };
    struct table *table =
        TABLE_BEGIN(context, columns, limit_rows(gaps->owner_count, OWNERS_LISTED), "idle_owners",
                    "Who owns the idle time");

    for (uint32_t i = 0; i < table->room; i++)
        TABLE_ADD(table, gaps->owners[i], gap_cause_name(gaps->owners[i].cause),
                  idle_class_name(gaps->owners[i].class));
    report_table(report, table);
}

static struct span event_name(const struct graph *graph, event_id event)
{
    return event == NO_EVENT
               ? NO_TEXT
               : graph_text(graph, graph_frame(graph, graph->timeline.frame[event])->name);
}

static struct span event_label(const struct graph *graph, event_id event)
{
    return event == NO_EVENT ? NO_TEXT : graph_short_name(graph, graph->timeline.frame[event]);
}

static void add_gaps(const struct overlap *overlap, const struct table_context *context,
                     struct report *report)
{
    typedef struct {
        struct gap of;
        int64_t at;
        const char *cause;
        struct span waited, owner, ended, began, short_waited, short_owner, short_ended;
        frame_id frame_began;
    } row;
    static const struct column columns[] = {
        INDEX_AT("device", of.device),
        TIME_AT("start", at, .heading = "at"),
        TIME_AT("idle", of.length),
        TEXT_AT("cause", cause, .is_whole = true),
        TEXT_AT("waited_in", waited, FOR_MACHINES),
        TEXT_AT("owner", owner, FOR_MACHINES),
        TEXT_AT("ended", ended, FOR_MACHINES),
        TEXT_AT("began", began, FOR_MACHINES),
        TEXT_AT("host waited in", short_waited, FOR_PEOPLE, .is_spare = true),
        TEXT_AT("most of it", short_owner, FOR_PEOPLE),
        TEXT_AT("what ended", short_ended, FOR_PEOPLE, .is_spare = true),
        LABEL_AT("what began", frame_began, FOR_PEOPLE),
    };
    const struct graph *graph = context->graph;
    struct table *table = TABLE_BEGIN(context, columns, overlap->gaps.count, "gaps",
                                      "Largest gaps, and what ran on both sides");

    for (uint32_t i = 0; i < overlap->gaps.count; i++) {
        const struct gap *gap = &overlap->gaps.largest[i];
        struct span ended = event_name(graph, gap->before), began = event_name(graph, gap->after);

        TABLE_ADD(
            table, .of = *gap, .at = checked_sub(gap->start, overlap->start),
            .cause = gap_cause_name(gap->cause), .waited = event_name(graph, gap->waited),
            .owner = gap->owner ? graph_text(graph, graph_frame(graph, gap->owner)->name) : NO_TEXT,
            .ended = ended, .began = began, .short_waited = event_label(graph, gap->waited),
            .short_owner = gap->owner ? graph_short_name(graph, gap->owner) : NO_TEXT,
            .short_ended = event_label(graph, gap->before),
            .frame_began = gap->after == NO_EVENT ? 0 : graph->timeline.frame[gap->after]);
    }
    report_table(report, table);
}

/* ---- kinds and tracks ---- */

/* A kernel's family says more than that it is a kernel. */
static union cell kind_cell(const struct cell_source *from)
{
    enum kernel_family family = *(const enum kernel_family *)from->per;

    return (union cell){.text = span_of(family == FAMILY_NONE
                                            ? frame_kind_name(*(const enum frame_kind *)from->field)
                                            : kernel_family_name(family))};
}

static void add_kinds(const struct overlap *overlap, const struct table_context *context,
                      struct report *report)
{
    typedef struct overlap_kind row;
    static const struct column columns[] = {TEXT_BY_TWO(kind_cell, "kind", kind, family),
                                            COUNT_AT("events", events), TIME_AT("sum", sum),
                                            TIME_AT("union", union_)};

    report_table(report,
                 TABLE_OF(context, columns, overlap->kinds, overlap->kind_count, "kinds", "Kinds"));
}

static void add_tracks(const struct overlap *overlap, const struct table_context *context,
                       struct report *report)
{
    typedef struct {
        struct track track;
        struct overlap_track of;
    } row;
    static const struct column columns[] = {
        INDEX_AT("device", track.device),
        TEXT_BY(cell_track_kind, "kind", track.kind),
        COUNT_AT("events", of.events),
        TIME_AT("sum", of.sum),
        TIME_AT("busy", of.busy),
        SHARE_OF_WHOLE("share", of.busy, .heading = "%"),
        STRING_AT("process", track.process),
        STRING_AT("track", track.name),
    };
    struct table_context of_span = *context;
    struct table *table;

    of_span.whole = overlap->span;
    table = TABLE_BEGIN(&of_span, columns, overlap->track_count, "tracks", "Tracks");
    for (uint32_t i = 0; i < overlap->track_count; i++)
        TABLE_ADD(table, context->graph->timeline.tracks[overlap->tracks[i].track],
                  overlap->tracks[i]);
    report_table(report, table);
}

/* Work that was launched and had not begun. */
static void add_queues(const struct queue_rows *queues, const struct table_context *context,
                       struct report *report)
{
    typedef struct queue_row row;
    static const struct column columns[] = {
        TEXT_AT("device", device),
        TEXT_AT("stream", stream),
        COUNT_AT("launches", launches),
        RATIO_AT("mean_length", mean, .heading = "mean length"),
        COUNT_AT("max_length", longest, .heading = "max"),
        TIME_AT("empty", empty_time),
        TIME_AT("full", full_time),
    };

    report_table(report, TABLE_OF(context, columns, queues->rows, queues->count, "queues",
                                  "Work that waited on each stream, launched and not begun"));
}

/* ---- all of it ---- */

static void headline(const struct overlap *overlap, struct arena *arena, struct report *report)
{
    char span[FORMAT_LEN], share[FORMAT_LEN];
    double busy = 0;

    for (uint32_t i = 0; i < overlap->device_count; i++)
        busy += share_of(overlap->devices[i].all.busy, overlap->span);
    format_value(span, overlap->span, UNIT_NS);
    if (overlap->device_count == 0)
        report_beforef(report, arena, "No device did any work in %s.", span);
    else
        report_beforef(report, arena, "%" PRIu32 " device%s busy for %s of %s%s.", overlap->device_count,
                       overlap->device_count == 1 ? " was" : "s were", format_share(share, busy / overlap->device_count),
                       span, overlap->device_count == 1 ? "" : " on average");
}

static void add_slowed(const struct overlap *overlap, const struct table_context *context,
                       struct report *report)
{
    typedef struct {
        struct slowed_kernel of;
        int64_t beside;
        double longer;
    } row;
    static const struct column columns[] = {
        COUNT_AT("count", of.count, .heading = "kernels"),
        TIME_AT("alone", of.alone, .heading = "mean alone"),
        TIME_AT("beside", beside, .heading = "mean beside"),
        SHARE_AT("longer", longer),
        TIME_AT("more", of.more, .heading = "more in all"),
        FRAME_AT(of.frame, COLUMN_MACHINES),
        SHORT_AT(of.frame),
        LABEL_AT("what", of.frame, FOR_PEOPLE),
    };
    struct table *table = TABLE_BEGIN(context, columns, overlap->slowed_count, "slowed_kernels",
                                      "Kernels that took longer beside communication than alone");
    char text[FORMAT_LEN], gain[FORMAT_LEN];
    int64_t more = 0;

    for (uint32_t i = 0; i < overlap->slowed_count; i++) {
        const struct slowed_kernel *of = &overlap->slowed[i];

        TABLE_ADD(table, *of, of->sum / of->count, share_of(of->more, of->sum - of->more));
        more = checked_add(more, of->more);
    }
    report_table(report, table);
    report_time(report, "slowed_more", more);
    report_time(report, "slowed_gain", overlap->slowed_gain);
    report_afterf(report, context->arena,
                  "Beside communication kernels took %s more than alone. Without that the run would be %s.",
                  format_value(text, more, UNIT_NS),
                  overlap->slowed_gain ? arena_printf(context->arena, "%s shorter",
                                                      format_value(gain, overlap->slowed_gain, UNIT_NS))
                                       : "as long");
}

void overlap_report(const struct overlap *overlap, struct arena *arena, struct report *report)
{
    struct table_context context = {.arena = arena, .graph = report->inputs[0].graph};

    for (int cause = 0; cause < GAP_CAUSE_COUNT; cause++)
        context.whole = checked_add(context.whole, overlap->gaps.by_cause[cause].time);
    report_time(report, "span", overlap->span);
    report_number(report, "steps_left_out", overlap->steps_left_out);
    headline(overlap, arena, report);
    add_devices(overlap, &context, report);
    if (overlap->step_count)
        add_steps(overlap, &context, report);
    if (overlap->gaps.count) {
        add_causes(&overlap->gaps, &context, report);
        add_owners(&overlap->gaps, &context, report);
        add_gaps(overlap, &context, report);
    }
    if (overlap->slowed_count)
        add_slowed(overlap, &context, report);
    if (overlap->queues.count)
        add_queues(&overlap->queues, &context, report);
    add_kinds(overlap, &context, report);
    add_tracks(overlap, &context, report);
}
