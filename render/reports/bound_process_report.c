/* SPDX-License-Identifier: Apache-2.0 */
/* bound_process_report.c — what holds a process up, and what of its work is not its own */
#include "render/reports/reports.h"

#include <inttypes.h>

#include "analysis/advice/bottleneck.h"
#include "base/checked.h"
#include "base/memory/memory.h"
#include "base/text/format.h"
#include "graph/model/graph.h"
#include "graph/names/names.h"
#include "render/reports/report_columns.h"

#include <math.h>

/* ---- the process ---- */

static void add_process(const struct process_bottleneck *process,
                        const struct table_context *context, struct report *report)
{
    typedef struct {
        struct process_use use;
        int64_t cpus;
        double busy_threads;
        const char *verdict;
    } row;
    static const struct column columns[] = {
        TIME_AT("wall", use.wall),
        TIME_AT("user", use.user),
        TIME_AT("system", use.system),
        TIME_AT("cpu", use.cpu),
        COUNT_AT("cpus", cpus, .heading = "CPUs"),
        RATIO_AT("busy_threads", busy_threads, .heading = "busy threads"),
        TEXT_AT("bound", verdict, .heading = "verdict"),
    };
    const struct process_use *use = &process->use;
    struct table *table = TABLE_BEGIN(context, columns, 1, "process", NULL);

    TABLE_ADD(table, *use, process->cpus ? (int64_t)process->cpus : TABLE_NULL,
              use->cpu == UNKNOWN ? NAN : share_of(use->cpu, use->wall),
              bottleneck_name(process->verdict));
    report_table(report, table);
}

static void add_process_checks(const struct process_bottleneck *process,
                               const struct thresholds *thresholds,
                               const struct table_context *context, struct report *report)
{
    typedef struct {
        struct check_row check;
    } row;
    static const struct column columns[] = {CHECK_AT(check)};
    struct table *table = TABLE_BEGIN(context, columns, process->check_count, "process_checks",
                                      "What the verdict is made from, in this order");

    for (uint32_t i = 0; i < process->check_count; i++)
        TABLE_ADD(table, check_row(&process->checks[i], thresholds, context->arena));
    table->text = ""; /* the verdict's block has those that hold */
    report_table(report, table);
}

/* How large the single reads and writes are, and whose. */
static void write_files(const struct process_use *use, struct arena *arena, struct report *report)
{
    char calls[FORMAT_LEN], bytes[FORMAT_LEN], time[FORMAT_LEN];

    if (use->file_time == UNKNOWN || use->file_calls <= 0)
        return;
    report_beforef(report, arena, "Its %s reads and writes of files, of %s on average, take %s%s%s.",
                   format_value(calls, use->file_calls, UNIT_COUNT),
                   format_value(bytes, not_negative(use->file_bytes) / use->file_calls, UNIT_BYTES),
                   format_value(time, use->file_time, UNIT_NS),
                   use->file_place ? ", most of it in " : "",
                   use->file_place ? use->file_place : "");
}

/* Why a verdict on the CPU needs a grain of salt. */
static void add_caveats(const struct process_bottleneck *process, struct report *report)
{
    if (process->use.cpu == UNKNOWN) {
        if (process->use.file_time != UNKNOWN || process->use.socket_time != UNKNOWN ||
            process->use.contention != UNKNOWN)
            return;
        report_after(report, "Classified by function name, because this profile has no CPU time. "
                             "Record it with /usr/bin/time -v, and name its output with --time FILE.");
        if (process->may_lack_waits)
            report_after(report, "No sample waits. Samplers may leave out threads that wait (py-spy without "
                                 "--idle).");
        return;
    }
    if (process->verdict >= HELD_BY_ONE_THREAD)
        report_after(report, "Waiting for DRAM counts as user time. Hardware counters show whether memory "
                             "bandwidth limits the code.");
    if (process->cpus == 0 && process->verdict >= HELD_BY_SYSTEM)
        report_after(report, "The number of CPUs is not known. Set it with --cpus N.");
}

void bound_report_process(const struct process_bottleneck *process, const struct graph *graph,
                          const struct thresholds *thresholds, struct arena *arena,
                          struct report *report)
{
    struct table_context context = {.arena = arena};
    const struct process_use *use = &process->use;
    char cpu[FORMAT_LEN], wall[FORMAT_LEN];

    report_beforef(report, arena, "The process is %s: %s.", bottleneck_name(process->verdict),
                   bound_why(process->verdict));
    if (process->waiter) {
        struct span in = graph_short_name(graph, process->waiter), for_ = {0};

        if (process->caller)
            for_ = graph_short_name(graph, process->caller);
        report_beforef(report, arena, "It waits most in %.*s%s%.*s.", (int)in.len, in.at,
                       for_.len ? ", called by " : "", (int)for_.len, for_.at);
    }
    write_files(use, arena, report);
    if (use->cpu != UNKNOWN && use->wall != UNKNOWN)
        report_beforef(report, arena, "It used %s of CPU time in %s.", format_value(cpu, use->cpu, UNIT_NS),
                       format_value(wall, use->wall, UNIT_NS));
    add_process(process, &context, report);
    bound_verdict_of_process(process, thresholds, arena, report);
    add_process_checks(process, thresholds, &context, report);
    add_caveats(process, report);
}

