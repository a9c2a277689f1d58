/* SPDX-License-Identifier: Apache-2.0 */
/* serve_report.c — a server's steps: what owns the time between them, batch against time, and what is said of all */
#include "render/reports/reports.h"

#include "analysis/serving/serve.h"
#include "base/checked.h"
#include "base/text/format.h"
#include "graph/classify/event_class.h"
#include "render/reports/report_columns.h"
#include "render/reports/serve_parts.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { FEW_STEPS = 20 };

/* ---- between steps ---- */

static void add_gap_owners(const struct serve *serve, const struct table_context *context,
                           struct report *report)
{
    typedef struct {
        struct serve_owner of;
        struct span what;
        bool waits;
    } row;
    static const struct column columns[] = {
        TIME_AT("idle", of.time),
        SHARE_OF_WHOLE("share", of.time, .heading = "%", .is_heat = true),
        COUNT_AT("gaps", of.gaps, .heading = "owns gaps"),
        FRAME_AT(of.frame, COLUMN_MACHINES),
        FLAG_AT("waits_for_requests", waits, FOR_MACHINES),
        {.key = "host was in",
         .kind = CELL_TEXT,
         FOR_PEOPLE,
         .make = cell_span,
         .field = offsetof(row, what),
         .is_path = true},
    };
    const struct serve_gaps *gaps = &serve->gaps;
    struct table *table =
        TABLE_BEGIN(context, columns, gaps->owner_count, "idle_owners",
                    "Idle time between steps, by what the host was in");

    for (uint32_t i = 0; i < gaps->owner_count; i++) {
        frame_id frame = gaps->owners[i].frame;

        TABLE_ADD(table, .of = gaps->owners[i],
                  .what = frame ? frame_label(context->graph, frame, context->arena)
                                : SPAN("(no event of the host)"),
                  .waits = frame && graph_class(context->graph, frame).waits_for_requests);
    }
    report_table(report, table);
}

/* ---- batch against time ---- */

static void add_fits(const struct serve *serve, const struct table_context *context,
                     struct report *report)
{
    typedef struct {
        struct serve_fit of;
        const char *by;
        int64_t fixed, each, per_key, doubled;
    } row;
    static const char *const by_names[] = {[FIT_TOKENS] = "tokens",
                                           [FIT_PADDED] = "padded batch",
                                           [FIT_TOKENS_AND_KEYS] = "tokens and cached tokens"};
    static const struct column columns[] = {
        TEXT_AT("by", by),
        COUNT_AT("steps", of.count),
        COUNT_AT("from", of.from),
        COUNT_AT("to", of.to),
        TIME_AT("fixed", fixed),
        TIME_AT("per_token", each, .heading = "a token"),
        RATIO_AT("fixed_ns", of.fixed, FOR_MACHINES),
        RATIO_AT("ns_per_token", of.each, FOR_MACHINES),
        RATIO_AT("ns_per_cached_token", of.per_key, FOR_MACHINES),
        RATIO_AT("r2", of.r2, .heading = "R2"),
        COUNT_AT("doubles_at", doubled, .heading = "doubles at"),
        FLAG_AT("has_recomputing", of.has_recomputing, FOR_MACHINES),
    };
    struct table *table = TABLE_BEGIN(context, columns, serve->fit_count, "fits",
                                      "Decode: device time of a step = fixed + tokens x a token");

    for (uint32_t i = 0; i < serve->fit_count; i++) {
        const struct serve_fit *fit = &serve->fits[i];
        double doubled = fit->each > 0 && fit->fixed > 0 ? fit->fixed / fit->each : (double)NAN;

        TABLE_ADD(table, .of = *fit,
                  .by = fit->has_recomputing ? "tokens, with steps that compute prompts again"
                                             : by_names[fit->by],
                  .fixed = llround(fit->fixed), .each = llround(fit->each),
                  .doubled = doubled < 1e15 ? llround(doubled) : TABLE_NULL);
    }
    report_table(report, table);
}

/* ---- what is said ---- */

