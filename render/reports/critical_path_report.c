/* SPDX-License-Identifier: Apache-2.0 */
/* The critical path: its parts and what ran on it; and how a what-if changes it. */
#include "render/reports/reports.h"

#include <math.h>

#include "analysis/execution/replay.h"
#include "base/checked.h"
#include "base/text/format.h"
#include "graph/names/names.h"
#include "render/reports/report_columns.h"

/* Shares are of the path's length. */
static void add_parts(const struct critical_path *path, const struct table_context *context,
                      struct report *report)
{
    typedef struct {
        const char *part;
        int64_t pieces, time;
    } row;
    static const struct column columns[] = {
        TEXT_AT("part", part),
        COUNT_AT("pieces", pieces),
        TIME_AT("time", time),
        SHARE_OF_WHOLE("share", time, .heading = "%", .is_heat = true),
    };
    struct table *table = TABLE_BEGIN(context, columns, PATH_PART_COUNT, "parts", NULL);

    for (int part = 0; part < PATH_PART_COUNT; part++)
        if (path->pieces[part])
            TABLE_ADD(table, path_part_name((enum path_part)part), path->pieces[part],
                      path->time[part]);
    report_table(report, table);
}

static void add_rows(const struct critical_path *path, uint32_t limit,
                     const struct table_context *context, struct report *report)
{
    typedef struct path_row row;
    static const struct column columns[] = {
        FRAME_AT(frame, COLUMN_ALL),
        COUNT_AT("pieces", pieces),
        TIME_AT("time", time),
        SHARE_OF_WHOLE("share", time, .heading = "%", .is_heat = true),
        SHORT_AT(frame),
        LABEL_AT("what", frame, FOR_PEOPLE),
    };
    struct table *table = TABLE_OF(context, columns, path->rows, limit_rows(path->row_count, limit),
                                   "rows", "What ran on it");

    hide_kind_of_groups(table, context->graph);
    report_table(report, table);
}

static const char *pieces_of(struct arena *arena, int64_t count)
{
    char shown[FORMAT_LEN];

    return arena_printf(arena, "%s piece%s", format_count(shown, count), count == 1 ? "" : "s");
}

static void write_guesses(int64_t guesses, struct arena *arena, struct report *report)
{
    report_afterf(report, arena,
                  "the file has no waits of streams for one another: %s of "
                  "device work that began right after another stream had "
                  "ended %s taken to have waited for it",
                  pieces_of(arena, guesses), guesses == 1 ? "is" : "are");
}

static void write_what_is_missing(const struct critical_path *path, const struct graph *graph,
                                  struct arena *arena, struct report *report)
{
    char missing[FORMAT_LEN];

    if (path->missing > 0)
        report_afterf(report, arena, "nothing recorded says what delayed the first %s of it",
                      format_value(missing, path->missing, UNIT_NS));
    if (path->unlaunched)
        report_afterf(report, arena,
                      "%s of device work on it ha%s no launch call in the file: "
                      "only stream order led back from there",
                      pieces_of(arena, path->unlaunched), path->unlaunched == 1 ? "s" : "ve");
    if (path->inferred)
        report_afterf(report, arena, "%.1f%% of the dependencies on it are inferred from times",
                      100.0 * path->inferred / path->dependencies);
    if (path->guesses)
        write_guesses(path->guesses, arena, report);
    else if (path->has_devices && graph->timeline.properties[PROP_WAIT_STREAM].count == 0)
        report_after(report, "the file has no waits of streams for one another: such dependencies "
                             "are not on it");
}

/* ", 38.00% of it in gemm fp16 128x64" */
static const char *most_of_path(const struct critical_path *path, const struct graph *graph, struct arena *arena)
{
    char share[FORMAT_LEN];
    struct span name;

    if (!path->row_count || path->end <= path->start)
        return "";
    name = graph_short_name(graph, path->rows[0].frame);
    return arena_printf(arena, ", %s of it in %.*s",
                        format_share(share, share_of(path->rows[0].time, path->end - path->start)), (int)name.len,
                        name.at);
}

void critical_path_report(const struct critical_path *path, uint32_t limit, struct arena *arena,
                          struct report *report)
{
    const struct graph *graph = report->inputs[0].graph;
    int64_t length = checked_sub(path->end, path->start);
    struct table_context context = {.arena = arena, .graph = graph, .whole = length};
    char shown[FORMAT_LEN];

    report_time(report, "length", length);
    report_time(report, "missing", path->missing);
    report_number(report, "unlaunched", path->unlaunched);
    report_number(report, "guesses", path->guesses);
    report_number(report, "dependencies", path->dependencies);
    report_number(report, "inferred", path->inferred);
    report_beforef(report, arena, "The critical path takes %s%s.", format_value(shown, length, UNIT_NS),
                   most_of_path(path, graph, arena));
    add_parts(path, &context, report);
    add_rows(path, limit, &context, report);
    write_what_is_missing(path, graph, arena, report);
}

/* ---- what-if: what is changed, and the path before and after ---- */

