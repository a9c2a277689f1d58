/* SPDX-License-Identifier: Apache-2.0 */
#include "render/reports/reports.h"

#include <ctype.h>
#include <math.h>

#include "analysis/functions/hotspots.h"
#include "base/checked.h"
#include "base/text/format.h"
#include "graph/derive/derive.h"
#include "render/reports/report_columns.h"

/* What other programs read: the contract of cli.md. */
/* clang-format off */
#define MACHINE_COLUMNS                                                                            \
    FRAME_COLUMNS(COLUMN_MACHINES),                                                                \
    {.key = "calls", .kind = CELL_COUNT, .use = COLUMN_MACHINES},                                  \
    {.key = "primitive_calls", .kind = CELL_COUNT, .use = COLUMN_MACHINES},                        \
    {.key = "self", .kind = CELL_VALUE, .use = COLUMN_MACHINES},                                   \
    {.key = "cum", .kind = CELL_VALUE, .use = COLUMN_MACHINES},                                    \
    {.key = "min", .kind = CELL_VALUE, .use = COLUMN_MACHINES},                                    \
    {.key = "max", .kind = CELL_VALUE, .use = COLUMN_MACHINES}
/* clang-format on */

/* The columns that users of Python's pstats know, and percentages. */
static const struct column python_columns[] = {
    MACHINE_COLUMNS,
    {.key = "ncalls", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_right = true},
    {.key = "tottime", .kind = CELL_VALUE, .use = COLUMN_PEOPLE},
    {.key = "%", .kind = CELL_SHARE, .use = COLUMN_PEOPLE, .is_heat = true},
    {.key = "percall", .kind = CELL_VALUE, .use = COLUMN_PEOPLE, .is_spare = true},
    {.key = "cumtime", .kind = CELL_VALUE, .use = COLUMN_PEOPLE},
    {.key = "%", .kind = CELL_SHARE, .use = COLUMN_PEOPLE},
    {.key = "percall", .kind = CELL_VALUE, .use = COLUMN_PEOPLE, .is_spare = true},
    {.key = "filename:lineno(function)", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_path = true},
};

#define EVENT_FIGURES                                                                              \
    {.key = "calls", .kind = CELL_COUNT, .use = COLUMN_PEOPLE},                                    \
        {.key = "self", .kind = CELL_VALUE, .use = COLUMN_PEOPLE},                                 \
        {.key = "%", .kind = CELL_SHARE, .use = COLUMN_PEOPLE, .is_heat = true},                   \
        {.key = "total", .kind = CELL_VALUE, .use = COLUMN_PEOPLE},                                \
        {.key = "mean", .kind = CELL_VALUE, .use = COLUMN_PEOPLE},                                 \
        {.key = "min", .kind = CELL_VALUE, .use = COLUMN_PEOPLE, .is_spare = true},                \
    {                                                                                              \
        .key = "max", .kind = CELL_VALUE, .use = COLUMN_PEOPLE, .is_spare = true                   \
    }

/* Where calls are counted and told apart: traces. */
static const struct column event_columns[] = {
    MACHINE_COLUMNS,
    EVENT_FIGURES,
    {.key = "kind", .kind = CELL_TEXT, .use = COLUMN_PEOPLE},
    {.key = "name", .kind = CELL_TEXT, .use = COLUMN_PEOPLE},
};

/* The same of groups: of what kind one is says its name, or nothing does. */
static const struct column group_columns[] = {
    MACHINE_COLUMNS,
    EVENT_FIGURES,
    {.key = "name", .kind = CELL_TEXT, .use = COLUMN_PEOPLE},
};

/* Times that are with all that is called, as line_profiler's: they do not add up. */
static const struct column inclusive_columns[] = {
    MACHINE_COLUMNS,
    {.key = "hits", .kind = CELL_COUNT, .use = COLUMN_PEOPLE},
    {.key = "inclusive, by line", .kind = CELL_VALUE, .use = COLUMN_PEOPLE},
    {.key = "%", .kind = CELL_SHARE, .use = COLUMN_PEOPLE, .is_heat = true},
    {.key = "per hit", .kind = CELL_VALUE, .use = COLUMN_PEOPLE, .is_spare = true},
    {.key = "filename:lineno(function)", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_path = true},
};

/* Samples: the columns that users of pprof know; callgrind's calls are counted. */
static const struct column sample_columns[] = {
    MACHINE_COLUMNS,
    {.key = "calls", .kind = CELL_COUNT, .use = COLUMN_PEOPLE},
    {.key = "flat", .kind = CELL_VALUE, .use = COLUMN_PEOPLE},
    {.key = "flat%", .kind = CELL_SHARE, .use = COLUMN_PEOPLE, .is_heat = true},
    {.key = "sum%", .kind = CELL_SHARE, .use = COLUMN_PEOPLE, .is_spare = true},
    {.key = "cum", .kind = CELL_VALUE, .use = COLUMN_PEOPLE},
    {.key = "cum%", .kind = CELL_SHARE, .use = COLUMN_PEOPLE},
    {.key = "function", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_path = true},
};