/* The stage with the most steps that is work. */
static const struct serve_stage *main_stage(const struct serve *serve)
{
    const struct serve_stage *best = NULL;

    for (uint32_t i = 0; i < serve->stage_count; i++)
        if (serve->stages[i].stage != STAGE_DUMMY && serve->stages[i].busy.count &&
            (!best || serve->stages[i].steps > best->steps))
            best = &serve->stages[i];
    return best;
}

/* "mostly", of half and more; else "33.00% of it". */
static const char *part_of(int64_t time, int64_t whole, struct arena *arena)
{
    char share[FORMAT_LEN];

    return time >= whole - time
               ? "mostly"
               : arena_printf(arena, "%s of it", format_share(share, (double)time / (double)whole));
}

/* One sentence: how long a step takes, how often one comes, and what holds it up. */
static void say_first(const struct serve *serve, const struct graph *graph, struct arena *arena,
                      struct report *report)
{
    const struct serve_stage *stage = main_stage(serve);
    const struct serve_gaps *gaps = &serve->gaps;
    char busy[FORMAT_LEN], period[FORMAT_LEN], share[FORMAT_LEN];
    const char *text, *and = "";
    double idle;

    if (!stage)
        return;
    idle = serve_idle_share(stage);
    text = arena_printf(arena, "%.*s: a step takes %s of device time", (int)stage->name.len,
                        stage->name.at, format_value(busy, stage->busy.p50, UNIT_NS));
    if (stage->period.count)
        and = arena_printf(arena, " and one comes every %s%s; the device is idle %s of that",
                           format_value(period, stage->period.p50, UNIT_NS),
                           stage->busy.p50 > stage->period.p50 ? ", because steps overlap or use several devices" : "",
                           format_share(share, idle));
    if (stage->period.count && idle >= 0.01 && gaps->owner_count && gaps->owners[0].frame) {
        struct span owner = graph_text(graph, graph_frame(graph, gaps->owners[0].frame)->name);
        size_t blank = span_rfind(owner, ' '); /* "file.py(12): function" */

        owner = blank == SIZE_MAX ? owner : span_after(owner, blank + 1);
        and = arena_printf(arena, "%s, %s ", and, part_of(gaps->owners[0].time, gaps->total, arena));
        and = graph_class(graph, gaps->owners[0].frame).waits_for_requests
                  ? arena_printf(arena, "%sbecause there are no requests", and)
                  : arena_printf(arena, "%swhile the host is in %.*s", and, (int)owner.len, owner.at);
    }
    if (serve_over_bound(stage, arena))
        and = arena_printf(arena, "%s; its device time is %s the least that FLOPs, weights and cached "
                                  "keys need",
                           and, serve_over_bound(stage, arena));
    report_beforef(report, arena, "%s%s", text, and);
}

/* "925-1,032", or one number where the ends agree. */
static const char *generated_text(const struct serve *serve, double seconds, struct arena *arena)
{
    char low[FORMAT_LEN], high[FORMAT_LEN];

    format_ratio(low, (double)serve->generated_low / seconds);
    format_ratio(high, (double)serve->generated_high / seconds);
    return strcmp(low, high) == 0 ? arena_printf(arena, "%s", low)
                                  : arena_printf(arena, "%s-%s", low, high);
}

static void say_tokens(const struct serve *serve, struct arena *arena, struct report *report)
{
    double seconds = (double)serve->span / 1e9;
    char span[FORMAT_LEN], all[FORMAT_LEN];
    const char *generated = "";

    if (!(seconds > 0) || serve->tokens == UNKNOWN)
        return;
    if (serve->generated_low != UNKNOWN && serve->generated_high != UNKNOWN)
        generated = arena_printf(arena, ", %s generated,", generated_text(serve, seconds, arena));
    report_beforef(report, arena, "%s tokens/s processed%s in %s",
                   format_ratio(all, (double)serve->tokens / seconds), generated,
                   format_value(span, serve->span, UNIT_NS));
}