static void add_changes(const struct what_if *what_if, const char *const *names,
                        const double *factors, uint32_t count, const struct table_context *context,
                        struct report *report)
{
    typedef struct {
        const char *change;
        double factor; /* infinite, which is null: it takes no time */
        int64_t pieces, time, exposed, united;
    } row;
    static const struct column columns[] = {
        TEXT_AT("change", change),
        RATIO_AT("factor", factor),
        COUNT_AT("pieces", pieces),
        TIME_AT("time", time),
        TIME_AT("exposed", exposed, .heading = "alone"),
        TIME_AT("union", united, .heading = "active"),
    };
    const struct replay_bounds *bounds = &what_if->bounds;
    struct table *table = TABLE_BEGIN(context, columns, count, "changes", "Changes");
    bool scales = false; /* what only starts earlier has neither pieces nor times of its own */

    for (uint32_t i = 1; i <= count; i++) {
        scales |= factors[i] != 1 || bounds->pieces[i];
        TABLE_ADD(table, names[i], factors[i], bounds->pieces[i], bounds->time[i],
                  bounds->exposed[i], bounds->united[i]);
    }
    if (!scales)
        table->use = COLUMN_MACHINES;
    report_table(report, table);
}

static void add_part_changes(const struct what_if *what_if, const struct table_context *context,
                             struct report *report)
{
    typedef struct {
        const char *part;
        int64_t before, whole_before, after, whole_after;
    } row;
    static const struct column columns[] = {
        TEXT_AT("part", part),
        TIME_AT("before", before),
        SHARE_OF("before_share", before, whole_before, .heading = "%"),
        TIME_AT("after", after),
        SHARE_OF("after_share", after, whole_after, .heading = "%", .is_heat = true),
    };
    struct table *table =
        TABLE_BEGIN(context, columns, PATH_PART_COUNT, "parts", "Critical path, before and after");

    for (int part = 0; part < PATH_PART_COUNT; part++)
        if (what_if->path[0].time[part] || what_if->path[1].time[part])
            TABLE_ADD(table, path_part_name((enum path_part)part), what_if->path[0].time[part],
                      what_if->before, what_if->path[1].time[part], what_if->after);
    report_table(report, table);
}

static void add_row_changes(const struct what_if *what_if, uint32_t limit,
                            const struct table_context *context, struct report *report)
{
    typedef struct what_if_row row;
    static const struct column columns[] = {FRAME_AT(frame, COLUMN_ALL), TIME_AT("before", before),
                                            TIME_AT("after", after), SHORT_AT(frame),
                                            LABEL_AT("what", frame, FOR_PEOPLE)};
    struct table *table =
        TABLE_OF(context, columns, what_if->rows, limit_rows(what_if->row_count, limit), "rows",
                 "What takes more or less time on it");

    hide_kind_of_groups(table, context->graph);
    report_table(report, table);
}

/* What the file lacks for an answer that is one figure; NULL. */
static const char *doubt_of(const struct what_if *what_if)
{
    return what_if->has_bounds && !what_if->is_moved
               ? replay_doubt(&what_if->bounds, what_if->before - what_if->after)
               : NULL;
}

static void headline(const struct what_if *what_if, struct arena *arena, struct report *report)
{
    char before[FORMAT_LEN], after[FORMAT_LEN], least[FORMAT_LEN], most[FORMAT_LEN];
    double faster = what_if->after ? (double)what_if->before / (double)what_if->after
                                   : (double)INFINITY;
    const char *doubt = doubt_of(what_if);

    format_value(before, what_if->before, UNIT_NS);
    format_value(after, what_if->after, UNIT_NS);
    format_value(least, what_if->bounds.least, UNIT_NS);
    format_value(most, what_if->bounds.most, UNIT_NS);
    if (doubt) {
        report_beforef(report, arena, "The run would take between %s and %s instead of %s: %s.", least,
                       most, before, doubt);
        report_beforef(report, arena, "Replayed from what the file shows, it takes %s: %.3gx.", after, faster);
    } else {
        report_beforef(report, arena, "The run would take %s instead of %s: %.3gx.", after, before,
                       faster);
        if (what_if->has_bounds && !what_if->is_moved)
            report_beforef(report, arena, "The result lies between %s and %s.", least, most);
    }
    if (what_if->path[0].guesses)
        write_guesses(what_if->path[0].guesses, arena, report);
    if (!what_if->has_bounds && !what_if->is_moved)
        report_after(report, "No bounds are known where some work gets faster and some slower.");
}

void what_if_report(const struct what_if *what_if, const char *const *names, const double *factors,
                    uint32_t count, uint32_t limit, struct arena *arena, struct report *report)
{
    struct table_context context = {.arena = arena, .graph = report->inputs[0].graph};
    bool has_bounds = what_if->has_bounds;
    const char *doubt = doubt_of(what_if);

    report_time(report, "before", what_if->before);
    report_time(report, "after", what_if->after);
    report_time(report, "least", has_bounds ? what_if->bounds.least : TABLE_NULL);
    report_time(report, "most", has_bounds ? what_if->bounds.most : TABLE_NULL);
    report_text(report, "doubt", doubt ? span_of(doubt) : (struct span){0});
    report_number(report, "guesses", what_if->path[0].guesses);
    headline(what_if, arena, report);
    if (count == 0 && !what_if->is_moved)
        report_after(report,
                     "nothing is changed: --scale, --remove and others say what gets faster");
    add_changes(what_if, names, factors, count, &context, report);
    add_part_changes(what_if, &context, report);
    add_row_changes(what_if, limit, &context, report);
}
