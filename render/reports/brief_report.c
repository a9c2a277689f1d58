/* SPDX-License-Identifier: Apache-2.0 */
/* brief_report.c — the answer within a budget: the verdict, findings with evidence, place and pattern in time, what
 * explains most of the cost, what is not recorded, and the commands that show more */
#include "render/reports/reports.h"

#include "analysis/advice/advice.h"
#include "analysis/advice/bottleneck.h"
#include "analysis/compare/diff.h"
#include "analysis/functions/hotspots.h"
#include "base/checked.h"
#include "base/text/format.h"
#include "graph/classify/function_class.h"
#include "graph/model/graph.h"
#include "graph/names/names.h"
#include "render/reports/report_columns.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { FINDINGS = 5, LARGEST = 5, CALLERS_UP = 4, CHANGES = 8, BYTES_PER_TOKEN = 3 };

/* Which lines stay where the budget is small: the lowest first. */
enum keep {
    KEEP_VERDICT,
    KEEP_FIRST_FINDING,
    KEEP_WHAT,
    KEEP_NEXT,
    KEEP_SECOND_FINDING,
    KEEP_COST,
    KEEP_FINDING,
    KEEP_LACK,
    KEEP_DETAIL,
};

struct brief_line {
    enum keep keep;
    bool is_kept;
    const char *text;
};

struct brief_lines {
    VECTOR(struct brief_line);
    struct arena *arena;
};

static void add_line(struct brief_lines *lines, enum keep keep, const char *text)
{
    if (text && *text)
        vector_add(lines, (struct brief_line){.keep = keep, .text = text});
}

#define addf(lines, keep, ...) add_line(lines, keep, arena_printf((lines)->arena, __VA_ARGS__))

static const char *time_of(const struct brief_lines *lines, int64_t value, enum unit unit)
{
    char text[FORMAT_LEN];

    return arena_printf(lines->arena, "%s", format_value(text, value, unit));
}

static const char *share_text(const struct brief_lines *lines, int64_t part, int64_t whole)
{
    char text[FORMAT_LEN];

    return arena_printf(lines->arena, "%s", format_share(text, share_of(part, whole)));
}

/* A function's name as people write it. */
static const char *frame_name(const struct brief_lines *lines, const struct graph *graph, frame_id id)
{
    return arena_copy(lines->arena, graph_short_name(graph, id));
}

/* ---- what it is ---- */

static void add_what(struct brief_lines *lines, const struct brief_content *brief,
                     const struct report *report)
{
    const struct graph *graph = report->inputs[0].graph;
    const struct profile_source *source = &graph->source;
    const char *devices = "", *steps = "", *producer = "";

    if (source->producer)
        producer = arena_printf(lines->arena, " by %s", source->producer);
    if (source->devices.count)
        devices = arena_printf(
            lines->arena, ", %s (%s)",
            format_many(lines->arena, (int64_t)source->devices.count, "device"),
            arena_copy(lines->arena, graph_text(graph, source->devices.list[0].name)));
    if (brief->advice && brief->advice->steps)
        steps = arena_printf(lines->arena, ", %s",
                             format_many(lines->arena, brief->advice->steps, "step"));
    if (report->input_count == 1)
        addf(lines, KEEP_WHAT, "%s: %s%s%s%s", report->inputs[0].path, source->format_title,
             producer, devices, steps);
    else
        addf(lines, KEEP_WHAT, "%s, %s: %s%s", report->inputs[0].path,
             brief->difference
                 ? report->inputs[report->input_count - 1].path
                 : format_many(lines->arena, report->input_count - 1, "more file"),
             source->format_title, producer);
}

static void add_verdict(struct brief_lines *lines, const struct report *verdict)
{
    for (uint32_t i = 0; i < verdict->before_count; i++)
        add_line(lines, i == 0 ? KEEP_VERDICT : i < 3 ? KEEP_FIRST_FINDING : KEEP_FINDING,
            verdict->before[i]);
}

/* ---- findings ---- */

