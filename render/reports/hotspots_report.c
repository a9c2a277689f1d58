/* SPDX-License-Identifier: Apache-2.0 */
/* A row a function: its figures, as the users of its profiler know them. */
#include "render/reports/reports.h"

#include "analysis/functions/hotspots.h"
#include "base/checked.h"
#include "base/text/format.h"
#include "graph/derive/derive.h"
#include "graph/names/names.h"
#include "render/reports/report_columns.h"

/* A function with its figures. */
typedef struct {
    frame_id frame;
    int64_t calls, primitive_calls, self, cum, min, max; /* or UNKNOWN */
    double self_share, cum_share, running_share;
    int64_t median, p95, p99, deviation; /* of single calls; or UNKNOWN */
    bool self_is_estimate, cum_is_estimate;
} row;

/* What other programs read: the contract of cli.md. */
#define MACHINE_COLUMNS                                                                            \
    FRAME_AT(frame, COLUMN_MACHINES), COUNT_AT("calls", calls, FOR_MACHINES),                      \
        COUNT_AT("primitive_calls", primitive_calls, FOR_MACHINES),                                \
        VALUE_AT("self", self, FOR_MACHINES), VALUE_AT("cum", cum, FOR_MACHINES),                  \
        VALUE_AT("min", min, FOR_MACHINES), VALUE_AT("max", max, FOR_MACHINES),                    \
        FLAG_AT("self_is_estimate", self_is_estimate, .use = COLUMN_NOBODY),                       \
        FLAG_AT("cum_is_estimate", cum_is_estimate, .use = COLUMN_NOBODY),                         \
        TIME_AT("median", median, .use = COLUMN_NOBODY),                                           \
        TIME_AT("p95", p95, .use = COLUMN_NOBODY), TIME_AT("p99", p99, .use = COLUMN_NOBODY),      \
        TIME_AT("deviation", deviation, .use = COLUMN_NOBODY),                               \
        SHORT_AT(frame)

/* The columns that users of Python's pstats know, and percentages. */
static const struct column python_columns[] = {
    MACHINE_COLUMNS,
    CALLS_AT("ncalls", calls, primitive_calls, FOR_PEOPLE),
    VALUE_AT("tottime", self, FOR_PEOPLE),
    SHARE_AT("%", self_share, FOR_PEOPLE, .is_heat = true),
    MEAN_OF("percall", self, calls, FOR_PEOPLE, .is_spare = true),
    VALUE_AT("cumtime", cum, FOR_PEOPLE),
    SHARE_AT("%", cum_share, FOR_PEOPLE, .yields = 1),
    MEAN_OF("percall", cum, primitive_calls, FOR_PEOPLE, .is_spare = true),
    LABEL_AT("filename:lineno(function)", frame, FOR_PEOPLE, .is_path = true),
};

/* The mean is of the primitive calls: cum has no others. */
#define EVENT_FIGURES                                                                              \
    COUNT_AT("calls", calls, FOR_PEOPLE), VALUE_AT("self", self, FOR_PEOPLE),                      \
        SHARE_AT("%", self_share, FOR_PEOPLE, .is_heat = true),                                    \
        VALUE_AT("total", cum, FOR_PEOPLE), MEAN_OF("mean", cum, primitive_calls, FOR_PEOPLE, .yields = 2),     \
        VALUE_AT("min", min, FOR_PEOPLE, .is_spare = true),                                        \
        VALUE_AT("max", max, FOR_PEOPLE, .is_spare = true)

/* Where calls are counted and distinguished: traces. */
static const struct column event_columns[] = {
    MACHINE_COLUMNS,
    EVENT_FIGURES,
    TEXT_BY(cell_frame_kind, "kind", frame, FOR_PEOPLE, .is_whole = true, .yields = 1),
    LABEL_AT("name", frame, FOR_PEOPLE),
};

/* The same of groups: of what kind one is says its name, or nothing does. */
static const struct column group_columns[] = {
    MACHINE_COLUMNS,
    EVENT_FIGURES,
    LABEL_AT("name", frame, FOR_PEOPLE),
};

/* Times that are with all that is called, as line_profiler's: they do not add up. */
static const struct column inclusive_columns[] = {
    MACHINE_COLUMNS,
    COUNT_AT("hits", calls, FOR_PEOPLE),
    VALUE_AT("inclusive, by line", cum, FOR_PEOPLE),
    SHARE_AT("%", cum_share, FOR_PEOPLE, .is_heat = true),
    MEAN_OF("per hit", cum, calls, FOR_PEOPLE, .is_spare = true),
    LABEL_AT("filename:lineno(function)", frame, FOR_PEOPLE, .is_path = true),
};