static void say_between_tokens(const struct serve *serve, struct arena *arena,
                               struct report *report)
{
    const struct serve_spread *spread = &serve->between_tokens;
    char p50[FORMAT_LEN], p99[FORMAT_LEN], most[FORMAT_LEN];

    if (spread->count)
        report_beforef(report, arena, "between tokens of a request: %s (p50), %s (p99), at most %s",
                       format_value(p50, spread->p50, UNIT_NS),
                       format_value(p99, spread->p99, UNIT_NS),
                       format_value(most, spread->most, UNIT_NS));
}

static bool has_few(const struct serve *serve)
{
    for (uint32_t i = 0; i < serve->stage_count; i++)
        if (serve->stages[i].steps < FEW_STEPS)
            return true;
    return false;
}

static bool lacks_tokens(const struct serve *serve)
{
    for (uint32_t i = 0; i < serve->stage_count; i++)
        if (serve->stages[i].tokens == UNKNOWN && serve->stages[i].stage != STAGE_DRAFT)
            return true;
    return false;
}

static bool lacks_sums(const struct serve *serve)
{
    for (uint32_t i = 0; i < serve->steps.count; i++)
        if (serve->steps.list[i].label->has_sums)
            return false;
    return true;
}

static void add_notes(const struct serve *serve, struct arena *arena, struct report *report)
{
    const struct serving_steps *steps = &serve->steps;
    char time[FORMAT_LEN];

    if (steps->are_inferred)
        report_after(report, "there are no labels of steps (looked for those of vLLM, SGLang, ATOM "
                             "and TensorRT-LLM): these steps and stages are inferred. Each ends "
                             "with a copy to the host; steps with a graph are decode, others "
                             "prefill or mixed");
    else if (lacks_tokens(serve))
        report_after(report, "some labels contain no numbers of tokens: tokens are shown where they do");
    if (!steps->are_inferred && lacks_sums(serve))
        report_after(report, "lengths of sequences are not in the labels: TraceLens' patches of "
                             "vLLM and SGLang, or ATOM_ENABLE_DETAILED_ANNOTATION, write them");
    if (has_few(serve))
        report_after(report, "p95 and p99 of fewer than 20 steps are the longest step");
    for (uint32_t i = 0; i < serve->stage_count; i++)
        if (serve->stages[i].recomputing)
            report_afterf(report, arena,
                          "%" PRIu32 " decode steps compute prompts again, of requests that were "
                          "put off: they are in no fit by tokens alone",
                          serve->stages[i].recomputing);
    if (serve->overlapping)
        report_afterf(report, arena,
                      "%" PRIu32 " of %" PRIu32 " steps overlap the next one, or use several devices: their device "
                      "time exceeds the time to the next step",
                      serve->overlapping, serve->steps.count);
    serve_stage_notes(serve, arena, report);
    if (serve->gaps.of_requests > 0)
        report_afterf(report, arena,
                      "%s of the idle time the server waited for requests: no fault of its own",
                      format_value(time, serve->gaps.of_requests, UNIT_NS));
    if (steps->before + steps->unlaunched > 0)
        report_afterf(report, arena,
                      "%s of device work is in no step: it was launched before the first one, or "
                      "before the recording",
                      format_value(time, checked_add(steps->before, steps->unlaunched), UNIT_NS));
    if (serve->lacks_peaks)
        report_after(report, "the peaks of this GPU are not known, so steps are not compared with what they "
                             "need at least: --gpu-file (ptk roofline --gpus prints its form)");
    if (serve->has_stacks && serve->gaps.count)
        report_after(report, "Python functions were recorded, which slows the host: time between "
                             "steps is shorter without them");
    report_after(report, "requests' waiting, time to the first token and latency are not in a trace");
}