/* How often a name occurs, and whether one time is most of it: "12 times, 2 a step", "once, 43 ms at 318 ms". */
static const char *pattern_in_time(const struct brief_lines *lines, const struct graph *graph,
                                   const struct advice *advice, frame_id frame)
{
    const struct timeline *timeline = &graph->timeline;
    event_id longest = NO_EVENT;
    int64_t count = 0, total = 0;
    const char *often;

    for (uint32_t event = 0; event < timeline->count; event++) {
        if (timeline->frame[event] != frame)
            continue;
        count++;
        total = checked_add(total, timeline->duration[event]);
        if (longest == NO_EVENT || timeline->duration[event] > timeline->duration[longest])
            longest = event;
    }
    if (longest == NO_EVENT)
        return "";
    if (count == 1)
        often = "once";
    else if (advice->steps && count >= advice->steps)
        often = arena_printf(lines->arena, "%" PRId64 " times, %.3g a step", count,
                             (double)count / advice->steps);
    else
        often = arena_printf(lines->arena, "%" PRId64 " times", count);
    return arena_printf(
        lines->arena, "%s, %s in all; the longest is %s at %s", often,
        time_of(lines, total, UNIT_NS), time_of(lines, timeline->duration[longest], UNIT_NS),
        time_of(lines, checked_sub(timeline->start[longest], advice->start), UNIT_NS));
}

static const char *gain_text(const struct brief_lines *lines, const struct finding *finding,
                             int64_t whole, enum unit unit)
{
    const char *of = time_of(lines, whole, unit);

    if (finding->high == UNKNOWN)
        return "";
    if (finding->gain == UNKNOWN)
        return arena_printf(lines->arena, ": at most %s of %s (%s)",
                            time_of(lines, finding->high, unit), of,
                            share_text(lines, finding->high, whole));
    return arena_printf(lines->arena, ": gain %s of %s, between %s and %s",
                        time_of(lines, finding->gain, unit), of,
                        time_of(lines, finding->gain_least, unit),
                        time_of(lines, finding->gain_most, unit));
}

static void add_place(struct brief_lines *lines, enum keep keep, const struct finding *finding,
                      const struct graph *graph, const struct advice *advice)
{
    bool is_event = finding->event != NO_EVENT;
    frame_id frame = is_event ? graph->timeline.frame[finding->event] : finding->frame;
    const char *at = "", *inside = "", *step = "", *owner = "";

    if (!frame)
        return;
    if (is_event)
        at = arena_printf(
            lines->arena, " at %s",
            time_of(lines, checked_sub(graph->timeline.start[finding->event], advice->start),
                    UNIT_NS));
    if (finding->inside)
        inside = arena_printf(lines->arena, " in %s", frame_name(lines, graph, finding->inside));
    if (finding->step != UNKNOWN)
        step = arena_printf(lines->arena, ", step %" PRId64, finding->step);
    if (finding->owner)
        owner = arena_printf(lines->arena, ", then the host ran %s",
                             frame_name(lines, graph, finding->owner));
    addf(lines, keep, "   where: %s%s%s%s%s", frame_name(lines, graph, frame), at, inside, step, owner);
    if (is_event)
        addf(lines, KEEP_DETAIL, "   when: %s", pattern_in_time(lines, graph, advice, frame));
}

static void add_findings(struct brief_lines *lines, const struct brief_content *brief,
                         const struct graph *graph)
{
    const struct advice *advice = brief->advice;
    enum unit unit = advice->is_of_functions ? graph_unit(graph) : UNIT_NS;
    uint32_t count = 0;

    for (uint32_t i = 0; i < advice->reported && count < FINDINGS; i++) {
        const struct finding *finding = &advice->findings[i];
        enum keep keep = count == 0   ? KEEP_FIRST_FINDING
                         : count == 1 ? KEEP_SECOND_FINDING
                                      : KEEP_FINDING;

        if (count && finding->rule->is_symptom)
            continue;
        addf(lines, keep, "%" PRIu32 ". %s [%s]%s", ++count, finding->rule->title,
             finding->rule->name, gain_text(lines, finding, advice->whole, unit));
        add_place(lines, keep, finding, graph, advice);
        addf(lines, keep == KEEP_FIRST_FINDING ? KEEP_SECOND_FINDING : KEEP_DETAIL,
             "   evidence: %s: %s (%s)", finding->check.what,
             check_figures(&finding->check, lines->arena),
             check_threshold(&finding->check, brief->thresholds, lines->arena));
        addf(lines, keep, "   fix: %s", finding->rule->remedy_text);
    }
}