static void fill_machine_cells(struct row_writer *row, const struct graph *graph, uint32_t at)
{
    const struct functions *f = &graph->functions;

    row_frame(row, graph, f->frame[at]);
    row_figure(row, f->calls[at]);
    row_figure(row, f->primitive_calls[at]);
    row_figure(row, f->self[at]);
    row_figure(row, f->cum[at]);
    row_figure(row, f->min ? f->min[at] : UNKNOWN);
    row_figure(row, f->max ? f->max[at] : UNKNOWN);
}

static void fill_python_cells(struct row_writer *row, const struct graph *graph,
                              const struct hotspots_row *spot, struct arena *arena)
{
    const struct functions *f = &graph->functions;
    uint32_t at = spot->function;

    row_call_counts(row, f->calls[at], f->primitive_calls[at], arena);
    row_figure(row, f->self[at]);
    row_real(row, spot->self_share);
    row_per_call(row, f->self[at], f->calls[at]);
    row_figure(row, f->cum[at]);
    row_real(row, spot->cum_share);
    row_per_call(row, f->cum[at], f->primitive_calls[at]);
    row_label(row, graph, f->frame[at], arena);
}

static void fill_event_cells(struct row_writer *row, const struct graph *graph,
                             const struct hotspots_row *spot, struct arena *arena)
{
    const struct functions *f = &graph->functions;
    uint32_t at = spot->function;

    row_figure(row, f->calls[at]);
    row_figure(row, f->self[at]);
    row_real(row, spot->self_share);
    row_figure(row, f->cum[at]);
    row_per_call(row, f->cum[at], f->primitive_calls[at]); /* what cum has no others of */
    row_figure(row, f->min ? f->min[at] : UNKNOWN);
    row_figure(row, f->max ? f->max[at] : UNKNOWN);
    if (!graph->selection.grouped_by)
        row_text(row, span_of(frame_kind_name(graph_frame(graph, f->frame[at])->kind)));
    row_label(row, graph, f->frame[at], arena);
}

static void fill_inclusive_cells(struct row_writer *row, const struct graph *graph,
                                 const struct hotspots_row *spot, struct arena *arena)
{
    const struct functions *f = &graph->functions;

    row_figure(row, f->calls[spot->function]);
    row_figure(row, f->cum[spot->function]);
    row_real(row, spot->cum_share);
    row_per_call(row, f->cum[spot->function], f->calls[spot->function]);
    row_label(row, graph, f->frame[spot->function], arena);
}

static void fill_sample_cells(struct row_writer *row, const struct graph *graph,
                              const struct hotspots_row *spot, struct arena *arena)
{
    const struct functions *f = &graph->functions;

    row_figure(row, f->calls[spot->function]);
    row_figure(row, f->self[spot->function]);
    row_real(row, spot->self_share);
    row_real(row, spot->running_share);
    row_figure(row, f->cum[spot->function]);
    row_real(row, spot->cum_share);
    row_label(row, graph, f->frame[spot->function], arena);
}

/* What people see depends on what the profile knows. */
struct hotspots_layout {
    const struct column *columns;
    uint32_t width;
    void (*fill)(struct row_writer *row, const struct graph *graph, const struct hotspots_row *spot,
                 struct arena *arena);
};

/* "1 function", "7 categories", or what else they are grouped by. */
static const char *rows_text(const struct graph *graph, uint32_t count, const char *more,
                             struct arena *arena)
{
    const char *noun = graph->selection.grouped_by ? graph->selection.grouped_by : "function";

    return format_many(arena, count, arena_printf(arena, "%s%s", more, noun));
}

static struct hotspots_layout look_of(const struct graph *graph, const struct hotspots *hotspots)
{
    if (graph->values.is_inclusive)
        return (struct hotspots_layout){inclusive_columns, COUNT_OF(inclusive_columns),
                                        fill_inclusive_cells};
    if (is_python_profile(graph))
        return (struct hotspots_layout){python_columns, COUNT_OF(python_columns),
                                        fill_python_cells};
    if (hotspots->calls != UNKNOWN && graph->selection.grouped_by)
        return (struct hotspots_layout){group_columns, COUNT_OF(group_columns), fill_event_cells};
    if (hotspots->calls != UNKNOWN)
        return (struct hotspots_layout){event_columns, COUNT_OF(event_columns), fill_event_cells};
    return (struct hotspots_layout){sample_columns, COUNT_OF(sample_columns), fill_sample_cells};
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

/* "15,526,966 Ir", "64 KiB of inuse_space"; of a time no name is needed. */
static const char *total_text(const struct graph *graph, const struct hotspots *hotspots,
                              struct arena *arena)
{
    struct span name = graph_text(graph, graph->values.list[graph->values.selected].name);
    enum unit unit = graph_unit(graph);
    char total[FORMAT_LEN];