static void add_fields(const struct serve *serve, struct report *report)
{
    double seconds = (double)serve->span / 1e9;

    report_number(report, "steps", (int64_t)serve->steps.count - serve->dummies);
    report_number(report, "dummy_steps", serve->dummies);
    report_number(report, "overlapping_steps", serve->overlapping);
    report_number(report, "are_inferred", serve->steps.are_inferred);
    report_time(report, "span", serve->span);
    report_number(report, "tokens", known_figure(serve->tokens));
    report_number(report, "generated_low", known_figure(serve->generated_low));
    report_number(report, "generated_high", known_figure(serve->generated_high));
    report_real(report, "tokens_per_second",
                serve->tokens == UNKNOWN || !(seconds > 0) ? (double)NAN
                                                           : (double)serve->tokens / seconds);
    report_time(report, "idle_between", serve->gaps.total);
    report_number(report, "gaps", serve->gaps.count);
    report_time(report, "waited_for_requests", serve->gaps.of_requests);
    report_time(report, "device_time", serve->steps.device_time);
    report_time(report, "before_first_step", serve->steps.before);
    report_time(report, "launched_before_recording", serve->steps.unlaunched);
    report_time(report, "between_tokens_p50",
                  spread_figure(&serve->between_tokens, serve->between_tokens.p50));
    report_time(report, "between_tokens_p95",
                  spread_figure(&serve->between_tokens, serve->between_tokens.p95));
    report_time(report, "between_tokens_p99",
                  spread_figure(&serve->between_tokens, serve->between_tokens.p99));
    report_time(report, "between_tokens_max",
                  spread_figure(&serve->between_tokens, serve->between_tokens.most));
}

void serve_report(const struct serve *serve, bool has_steps, struct arena *arena,
                  struct report *report)
{
    const struct graph *graph = report->inputs[0].graph;
    struct table_context context = {.arena = arena, .graph = graph, .whole = serve->gaps.total};

    add_fields(serve, report);
    say_first(serve, graph, arena, report);
    say_tokens(serve, arena, report);
    say_between_tokens(serve, arena, report);
    serve_stage_table(serve, &context, report);
    add_gap_owners(serve, &context, report);
    add_fits(serve, &context, report);
    if (has_steps)
        serve_steps_table(serve, &context, report);
    serve_histogram(serve, &context, report);
    add_notes(serve, arena, report);
}

/* ---- several ranks ---- */

void serve_ranks_report(const struct serve *const *ranks, const int64_t *numbers, uint32_t count,
                        struct arena *arena, struct report *report)
{
    typedef struct {
        int64_t rank;
        struct span stage;
        uint32_t steps;
        int64_t tokens, p50, p99, period_p50, period_p99, idle;
    } row;
    static const struct column columns[] = {
        COUNT_AT("rank", rank),
        TEXT_AT("stage", stage),
        COUNT_AT("steps", steps),
        COUNT_AT("tokens", tokens),
        TIME_AT("busy_p50", p50, .heading = "device p50"),
        TIME_AT("busy_p99", p99, .heading = "p99"),
        TIME_AT("period_p50", period_p50, .heading = "every p50"),
        TIME_AT("period_p99", period_p99, .heading = "p99"),
        TIME_AT("gaps", idle, .heading = "idle after"),
    };
    struct table_context context = {.arena = arena, .graph = report->inputs[0].graph};
    uint32_t rooms = 0;
    struct table *table;

    for (uint32_t i = 0; i < count; i++)
        rooms += ranks[i]->stage_count;
    table = TABLE_BEGIN(&context, columns, rooms, "ranks", NULL);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < ranks[i]->stage_count; k++) {
            const struct serve_stage *of = &ranks[i]->stages[k];

            TABLE_ADD(table, .rank = numbers[i], .stage = of->name, .steps = of->steps,
                      .tokens = known_figure(of->tokens), .p50 = spread_figure(&of->busy, of->busy.p50),
                      .p99 = spread_figure(&of->busy, of->busy.p99),
                      .period_p50 = spread_figure(&of->period, of->period.p50),
                      .period_p99 = spread_figure(&of->period, of->period.p99), .idle = of->gaps);
        }
    report_number(report, "ranks_read", count);
    report_table(report, table);
    report_after(report, "each rank's own view: batches differ between ranks by what was asked of "
                         "them, which is not a fault");
}