/* ---- what is not recorded, and which figures are weaker for that ---- */

static bool has_devices(const struct brief_content *brief, const struct graph *graph)
{
    (void)graph;
    return brief->is_of_devices;
}

static bool lacks_host(const struct brief_content *brief, const struct graph *graph)
{
    return has_devices(brief, graph) && !timeline_has_host(&graph->timeline);
}

static bool lacks_launches(const struct brief_content *brief, const struct graph *graph)
{
    return has_devices(brief, graph) && !lacks_host(brief, graph) && !graph->timeline.launch;
}

static bool lacks_steps(const struct brief_content *brief, const struct graph *graph)
{
    return has_devices(brief, graph) && brief->advice && !brief->advice->steps;
}

static bool lacks_shapes(const struct brief_content *brief, const struct graph *graph)
{
    return has_devices(brief, graph) && !lacks_host(brief, graph) &&
           !graph->timeline.properties[PROP_SHAPES].count;
}

static bool lacks_python(const struct brief_content *brief, const struct graph *graph)
{
    if (!has_devices(brief, graph) || lacks_host(brief, graph))
        return false;
    for (frame_id id = 1; id < graph->frames.count; id++)
        if (graph_frame(graph, id)->kind == KIND_PYTHON)
            return false;
    return true;
}

static bool lacks_callers(const struct brief_content *brief, const struct graph *graph)
{
    return !has_devices(brief, graph) && graph->native == LEVEL_FLAT;
}

static void add_lacks(struct brief_lines *lines, const struct brief_content *brief,
                      const struct graph *graph)
{
    static const struct {
        bool (*is_lacking)(const struct brief_content *brief, const struct graph *graph);
        const char *text;
    } lacks[] = {
        {lacks_host, "the host: idle time has no cause"},
        {lacks_launches, "launches: idle time has no cause in the host's code"},
        {lacks_steps, "steps: gains are of the whole run, set-up included"},
        {lacks_shapes, "shapes of operators: FLOPs and rooflines are not known"},
        {lacks_python, "Python functions: places are operators and calls, not lines"},
        {lacks_callers, "callers: places are functions alone"},
    };
    const struct warnings *warnings = &graph->source.warnings;

    for (size_t i = 0; i < COUNT_OF(lacks); i++)
        if (lacks[i].is_lacking(brief, graph))
            addf(lines, KEEP_LACK, "not recorded: %s", lacks[i].text);
    for (size_t i = 0; i < warnings->count; i++)
        if (warnings->list[i].severity == WARNING_LOSS)
            addf(lines, KEEP_LACK, "lost: %s (%" PRIu64 ")", warnings->list[i].text,
                 warnings->list[i].count);
}

/* ---- what explains most of the cost ---- */

/* Who calls a function, and who calls that, by the largest share of its cost: "parse < load < main". */
static const char *callers_up(const struct brief_lines *lines, const struct graph *graph,
                              uint32_t function)
{
    const struct calls *calls = &graph->calls;
    const char *text = "";
    uint32_t path[CALLERS_UP + 1] = {function};

    for (uint32_t depth = 0; graph->has[LEVEL_CALLGRAPH] && depth < CALLERS_UP; depth++) {
        uint32_t best = UINT32_MAX;

        for (uint32_t call = 0; call < calls->count; call++)
            if (calls->callee[call] == path[depth] && calls->caller[call] != path[depth] &&
                (best == UINT32_MAX || calls->cum[call] > calls->cum[best]))
                best = call;
        if (best == UINT32_MAX)
            break;
        path[depth + 1] = calls->caller[best];
        for (uint32_t k = 0; k <= depth; k++)
            if (path[k] == path[depth + 1])
                return text;
        text = arena_printf(lines->arena, "%s%s%s", text, *text ? " < " : " < ",
                            frame_name(lines, graph, graph->functions.frame[path[depth + 1]]));
    }
    return text;
}

