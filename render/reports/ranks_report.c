/* SPDX-License-Identifier: Apache-2.0 */
/* Several ranks: what each did, how far apart they are, who waited for whom, and in which
 * collectives. */
#include <stdlib.h>

#include "render/reports/reports.h"

#include "analysis/ranks/rank_overlap.h"
#include "base/checked.h"
#include "base/memory/memory.h"
#include "base/text/format.h"
#include "graph/classify/function_class.h"
#include "render/reports/report_columns.h"

#include <inttypes.h>

/* ---- devices, and how far apart they are ---- */

static const struct column device_columns[] = {
    COUNT_COLUMN("rank", NULL),
    COUNT_COLUMN("device", NULL),
    TIME_COLUMN("begins", "begins at"),
    OVERLAP_COLUMNS,
};

static void add_devices(const struct ranks *ranks, struct arena *arena, struct report *report)
{
    struct table *table = table_new(arena, device_columns, COUNT_OF(device_columns),
                                    ranks->device_count, "devices", "Devices, on one clock");

    for (uint32_t i = 0; i < ranks->device_count; i++) {
        const struct rank_device *device = &ranks->devices[i];
        int64_t start = checked_add(device->of->all.start, ranks->offset[device->rank]);
        struct row_writer row = table_row(table, i);

        row_number(&row, ranks->list[device->rank].number);
        row_number(&row, device->of->device < 0 ? TABLE_NULL : device->of->device);
        row_number(&row, checked_sub(start, ranks->start));
        row_overlap(&row, &device->of->all);
    }
    report_table(report, table);
}

static const struct column spread_columns[] = {
    TEXT_COLUMN("figure", NULL),        TIME_COLUMN("least", NULL),
    COUNT_COLUMN("least_rank", "rank"), TIME_COLUMN("median", NULL),
    TIME_COLUMN("most", NULL),          COUNT_COLUMN("most_rank", "rank"),
    SHARE_COLUMN("spread", "spread %"),
};

static void add_spreads(const struct ranks *ranks, struct arena *arena, struct report *report)
{
    struct table *table =
        table_new(arena, spread_columns, COUNT_OF(spread_columns), ranks->spread_count, "spread",
                  "How far apart devices are (spread: most less least, of the median)");

    for (uint32_t i = 0; i < ranks->spread_count; i++) {
        const struct rank_spread *spread = &ranks->spreads[i];
        const struct extremes *over = &spread->over;
        struct row_writer row = table_row(table, i);

        row_text(&row, span_of(spread->figure));
        row_number(&row, over->least);
        row_number(&row, ranks->list[ranks->devices[over->least_at].rank].number);
        row_number(&row, over->median);
        row_number(&row, over->most);
        row_number(&row, ranks->list[ranks->devices[over->most_at].rank].number);
        row_real(&row, share_of(checked_sub(over->most, over->least), over->median));
    }
    report_table(report, table);
}

/* ---- who was late ---- */

static const struct column lateness_columns[] = {
    COUNT_COLUMN("rank", NULL),
    COUNT_COLUMN("collectives", "collectives with others"),
    COUNT_COLUMN("last", "came last"),
    TIME_COLUMN("made_wait", "others waited"),
    {.key = "share", .heading = "%", .kind = CELL_SHARE, .use = COLUMN_ALL, .is_heat = true},
    TIME_COLUMN("waited", "waited itself"),
    TIME_COLUMN("idle_waiting", "idle meanwhile"),
    {.key = "idle_share", .heading = "%", .kind = CELL_SHARE, .use = COLUMN_ALL, .is_heat = true},
    COUNT_COLUMN("idle_for", "mostly for"),
    {.key = "is_waited_for", .kind = CELL_FLAG, .use = COLUMN_MACHINES},
    TEXT_COLUMN("file", NULL),
};