    format_value(total, hotspots->total, unit);
    if (unit == UNIT_NS || !name.len)
        return arena_printf(arena, "%s%s", total, world_of(graph));
    return arena_printf(arena, "%s %s%.*s", total, unit == UNIT_COUNT ? "" : "of ",
                        (int)(name.len < 80 ? name.len : 80), name.at);
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
        wait_only->count == 1 ? "" : "; --value time --by track tells them apart");
}

void hotspots_report(const struct hotspots *hotspots, struct arena *arena, struct report *report)
{
    const struct graph *graph = report->inputs[0].graph;
    struct hotspots_layout look = look_of(graph, hotspots);
    struct column *columns = columns_in_unit(arena, look.columns, look.width, graph_unit(graph));
    struct table *table = table_new(arena, columns, look.width, hotspots->count, "rows", NULL);
    bool has_threads = false;

    if (graph->selection.grouped_by) /* the last column is headed by what the rows are */
        columns[look.width - 1].heading = graph->selection.grouped_by;
    for (uint32_t i = 0; i < hotspots->count; i++) {
        struct row_writer row = table_row(table, i);

        fill_machine_cells(&row, graph, hotspots->rows[i].function);
        look.fill(&row, graph, &hotspots->rows[i], arena);
    }
    report->has_value = true;
    report_number(report, "total", checked_add(hotspots->total, hotspots->idle));
    if (hotspots->idle)
        report_number(report, "idle", hotspots->idle);
    report_before(report, headline(graph, hotspots, arena));
    if (hotspots->left_out)
        report_after(report, rest_line(graph, hotspots, arena));
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

/* ---- functions with every value that the profile measures side by side ---- */

enum { VALUES_SHOWN = 13, NAME_LEN = 24 };

static const struct column frame_columns[] = {FRAME_COLUMNS(COLUMN_MACHINES)};

/* A value's name, which the file chose, as a field's. */
static const char *key_of(const struct graph *graph, uint32_t value, struct arena *arena)
{
    struct span name = graph_text(graph, graph->values.list[value].name);
    char *key = arena_alloc(arena, NAME_LEN + 1);
    size_t len = name.len < NAME_LEN ? name.len : NAME_LEN;

    for (size_t i = 0; i < len; i++)
        key[i] = isalnum((unsigned char)name.at[i]) ? name.at[i] : '_';
    key[len] = '\0';
    return key;
}

static struct table *make_table(const struct graph *graph, uint32_t values, uint32_t rows,
                                struct arena *arena)
{
    uint32_t width = 0;
    struct column *columns = arena_array(arena, TABLE_MAX_WIDTH, sizeof(*columns));

    for (; width < COUNT_OF(frame_columns); width++)
        columns[width] = frame_columns[width];
    for (uint32_t v = 0; v < values; v++) {
        columns[width++] = (struct column){.key = key_of(graph, v, arena),
                                           .kind = CELL_VALUE,
                                           .use = COLUMN_ALL,
                                           .unit = graph->values.list[v].unit};
        columns[width++] =
            (struct column){.key = "%", .kind = CELL_SHARE, .use = COLUMN_PEOPLE, .is_heat = true};
    }
    columns[width++] = (struct column){
        .key = "function", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_path = true};
    return table_new(arena, columns, width, rows, "rows", NULL);
}

void hotspots_values_report(const struct hotspots *hotspots, const struct value_columns *columns,
                            struct arena *arena, struct report *report)
{
    const struct graph *graph = report->inputs[0].graph;
    uint32_t values = graph->values.count < VALUES_SHOWN ? graph->values.count : VALUES_SHOWN;
    struct table *table = make_table(graph, values, hotspots->count, arena);

    for (uint32_t i = 0; i < hotspots->count; i++) {
        uint32_t function = hotspots->rows[i].function;
        const int64_t *self = columns->self + (size_t)function * graph->values.count;
        bool is_idle = graph_is_idle(graph, graph->functions.frame[function]);
        struct row_writer row = table_row(table, i);

        row_frame(&row, graph, graph->functions.frame[function]);
        for (uint32_t v = 0; v < values; v++) {
            row_number(&row, self[v]);
            row_real(&row, is_idle ? NAN : share_of(self[v], columns->total[v]));
        }
        row_label(&row, graph, graph->functions.frame[function], arena);
    }
    for (uint32_t v = 0; v < values; v++) {
        char total[FORMAT_LEN];

        report_beforef(report, arena, "%s: %s", key_of(graph, v, arena),
                       format_value(total, columns->total[v], graph->values.list[v].unit));
    }
    if (hotspots->left_out)
        report_afterf(report, arena, "%s; -n 0 shows all",
                      format_many(arena, hotspots->left_out, "more function"));
    if (values < graph->values.count)
        report_afterf(report, arena, "%s not shown",
                      format_many(arena, graph->values.count - values, "more value"));
    report_table(report, table);
}