static void add_costs(struct brief_lines *lines, const struct brief_content *brief,
                      const struct graph *graph)
{
    const struct hotspots *hotspots = brief->hotspots;
    uint32_t shown = 0;

    for (uint32_t i = 0; i < hotspots->count && shown < LARGEST; i++) {
        uint32_t function = hotspots->rows[i].function;
        frame_id frame = graph->functions.frame[function];
        int64_t self = graph->functions.self[function];
        const char *calls = "";

        if (self <= 0 ||
            (brief->is_of_devices && !frame_kind_is_device(graph_frame(graph, frame)->kind)))
            continue;
        if (shown++ == 0)
            addf(lines, KEEP_COST, "most of the %s:", brief->is_of_devices ? "device's time" : "cost");
        if (graph->functions.calls[function] != UNKNOWN)
            calls = arena_printf(
                lines->arena, ", %s",
                format_many(lines->arena, graph->functions.calls[function], "call"));
        addf(lines, KEEP_COST, "   %s (%s%s) %s%s", time_of(lines, self, graph_unit(graph)),
             share_text(lines, self, brief->cost), calls, frame_name(lines, graph, frame),
             callers_up(lines, graph, function));
    }
}

/* ---- one function ---- */

/* Its callers, or what it calls, that cost most. */
static void add_relatives(struct brief_lines *lines, const struct graph *graph, uint32_t function,
                          bool is_callers)
{
    const struct calls *calls = &graph->calls;
    const uint32_t *of = is_callers ? calls->callee : calls->caller,
                   *other = is_callers ? calls->caller : calls->callee;
    int64_t above = INT64_MAX;
    const char *text = "";

    for (uint32_t shown = 0; shown < LARGEST; shown++) {
        uint32_t best = UINT32_MAX;

        for (uint32_t call = 0; call < calls->count; call++)
            if (of[call] == function && calls->cum[call] < above &&
                (best == UINT32_MAX || calls->cum[call] > calls->cum[best]))
                best = call;
        if (best == UINT32_MAX)
            break;
        above = calls->cum[best];
        text = arena_printf(lines->arena, "%s%s%s (%s)", text, shown ? ", " : "",
                            frame_name(lines, graph, graph->functions.frame[other[best]]),
                            time_of(lines, above, graph_unit(graph)));
    }
    if (*text)
        addf(lines, is_callers ? KEEP_FIRST_FINDING : KEEP_SECOND_FINDING, "   %s: %s",
             is_callers ? "called by" : "calls", text);
}

static void add_about(struct brief_lines *lines, const struct brief_content *brief,
                      const struct graph *graph)
{
    const struct functions *functions = &graph->functions;
    uint32_t function = brief->about;
    frame_id frame = functions->frame[function];
    const struct frame *of = graph_frame(graph, frame);
    enum unit unit = graph_unit(graph);
    const char *calls = "";

    if (functions->calls[function] != UNKNOWN)
        calls = arena_printf(lines->arena, ", %s",
                             format_many(lines->arena, functions->calls[function], "call"));
    addf(lines, KEEP_VERDICT, "%s: %s by itself (%s), %s with callees%s",
         frame_name(lines, graph, frame), time_of(lines, functions->self[function], unit),
         share_text(lines, functions->self[function], brief->cost),
         functions->cum[function] == UNKNOWN ? "unknown"
                                             : time_of(lines, functions->cum[function], unit),
         calls);
    if (graph->has[LEVEL_TIMELINE])
        addf(lines, KEEP_FIRST_FINDING, "   when: %s",
             pattern_in_time(lines, graph, brief->advice, frame));
    if (of->file && of->line > 0)
        addf(lines, KEEP_FIRST_FINDING, "   source: %s:%" PRId64,
             arena_copy(lines->arena, graph_text(graph, of->file)), (int64_t)of->line);
    if (graph->has[LEVEL_CALLGRAPH]) {
        add_relatives(lines, graph, function, true);
        add_relatives(lines, graph, function, false);
    }
}

