/* SPDX-License-Identifier: Apache-2.0 */
/* What `ptk advise` found: the evidence, where, what it could save, and how to fix it. */
#include "render/reports/reports.h"

#include "analysis/advice/advice.h"
#include "base/checked.h"
#include "base/text/format.h"
#include "graph/classify/function_class.h"
#include "graph/model/graph.h"
#include "graph/names/names.h"
#include "render/forms/block.h"
#include "render/reports/report_columns.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>

/* ---- findings ---- */

/* "0 ns … 315.0 us" */
static const char *bracket_text(const struct finding *finding, struct arena *arena)
{
    char least[FORMAT_LEN], most[FORMAT_LEN];

    if (finding->gain_least == UNKNOWN)
        return "";
    return arena_printf(arena, "%s … %s", format_value(least, finding->gain_least, UNIT_NS),
                        format_value(most, finding->gain_most, UNIT_NS));
}

static struct span where_of(const struct graph *graph, const struct finding *finding,
                            struct arena *arena)
{
    frame_id frame = finding_place(graph, finding);

    return frame ? frame_label(graph, frame, arena) : (struct span){0};
}

const char *place_share_text(const struct finding *finding, struct arena *arena)
{
    char share[FORMAT_LEN];

    if (!(finding->place_share < 1))
        return "";
    return arena_printf(arena, " (%s of %s)", format_share(share, finding->place_share),
                        finding->place_of ? finding->place_of : "it");
}

/* The same for people, with how much of the trouble is there; empty where it is not known. */
static struct span where_shown(const struct graph *graph, const struct finding *finding,
                               struct arena *arena)
{
    frame_id frame = finding_place(graph, finding);
    struct span name = frame ? graph_short_name(graph, frame) : NO_TEXT;

    return frame ? span_of(arena_printf(arena, "%.*s%s", (int)name.len, name.at,
                                        place_share_text(finding, arena)))
                 : name;
}

/* "in train.py(12): step (step 3)"; empty where it is not known. */
static const char *surroundings(const struct graph *graph, const struct finding *finding,
                                struct arena *arena)
{
    struct span inside = {0};
    const char *step = "";

    if (finding->inside)
        inside = graph_frame(graph, finding->inside)->kind == KIND_HOST
                     ? frame_place(graph, finding->inside, arena)
                     : graph_short_name(graph, finding->inside);
    if (finding->step != UNKNOWN)
        step = arena_printf(arena, " (step %" PRId64 ")", finding->step);
    if (finding->owner) {
        struct span owner = graph_short_name(graph, finding->owner);

        step = arena_printf(arena, "%s, then the host ran %.*s", step, (int)owner.len, owner.at);
    }
    return inside.len ? arena_printf(arena, " in %.*s%s", (int)inside.len, inside.at, step) : step;
}

/* The name, when and in what, for people all in one. */
static const char *where_text(const struct graph *graph, const struct finding *finding,
                              int64_t at, struct arena *arena)
{
    struct span name = where_shown(graph, finding, arena);
    const char *around = surroundings(graph, finding, arena);
    char time[FORMAT_LEN];

    if (finding->event == NO_EVENT && !name.len && finding->owner)
        return arena_printf(arena, "before the host ran %s",
                            arena_copy(arena, graph_short_name(graph, finding->owner)));
    if (finding->event == NO_EVENT)
        return arena_printf(arena, "%.*s%s", (int)name.len, name.at, around);
    return arena_printf(arena, "%.*s at %s%s", (int)name.len, name.at,
                        format_value(time, at, UNIT_NS), around);
}

struct finding_row {
    struct finding of;
    struct check_row check;
    int64_t rank, at;
    double share_high, overall_high;
    const char *name, *source, *loss, *between, *where_shown, *title, *remedy;
    struct span where, inside, owner;
};

