/* SPDX-License-Identifier: Apache-2.0 */
#include "render/reports/reports.h"

#include "analysis/advice/advice.h"
#include "base/checked.h"
#include "base/text/format.h"
#include "graph/classify/function_class.h"
#include "graph/model/graph.h"
#include "render/reports/report_columns.h"

#include <inttypes.h>
#include <math.h>

/* ---- findings ---- */

static const struct column finding_columns[] = {
    COUNT_COLUMN("rank", "#"),
    TEXT_COLUMN("rule", NULL),
    {.key = "source", .kind = CELL_TEXT, .use = COLUMN_MACHINES},
    {.key = "loss", .kind = CELL_TEXT, .use = COLUMN_MACHINES},
    {.key = "saving_low", .kind = CELL_COUNT, .use = COLUMN_MACHINES},
    {.key = "saving_high", .kind = CELL_COUNT, .use = COLUMN_MACHINES},
    SHARE_COLUMN("share_high", "at most"),
    {.key = "overall_high", .kind = CELL_RATIO, .use = COLUMN_MACHINES},
    TIME_COLUMN("gain", NULL),
    {.key = "gain_least", .kind = CELL_VALUE, .use = COLUMN_MACHINES, .unit = UNIT_NS},
    {.key = "gain_most", .kind = CELL_VALUE, .use = COLUMN_MACHINES, .unit = UNIT_NS},
    {.key = "between", .kind = CELL_TEXT, .use = COLUMN_PEOPLE},
    COUNT_COLUMN("device", NULL),
    TEXT_COLUMN("what", "evidence"),
    {.key = "part", .kind = CELL_COUNT, .use = COLUMN_MACHINES},
    {.key = "unit", .kind = CELL_TEXT, .use = COLUMN_MACHINES},
    {.key = "whole", .kind = CELL_COUNT, .use = COLUMN_MACHINES},
    {.key = "value", .kind = CELL_RATIO, .use = COLUMN_MACHINES},
    {.key = "is_below", .kind = CELL_FLAG, .use = COLUMN_MACHINES},
    {.key = "limit", .kind = CELL_RATIO, .use = COLUMN_MACHINES},
    {.key = "threshold", .kind = CELL_TEXT, .use = COLUMN_MACHINES},
    {.key = "figures", .heading = "", .kind = CELL_TEXT, .use = COLUMN_PEOPLE},
    {.key = "threshold", .kind = CELL_TEXT, .use = COLUMN_PEOPLE},
    {.key = "where", .kind = CELL_TEXT, .use = COLUMN_MACHINES},
    {.key = "at", .kind = CELL_VALUE, .use = COLUMN_MACHINES, .unit = UNIT_NS},
    {.key = "inside", .kind = CELL_TEXT, .use = COLUMN_MACHINES},
    {.key = "owner", .kind = CELL_TEXT, .use = COLUMN_MACHINES},
    {.key = "step", .kind = CELL_COUNT, .use = COLUMN_MACHINES},
    {.key = "where", .kind = CELL_TEXT, .use = COLUMN_PEOPLE},
    {.key = "title", .kind = CELL_TEXT, .use = COLUMN_MACHINES},
    {.key = "remedy", .kind = CELL_TEXT, .use = COLUMN_MACHINES},
};

/* "0 ns … 315.0 us" */
static const char *bracket_text(const struct finding *finding, struct arena *arena)
{
    char least[FORMAT_LEN], most[FORMAT_LEN];

    if (finding->gain == UNKNOWN)
        return "";
    return arena_printf(arena, "%s … %s", format_value(least, finding->gain_least, UNIT_NS),
                        format_value(most, finding->gain_most, UNIT_NS));
}

static struct span where_of(const struct graph *graph, const struct finding *finding,
                            struct arena *arena)
{
    frame_id frame =
        finding->event != NO_EVENT ? graph->timeline.frame[finding->event] : finding->frame;

    return frame ? frame_label(graph, frame, arena) : (struct span){0};
}

/* Kernels have long names; those of functions end in what tells them apart. */
static bool where_is_device(const struct graph *graph, const struct finding *finding)
{
    frame_id frame =
        finding->event != NO_EVENT ? graph->timeline.frame[finding->event] : finding->frame;

    return frame_kind_is_device(graph_frame(graph, frame)->kind);
}

/* "in train.py(12): step (step 3)"; empty where it is not known. */
static const char *surroundings(const struct graph *graph, const struct finding *finding,
                                struct arena *arena)
{
    struct span inside = {0};
    const char *step = "";

    if (finding->inside)
        inside = frame_label(graph, finding->inside, arena);
    if (finding->step != UNKNOWN)
        step = arena_printf(arena, " (step %" PRId64 ")", finding->step);
    if (finding->owner) {
        struct span owner = frame_label(graph, finding->owner, arena);

        step = arena_printf(arena, "%s, then the host ran %.*s", step, (int)owner.len, owner.at);
    }
    return inside.len ? arena_printf(arena, " in %.*s%s", (int)inside.len, inside.at, step) : step;
}

