/* SPDX-License-Identifier: Apache-2.0 */
/* serve_report.c — the stages of serving, what owns the time between steps, batch against time, and each step */
#include "render/reports/reports.h"

#include "analysis/serving/serve.h"
#include "base/checked.h"
#include "base/text/format.h"
#include "graph/classify/event_class.h"
#include "render/reports/report_columns.h"

#include <inttypes.h>
#include <math.h>

enum { FEW_STEPS = 20, DELAY_LEAST = 3 };

static int64_t known(int64_t figure)
{
    return figure == UNKNOWN ? TABLE_NULL : figure;
}

static int64_t spread_figure(const struct serve_spread *spread, int64_t figure)
{
    return spread->count ? figure : TABLE_NULL;
}

/* ---- stages ---- */

static double per_token(int64_t time, int64_t tokens)
{
    return tokens != UNKNOWN && tokens > 0 ? (double)time / (double)tokens : (double)NAN;
}

/* "3.5-14.9x": the median step over what it takes at least. */
static const char *over_bound(const struct serve_stage *stage, struct arena *arena)
{
    double p50 = (double)stage->busy.p50, low, high;

    if (stage->bound_high == UNKNOWN || stage->bound_low <= 0 || !stage->busy.count)
        return NULL;
    low = p50 / (double)stage->bound_high;
    high = p50 / (double)stage->bound_low;
    return high - low < 0.05 * low ? arena_printf(arena, "%.3gx", low)
                                   : arena_printf(arena, "%.3g-%.3gx", low, high);
}

static void add_stages(const struct serve *serve, const struct table_context *context,
                       struct report *report)
{
    typedef struct {
        struct span name;
        uint32_t steps, periods;
        int64_t prompts, generations, tokens;
        int64_t least, p50, p95, p99, most, sum, period_p50, period_p95, period_p99, period_sum;
        int64_t host, gaps, graph_steps, real, padded, bound_low, bound_high;
        double mean, per_token, period_per_token, us_per_token, padding, idle, known;
        const char *over, *limit;
    } row;
    static const struct column columns[] = {
        TEXT_AT("stage", name),
        COUNT_AT("steps", steps),
        COUNT_AT("prompts", prompts, FOR_MACHINES),
        COUNT_AT("generations", generations, FOR_MACHINES),
        COUNT_AT("tokens", tokens),
        TIME_AT("busy_p50", p50, .heading = "device p50"),
        TIME_AT("busy_p95", p95, .heading = "p95"),
        TIME_AT("busy_p99", p99, .heading = "p99"),
        TIME_AT("busy_min", least, FOR_MACHINES),
        TIME_AT("busy_max", most, FOR_MACHINES),
        TIME_AT("busy_sum", sum, FOR_MACHINES),
        RATIO_AT("busy_mean", mean, FOR_MACHINES),
        COUNT_AT("periods", periods, FOR_MACHINES),
        TIME_AT("period_p50", period_p50, .heading = "every p50"),
        TIME_AT("period_p95", period_p95, FOR_MACHINES),
        TIME_AT("period_p99", period_p99, .heading = "p99"),
        TIME_AT("period_sum", period_sum, FOR_MACHINES),
        RATIO_AT("ns_per_token", per_token, FOR_MACHINES),
        RATIO_AT("period_ns_per_token", period_per_token, FOR_MACHINES),
        RATIO_AT("us/token", us_per_token, FOR_PEOPLE),
        SHARE_AT("idle", idle, .heading = "idle after", .is_heat = true),
        TIME_AT("host", host, FOR_MACHINES),
        TIME_AT("gaps", gaps, FOR_MACHINES),
        COUNT_AT("graph_steps", graph_steps, FOR_MACHINES),
        COUNT_AT("requests_of_padded", real, FOR_MACHINES),
        COUNT_AT("padded", padded, FOR_MACHINES),
        SHARE_AT("padding", padding),
        TIME_AT("bound_low", bound_low, FOR_MACHINES),
        TIME_AT("bound_high", bound_high, FOR_MACHINES),
        SHARE_AT("work_known", known, FOR_MACHINES),
        TEXT_AT("over_bound", over, .heading = "over bound"),
        TEXT_AT("limited_by", limit, .heading = "held up by"),
    };
    struct table *table = TABLE_BEGIN(context, columns, serve->stage_count, "stages", NULL);