/* Samples: the columns that users of pprof know; callgrind's calls are counted. */
static const struct column sample_columns[] = {
    MACHINE_COLUMNS,
    COUNT_AT("calls", calls, FOR_PEOPLE),
    VALUE_AT("flat", self, FOR_PEOPLE),
    SHARE_AT("flat%", self_share, FOR_PEOPLE, .is_heat = true),
    SHARE_AT("sum%", running_share, FOR_PEOPLE, .is_spare = true),
    VALUE_AT("cum", cum, FOR_PEOPLE),
    SHARE_AT("cum%", cum_share, FOR_PEOPLE),
    LABEL_AT("function", frame, FOR_PEOPLE, .is_path = true),
};

/* What people see depends on what the profile knows. */
static struct table *begin_functions(const struct graph *graph, const struct hotspots *hotspots,
                                     struct arena *arena)
{
    struct table_context context = graph_context(graph, arena);
    uint32_t room = hotspots->count;

    if (graph->values.is_inclusive)
        return TABLE_BEGIN(&context, inclusive_columns, room, "rows", NULL);
    if (is_python_profile(graph))
        return TABLE_BEGIN(&context, python_columns, room, "rows", NULL);
    if (hotspots->calls != UNKNOWN && graph->selection.grouped_by)
        return TABLE_BEGIN(&context, group_columns, room, "rows", NULL);
    if (hotspots->calls != UNKNOWN)
        return TABLE_BEGIN(&context, event_columns, room, "rows", NULL);
    return TABLE_BEGIN(&context, sample_columns, room, "rows", NULL);
}

/* "~341.3 ms": `per` says whether it is an estimate. */
static union cell cell_estimated(const struct cell_source *from)
{
    const struct table_context *context = from->context;
    int64_t value = *(const int64_t *)from->field;
    char text[FORMAT_LEN];

    if (value == UNKNOWN)
        return (union cell){.text = NO_TEXT};
    return (union cell){
        .text = span_of(arena_printf(context->arena, "%s%s", *(const bool *)from->per ? "~" : "",
                                     format_value(text, value, context->unit)))};
}

/* Where a selection left estimates they are marked for people, and told machines. */
static void show_estimates(struct table *table)
{
    for (uint32_t i = 0; i < table->width; i++) {
        struct column *column = &table->columns[i];
        bool is_self = column->field == offsetof(row, self);

        if (column->field == offsetof(row, self_is_estimate) ||
            column->field == offsetof(row, cum_is_estimate))
            column->use = COLUMN_MACHINES;
        if (column->use != COLUMN_PEOPLE || column->kind != CELL_VALUE ||
            column->make == cell_mean || (!is_self && column->field != offsetof(row, cum)))
            continue;
        column->kind = CELL_TEXT;
        column->is_right = true;
        column->make = cell_estimated;
        column->per = is_self ? offsetof(row, self_is_estimate) : offsetof(row, cum_is_estimate);
    }
}

/* "1 function", "7 categories", or what else they are grouped by. */
static const char *rows_text(const struct graph *graph, uint32_t count, const char *more,
                             struct arena *arena)
{
    const char *noun = graph->selection.grouped_by ? graph->selection.grouped_by : "function";

    return format_many(arena, count, arena_printf(arena, "%s%s", more, noun));
}

/* Whose time it is, of a trace of several. */
static const char *world_of(const struct graph *graph)
{
    static const char *const worlds[TIMELINE_VALUES] = {
        [TIMELINE_TIME] = "",
        [TIMELINE_HOST] = " of the host",
        [TIMELINE_DEVICE] = " of the device",
        [TIMELINE_IDLE] = " that a device was idle",
        [TIMELINE_CPU] = " of CPU time",
    };

    return graph->values.are_of_timeline ? worlds[graph->values.selected] : "";
}

/* The time in which nothing was to be done is no part of it. */
static const char *idle_text(const struct graph *graph, const struct hotspots *hotspots,
                             struct arena *arena)
{
    char idle[FORMAT_LEN];

    if (!hotspots->idle)
        return "";
    return arena_printf(arena, "; idle for %s, of which nothing has a share",
                        format_value(idle, hotspots->idle, graph_unit(graph)));
}