/* The name, when since the start, what it is in, and for people all in one. */
static void row_where(struct row_writer *row, const struct graph *graph,
                      const struct finding *finding, int64_t start, struct arena *arena)
{
    struct span where = where_of(graph, finding, arena);
    struct span name = where_is_device(graph, finding) ? kernel_name_short(where, arena) : where;
    char at[FORMAT_LEN];
    int64_t time = TABLE_NULL;

    if (finding->event != NO_EVENT)
        time = checked_sub(graph->timeline.start[finding->event], start);
    row_text(row, where);
    row_number(row, time);
    row_text(row, finding->inside ? frame_label(graph, finding->inside, arena) : NO_TEXT);
    row_text(row, finding->owner ? frame_label(graph, finding->owner, arena) : NO_TEXT);
    row_number(row, finding->step == UNKNOWN ? TABLE_NULL : finding->step);
    if (finding->event == NO_EVENT)
        row_text(row, span_of(arena_printf(arena, "%.*s%s", (int)name.len, name.at,
                                           surroundings(graph, finding, arena))));
    else
        row_text(row, span_of(arena_printf(arena, "%.*s at %s%s", (int)name.len, name.at,
                                           format_value(at, time, UNIT_NS),
                                           surroundings(graph, finding, arena))));
}

static void fill_row(struct row_writer *row, uint32_t rank, const struct finding *finding,
                     const struct advice *advice, const struct thresholds *thresholds,
                     const struct graph *graph, struct arena *arena)
{
    enum bottleneck loss = finding->rule->loss;
    double factor = NAN; /* how much faster the whole gets when that share of it is saved */

    if (finding->high != UNKNOWN && advice->whole > 0)
        factor = finding->high < advice->whole
                     ? (double)advice->whole / (double)(advice->whole - finding->high)
                     : INFINITY;
    row_number(row, rank);
    row_text(row, span_of(finding->rule->name));
    row_text(row, span_of(finding->rule->source));
    row_text(row, loss == HELD_BY_NOTHING ? NO_TEXT : span_of(bottleneck_name(loss)));
    row_figure(row, finding->low);
    row_figure(row, finding->high);
    row_real(row, isnan(factor) ? NAN : share_of(finding->high, advice->whole));
    row_real(row, isinf(factor) ? NAN : factor);
    row_figure(row, finding->gain);
    row_figure(row, finding->gain_least);
    row_figure(row, finding->gain_most);
    row_text(row, span_of(bracket_text(finding, arena)));
    row_number(row, finding->device < 0 ? TABLE_NULL : finding->device);
    row_evidence(row, &finding->check, thresholds, arena);
    row_where(row, graph, finding, advice->start, arena);
    row_text(row, span_of(finding->rule->title));
    row_text(row, span_of(finding->rule->remedy_text));
}

static void add_findings(const struct advice *advice, const struct thresholds *thresholds,
                         uint32_t shown, struct arena *arena, struct report *report)
{
    struct table *table =
        table_new(arena, finding_columns, COUNT_OF(finding_columns), shown, "findings", NULL);

    for (uint32_t i = 0; i < shown; i++) {
        struct row_writer row = table_row(table, i);

        fill_row(&row, i + 1, &advice->findings[i], advice, thresholds, report->inputs[0].graph,
                 arena);
    }
    report_table(report, table);
}

/* ---- remedies ---- */

static const struct column remedy_columns[] = {
    {.key = "rank", .heading = "#", .kind = CELL_COUNT, .use = COLUMN_PEOPLE},
    {.key = "title", .heading = "what it is", .kind = CELL_TEXT, .use = COLUMN_PEOPLE},
    {.key = "remedy", .heading = "what people do", .kind = CELL_TEXT, .use = COLUMN_PEOPLE},
};

static void add_remedies(const struct advice *advice, uint32_t shown, struct arena *arena,
                         struct report *report)
{
    struct table *table =
        table_new(arena, remedy_columns, COUNT_OF(remedy_columns), shown, "rows", NULL);

    if (shown == 0)
        return;
    table->use = COLUMN_PEOPLE;
    for (uint32_t i = 0; i < shown; i++) {
        struct row_writer row = table_row(table, i);

        row_number(&row, i + 1);
        row_text(&row, span_of(advice->findings[i].rule->title));
        row_text(&row, span_of(advice->findings[i].rule->remedy_text));
    }
    report_table(report, table);
}

/* ---- silent rules ---- */

static const struct column silent_columns[] = {
    TEXT_COLUMN("rule", "silent rule"),
    TEXT_COLUMN("source", NULL),
    TEXT_COLUMN("title", "what it looks for"),
    TEXT_COLUMN("why", NULL),
};

static const char *silence_of(const struct finding *finding, const struct thresholds *thresholds,
                              struct arena *arena)
{
    const struct check *check = &finding->check;