    for (uint32_t i = 0; i < serve->stage_count; i++) {
        const struct serve_stage *of = &serve->stages[i];
        const struct serve_spread *busy = &of->busy, *period = &of->period;

        TABLE_ADD(
            table, .name = of->name, .steps = of->steps,
            .periods = period->count, .prompts = known(of->prompts),
            .generations = known(of->generations), .tokens = known(of->tokens),
            .least = spread_figure(busy, busy->least), .p50 = spread_figure(busy, busy->p50),
            .p95 = spread_figure(busy, busy->p95), .p99 = spread_figure(busy, busy->p99),
            .most = spread_figure(busy, busy->most), .sum = spread_figure(busy, busy->sum),
            .period_p50 = spread_figure(period, period->p50),
            .period_p95 = spread_figure(period, period->p95),
            .period_p99 = spread_figure(period, period->p99),
            .period_sum = spread_figure(period, period->sum), .host = of->host, .gaps = of->gaps,
            .graph_steps = of->graph_steps, .real = of->padded ? of->real : TABLE_NULL,
            .padded = of->padded ? of->padded : TABLE_NULL, .bound_low = known(of->bound_low),
            .bound_high = known(of->bound_high),
            .mean = busy->count ? (double)busy->sum / busy->count : (double)NAN,
            .per_token = per_token(busy->sum, of->tokens),
            .period_per_token = period->count == of->steps ? per_token(period->sum, of->tokens)
                                                           : (double)NAN,
            .us_per_token = per_token(busy->sum, of->tokens) / 1e3,
            .padding = of->padded ? 1 - (double)of->real / (double)of->padded : (double)NAN,
            .idle = period->sum > 0 && of->stage != STAGE_DUMMY
                        ? fmin(1, (double)of->gaps / (double)period->sum)
                        : (double)NAN,
            .known = of->known, .over = over_bound(of, context->arena),
            .limit = serve_limit_name(serve_limit_of(of, &serve->gaps)));
    }
    report_table(report, table);
}

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

/* ---- for machines: each step, and how many took how long ---- */

static void add_steps(const struct serve *serve, const struct table_context *context,
                      struct report *report)
{
    typedef struct {
        uint32_t index, thread, pieces;
        struct span label, stage;
        int64_t prompts, generations, prompt_tokens, generation_tokens, tokens, padded;
        int64_t start, host, first, last, busy, forward, period, gap;
        int64_t c_sk, c_sqsq, c_sqsk, g_sk, g_sqsq, g_sqsk;
        bool recomputing, has_graph;
        frame_id owner;
    } row;
    static const struct column columns[] = {
        COUNT_AT("index", index),
        COUNT_AT("thread", thread),
        TEXT_AT("label", label),
        TEXT_AT("stage", stage),
        COUNT_AT("prompts", prompts),
        COUNT_AT("generations", generations),
        COUNT_AT("prompt_tokens", prompt_tokens),
        COUNT_AT("generation_tokens", generation_tokens),
        COUNT_AT("tokens", tokens),
        COUNT_AT("padded", padded),
        COUNT_AT("prompt_keys", c_sk),
        COUNT_AT("prompt_queries_squared", c_sqsq),
        COUNT_AT("prompt_query_keys", c_sqsk),
        COUNT_AT("generation_keys", g_sk),
        COUNT_AT("generation_queries_squared", g_sqsq),
        COUNT_AT("generation_query_keys", g_sqsk),
        TIME_AT("host_start", start),
        TIME_AT("host_time", host),
        TIME_AT("start", first),
        TIME_AT("end", last),
        TIME_AT("busy", busy),
        TIME_AT("forward_busy", forward),
        TIME_AT("period", period),
        TIME_AT("gap", gap),
        TEXT_BY(cell_frame_name, "gap_owner", owner),
        COUNT_AT("pieces", pieces),
        FLAG_AT("has_graph", has_graph),
        FLAG_AT("recomputing", recomputing),
    };
    const struct serving_steps *steps = &serve->steps;
    struct table *table = TABLE_BEGIN(context, columns, steps->count, "steps_of_run", NULL);

