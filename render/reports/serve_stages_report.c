/* SPDX-License-Identifier: Apache-2.0 */
/* serve_stages_report.c — the stages of serving: what a step of each takes, at least, and what holds it up */
#include "render/reports/serve_parts.h"

#include <inttypes.h>
#include <math.h>

#include "base/text/format.h"
#include "render/reports/report_columns.h"
#include "render/reports/reports.h"

enum { DELAY_LEAST = 3 };

static double per_token(int64_t time, int64_t tokens)
{
    return tokens != UNKNOWN && tokens > 0 ? (double)time / (double)tokens : (double)NAN;
}

const char *serve_over_bound(const struct serve_stage *stage, struct arena *arena)
{
    double p50 = (double)stage->busy.p50, low, high;

    if (stage->bound_high == UNKNOWN || stage->bound_low <= 0 || !stage->busy.count)
        return NULL;
    low = p50 / (double)stage->bound_high;
    high = p50 / (double)stage->bound_low;
    return high - low < 0.05 * low ? arena_printf(arena, "%.3gx", low)
                                   : arena_printf(arena, "%.3g-%.3gx", low, high);
}

double serve_idle_share(const struct serve_stage *stage)
{
    return stage->period.sum > 0 ? fmin(1, (double)stage->gaps / (double)stage->period.sum) : 0;
}

void serve_stage_table(const struct serve *serve, const struct table_context *context,
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
        TEXT_AT("stage", name, .is_whole = true),
        COUNT_AT("steps", steps, .yields = 1),
        COUNT_AT("prompts", prompts, FOR_MACHINES),
        COUNT_AT("generations", generations, FOR_MACHINES),
        COUNT_AT("tokens", tokens, .yields = 4),
        TIME_AT("busy_p50", p50, .heading = "device p50"),
        TIME_AT("busy_p95", p95, .heading = "p95", .yields = 6),
        TIME_AT("busy_p99", p99, .heading = "p99", .yields = 2),
        TIME_AT("busy_min", least, FOR_MACHINES),
        TIME_AT("busy_max", most, FOR_MACHINES),
        TIME_AT("busy_sum", sum, FOR_MACHINES),
        RATIO_AT("busy_mean", mean, FOR_MACHINES),
        COUNT_AT("periods", periods, FOR_MACHINES),
        TIME_AT("period_p50", period_p50, .heading = "every p50"),
        TIME_AT("period_p95", period_p95, FOR_MACHINES),
        TIME_AT("period_p99", period_p99, .heading = "p99", .yields = 3),
        TIME_AT("period_sum", period_sum, FOR_MACHINES),
        RATIO_AT("ns_per_token", per_token, FOR_MACHINES),
        RATIO_AT("period_ns_per_token", period_per_token, FOR_MACHINES),
        RATIO_AT("us/token", us_per_token, FOR_PEOPLE, .yields = 7),
        SHARE_AT("idle", idle, .heading = "idle after", .is_heat = true),
        TIME_AT("host", host, FOR_MACHINES),
        TIME_AT("gaps", gaps, FOR_MACHINES),
        COUNT_AT("graph_steps", graph_steps, FOR_MACHINES),
        COUNT_AT("requests_of_padded", real, FOR_MACHINES),
        COUNT_AT("padded", padded, FOR_MACHINES),
        SHARE_AT("padding", padding, .yields = 5),
        TIME_AT("bound_low", bound_low, FOR_MACHINES),
        TIME_AT("bound_high", bound_high, FOR_MACHINES),
        SHARE_AT("work_known", known, FOR_MACHINES),
        TEXT_AT("over_bound", over, .heading = "over bound", .is_whole = true),
        TEXT_AT("limited_by", limit, .heading = "limited by", .is_whole = true),
    };
    struct table *table = TABLE_BEGIN(context, columns, serve->stage_count, "stages", NULL);

    for (uint32_t i = 0; i < serve->stage_count; i++) {
        const struct serve_stage *of = &serve->stages[i];
        const struct serve_spread *busy = &of->busy, *period = &of->period;

        TABLE_ADD(
            table, .name = of->name, .steps = of->steps, .periods = period->count,
            .prompts = known_figure(of->prompts), .generations = known_figure(of->generations),
            .tokens = known_figure(of->tokens), .least = spread_figure(busy, busy->least),
            .p50 = spread_figure(busy, busy->p50), .p95 = spread_figure(busy, busy->p95),
            .p99 = spread_figure(busy, busy->p99), .most = spread_figure(busy, busy->most),
            .sum = spread_figure(busy, busy->sum), .period_p50 = spread_figure(period, period->p50),
            .period_p95 = spread_figure(period, period->p95),
            .period_p99 = spread_figure(period, period->p99),
            .period_sum = spread_figure(period, period->sum), .host = of->host, .gaps = of->gaps,
            .graph_steps = of->graph_steps, .real = of->padded ? of->real : TABLE_NULL,
            .padded = of->padded ? of->padded : TABLE_NULL,
            .bound_low = known_figure(of->bound_low), .bound_high = known_figure(of->bound_high),
            .mean = busy->count ? (double)busy->sum / busy->count : (double)NAN,
            .per_token = per_token(busy->sum, of->tokens),
            .period_per_token =
                period->count == of->steps ? per_token(period->sum, of->tokens) : (double)NAN,
            .us_per_token = per_token(busy->sum, of->tokens) / 1e3,
            .padding = of->padded ? 1 - (double)of->real / (double)of->padded : (double)NAN,
            .idle = period->sum > 0 && of->stage != STAGE_DUMMY
                        ? fmin(1, (double)of->gaps / (double)period->sum)
                        : (double)NAN,
            .known = of->known, .over = serve_over_bound(of, context->arena),
            .limit = serve_limit_name(serve_limit_of(serve, of)));
    }
    report_table(report, table);
}