/* "15,526,966 Ir"; of a time which. */
static const char *total_text(const struct graph *graph, const struct hotspots *hotspots,
                              struct arena *arena)
{
    return arena_printf(arena, "%s%s", amount_text(graph, hotspots->total, arena),
                        graph_unit(graph) == UNIT_NS ? world_of(graph) : "");
}

/* Where a profile lost time, 100 % of self is not 100 % of cum. */
static const char *whole_text(const struct graph *graph, const struct hotspots *hotspots,
                              struct arena *arena)
{
    char whole[FORMAT_LEN];

    if (hotspots->whole == hotspots->total || graph->native > LEVEL_CALLGRAPH)
        return "";
    return arena_printf(arena, "; cumulative shares are of %s",
                        format_value(whole, hotspots->whole, graph_unit(graph)));
}

/* The function with the most time, whatever the rows are ordered by: "f takes 41.2% of 5.470 s by itself." NULL where
 * nothing takes any, or less than before. */
static const char *first_sentence(const struct graph *graph, const struct hotspots *hotspots, struct arena *arena)
{
    const struct functions *f = &graph->functions;
    bool is_cum = graph->values.is_inclusive;
    const int64_t *cost = is_cum ? f->cum : f->self;
    int64_t whole = is_cum ? hotspots->whole : hotspots->total;
    uint32_t most = f->listed;
    char share[FORMAT_LEN];
    struct span name;

    for (uint32_t i = 0; i < f->listed; i++)
        if (cost[i] > 0 && (most == f->listed || cost[i] > cost[most]) && !graph_is_idle(graph, f->frame[i]))
            most = i;
    if (most == f->listed || whole <= 0)
        return NULL;
    name = graph_short_name(graph, f->frame[most]);
    return arena_printf(arena, "%.*s takes %s of %s%s.", (int)name.len, name.at,
                        format_share(share, share_of(cost[most], whole)), total_text(graph, hotspots, arena),
                        is_cum ? " with what it calls" : graph->selection.grouped_by ? "" : " by itself");
}

static const char *headline(const struct graph *graph, const struct hotspots *hotspots,
                            struct arena *arena)
{
    char primitive[FORMAT_LEN];
    const char *calls, *what;

    what = arena_printf(arena, "%s in %s%s%s", rows_text(graph, graph->functions.listed, "", arena),
                        total_text(graph, hotspots, arena), idle_text(graph, hotspots, arena),
                        whole_text(graph, hotspots, arena));
    if (hotspots->calls == UNKNOWN || !graph->functions.listed)
        return what;
    calls = format_many(arena, hotspots->calls, "call");
    if (hotspots->primitive_calls == hotspots->calls || hotspots->primitive_calls == UNKNOWN)
        return arena_printf(arena, "%s of %s", calls, what);
    return arena_printf(arena, "%s (%s primitive) of %s", calls,
                        format_count(primitive, hotspots->primitive_calls), what);
}

static const char *rest_line(const struct graph *graph, const struct hotspots *hotspots,
                             struct arena *arena)
{
    char self[FORMAT_LEN], share[FORMAT_LEN];
    enum unit unit = graph_unit(graph);

    if (graph->values.is_inclusive)
        return arena_printf(arena, "%s; -n 0 shows all",
                            rows_text(graph, hotspots->left_out, "more ", arena));
    return arena_printf(arena, "%s: %s of self%s (%s); -n 0 shows all",
                        rows_text(graph, hotspots->left_out, "more ", arena),
                        format_value(self, hotspots->left_out_self, unit),
                        unit == UNIT_NS ? " time" : "",
                        format_share(share, share_of(hotspots->left_out_self, hotspots->total)));
}

static const char *nameless_line(const struct graph *graph, const struct hotspots *hotspots,
                                 struct arena *arena)
{
    char self[FORMAT_LEN], share[FORMAT_LEN];

    return arena_printf(arena,
                        "%s (%s) is in code that no symbol is known for, shown by library or "
                        "address; --binary-path DIR looks for the binaries",
                        format_value(self, hotspots->nameless, graph_unit(graph)),
                        format_share(share, share_of(hotspots->nameless, hotspots->total)));
}

static const char *stackless_line(const struct graph *graph, const struct hotspots *hotspots,
                                  struct arena *arena)
{
    char value[FORMAT_LEN], share[FORMAT_LEN];

    return arena_printf(
        arena, "%s (%s) is of samples without a stack, in no function",
        format_value(value, graph->values.without_stack, graph_unit(graph)),
        format_share(share, share_of(graph->values.without_stack, hotspots->total)));
}