    table->use = COLUMN_MACHINES;
    for (uint32_t i = 0; i < steps->count; i++) {
        const struct serving_step *of = &steps->list[i];
        const struct step_sums *c = &of->label.prompt, *g = &of->label.generation;
        uint32_t next = serving_step_after(steps, i);
        int64_t period = next == NO_STEP || of->first == UNKNOWN ||
                                 steps->list[next].first == UNKNOWN
                             ? TABLE_NULL
                             : steps->list[next].first - of->first;
        int64_t gap = serve->gaps.after[i];
        bool sums = of->label.has_sums;

        TABLE_ADD(
            table, .index = i - steps->threads[of->thread].first, .thread = of->thread,
            .pieces = of->pieces,
            .label = of->labelled
                         ? graph_text(context->graph,
                                      graph_frame(context->graph, of->labelled)->name)
                         : NO_TEXT,
            .stage = serving_step_stage(of), .prompts = known(of->label.prompts),
            .generations = known(of->label.generations),
            .prompt_tokens = known(of->label.prompt_tokens),
            .generation_tokens = known(of->label.generation_tokens),
            .tokens = known(of->label.tokens), .padded = known(of->label.padded),
            .c_sk = sums ? c->keys : TABLE_NULL, .c_sqsq = sums ? c->queries_squared : TABLE_NULL,
            .c_sqsk = sums ? c->query_keys : TABLE_NULL, .g_sk = sums ? g->keys : TABLE_NULL,
            .g_sqsq = sums ? g->queries_squared : TABLE_NULL,
            .g_sqsk = sums ? g->query_keys : TABLE_NULL, .start = of->start,
            .host = of->end - of->start, .first = known(of->first), .last = known(of->last),
            .busy = of->busy, .forward = of->forward, .period = period,
            .gap = gap > 0 ? gap : TABLE_NULL,
            .owner = gap > 0 && serve->gaps.owner_count
                         ? serve->gaps.owners[serve->gaps.owner[i]].frame
                         : 0,
            .recomputing = of->is_recomputing, .has_graph = of->graph_pieces > 0);
    }
    report_table(report, table);
}

static void add_histogram(const struct serve *serve, const struct table_context *context,
                          struct report *report)
{
    typedef struct {
        struct span stage;
        const char *of;
        int64_t from;
        uint32_t steps;
    } row;
    static const struct column columns[] = {TEXT_AT("stage", stage), TEXT_AT("of", of),
                                            TIME_AT("from", from), COUNT_AT("steps", steps)};
    uint32_t room = 0;
    struct table *table;