static struct finding_row finding_row(uint32_t rank, const struct finding *of,
                                      const struct advice *advice,
                                      const struct thresholds *thresholds,
                                      const struct graph *graph, struct arena *arena)
{
    enum bottleneck loss = of->rule->loss;
    struct finding_row shown = {
        .of = *of,
        .check = check_row(&of->check, thresholds, arena),
        .rank = rank,
        .at = of->event == NO_EVENT ? TABLE_NULL
                                    : checked_sub(graph->timeline.start[of->event], advice->start),
        .share_high = NAN,
        .overall_high = NAN,
        .name = of->rule->name,
        .source = of->rule->source,
        .loss = loss == HELD_BY_NOTHING ? NULL : bottleneck_name(loss),
        .between = bracket_text(of, arena),
        .title = of->rule->title,
        .remedy = of->rule->remedy_text,
        .where = where_of(graph, of, arena),
        .inside = of->inside ? frame_label(graph, of->inside, arena) : NO_TEXT,
        .owner = of->owner ? frame_label(graph, of->owner, arena) : NO_TEXT,
    };

    if (of->high != UNKNOWN && advice->whole > 0) {
        shown.share_high = share_of(of->high, advice->whole);
        if (of->high < advice->whole) /* how much faster the whole gets when that is saved */
            shown.overall_high = (double)advice->whole / (double)(advice->whole - of->high);
    }
    shown.where_shown = where_text(graph, of, shown.at, arena);
    return shown;
}

/* "saves 352.4 ms of 1.049 s", "saves up to 352.4 ms of 1.049 s": as a replay has it, or at most. */
static const char *saving_text(const struct finding *of, const struct advice *advice, enum unit unit,
                               struct arena *arena)
{
    char part[FORMAT_LEN], whole[FORMAT_LEN];
    bool is_known = of->gain != UNKNOWN && of->gain > 0;

    if (!is_known && of->high == UNKNOWN)
        return NULL;
    format_value(whole, advice->whole, unit);
    return arena_printf(arena, "saves %s%s of %s", is_known ? "" : "up to ",
                        format_value(part, is_known ? of->gain : of->high, unit), whole);
}

static const char *range_text(const struct finding *finding, struct arena *arena)
{
    const char *range;

    if (finding->gain_least == UNKNOWN)
        return "";
    range = format_range(arena, finding->gain_least, finding->gain_most, UNIT_NS);
    return finding->doubt ? arena_printf(arena, "%s: %s", range, finding->doubt) : range;
}

/* The finding as text, in the words of its rule. */
static struct text_block finding_block(const struct finding_row *row, const struct advice *advice,
                                  const struct table_context *context)
{
    struct arena *arena = context->arena;
    enum unit unit = advice->is_of_functions ? graph_unit(context->graph) : UNIT_NS;
    const char *device = row->of.device >= 0 && context->graph->source.devices.count > 1
                             ? arena_printf(arena, "device %" PRId32, row->of.device)
                             : "";
    struct text_block block = {
        .title = row->title,
        .right = saving_text(&row->of, advice, unit, arena),
        .rule = arena_printf(arena, "[%s]", row->name),
        .lines = {{"where", arena_printf(arena, "%s%s%s", device, *device && *row->where_shown ? ": " : "",
                                         row->where_shown)},
                  {"fix", row->remedy},
                  {"gain", range_text(&row->of, arena)},
                  {"why", arena_printf(arena, "%s: %s (limit: %s%s)", row->check.of.what, row->check.figures,
                                       row->check.threshold_shown,
                                       row->of.outweighs ? "; smaller losses exceed theirs" : "")}},
    };

    return block;
}

