/* SPDX-License-Identifier: Apache-2.0 */
/* Several ranks: what each did, how far apart they are, who waited for whom, and in which
 * collectives. */
#include "render/reports/reports.h"

#include "analysis/ranks/rank_overlap.h"
#include "base/checked.h"
#include "base/memory/memory.h"
#include "base/text/format.h"
#include "graph/classify/function_class.h"
#include "graph/names/names.h"
#include "render/reports/report_columns.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- devices, and how far apart they are ---- */

static void add_devices(const struct ranks *ranks, const struct table_context *context,
                        struct report *report)
{
    typedef struct {
        int64_t rank, begins;
        int32_t device;
        struct overlap_figures all;
    } row;
    static const struct column columns[] = {COUNT_AT("rank", rank), INDEX_AT("device", device),
                                            TIME_AT("begins", begins, .heading = "begins at", .yields = 4),
                                            OVERLAP_AT(all)};
    struct table *table =
        TABLE_BEGIN(context, columns, ranks->device_count, "devices", "Devices, on one clock");

    for (uint32_t i = 0; i < ranks->device_count; i++) {
        const struct rank_device *device = &ranks->devices[i];
        int64_t start = checked_add(device->of->all.start, ranks->offset[device->rank]);

        TABLE_ADD(table, ranks->list[device->rank].number, checked_sub(start, ranks->start),
                  device->of->device, device->of->all);
    }
    report_table(report, table);
}

static void add_spreads(const struct ranks *ranks, const struct table_context *context,
                        struct report *report)
{
    typedef struct {
        const char *figure;
        struct extremes over;
        int64_t least_rank, most_rank, range;
    } row;
    static const struct column columns[] = {
        TEXT_AT("figure", figure),
        TIME_AT("least", over.least),
        COUNT_AT("least_rank", least_rank, .heading = "rank"),
        TIME_AT("median", over.median),
        TIME_AT("most", over.most),
        COUNT_AT("most_rank", most_rank, .heading = "rank"),
        SHARE_OF("spread", range, over.median, .heading = "spread %"),
    };
    struct table *table =
        TABLE_BEGIN(context, columns, ranks->spread_count, "spread",
                    "How far apart devices are (spread: most less least, of the median)");

    for (uint32_t i = 0; i < ranks->spread_count; i++) {
        const struct extremes *over = &ranks->spreads[i].over;

        TABLE_ADD(table, ranks->spreads[i].figure, *over,
                  ranks->list[ranks->devices[over->least_at].rank].number,
                  ranks->list[ranks->devices[over->most_at].rank].number,
                  checked_sub(over->most, over->least));
    }
    report_table(report, table);
}

/* ---- who was late ---- */

static void add_lateness(const struct ranks *ranks, const struct table_context *context,
                         struct report *report)
{
    typedef struct {
        struct rank_lateness of;
        int64_t rank, idle_for;
        const char *file;
    } row;
    static const struct column columns[] = {
        COUNT_AT("rank", rank),
        COUNT_AT("collectives", of.matched, .heading = "collectives with others"),
        COUNT_AT("last", of.last, .heading = "came last"),
        TIME_AT("made_wait", of.made_wait, .heading = "others waited"),
        SHARE_OF_WHOLE("share", of.made_wait, .heading = "%", .is_heat = true),
        TIME_AT("waited", of.waited, .heading = "waited itself"),
        TIME_AT("idle_waiting", of.idle, .heading = "idle meanwhile"),
        SHARE_OF_WHOLE("idle_share", of.idle, .heading = "%", .is_heat = true),
        COUNT_AT("idle_for", idle_for, .heading = "mostly for"),
        FLAG_AT("is_waited_for", of.is_waited_for, FOR_MACHINES),
        TEXT_AT("file", file),
    };
    struct table *table =
        TABLE_BEGIN(context, columns, ranks->count, "ranks", "Waiting between ranks");

    for (uint32_t i = 0; i < ranks->count; i++) {
        const struct rank_lateness *lateness = &ranks->lateness[i];

        TABLE_ADD(table, *lateness, ranks->list[i].number,
                  lateness->idle_for == UINT32_MAX ? UNKNOWN
                                                   : ranks->list[lateness->idle_for].number,
                  report->inputs[i].path);
    }
    report_table(report, table);
}

/* ---- collectives ---- */

/* What a collective was. */
struct collective_texts {
    struct span operation, kernel, group, members, group_shown;
    int64_t group_size, sequence;
};

/* "1 [0, 2]": several groups may have one name. */
static struct span group_text(const struct rank_meeting *meeting, struct span name,
                              struct span members, struct arena *arena)
{
    enum { RANKS_MAX = 24 };

    if (meeting->pair || !members.len)
        return name;
    return span_of(arena_printf(arena, "%.*s %.*s%s", (int)(name.len & 0xffff), name.at,
                                (int)(members.len < RANKS_MAX ? members.len : RANKS_MAX),
                                members.at, members.len > RANKS_MAX ? "..." : ""));
}