    for (uint32_t i = 0; i < serve->stage_count; i++)
        room += serve->stages[i].busy.bin_count + serve->stages[i].period.bin_count;
    table = TABLE_BEGIN(context, columns, room, "histogram", NULL);
    table->use = COLUMN_MACHINES;
    for (uint32_t i = 0; i < serve->stage_count; i++)
        for (int of = 0; of < 2; of++) {
            const struct serve_spread *spread =
                of ? &serve->stages[i].period : &serve->stages[i].busy;

            for (uint32_t k = 0; k < spread->bin_count; k++)
                TABLE_ADD(table, serve->stages[i].name, of ? "period" : "busy",
                          spread->bins[k].from, spread->bins[k].steps);
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
    idle = stage->period.sum > 0 ? fmin(1, (double)stage->gaps / (double)stage->period.sum) : 0;
    text = arena_printf(arena, "%.*s: a step takes %s of device time", (int)stage->name.len,
                        stage->name.at, format_value(busy, stage->busy.p50, UNIT_NS));
    if (stage->period.count)
        and = arena_printf(arena, " and one comes every %s; the device is idle %s of that",
                           format_value(period, stage->period.p50, UNIT_NS),
                           format_share(share, idle));
    if (stage->period.count && idle >= 0.01 && gaps->owner_count && gaps->owners[0].frame) {
        struct span owner = graph_text(graph, graph_frame(graph, gaps->owners[0].frame)->name);
        size_t blank = span_rfind(owner, ' '); /* "file.py(12): function" */

        owner = blank == SIZE_MAX ? owner : span_after(owner, blank + 1);
        and = graph_class(graph, gaps->owners[0].frame).waits_for_requests
                  ? arena_printf(arena, "%s, mostly because there are no requests", and)
                  : arena_printf(arena, "%s, mostly while the host is in %.*s", and,
                                 (int)owner.len, owner.at);
    }
    if (over_bound(stage, arena))
        and = arena_printf(arena, "%s; that is %s of what its FLOPs, weights and cached keys need "
                                  "at least",
                           and, over_bound(stage, arena));
    report_beforef(report, arena, "%s%s", text, and);
}

static void say_tokens(const struct serve *serve, struct arena *arena, struct report *report)
{
    double seconds = (double)serve->span / 1e9;
    char span[FORMAT_LEN];

    if (!(seconds > 0) || serve->tokens == UNKNOWN)
        return;
    if (serve->generated_low == UNKNOWN || serve->generated_high == UNKNOWN)
        report_beforef(report, arena, "%.4g tokens/s processed in %s",
                       (double)serve->tokens / seconds,
                       format_value(span, serve->span, UNIT_NS));
    else if (serve->generated_low == serve->generated_high)
        report_beforef(report, arena, "%.4g tokens/s processed, %.4g generated, in %s",
                       (double)serve->tokens / seconds,
                       (double)serve->generated_low / seconds,
                       format_value(span, serve->span, UNIT_NS));
    else
        report_beforef(report, arena, "%.4g tokens/s processed, %.4g-%.4g generated, in %s",
                       (double)serve->tokens / seconds,
                       (double)serve->generated_low / seconds,
                       (double)serve->generated_high / seconds,
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
        if (serve->steps.list[i].label.has_sums)
            return false;
    return true;
}

/* Steps with prompts stand between the tokens of requests that generate. */
static void say_delays(const struct serve *serve, struct arena *arena, struct report *report)
{
    const struct serve_spread *spread = &serve->between_tokens;
    uint32_t steps = 0;

    for (uint32_t i = 0; i < serve->stage_count; i++)
        if (serve->stages[i].stage == STAGE_PREFILL || serve->stages[i].stage == STAGE_MIXED)
            steps += serve->stages[i].steps;
    if (steps && spread->count && spread->p99 >= DELAY_LEAST * spread->p50)
        report_afterf(report, arena,
                      "prompts hold tokens up: %" PRIu32 " steps with prompts, and p99 between tokens "
                      "is %.3g times the median; smaller chunks of prompts even it out",
                      steps, (double)spread->p99 / (double)spread->p50);
}

/* Decode mostly launches graphs: steps that do not have a batch that was not captured. */
static void say_missed_graphs(const struct serve *serve, struct arena *arena,
                              struct report *report)
{
    for (uint32_t i = 0; i < serve->stage_count; i++) {
        const struct serve_stage *stage = &serve->stages[i];
        int64_t missed = stage->steps - stage->graph_steps;

        if (stage->stage == STAGE_DECODE && missed > 0 && stage->graph_steps > missed)
            report_afterf(report, arena,
                          "%" PRId64 " of %" PRIu32 " decode steps launch no graph: their batch is "
                          "none that was captured",
                          missed, stage->steps);
    }
}

static void add_notes(const struct serve *serve, struct arena *arena, struct report *report)
{
    const struct serving_steps *steps = &serve->steps;
    char time[FORMAT_LEN];

    if (steps->are_inferred)
        report_after(report, "there are no labels of steps (looked for those of vLLM, SGLang, ATOM "
                             "and TensorRT-LLM): these steps and stages are inferred, each ends "
                             "with a copy to the host, and one with a graph is decode");
    else if (lacks_tokens(serve))
        report_after(report, "tokens that a label does not say are not known");
    if (!steps->are_inferred && lacks_sums(serve))
        report_after(report, "lengths of sequences are not in the labels: TraceLens' patches of "
                             "vLLM and SGLang, or ATOM_ENABLE_DETAILED_ANNOTATION, write them");
    if (has_few(serve))
        report_after(report, "of fewer than 20 steps p95 and p99 are the longest one");
    for (uint32_t i = 0; i < serve->stage_count; i++)
        if (serve->stages[i].recomputing)
            report_afterf(report, arena,
                          "%" PRIu32 " decode steps compute prompts again, of requests that were "
                          "put off: they are in no fit by tokens alone",
                          serve->stages[i].recomputing);
    say_delays(serve, arena, report);
    say_missed_graphs(serve, arena, report);
    if (serve->gaps.of_requests > 0)
        report_afterf(report, arena,
                      "%s of the idle time the server waited for requests: no fault of its own",
                      format_value(time, serve->gaps.of_requests, UNIT_NS));
    if (steps->before + steps->unlaunched > 0)
        report_afterf(report, arena,
                      "%s of device work is in no step: it was launched before the first one, or "
                      "before the recording",
                      format_value(time, checked_add(steps->before, steps->unlaunched), UNIT_NS));
    if (serve->has_stacks)
        report_after(report, "Python functions were recorded, which slows the host: time between "
                             "steps is shorter without");
    report_after(report, "requests' waiting, time to the first token and latency are not in a trace");
}

static void add_fields(const struct serve *serve, struct report *report)
{
    double seconds = (double)serve->span / 1e9;

    report_number(report, "steps", (int64_t)serve->steps.count - serve->dummies);
    report_number(report, "dummy_steps", serve->dummies);
    report_number(report, "are_inferred", serve->steps.are_inferred);
    report_number(report, "span", serve->span);
    report_number(report, "tokens", known(serve->tokens));
    report_number(report, "generated_low", known(serve->generated_low));
    report_number(report, "generated_high", known(serve->generated_high));
    report_real(report, "tokens_per_second",
                serve->tokens == UNKNOWN || !(seconds > 0) ? (double)NAN
                                                           : (double)serve->tokens / seconds);
    report_number(report, "idle_between", serve->gaps.total);
    report_number(report, "gaps", serve->gaps.count);
    report_number(report, "waited_for_requests", serve->gaps.of_requests);
    report_number(report, "device_time", serve->steps.device_time);
    report_number(report, "before_first_step", serve->steps.before);
    report_number(report, "launched_before_recording", serve->steps.unlaunched);
    report_number(report, "between_tokens_p50",
                  spread_figure(&serve->between_tokens, serve->between_tokens.p50));
    report_number(report, "between_tokens_p95",
                  spread_figure(&serve->between_tokens, serve->between_tokens.p95));
    report_number(report, "between_tokens_p99",
                  spread_figure(&serve->between_tokens, serve->between_tokens.p99));
    report_number(report, "between_tokens_max",
                  spread_figure(&serve->between_tokens, serve->between_tokens.most));
}

void serve_report(const struct serve *serve, struct arena *arena, struct report *report)
{
    const struct graph *graph = report->inputs[0].graph;
    struct table_context context = {.arena = arena, .graph = graph, .whole = serve->gaps.total};

    add_fields(serve, report);
    say_first(serve, graph, arena, report);
    say_tokens(serve, arena, report);
    say_between_tokens(serve, arena, report);
    add_stages(serve, &context, report);
    add_gap_owners(serve, &context, report);
    add_fits(serve, &context, report);
    add_steps(serve, &context, report);
    add_histogram(serve, &context, report);
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
                      .tokens = known(of->tokens), .p50 = spread_figure(&of->busy, of->busy.p50),
                      .p99 = spread_figure(&of->busy, of->busy.p99),
                      .period_p50 = spread_figure(&of->period, of->period.p50),
                      .period_p99 = spread_figure(&of->period, of->period.p99), .idle = of->gaps);
        }
    report_number(report, "ranks_read", count);
    report_table(report, table);
    report_after(report, "each rank's own view: batches differ between ranks by what was asked of "
                         "them, which is no fault");
}