static void add_lateness(const struct ranks *ranks, struct arena *arena, struct report *report)
{
    struct table *table = table_new(arena, lateness_columns, COUNT_OF(lateness_columns),
                                    ranks->count, "ranks", "Who waited for whom");

    for (uint32_t i = 0; i < ranks->count; i++) {
        const struct rank_lateness *lateness = &ranks->lateness[i];
        struct row_writer row = table_row(table, i);

        row_number(&row, ranks->list[i].number);
        row_number(&row, lateness->matched);
        row_number(&row, lateness->last);
        row_number(&row, lateness->made_wait);
        row_real(&row, share_of(lateness->made_wait, ranks->span));
        row_number(&row, lateness->waited);
        row_number(&row, lateness->idle);
        row_real(&row, share_of(lateness->idle, ranks->span));
        row_figure(&row, lateness->idle_for == UINT32_MAX ? UNKNOWN
                                                          : ranks->list[lateness->idle_for].number);
        row_number(&row, lateness->is_waited_for);
        row_text(&row, span_of(report->inputs[i].path));
    }
    report_table(report, table);
}

/* ---- collectives ---- */

static const struct column kind_columns[] = {
    {.key = "operation", .kind = CELL_TEXT, .use = COLUMN_MACHINES},
    {.key = "collective", .kind = CELL_TEXT, .use = COLUMN_PEOPLE},
    {.key = "group", .kind = CELL_TEXT, .use = COLUMN_MACHINES},
    {.key = "group_ranks", .kind = CELL_TEXT, .use = COLUMN_MACHINES},
    {.key = "group and ranks", .heading = "group", .kind = CELL_TEXT, .use = COLUMN_PEOPLE},
    COUNT_COLUMN("group_size", "size"),
    COUNT_COLUMN("count", NULL),
    COUNT_COLUMN("apart", NULL),
    TIME_COLUMN("skew", NULL),
    TIME_COLUMN("max_skew", "largest"),
    TIME_COLUMN("transfer", NULL),
    {.key = "bytes", .kind = CELL_VALUE, .use = COLUMN_ALL, .unit = UNIT_BYTES},
    BANDWIDTH_COLUMNS("algorithm_bandwidth", "alg GB/s"),
    BANDWIDTH_COLUMNS("bus_bandwidth", "bus GB/s"),
};

static const struct collective *first_of(const struct ranks *ranks,
                                         const struct rank_meeting *meeting)
{
    return &ranks->list[meeting->rank].collectives->list[meeting->at];
}

static void row_operation(struct row_writer *row, const struct ranks *ranks,
                          const struct rank_meeting *meeting, struct arena *arena)
{
    const struct graph *graph = ranks->list[meeting->rank].graph;
    const struct collective *collective = first_of(ranks, meeting);
    struct span operation = graph_text(graph, collective->operation);

    row_text(row, operation);
    row_text(row, kernel_name_short(operation, arena));
}

/* The group's name and its ranks, as the file has them. */
static void take_group(const struct ranks *ranks, const struct rank_meeting *meeting,
                       struct span texts[2])
{
    const struct collective *collective = first_of(ranks, meeting);
    int64_t ids[] = {collective->group, collective->group_ranks};

    for (size_t i = 0; i < COUNT_OF(ids); i++)
        texts[i] = ids[i] == UNKNOWN ? NO_TEXT
                                     : graph_text(ranks->list[meeting->rank].graph, (str_id)ids[i]);
    if (meeting->pair) {
        texts[0] = meeting->pair->name;
        texts[1] = meeting->pair->members;
    }
}

static void row_group(struct row_writer *row, const struct ranks *ranks,
                      const struct rank_meeting *meeting)
{
    struct span texts[2];

    take_group(ranks, meeting, texts);
    row_text(row, texts[0]);
    row_text(row, texts[1]);
}

/* "1 [0, 2]": several groups may have one name. */
static struct span group_text(const struct ranks *ranks, const struct rank_meeting *meeting,
                              struct arena *arena)
{
    enum { RANKS_MAX = 24 };
    struct span texts[2], members;