    if (finding->why_not)
        return finding->why_not;
    return arena_printf(arena, "%s: %s, not %s", check->what, check_figures(check, arena),
                        check_threshold(check, thresholds, arena));
}

static void add_silent(const struct advice *advice, const struct thresholds *thresholds,
                       struct arena *arena, struct report *report)
{
    uint32_t height = advice->count - advice->reported;
    struct table *table =
        table_new(arena, silent_columns, COUNT_OF(silent_columns), height, "silent", NULL);

    for (uint32_t i = 0; i < height; i++) {
        const struct finding *finding = &advice->findings[advice->reported + i];
        struct row_writer row = table_row(table, i);

        row_text(&row, span_of(finding->rule->name));
        row_text(&row, span_of(finding->rule->source));
        row_text(&row, span_of(finding->rule->title));
        row_text(&row, span_of(silence_of(finding, thresholds, arena)));
    }
    report_table(report, table);
}

/* ---- all of it ---- */

static void add_notes(const struct advice *advice, uint32_t shown, bool has_silent,
                      struct arena *arena, struct report *report)
{
    if (shown)
        report_after(report, "what findings save at most does not add up: they look at the same "
                             "time from several sides, and other work may hide what is saved");
    if (shown < advice->reported)
        report_afterf(report, arena, "%" PRIu32 " more findings; -n 0 shows all",
                      advice->reported - shown);
    if (!has_silent)
        report_afterf(report, arena, "%" PRIu32 " rules are silent; --all shows them, and why",
                      advice->count - advice->reported);
}

static const char *headline(const struct advice *advice, struct arena *arena)
{
    uint32_t silenced = 0;

    for (uint32_t i = 0; i < advice->count; i++)
        silenced += advice->findings[i].why_not != NULL;
    if (advice->reported)
        return arena_printf(arena, "%" PRIu32 " of %" PRIu32 " rules found trouble",
                            advice->reported, advice->count);
    return silenced == advice->count ? "no rule is about what this profile holds"
                                     : "no rule found trouble";
}

static const char *time_text(int64_t time, enum unit unit, struct arena *arena)
{
    char text[FORMAT_LEN];

    return arena_printf(arena, "%s", format_value(text, time, unit));
}

/* "a step takes 215 ms, 147 ms of it since the host waits …: cudaMemcpyAsync in train.py(12): loss
 * (step 3); without that it would take 68 ms": of steps, each one's share. What a replay without it does
 * not give is only the most that it can be. */
static void add_sentence(const struct advice *advice, const struct graph *graph,
                         struct arena *arena, struct report *report)
{
    const struct finding *first = &advice->findings[0];
    int64_t steps = advice->steps ? advice->steps : 1, time = advice->whole / steps, gain, lost;
    enum unit unit = advice->is_of_functions ? graph_unit(graph) : UNIT_NS;
    bool is_bound;
    const char *whole, *begin, *rest = "";
    struct span where;

    if (advice->reported == 0 || first->high == UNKNOWN)
        return;
    where = where_of(graph, first, arena);
    if (where.len && where_is_device(graph, first))
        where = kernel_name_short(where, arena);
    lost = first->high / steps;
    gain = first->gain == UNKNOWN ? UNKNOWN : first->gain / steps;
    is_bound = gain == UNKNOWN || gain < lost - gain;
    whole = time_text(time, unit, arena);
    begin = time_text(is_bound ? lost : gain, unit, arena);
    if (advice->is_of_functions)
        begin = arena_printf(arena, "up to %s of %s", begin, whole);
    else
        begin = arena_printf(arena, "%s %s, %s%s of it",
                             advice->steps ? "a step takes" : "the run takes", whole,
                             is_bound ? "up to " : "", begin);
    if (gain != UNKNOWN)
        rest = arena_printf(arena, "; without that%s it would take %s", is_bound ? " alone" : "",
                            gain ? time_text(time - gain, unit, arena) : "as long");
    report_beforef(report, arena, "%s since %s%s%.*s%s%s", begin, first->rule->title,
                   where.len ? ": " : "", (int)where.len, where.at,
                   where.len ? surroundings(graph, first, arena) : "", rest);
}

void advice_report(const struct advice *advice, const struct thresholds *thresholds,
                   const struct advice_view *view, struct arena *arena, struct report *report)
{
    uint32_t shown = limit_rows(advice->reported, view->limit);

    report_number(report, "whole", advice->whole);
    report_number(report, "speaking", advice->reported);
    report_number(report, "gain", advice->gain == UNKNOWN ? TABLE_NULL : advice->gain);
    add_sentence(advice, report->inputs[0].graph, arena, report);
    report_before(report, headline(advice, arena));
    add_findings(advice, thresholds, shown, arena, report);
    add_remedies(advice, shown, arena, report);
    if (view->has_silent)
        add_silent(advice, thresholds, arena, report);
    add_notes(advice, shown, view->has_silent, arena, report);
}