static void add_findings(const struct advice *advice, const struct thresholds *thresholds,
                         uint32_t count, const struct table_context *context, struct report *report)
{
    typedef struct finding_row row;
    static const struct column columns[] = {
        COUNT_AT("rank", rank, .heading = "#"),
        TEXT_AT("rule", name),
        TEXT_AT("source", source, FOR_MACHINES),
        TEXT_AT("loss", loss, FOR_MACHINES),
        COUNT_AT("saving_low", of.low, FOR_MACHINES),
        COUNT_AT("saving_high", of.high, FOR_MACHINES),
        SHARE_AT("share_high", share_high, .heading = "at most"),
        RATIO_AT("overall_high", overall_high, FOR_MACHINES),
        TIME_AT("gain", of.gain),
        TIME_AT("gain_least", of.gain_least, FOR_MACHINES),
        TIME_AT("gain_most", of.gain_most, FOR_MACHINES),
        TEXT_AT("between", between, FOR_PEOPLE),
        INDEX_AT("device", of.device),
        EVIDENCE_AT(check),
        TEXT_AT("where", where, FOR_MACHINES),
        SHARE_AT("place_share", of.place_share, FOR_MACHINES),
        TEXT_AT("place_of", of.place_of, FOR_MACHINES),
        TIME_AT("at", at, FOR_MACHINES),
        TEXT_AT("inside", inside, FOR_MACHINES),
        TEXT_AT("owner", owner, FOR_MACHINES),
        COUNT_AT("step", of.step, FOR_MACHINES),
        TEXT_AT("where", where_shown, FOR_PEOPLE),
        TEXT_AT("title", title, FOR_MACHINES),
        TEXT_AT("remedy", remedy, FOR_MACHINES),
        TEXT_AT("doubt", of.doubt, FOR_MACHINES),
    };
    struct table *table = TABLE_BEGIN(context, columns, count, "findings", NULL);
    struct text_block *blocks = arena_array(context->arena, count + 1, sizeof(*blocks));

    for (uint32_t i = 0; i < count; i++) {
        struct finding_row shown = finding_row(i + 1, &advice->findings[i], advice, thresholds,
                                               context->graph, context->arena);

        table_add(table, &shown);
        blocks[i] = finding_block(&shown, advice, context);
    }
    table->blocks = blocks;
    report_table(report, table);
}

const char *chain_link_text(const struct advice *advice, uint32_t at, const struct graph *graph,
                            struct arena *arena)
{
    const struct chain_link *link = &advice->links[at];
    struct span name = link->frame ? graph_short_name(graph, link->frame) : (struct span){0};
    char time[FORMAT_LEN], after[FORMAT_LEN], batch[FORMAT_LEN];
    const char *whose = link->batch == UNKNOWN
                            ? arena_printf(arena, "%.*s", (int)name.len, name.at)
                            : arena_printf(arena, "%s a batch", format_value(batch, link->batch, UNIT_NS));

    return arena_printf(arena, "%s%s%s (%s of %s)", link->what, *whose ? ": " : "", whose,
                        format_value(time, link->time, UNIT_NS),
                        format_value(after, link->after, UNIT_NS));
}

static void add_chain(const struct advice *advice, const struct graph *graph, struct arena *arena,
                      struct report *report)
{
    for (uint32_t i = 0; i < advice->link_count; i++)
        report_afterf(report, arena, "%s the largest part of the critical path is %s.",
                      i == 0 ? "Without the first," : "Without that, too,",
                      chain_link_text(advice, i, graph, arena));
}

static void add_chain_table(const struct advice *advice, const struct table_context *context,
                            struct report *report)
{
    typedef struct {
        struct chain_link of;
        struct span where;
    } row;
    static const struct column columns[] = {
        TEXT_AT("what", of.what), TIME_AT("after", of.after), TIME_AT("time", of.time),
        TIME_AT("batch", of.batch), TEXT_AT("where", where)};
    struct table *table = TABLE_BEGIN(context, columns, advice->link_count, "then", NULL);

    table->use = COLUMN_MACHINES;
    for (uint32_t i = 0; i < advice->link_count; i++)
        TABLE_ADD(table, advice->links[i],
                  advice->links[i].frame
                      ? frame_label(context->graph, advice->links[i].frame, context->arena)
                      : NO_TEXT);
    report_table(report, table);
}