/* ---- two profiles ---- */

static void add_changes(struct brief_lines *lines, const struct brief_content *brief)
{
    const struct difference *difference = brief->difference;
    const struct graph *names = &brief->diff->names;
    enum unit unit = graph_unit(names);

    for (uint32_t i = 0; i < difference->count && i < CHANGES; i++) {
        const struct diff_row *row = &difference->rows[i];
        const int64_t *of = difference->is_cum ? row->cum : row->self;
        bool is_noise = row->noise.is_known && !confidence_is_clear(&row->noise);

        if (of[DIFF_BEFORE] == of[DIFF_AFTER])
            continue;
        addf(lines, i == 0 ? KEEP_FIRST_FINDING : i < 3 ? KEEP_SECOND_FINDING : KEEP_FINDING,
             "   %s -> %s (%s) %s%s", time_of(lines, of[DIFF_BEFORE], unit),
             time_of(lines, of[DIFF_AFTER], unit),
             diff_growth_text(of[DIFF_BEFORE], of[DIFF_AFTER], lines->arena),
             frame_name(lines, names, row->after ? row->after : row->before),
             is_noise ? ", within noise" : "");
    }
}

/* ---- all of it ---- */

/* Keeps the lines of each rank in turn until one does not fit: `budget` tokens of three bytes. A line that explains
 * another never stays without it. */
static void fit_lines(struct brief_lines *lines, uint32_t budget)
{
    uint64_t left = budget ? (uint64_t)budget * BYTES_PER_TOKEN : UINT64_MAX;

    for (enum keep keep = KEEP_VERDICT; keep <= KEEP_DETAIL; keep++)
        for (size_t i = 0; i < lines->count; i++) {
            struct brief_line *line = &lines->list[i];
            size_t len = strlen(line->text) + 1;

            if (line->keep != keep)
                continue;
            if (len > left)
                return;
            line->is_kept = true;
            left -= len;
        }
}

void brief_report(const struct brief_content *brief, struct arena *arena, struct report *report)
{
    typedef struct {
        const char *line;
    } row;
    static const struct column columns[] = {TEXT_AT("line", line, FOR_MACHINES)};
    struct table_context context = {.arena = arena, .graph = report->inputs[0].graph};
    const struct graph *graph = report->inputs[0].graph;
    struct brief_lines lines = {.arena = arena};
    uint32_t kept = 0;
    struct table *table;

    add_what(&lines, brief, report);
    if (brief->is_about) {
        add_about(&lines, brief, graph);
    } else {
        add_verdict(&lines, brief->verdict);
        if (brief->advice)
            add_findings(&lines, brief, graph);
        if (brief->difference)
            add_changes(&lines, brief);
        if (brief->hotspots)
            add_costs(&lines, brief, graph);
        add_lacks(&lines, brief, graph);
    }
    for (uint32_t i = 0; i < brief->next_count; i++)
        add_line(&lines, KEEP_NEXT, arena_printf(arena, "next: %s", brief->next[i]));
    fit_lines(&lines, brief->budget);
    for (size_t i = 0; i < lines.count; i++)
        kept += lines.list[i].is_kept;
    table = TABLE_BEGIN(&context, columns, kept, "lines", NULL);
    table->use = COLUMN_MACHINES;
    table->is_list = true;
    for (size_t i = 0; i < lines.count; i++) {
        if (!lines.list[i].is_kept)
            continue;
        report_before(report, lines.list[i].text);
        TABLE_ADD(table, lines.list[i].text);
    }
    report_number(report, "budget", brief->budget);
    report_number(report, "lines_left_out", (int64_t)lines.count - kept);
    report_table(report, table);
    free(lines.list);
}