    take_group(ranks, meeting, texts);
    members = texts[1];
    if (meeting->pair || !members.len)
        return texts[0];
    return span_of(arena_printf(arena, "%.*s %.*s%s", (int)(texts[0].len & 0xffff), texts[0].at,
                                (int)(members.len < RANKS_MAX ? members.len : RANKS_MAX),
                                members.at, members.len > RANKS_MAX ? "..." : ""));
}

static void add_kinds(const struct ranks *ranks, struct arena *arena, struct report *report)
{
    struct table *table = table_new(arena, kind_columns, COUNT_OF(kind_columns), ranks->kind_count,
                                    "collectives", "Collectives");

    for (uint32_t i = 0; i < ranks->kind_count; i++) {
        const struct rank_kind *kind = &ranks->kinds[i];
        const struct rank_meeting *first = &ranks->meetings[kind->first];
        struct row_writer row = table_row(table, i);

        row_operation(&row, ranks, first, arena);
        row_group(&row, ranks, first);
        row_text(&row, group_text(ranks, first, arena));
        row_figure(&row, first_of(ranks, first)->group_size);
        row_number(&row, kind->count);
        row_number(&row, kind->apart);
        row_number(&row, kind->skew);
        row_number(&row, kind->max_skew);
        row_number(&row, kind->transfer);
        row_figure(&row, kind->bytes);
        row_bandwidth(&row, kind->algorithm);
        row_bandwidth(&row, kind->bus);
    }
    report_table(report, table);
}

static const struct column meeting_columns[] = {
    {.key = "operation", .kind = CELL_TEXT, .use = COLUMN_MACHINES},
    {.key = "collective", .kind = CELL_TEXT, .use = COLUMN_PEOPLE},
    {.key = "group", .kind = CELL_TEXT, .use = COLUMN_MACHINES},
    {.key = "group_ranks", .kind = CELL_TEXT, .use = COLUMN_MACHINES},
    {.key = "group_size", .kind = CELL_COUNT, .use = COLUMN_MACHINES},
    {.key = "sequence", .kind = CELL_COUNT, .use = COLUMN_MACHINES},
    TIME_COLUMN("start", "at"),
    COUNT_COLUMN("ranks", NULL),
    COUNT_COLUMN("first_rank", "first"),
    COUNT_COLUMN("last_rank", "last"),
    TIME_COLUMN("skew", NULL),
    TIME_COLUMN("transfer", NULL),
    {.key = "bytes", .kind = CELL_VALUE, .use = COLUMN_ALL, .unit = UNIT_BYTES},
    BANDWIDTH_COLUMNS("algorithm_bandwidth", "alg GB/s"),
    BANDWIDTH_COLUMNS("bus_bandwidth", "bus GB/s"),
};

/* Those whose skew is doubtful come last. */
static bool has_more_skew(const void *context, uint32_t a, uint32_t b)
{
    const struct rank_meeting *meetings = ((const struct ranks *)context)->meetings;
    bool is_sure = meetings[a].transfer != UNKNOWN, is_other_sure = meetings[b].transfer != UNKNOWN;

    return is_sure != is_other_sure ? is_sure : meetings[a].skew > meetings[b].skew;
}

static void add_meetings(const struct ranks *ranks, uint32_t limit, struct arena *arena,
                         struct report *report)
{
    uint32_t *order = arena_array(arena, ranks->meeting_count, sizeof(*order));
    uint32_t height = limit_rows(ranks->meeting_count, limit);
    struct table *table = table_new(arena, meeting_columns, COUNT_OF(meeting_columns), height,
                                    "skews", "Collectives with the largest skew");