/* ---- what is said of them ---- */

/* Steps with prompts stand between the tokens of requests that generate. */
static void say_delays(const struct serve *serve, struct arena *arena, struct report *report)
{
    const struct serve_spread *between = &serve->between_tokens, *busy = &serve->busy_between;
    uint32_t steps = 0;

    for (uint32_t i = 0; i < serve->stage_count; i++)
        if (serve->stages[i].stage == STAGE_PREFILL || serve->stages[i].stage == STAGE_MIXED)
            steps += serve->stages[i].steps;
    if (steps && between->count && busy->p99 >= DELAY_LEAST * between->p50)
        report_afterf(report, arena,
                      "prompts delay tokens: %" PRIu32
                      " steps have prompts, and p99 between tokens, without idle time, "
                      "is %.3g times the median; smaller chunks of prompts even it out",
                      steps, (double)busy->p99 / (double)between->p50);
}

/* Decode mostly launches graphs: steps that do not have a batch that was not captured. */
static void say_missed_graphs(const struct serve *serve, struct arena *arena, struct report *report)
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

void serve_stage_notes(const struct serve *serve, struct arena *arena, struct report *report)
{
    say_delays(serve, arena, report);
    say_missed_graphs(serve, arena, report);
}

/* ---- for those who ask what holds a run up ---- */

/* What limits a stage's steps, and what helps. */
static const char *limit_text(const struct serve_stage *stage, enum serve_limit limit,
                              struct arena *arena)
{
    char share[FORMAT_LEN];
    double within =
        stage->device_span > 0 ? 1 - (double)stage->busy.sum / (double)stage->device_span : 0;

    switch (limit) {
    case SERVE_BY_HOST:
        return arena_printf(arena,
                            "the device is idle %s of the time, between steps: asynchronous "
                            "scheduling hides the host's work",
                            format_share(share, serve_idle_share(stage)));
    case SERVE_BY_REQUESTS:
        return "the server waits for requests: no fault of its own";
    case SERVE_BY_LAUNCHES:
        return arena_printf(arena,
                            "the device is idle %s of a step, between kernels: CUDA or HIP "
                            "graphs launch them at once",
                            format_share(share, within));
    case SERVE_BY_BOUND:
        return "kernels are near what memory and peaks allow: larger batches share the weights";
    case SERVE_BY_KERNELS:
        break;
    }
    return "the kernels themselves: ptk roofline shows how far each is from its roof";
}

void serve_limits_report(const struct serve *serve, struct arena *arena, struct report *report)
{
    typedef struct {
        struct span name;
        uint32_t steps;
        int64_t p50, bound_low, bound_high;
        double idle;
        const char *over, *limit, *text;
    } row;
    static const struct column columns[] = {
        TEXT_AT("stage", name, .is_whole = true),
        COUNT_AT("steps", steps),
        TIME_AT("busy_p50", p50, .heading = "device p50"),
        SHARE_AT("idle", idle, .heading = "idle after", .is_heat = true),
        TIME_AT("bound_low", bound_low, FOR_MACHINES),
        TIME_AT("bound_high", bound_high, FOR_MACHINES),
        TEXT_AT("over_bound", over, .heading = "over bound", .is_whole = true),
        TEXT_AT("limited_by", limit, .heading = "limited by", .is_whole = true),
        TEXT_AT("because", text, .is_prose = true),
    };
    struct table *table =
        TABLE_BEGIN(&(struct table_context){.arena = arena}, columns, serve->stage_count, "stages",
                    "Steps of serving: what limits each stage (ptk serve has more)");

    for (uint32_t i = 0; i < serve->stage_count; i++) {
        const struct serve_stage *of = &serve->stages[i];
        enum serve_limit limit = serve_limit_of(serve, of);

        if (of->stage != STAGE_DUMMY)
            TABLE_ADD(table, .name = of->name, .steps = of->steps,
                      .p50 = spread_figure(&of->busy, of->busy.p50),
                      .idle = of->period.count ? serve_idle_share(of) : (double)NAN,
                      .bound_low = known_figure(of->bound_low),
                      .bound_high = known_figure(of->bound_high),
                      .over = serve_over_bound(of, arena), .limit = serve_limit_name(limit),
                      .text = limit_text(of, limit, arena));
    }
    report_table(report, table);
    serve_stage_notes(serve, arena, report);
}