static const char *wait_only_line(const struct graph *graph, const struct hotspots *hotspots,
                                  struct arena *arena)
{
    const struct wait_only *wait_only = &hotspots->wait_only;
    const struct span name = graph_text(graph, graph->timeline.tracks[wait_only->track].name);
    const char *who =
        wait_only->count == 1
            ? arena_printf(arena, "%.*s", (int)(name.len < 80 ? name.len : 80), name.at)
            : arena_printf(arena, "%u threads", wait_only->count);
    char time[FORMAT_LEN], share[FORMAT_LEN];
    const char *part =
        graph->values.selected == TIMELINE_HOST
            ? ", which is left out"
            : arena_printf(arena, " (%s)",
                           format_share(share, share_of(wait_only->time, hotspots->total)));

    return arena_printf(
        arena,
        "%s ran nothing but Python or queries while the device worked, and may only have "
        "waited: %s%s%s",
        who, format_value(time, wait_only->time, graph_unit(graph)), part,
        wait_only->count == 1 ? "" : "; --value time --by track distinguishes them");
}

void hotspots_report(const struct hotspots *hotspots, struct arena *arena, struct report *report)
{
    const struct graph *graph = report->inputs[0].graph;
    const struct functions *f = &graph->functions;
    struct table *table = begin_functions(graph, hotspots, arena);
    const char *first = first_sentence(graph, hotspots, arena);
    bool has_threads = false, has_estimates = false;

    if (f->estimates)
        show_estimates(table);
    if (graph->selection.grouped_by) /* the last column is headed by what the rows are */
        table->columns[table->width - 1].heading = graph->selection.grouped_by;
    for (uint32_t i = 0; i < hotspots->count; i++) {
        const struct hotspots_row *spot = &hotspots->rows[i];
        uint32_t at = spot->function;
        const struct percentiles *calls =
            hotspots->measured && hotspots->measured[i].count ? &hotspots->measured[i] : NULL;
        uint8_t estimates = f->estimates ? f->estimates[at] : 0;

        TABLE_ADD(table, .frame = f->frame[at], .calls = f->calls[at],
                  .primitive_calls = f->primitive_calls[at], .self = f->self[at], .cum = f->cum[at],
                  .min = f->min ? f->min[at] : UNKNOWN, .max = f->max ? f->max[at] : UNKNOWN,
                  .self_share = spot->self_share, .cum_share = spot->cum_share,
                  .running_share = spot->running_share, .median = calls ? calls->median : UNKNOWN,
                  .p95 = calls ? calls->p95 : UNKNOWN, .p99 = calls ? calls->p99 : UNKNOWN,
                  .deviation = calls ? (int64_t)calls->deviation : UNKNOWN,
                  .self_is_estimate = estimates & ESTIMATE_SELF,
                  .cum_is_estimate = estimates & ESTIMATE_CUM);
        has_estimates |= estimates != 0;
    }
    report->has_value = true;
    report_value(report, "total", checked_add(hotspots->total, hotspots->idle), graph_unit(report->inputs[0].graph));
    if (hotspots->idle)
        report_number(report, "idle", hotspots->idle);
    if (first)
        report_before(report, first);
    report_before(report, headline(graph, hotspots, arena));
    if (hotspots->left_out)
        report_after(report, rest_line(graph, hotspots, arena));
    if (has_estimates)
        report_after(report,
                     graph->selection.is_narrowed
                         ? "~ an estimate: the profile knows calls, not stacks; what functions "
                           "with several callers did for each is split by the calls' times"
                         : "~ an estimate: the profile knows calls, not stacks");
    if (graph->values.without_stack)
        report_after(report, stackless_line(graph, hotspots, arena));
    if (hotspots->nameless)
        report_after(report, nameless_line(graph, hotspots, arena));
    for (uint32_t i = 0; i < graph->timeline.track_count; i++)
        has_threads |=
            graph->timeline.tracks[i].kind == TRACK_THREAD && graph->timeline.tracks[i].count;
    if (graph->values.are_of_timeline && graph->values.selected == TIMELINE_DEVICE && has_threads)
        report_after(report, "the host's functions: --value host; what the device waited for: "
                             "--value idle; all in one list: --value time");
    if (hotspots->wait_only.time)
        report_after(report, wait_only_line(graph, hotspots, arena));
    report_table(report, table);
}