/* The group's name and its ranks are as the file has them. */
static struct collective_texts texts_of(const struct ranks *ranks,
                                        const struct rank_meeting *meeting, struct arena *arena)
{
    const struct graph *graph = ranks->list[meeting->rank].graph;
    const struct collective *collective =
        &ranks->list[meeting->rank].collectives->list[meeting->at];
    struct collective_texts texts = {
        .operation = graph_text(graph, collective->operation),
        .group =
            collective->group == UNKNOWN ? NO_TEXT : graph_text(graph, (str_id)collective->group),
        .members = collective->group_ranks == UNKNOWN
                       ? NO_TEXT
                       : graph_text(graph, (str_id)collective->group_ranks),
        .group_size = collective->group_size,
        .sequence = collective->sequence,
    };

    if (meeting->pair) {
        texts.group = meeting->pair->name;
        texts.members = meeting->pair->members;
    }
    texts.kernel = short_name(texts.operation, KIND_COMMUNICATION, arena);
    texts.group_shown = group_text(meeting, texts.group, texts.members, arena);
    return texts;
}

#define COLLECTIVE_AT(texts)                                                                       \
    TEXT_AT("operation", texts.operation, FOR_MACHINES),                                           \
        TEXT_AT("collective", texts.kernel, FOR_PEOPLE),                                           \
        TEXT_AT("group", texts.group, FOR_MACHINES),                                               \
        TEXT_AT("group_ranks", texts.members, FOR_MACHINES)

static void add_kinds(const struct ranks *ranks, const struct table_context *context,
                      struct report *report)
{
    typedef struct {
        struct collective_texts texts;
        struct rank_kind of;
    } row;
    static const struct column columns[] = {
        COLLECTIVE_AT(texts),
        TEXT_AT("group and ranks", texts.group_shown, FOR_PEOPLE, .heading = "group"),
        COUNT_AT("group_size", texts.group_size, .heading = "size"),
        COUNT_AT("count", of.count),
        COUNT_AT("apart", of.apart),
        TIME_AT("skew", of.skew),
        TIME_AT("max_skew", of.max_skew, .heading = "largest"),
        TIME_AT("transfer", of.transfer),
        BYTES_AT("bytes", of.bytes),
        RATE_AT("algorithm_bandwidth", "alg GB/s", of.algorithm),
        RATE_AT("bus_bandwidth", "bus GB/s", of.bus),
    };
    struct table *table =
        TABLE_BEGIN(context, columns, ranks->kind_count, "collectives", "Collectives");

    for (uint32_t i = 0; i < ranks->kind_count; i++)
        TABLE_ADD(table, texts_of(ranks, &ranks->meetings[ranks->kinds[i].first], context->arena),
                  ranks->kinds[i]);
    report_table(report, table);
}

/* Those whose skew is doubtful come last. */
static bool has_more_skew(const void *context, uint32_t a, uint32_t b)
{
    const struct rank_meeting *meetings = ((const struct ranks *)context)->meetings;
    bool is_sure = meetings[a].transfer != UNKNOWN, is_other_sure = meetings[b].transfer != UNKNOWN;

    return is_sure != is_other_sure ? is_sure : meetings[a].skew > meetings[b].skew;
}

static void add_meetings(const struct ranks *ranks, uint32_t limit,
                         const struct table_context *context, struct report *report)
{
    typedef struct {
        struct collective_texts texts;
        struct rank_meeting of;
        int64_t start, first, last;
    } row;
    static const struct column columns[] = {
        COLLECTIVE_AT(texts),
        COUNT_AT("group_size", texts.group_size, FOR_MACHINES),
        COUNT_AT("sequence", texts.sequence, FOR_MACHINES),
        TIME_AT("start", start, .heading = "at"),
        COUNT_AT("ranks", of.ranks),
        COUNT_AT("first_rank", first, .heading = "first"),
        COUNT_AT("last_rank", last, .heading = "last"),
        TIME_AT("skew", of.skew),
        TIME_AT("transfer", of.transfer),
        BYTES_AT("bytes", of.bytes),
        RATE_AT("algorithm_bandwidth", "alg GB/s", of.algorithm),
        RATE_AT("bus_bandwidth", "bus GB/s", of.bus),
    };
    uint32_t *order = arena_array(context->arena, ranks->meeting_count, sizeof(*order));
    struct table *table = TABLE_BEGIN(context, columns, limit_rows(ranks->meeting_count, limit),
                                      "skews", "Collectives with the largest skew");

    for (uint32_t i = 0; i < ranks->meeting_count; i++)
        order[i] = i;
    sort_stable(order, ranks->meeting_count, has_more_skew, ranks);
    for (uint32_t i = 0; i < table->room; i++) {
        const struct rank_meeting *meeting = &ranks->meetings[order[i]];

        TABLE_ADD(table, texts_of(ranks, meeting, context->arena), *meeting,
                  checked_sub(meeting->start, ranks->start), ranks->list[meeting->first].number,
                  ranks->list[meeting->last].number);
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
static void write_last(const struct ranks *ranks, struct arena *arena, struct report *report)
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

void ranks_report(const struct ranks *ranks, uint32_t limit, struct arena *arena,
                  struct report *report)
{
    struct table_context context = {.arena = arena, .whole = ranks->span};
    char span[FORMAT_LEN];

    format_value(span, ranks->span, UNIT_NS);
    report_time(report, "span", ranks->span);
    report_number(report, "unmatched", ranks->unmatched);
    report_number(report, "apart", ranks->apart);
    report_beforef(report, arena, "%" PRIu32 " ranks ran for %s.", ranks->count, span);
    write_last(ranks, arena, report);
    add_devices(ranks, &context, report);
    if (ranks->spread_count)
        add_spreads(ranks, &context, report);
    add_lateness(ranks, &context, report);
    if (ranks->meeting_count) {
        add_kinds(ranks, &context, report);
        add_meetings(ranks, limit, &context, report);
    }
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
