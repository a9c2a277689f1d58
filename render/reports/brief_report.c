/* SPDX-License-Identifier: Apache-2.0 */
/* brief_report.c — the answer within a budget as lines, each with the rank by which it stays in a small one */
#include "render/reports/reports.h"

#include "analysis/brief/brief.h"
#include "analysis/compare/diff.h"
#include "analysis/functions/hotspots.h"
#include "base/checked.h"
#include "base/text/escape.h"
#include "base/text/format.h"
#include "graph/model/graph.h"
#include "graph/names/names.h"
#include "render/reports/report_columns.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { CHANGES = 8 };

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

static void add_what(struct brief_lines *lines, const struct brief_content *content,
                     const struct report *report)
{
    const struct graph *graph = report->inputs[0].graph;
    const struct profile_source *source = &graph->source;
    const char *devices = "", *steps = "", *producer = "";

    if (source->producer)
        producer = arena_printf(lines->arena, " by %s", source->producer);
    if (source->devices.count)
        devices = arena_printf(lines->arena, ", %s",
                               format_many(lines->arena, (int64_t)source->devices.count, "device"));
    if (source->devices.count && graph_text(graph, source->devices.list[0].name).len)
        devices = arena_printf(lines->arena, "%s (%s)", devices,
                               arena_copy(lines->arena, graph_text(graph, source->devices.list[0].name)));
    if (content->advice && content->advice->steps)
        steps = arena_printf(lines->arena, ", %s",
                             format_many(lines->arena, content->advice->steps, "step"));
    if (report->input_count == 1)
        addf(lines, KEEP_WHAT, "%s: %s%s%s%s", report->inputs[0].path, source->format_title,
             producer, devices, steps);
    else
        addf(lines, KEEP_WHAT, "%s, %s: %s%s", report->inputs[0].path,
             content->difference
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

/* "12 times, 2 a step, 43 ms in all; the longest is 8 ms at 318 ms"; empty where nothing occurred. */
static const char *pattern_in_time(const struct brief_lines *lines, const struct graph *graph,
                                   const struct advice *advice, const struct occurrences *of)
{
    const struct timeline *timeline = &graph->timeline;
    const char *often;

    if (of->count == 0)
        return "";
    if (of->count == 1)
        often = "once";
    else if (advice->steps && of->count >= advice->steps)
        often = arena_printf(lines->arena, "%" PRId64 " times, %.3g a step", of->count,
                             (double)of->count / advice->steps);
    else
        often = arena_printf(lines->arena, "%" PRId64 " times", of->count);
    return arena_printf(
        lines->arena, "%s, %s in all; the longest is %s at %s", often,
        time_of(lines, of->total, UNIT_NS), time_of(lines, timeline->duration[of->longest], UNIT_NS),
        time_of(lines, checked_sub(timeline->start[of->longest], advice->start), UNIT_NS));
}

static const char *range_text(const struct brief_lines *lines, int64_t least, int64_t most, enum unit unit)
{
    const char *range = format_range(lines->arena, least, most, unit);

    return *range ? arena_printf(lines->arena, ", %s", range) : "";
}

static const char *gain_text(const struct brief_lines *lines, const struct finding *finding,
                             int64_t whole, enum unit unit)
{
    const char *of = time_of(lines, whole, unit);

    if (finding->high == UNKNOWN)
        return "";
    if (finding->gain == UNKNOWN)
        return arena_printf(lines->arena, ": at most %s of %s (%s)%s",
                            time_of(lines, finding->high, unit), of,
                            share_text(lines, finding->high, whole),
                            finding->doubt ? range_text(lines, finding->gain_least,
                                                        finding->gain_most, unit)
                                           : "");
    return arena_printf(lines->arena, ": gain %s of %s%s", time_of(lines, finding->gain, unit), of,
                        range_text(lines, finding->gain_least, finding->gain_most, unit));
}

static void add_place(struct brief_lines *lines, enum keep keep, const struct brief_finding *of,
                      const struct graph *graph, const struct advice *advice)
{
    const struct finding *finding = of->finding;
    const char *at = "", *inside = "", *step = "", *owner = "", *when;

    if (!of->frame)
        return;
    if (finding->event != NO_EVENT)
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
    addf(lines, keep, "   where: %s%s%s%s%s%s", frame_name(lines, graph, of->frame),
         place_share_text(finding, lines->arena), at, inside, step, owner);
    when = pattern_in_time(lines, graph, advice, &of->occurrences);
    if (*when)
        addf(lines, KEEP_DETAIL, "   when: %s", when);
}

static void add_findings(struct brief_lines *lines, const struct brief_content *content,
                         const struct graph *graph)
{
    const struct advice *advice = content->advice;
    enum unit unit = advice->is_of_functions ? graph_unit(graph) : UNIT_NS;

    for (uint32_t i = 0; i < content->brief->finding_count; i++) {
        const struct brief_finding *of = &content->brief->findings[i];
        const struct finding *finding = of->finding;
        enum keep keep = i == 0   ? KEEP_FIRST_FINDING
                         : i == 1 ? KEEP_SECOND_FINDING
                                  : KEEP_FINDING;

        addf(lines, keep, "%" PRIu32 ". %s [%s]%s", i + 1, finding->rule->title,
             finding->rule->name, gain_text(lines, finding, advice->whole, unit));
        add_place(lines, keep, of, graph, advice);
        addf(lines, keep == KEEP_FIRST_FINDING ? KEEP_SECOND_FINDING : KEEP_DETAIL,
             "   evidence: %s: %s (%s)", finding->check.what,
             check_figures(&finding->check, lines->arena),
             check_threshold(&finding->check, content->thresholds, lines->arena));
        addf(lines, keep, "   fix: %s", finding->rule->remedy_text);
        for (uint32_t k = 0; i == 0 && k < advice->link_count; k++)
            addf(lines, KEEP_SECOND_FINDING, "   %s: %s", k ? "then" : "without that",
                 chain_link_text(advice, k, graph, lines->arena));
    }
}

/* What the run gains without two troubles at once, and what faster kernels can give. */
static void add_replays(struct brief_lines *lines, const struct brief_content *content)
{
    const struct brief_parts *brief = content->brief;

    if (brief->has_both)
        addf(lines, KEEP_SECOND_FINDING, "1 and 2 together: gain %s of %s%s",
             time_of(lines, brief->both.gain, UNIT_NS),
             time_of(lines, content->advice->whole, UNIT_NS),
             range_text(lines, brief->both.least, brief->both.most, UNIT_NS));
    if (brief->has_kernels)
        addf(lines, KEEP_FIRST_FINDING,
             "faster kernels: gain at most %s of %s%s, if they took no time",
             time_of(lines, brief->kernels, UNIT_NS), brief->is_of_run ? "the run's " : "",
             time_of(lines, brief->whole, UNIT_NS));
}

/* ---- what is not recorded, and which figures are weaker for that ---- */

static void add_lacks(struct brief_lines *lines, const struct brief_content *content,
                      const struct graph *graph)
{
    static const char *const texts[BRIEF_LACKS] = {
        [LACKS_WORK] = "all but collectives: what hides them is not known",
        [LACKS_HOST] = "the host: idle time has no cause",
        [LACKS_LAUNCHES] = "launches: idle time has no cause in the host's code",
        [LACKS_STEPS] = "steps: gains are of the whole run, set-up included",
        [LACKS_SHAPES] = "shapes of operators: FLOPs and rooflines are not known",
        [LACKS_PYTHON] = "Python functions: places are operators and calls, not lines",
        [LACKS_CALLERS] = "callers: places are functions alone",
    };
    const struct warnings *warnings = &graph->source.warnings;

    for (int i = 0; i < BRIEF_LACKS; i++)
        if (content->brief && content->brief->lacks[i])
            addf(lines, KEEP_LACK, "not recorded: %s", texts[i]);
    for (size_t i = 0; i < warnings->count; i++)
        if (warnings->list[i].severity == WARNING_LOSS)
            addf(lines, KEEP_LACK, "lost: %s (%" PRIu64 ")", warnings->list[i].text,
                 warnings->list[i].count);
}

/* ---- what explains most of the cost ---- */

/* ", 12 calls" */
static const char *calls_text(const struct brief_lines *lines, const struct graph *graph,
                              uint32_t function)
{
    int64_t calls = graph->functions.calls[function];

    return calls == UNKNOWN
               ? ""
               : arena_printf(lines->arena, ", %s", format_many(lines->arena, calls, "call"));
}

/* "parse < load < ... < main" */
static const char *callers_text(const struct brief_lines *lines, const struct graph *graph,
                                const struct brief_cost *cost)
{
    const char *text = "";

    for (uint32_t i = 0; i < cost->caller_count; i++)
        text = arena_printf(lines->arena, "%s%s < %s", text,
                            cost->is_far && i + 1 == cost->caller_count ? " < ..." : "",
                            frame_name(lines, graph, graph->functions.frame[cost->callers[i]]));
    return text;
}

static void add_costs(struct brief_lines *lines, const struct brief_parts *brief,
                      const struct graph *graph)
{
    if (brief->cost_count)
        addf(lines, KEEP_COST, "most of the %s:", brief->is_of_devices ? "device's time" : "cost");
    for (uint32_t i = 0; i < brief->cost_count; i++) {
        const struct brief_cost *cost = &brief->costs[i];
        int64_t self = graph->functions.self[cost->function];

        addf(lines, KEEP_COST, "   %s (%s%s) %s%s", time_of(lines, self, graph_unit(graph)),
             share_text(lines, self, brief->cost), calls_text(lines, graph, cost->function),
             frame_name(lines, graph, graph->functions.frame[cost->function]),
             callers_text(lines, graph, cost));
    }
}

/* ---- one function ---- */

/* Its callers, or what it calls, that cost most. */
static void add_relatives(struct brief_lines *lines, const struct graph *graph, enum keep keep,
                          const struct relatives *relatives)
{
    const char *text = relatives->direction == CALLERS ? "called by: " : "calls: ";

    if (relatives->count == 0 || relatives->rows[0].count == 0)
        return;
    for (uint32_t i = 0; i < relatives->rows[0].count; i++) {
        uint32_t edge = relatives->edges[relatives->rows[0].first + i];
        uint32_t other = relative_of(relatives, graph, edge);

        text = arena_printf(lines->arena, "%s%s%s", text, i ? ", " : "",
                            frame_name(lines, graph, graph->functions.frame[other]));
        if (graph->calls.cum[edge] != UNKNOWN)
            text = arena_printf(lines->arena, "%s (%s)", text,
                                time_of(lines, graph->calls.cum[edge], graph_unit(graph)));
    }
    addf(lines, keep, "   %s", text);
}

static void add_about(struct brief_lines *lines, const struct brief_content *content,
                      const struct graph *graph)
{
    const struct functions *functions = &graph->functions;
    const struct brief_about *about = content->about;
    uint32_t function = about->function;
    const struct frame *of = graph_frame(graph, functions->frame[function]);
    enum unit unit = graph_unit(graph);
    const char *when;

    addf(lines, KEEP_VERDICT, "%s: %s by itself (%s), %s with callees%s",
         frame_name(lines, graph, functions->frame[function]),
         time_of(lines, functions->self[function], unit),
         share_text(lines, functions->self[function], content->brief->cost),
         functions->cum[function] == UNKNOWN ? "unknown"
                                             : time_of(lines, functions->cum[function], unit),
         calls_text(lines, graph, function));
    when = pattern_in_time(lines, graph, content->advice, &about->occurrences);
    if (*when)
        addf(lines, KEEP_FIRST_FINDING, "   when: %s", when);
    if (of->file && of->line > 0)
        addf(lines, KEEP_FIRST_FINDING, "   source: %s:%" PRId64,
             arena_copy(lines->arena, graph_text(graph, of->file)), (int64_t)of->line);
    add_relatives(lines, graph, KEEP_FIRST_FINDING, &about->callers);
    add_relatives(lines, graph, KEEP_SECOND_FINDING, &about->callees);
}

/* ---- two profiles ---- */

static void add_changes(struct brief_lines *lines, const struct brief_content *content)
{
    const struct difference *difference = content->difference;
    const struct graph *names = &content->diff->names;
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

static bool is_continuation(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

/* The begin of a line, as it is shown, in so many bytes. */
static const char *begin_of(const struct brief_lines *lines, const char *text, uint64_t room)
{
    static const char more[] = "...";
    struct span plain = escape_plain(lines->arena, span_of(text));
    size_t len = room > sizeof(more) ? room - sizeof(more) : 0;

    while (len && is_continuation(plain.at[len]))
        len--;
    return len ? arena_printf(lines->arena, "%.*s%s", (int)len, plain.at, more) : "";
}

/* Keeps the lines of each rank in turn until one does not fit: `budget` tokens of three bytes. A line that explains
 * another never stays without it. Of the first line there is always a begin. */
static void fit_lines(struct brief_lines *lines, uint32_t budget)
{
    uint64_t all = budget ? (uint64_t)budget * BYTES_PER_TOKEN : UINT64_MAX, left = all;

    for (enum keep keep = KEEP_VERDICT; keep <= KEEP_DETAIL; keep++)
        for (size_t i = 0; i < lines->count; i++) {
            struct brief_line *line = &lines->list[i];
            size_t len = escape_plain(lines->arena, span_of(line->text)).len + 1;

            if (line->keep != keep)
                continue;
            if (len > left && left == all)
                line->text = begin_of(lines, line->text, left);
            line->is_kept = len <= left || (left == all && *line->text);
            if (len > left)
                return;
            left -= len;
        }
}

void brief_report(const struct brief_content *content, struct arena *arena, struct report *report)
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

    add_what(&lines, content, report);
    if (content->about) {
        add_about(&lines, content, graph);
    } else {
        add_verdict(&lines, content->verdict);
        if (content->advice)
            add_findings(&lines, content, graph);
        if (content->brief)
            add_replays(&lines, content);
        if (content->difference)
            add_changes(&lines, content);
        if (content->brief)
            add_costs(&lines, content->brief, graph);
        add_lacks(&lines, content, graph);
    }
    for (uint32_t i = 0; i < content->next_count; i++)
        add_line(&lines, KEEP_NEXT, arena_printf(arena, REPORT_NEXT "%s", content->next[i]));
    fit_lines(&lines, content->budget);
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
    report->is_within_budget = true;
    report_number(report, "budget", content->budget);
    report_number(report, "lines_left_out", (int64_t)lines.count - kept);
    report_table(report, table);
    free(lines.list);
}