    for (uint32_t i = 0; i < ranks->meeting_count; i++)
        order[i] = i;
    sort_stable(order, ranks->meeting_count, has_more_skew, ranks);
    for (uint32_t i = 0; i < height; i++) {
        const struct rank_meeting *meeting = &ranks->meetings[order[i]];
        struct row_writer row = table_row(table, i);

        row_operation(&row, ranks, meeting, arena);
        row_group(&row, ranks, meeting);
        row_figure(&row, first_of(ranks, meeting)->group_size);
        row_figure(&row, first_of(ranks, meeting)->sequence);
        row_number(&row, checked_sub(meeting->start, ranks->start));
        row_number(&row, meeting->ranks);
        row_number(&row, ranks->list[meeting->first].number);
        row_number(&row, ranks->list[meeting->last].number);
        row_number(&row, meeting->skew);
        row_figure(&row, meeting->transfer);
        row_figure(&row, meeting->bytes);
        row_bandwidth(&row, meeting->algorithm);
        row_bandwidth(&row, meeting->bus);
    }
    report_table(report, table);
}

/* ---- all of it ---- */

enum { RANKS_SAID = 8 };

static bool made_wait_more(const void *context, uint32_t a, uint32_t b)
{
    const struct rank_lateness *lateness = context;

    return lateness[a].made_wait > lateness[b].made_wait;
}

/* The ranks that others waited for most. Whose delay it was is another question: delays travel. */
static void say_last(const struct ranks *ranks, struct arena *arena, struct report *report)
{
    uint32_t *order = sorted_order(ranks->count, made_wait_more, ranks->lateness), last = 0;

    while (last < ranks->count && ranks->lateness[order[last]].is_waited_for)
        last++;
    for (uint32_t i = 0; i < last && i < RANKS_SAID; i++) {
        const struct rank_lateness *lateness = &ranks->lateness[order[i]];
        char waited[FORMAT_LEN], share[FORMAT_LEN];

        format_value(waited, lateness->made_wait, UNIT_NS);
        format_share(share, share_of(lateness->made_wait, ranks->span));
        report_beforef(report, arena,
                       "rank %" PRId64 " came last to %" PRIu32 " of %" PRIu32
                       " collectives, the others waited %s (%s of the run) for it",
                       ranks->list[order[i]].number, lateness->last, lateness->matched, waited,
                       share);
    }
    if (last > RANKS_SAID)
        report_beforef(report, arena,
                       "%" PRIu32 " more ranks made others wait for 1 %% of the run: the table has "
                       "them",
                       last - RANKS_SAID);
    if (last)
        report_beforef(report, arena,
                       "a rank that came last may have waited for another: ptk job finds the slow "
                       "one");
    free(order);
}

static void say_doubts(const struct ranks *ranks, struct arena *arena, struct report *report)
{
    if (ranks->unmatched)
        report_afterf(report, arena, "%" PRIu32 " collective%s on one of these ranks alone",
                      ranks->unmatched, ranks->unmatched == 1 ? " is" : "s are");
    if (ranks->apart)
        report_afterf(report, arena,
                      "%" PRIu32 " of %" PRIu32
                      " collectives did not run at the same time on all ranks: "
                      "their clocks differ, or they are not one",
                      ranks->apart, ranks->meeting_count);
}

void ranks_report(const struct ranks *ranks, uint32_t limit, struct arena *arena,
                  struct report *report)
{
    char span[FORMAT_LEN];

    format_value(span, ranks->span, UNIT_NS);
    report_number(report, "span", ranks->span);
    report_number(report, "unmatched", ranks->unmatched);
    report_number(report, "apart", ranks->apart);
    report_beforef(report, arena, "%" PRIu32 " ranks in %s", ranks->count, span);
    say_last(ranks, arena, report);
    add_devices(ranks, arena, report);
    if (ranks->spread_count)
        add_spreads(ranks, arena, report);
    add_lateness(ranks, arena, report);
    if (ranks->meeting_count) {
        add_kinds(ranks, arena, report);
        add_meetings(ranks, limit, arena, report);
    }
    say_doubts(ranks, arena, report);
}