static void add_remedies(const struct advice *advice, const struct advice_view *view, uint32_t count,
                         const struct table_context *context, struct report *report)
{
    typedef struct {
        int64_t rank;
        const char *title, *remedy;
    } row;
    static const struct column columns[] = {
        COUNT_AT("rank", rank, FOR_PEOPLE, .heading = "#"),
        TEXT_AT("title", title, FOR_PEOPLE, .heading = "what it is"),
        TEXT_AT("remedy", remedy, FOR_PEOPLE, .heading = "how to fix it"),
    };
    struct table *table = TABLE_BEGIN(context, columns, count, "rows", NULL);

    if (count == 0)
        return;
    table->use = COLUMN_PEOPLE;
    table->text = ""; /* the findings' blocks have it */
    for (uint32_t i = 0; i < count; i++) {
        const struct rule *rule = advice->findings[i].rule;

        TABLE_ADD(table, i + 1, rule->title,
                  view->is_for_page ? rule_page_remedy(rule) : rule->remedy_text);
    }
    report_table(report, table);
}

/* ---- silent rules ---- */

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
                       const struct table_context *context, struct report *report)
{
    typedef struct {
        const char *rule, *source, *title, *why;
    } row;
    static const struct column columns[] = {
        TEXT_AT("rule", rule, .heading = "rule without finding", .is_whole = true),
        TEXT_AT("source", source, .is_spare = true),
        TEXT_AT("title", title, .heading = "what it looks for", .is_spare = true),
        TEXT_AT("why", why, .is_prose = true),
    };
    struct table *table =
        TABLE_BEGIN(context, columns, advice->count - advice->reported, "silent", NULL);

    for (uint32_t i = advice->reported; i < advice->count; i++) {
        const struct finding *finding = &advice->findings[i];

        TABLE_ADD(table, finding->rule->name, finding->rule->source, finding->rule->title,
                  silence_of(finding, thresholds, context->arena));
    }
    report_table(report, table);
}

/* ---- all of it ---- */

static void add_recording(const struct advice *advice, struct arena *arena, struct report *report)
{
    char rate[FORMAT_LEN];

    if (!advice->recording.holds)
        return;
    report_real(report, "recorded_per_s", advice->recording.value);
    report_afterf(report, arena,
                  "Recording slows the host: %s of its calls are recorded a second. Time %s without the "
                  "profiler to see what is left of this loss.",
                  format_count(rate, llround(advice->recording.value)),
                  advice->steps ? "a step" : "the run");
}

static void add_notes(const struct advice *advice, uint32_t shown, bool has_silent,
                      struct arena *arena, struct report *report)
{
    if (shown)
        report_after(report, "Savings do not add up: findings look at the same time from several sides.");
    if (shown < advice->reported)
        report_afterf(report, arena, "%" PRIu32 " more finding%s. Use -n 0 to see all.",
                      advice->reported - shown, advice->reported - shown == 1 ? "" : "s");
    if (!has_silent && !advice->reported)
        report_after(report, "Use --all to see all checks.");
    else if (!has_silent)
        report_afterf(report, arena, "%" PRIu32 " other checks found nothing. Use --all to see them.",
                      advice->count - advice->reported);
}

static const char *headline(const struct advice *advice, struct arena *arena)
{
    if (advice->reported)
        return arena_printf(arena, "%" PRIu32 " of %" PRIu32 " checks found a problem.",
                            advice->reported, advice->count);
    if (advice_applies(advice))
        return arena_printf(arena, "None of %" PRIu32 " checks found a problem.", advice->count);
    return advice->has_only_collectives
               ? "No check applies: the file has only collectives, and nothing else that ran. "
                 "`ptk job` compares the ranks."
               : "No check applies to what this profile contains.";
}

static const char *time_text(int64_t time, enum unit unit, struct arena *arena)
{
    char text[FORMAT_LEN];

    return arena_printf(arena, "%s", format_value(text, time, unit));
}