/* ---- overhead: time outside the program's own code ---- */

void bound_report_alone(const struct graph *graph, struct report *report)
{
    if (graph_unit(graph) == UNIT_BYTES)
        report_before(report, "This profile contains only memory, so no time can be explained.");
    else if (graph_value_time(graph) == VALUE_WAIT_TIME)
        report_before(report, "This profile contains only waits, not the time that they are part of.");
    else
        report_before(report, "This profile has no waiting time. Record it with /usr/bin/time -v, and name its "
                              "output with --time FILE.");
}

static bool costs_more(const void *context, uint32_t a, uint32_t b)
{
    const struct cost_share *of = context;

    return of[a].time > of[b].time;
}

/* What the work is, and how concentrated. */
static void write_costs(const struct cost_shares *costs, const uint32_t *order, uint32_t count,
                        const struct graph *graph, struct arena *arena, struct report *report)
{
    const double worth_saying = 0.05;
    bool is_memory = graph_unit(graph) == UNIT_BYTES;
    const char *noun = is_memory                                    ? "memory"
                       : graph_value_time(graph) == VALUE_WAIT_TIME ? "waiting"
                                                                    : "work";
    struct span top, caller = {0};
    const char *classes = "";
    char share[FORMAT_LEN];

    for (uint32_t i = 0; i < count && i < 3; i++) {
        double part = share_of(costs->of[order[i]].time, costs->whole);

        if (part < worth_saying)
            break;
        format_share(share, part);
        classes = arena_printf(arena, "%s%s%s %s", classes, i ? ", " : "",
                               cost_class_name(costs->of[order[i]].class), share);
    }
    if (*classes)
        report_beforef(report, arena, "Overhead outside your own code: %s.", classes);
    if (!costs->top)
        return;
    top = graph_short_name(graph, costs->top);
    if (costs->top_caller)
        caller = graph_short_name(graph, costs->top_caller);
    report_text(report, "top_function", frame_label(graph, costs->top, arena));
    report_real(report, "top_share", share_of(costs->top_self, costs->work));
    report_number(report, "half_functions", costs->half);
    format_share(share, share_of(costs->top_self, costs->work));
    report_beforef(report, arena,
                   "%s of the %s is %.*s itself%s%.*s. Half of the %s is in %" PRIu32 " of %" PRIu32
                   " function%s.",
                   share, noun, (int)top.len, top.at, caller.len ? ", called by " : "",
                   (int)caller.len, caller.at, noun, costs->half, costs->functions,
                   costs->functions == 1 ? "" : "s");
}

/* "sync.(*Mutex).Lock, called by main.add" */
static struct span worst_shown(const struct graph *graph, const struct cost_share *of, struct arena *arena)
{
    struct span worst = of->worst ? graph_short_name(graph, of->worst) : NO_TEXT, caller;

    if (!of->caller)
        return worst;
    caller = graph_short_name(graph, of->caller);
    return span_of(arena_printf(arena, "%.*s, called by %.*s", (int)worst.len, worst.at, (int)caller.len, caller.at));
}

void bound_report_costs(const struct cost_shares *costs, const struct graph *graph,
                        struct arena *arena, struct report *report)
{
    typedef struct {
        struct cost_share of;
        const char *class;
        struct span function, caller, function_shown;
    } row;
    static const struct column columns[] = {
        TEXT_AT("class", class, .heading = "what"),
        VALUE_AT("time", of.time),
        SHARE_OF_WHOLE("share", of.time, .heading = "%", .is_heat = true),
        TEXT_AT("function", function, FOR_MACHINES),
        TEXT_AT("caller", caller, FOR_MACHINES),
        TEXT_AT("most of it", function_shown, FOR_PEOPLE),
    };
    struct table_context context = graph_context(graph, arena);
    uint32_t order[COST_CLASS_COUNT], count = 0;
    struct table *table;

    context.whole = costs->whole;
    for (uint32_t class = COST_NONE + 1; class < COST_CLASS_COUNT; class ++)
        if (costs->of[class].time > 0 && graph_unit(graph) != UNIT_BYTES &&
            graph_value_time(graph) != VALUE_WAIT_TIME) /* where they say nothing */
            order[count++] = class;
    sort_stable(order, count, costs_more, costs->of);
    write_costs(costs, order, count, graph, arena, report);
    if (count == 0)
        return;
    table = TABLE_BEGIN(&context, columns, count, "costs", "Overhead: time outside your own code");
    for (uint32_t i = 0; i < count; i++) {
        const struct cost_share *of = &costs->of[order[i]];

        TABLE_ADD(table, *of, cost_class_name(of->class),
                  of->worst ? frame_label(graph, of->worst, arena) : NO_TEXT,
                  of->caller ? frame_label(graph, of->caller, arena) : NO_TEXT,
                  worst_shown(graph, of, arena));
    }
    report_table(report, table);
}