/* " (5.000 ms / 10.00 ms = 50.00%)"; ": 28.00 MiB free, 64.00 MiB asked for". */
static const char *evidence_text(const struct check *check, struct arena *arena)
{
    char have[FORMAT_LEN], of[FORMAT_LEN];

    if (!check->sides[0])
        return arena_printf(arena, " (%s)", check_figures(check, arena));
    return arena_printf(arena, ": %s %s, %s %s", format_value(have, check->part, check->unit),
                        check->sides[0], format_value(of, check->whole, check->unit), check->sides[1]);
}

/* "Each step takes 215 ms. 147 ms of that is lost because the host waits …: cudaMemcpyAsync in
 * train.py:12(loss) (step 3). Without that it would take 68 ms.": of steps, each one's share. What a replay
 * without it does not give is only the most that it can be, unless it gives that whatever waits for what. */
static void add_sentence(const struct advice *advice, const struct graph *graph,
                         struct arena *arena, struct report *report)
{
    const struct finding *first = &advice->findings[0];
    int64_t steps = advice->steps ? advice->steps : 1, time = advice->whole / steps, gain, lost;
    enum unit unit = advice->is_of_functions ? graph_unit(graph) : UNIT_NS;
    bool is_bound, is_sure;
    const char *whole, *begin, *rest = "";
    struct span where;

    if (advice->reported == 0)
        return;
    where = where_shown(graph, first, arena);
    if (first->high == UNKNOWN) {
        report_beforef(report, arena, "%c%s%s%.*s%s.", toupper((unsigned char)first->rule->title[0]),
                       first->rule->title + 1, where.len ? ": " : "", (int)where.len, where.at,
                       evidence_text(&first->check, arena));
        return;
    }
    lost = first->high / steps;
    gain = first->gain == UNKNOWN ? UNKNOWN : first->gain / steps;
    is_sure = first->gain > 0 && first->gain_least >= first->gain;
    is_bound = gain == UNKNOWN || (gain < lost - gain && !is_sure);
    whole = time_text(time, unit, arena);
    begin = time_text(is_bound ? lost : gain, unit, arena);
    if (advice->is_of_functions)
        begin = arena_printf(arena, "Up to %s of %s could be saved,", begin,
                             amount_text(graph, time, arena));
    else
        begin = arena_printf(arena, "%s %s. %s%s of that is lost",
                             advice->steps ? "Each step takes" : "The run takes", whole,
                             is_bound ? "Up to " : "", begin);
    if (gain != UNKNOWN)
        rest = arena_printf(arena, " Without that%s it would take %s.", is_bound ? " alone" : "",
                            gain ? time_text(time - gain, unit, arena) : "as long");
    report_beforef(report, arena, "%s because %s%s%.*s%s.%s", begin, first->rule->title,
                   where.len ? ": " : "", (int)where.len, where.at,
                   where.len ? surroundings(graph, first, arena) : "", rest);
}

void advice_report(const struct advice *advice, const struct thresholds *thresholds,
                   const struct advice_view *view, struct arena *arena, struct report *report)
{
    struct table_context context = {.arena = arena, .graph = report->inputs[0].graph};
    uint32_t shown = limit_rows(advice->reported, view->limit);
    enum unit unit = advice->is_of_functions ? graph_unit(context.graph) : UNIT_NS;

    report_value(report, "whole", advice->whole, unit);
    report_number(report, "speaking", advice->reported);
    report_value(report, "gain", advice->gain == UNKNOWN ? TABLE_NULL : advice->gain, unit);
    add_sentence(advice, report->inputs[0].graph, arena, report);
    if (advice_applies(advice) || !report->before_count) /* else that says it of the job */
        report_before(report, headline(advice, arena));
    add_findings(advice, thresholds, shown, &context, report);
    add_remedies(advice, view, shown, &context, report);
    if (view->has_silent)
        add_silent(advice, thresholds, &context, report);
    add_chain_table(advice, &context, report);
    add_chain(advice, report->inputs[0].graph, arena, report);
    add_recording(advice, arena, report);
    add_notes(advice, shown, view->has_silent, arena, report);
}
