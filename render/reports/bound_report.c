/* SPDX-License-Identifier: Apache-2.0 */
#include "render/reports/reports.h"

#include "analysis/advice/bottleneck.h"
#include "base/checked.h"
#include "base/memory/memory.h"
#include "base/text/format.h"
#include "graph/model/graph.h"
#include "render/reports/report_columns.h"

/* clang-format off */
#define CHECK_COLUMNS                                                                              \
    {.key = "holds", .kind = CELL_FLAG, .use = COLUMN_ALL},                                        \
    TEXT_COLUMN("bound", "says"),                     \
    TEXT_COLUMN("what", "evidence"),                  \
    {.key = "part", .kind = CELL_COUNT, .use = COLUMN_MACHINES},                                   \
    {.key = "unit", .kind = CELL_TEXT, .use = COLUMN_MACHINES},                                    \
    {.key = "whole", .kind = CELL_VALUE, .use = COLUMN_MACHINES, .unit = UNIT_NS},                 \
    {.key = "value", .kind = CELL_RATIO, .use = COLUMN_MACHINES},                                  \
    {.key = "is_below", .kind = CELL_FLAG, .use = COLUMN_MACHINES},                                \
    {.key = "limit", .kind = CELL_RATIO, .use = COLUMN_MACHINES},                                  \
    {.key = "threshold", .kind = CELL_TEXT, .use = COLUMN_MACHINES},                               \
    {.key = "figures", .heading = "", .kind = CELL_TEXT, .use = COLUMN_PEOPLE},                    \
    {.key = "threshold", .kind = CELL_TEXT, .use = COLUMN_PEOPLE}
/* clang-format on */

#include <inttypes.h>
#include <math.h>

static void row_device(struct row_writer *row, int32_t device)
{
    row_number(row, device < 0 ? TABLE_NULL : device);
}

/* ---- devices: four numbers that add up ---- */

static const struct column device_columns[] = {
    COUNT_COLUMN("device", NULL),
    {.key = "start", .kind = CELL_VALUE, .use = COLUMN_MACHINES, .unit = UNIT_NS},
    TIME_COLUMN("time", NULL),
    {.key = "compute", .kind = CELL_VALUE, .use = COLUMN_MACHINES, .unit = UNIT_NS},
    {.key = "copy_only", .kind = CELL_VALUE, .use = COLUMN_MACHINES, .unit = UNIT_NS},
    {.key = "communication_only", .kind = CELL_VALUE, .use = COLUMN_MACHINES, .unit = UNIT_NS},
    {.key = "idle", .kind = CELL_VALUE, .use = COLUMN_MACHINES, .unit = UNIT_NS},
    SHARE_COLUMN("compute_share", "compute"),
    SHARE_COLUMN("copy_only_share", "copy only"),
    SHARE_COLUMN("communication_only_share", "communication only"),
    SHARE_COLUMN("idle_share", "idle"),
    TEXT_COLUMN("bound", "verdict"),
    {.key = "lost", .kind = CELL_SHARE, .use = COLUMN_ALL, .is_heat = true},
    TEXT_COLUMN("runner_up", "then"),
    SHARE_COLUMN("runner_up_lost", "lost"),
};

static void add_devices(const struct bottlenecks *found, struct arena *arena, struct report *report)
{
    struct table *table =
        table_new(arena, device_columns, COUNT_OF(device_columns), found->count, "devices", NULL);

    for (uint32_t i = 0; i < found->count; i++) {
        const struct device_bottleneck *device = &found->devices[i];
        struct row_writer row = table_row(table, i);
        bool has_second;

        row_device(&row, device->device);
        row_number(&row, device->start);
        row_number(&row, device->span);
        row_number(&row, device->compute);
        row_number(&row, device->copy_only);
        row_number(&row, device->communication_only);
        row_number(&row, device->idle);
        row_real(&row, share_of(device->compute, device->span));
        row_real(&row, share_of(device->copy_only, device->span));
        row_real(&row, share_of(device->communication_only, device->span));
        row_real(&row, share_of(device->idle, device->span));
        row_text(&row, span_of(bottleneck_name(device->verdict)));
        row_real(&row, share_of(device->verdict < HELD_BY_COMPUTE ? device->lost[device->verdict]
                                                                  : device->span - device->compute,
                                device->span));
        has_second = device->runner_up != HELD_BY_NOTHING;
        row_text(&row, has_second ? span_of(bottleneck_name(device->runner_up)) : NO_TEXT);
        row_real(&row, has_second ? share_of(device->lost[device->runner_up], device->span) : NAN);
    }
    report_table(report, table);
}

/* ---- checks: divisions and thresholds ---- */

static const struct column check_columns[] = {
    COUNT_COLUMN("device", NULL),
    CHECK_COLUMNS,
};

static void add_checks(const struct bottlenecks *found, const struct thresholds *thresholds,
                       struct arena *arena, struct report *report)
{
    struct table *table;
    uint32_t height = 0, at = 0;

    for (uint32_t i = 0; i < found->count; i++)
        height += found->devices[i].check_count;
    table = table_new(arena, check_columns, COUNT_OF(check_columns), height, "checks",
                      "What the verdict is made from");
    for (uint32_t i = 0; i < found->count; i++) {
        const struct device_bottleneck *device = &found->devices[i];

        for (uint32_t k = 0; k < device->check_count; k++) {
            struct row_writer row = table_row(table, at++);

            row_device(&row, device->device);
            row_check(&row, &device->checks[k], thresholds, arena);
        }
    }
    report_table(report, table);
}

/* ---- idle ---- */

static const struct column idle_columns[] = {
    COUNT_COLUMN("device", NULL),
    TEXT_COLUMN("cause", NULL),
    TIME_COLUMN("idle", NULL),
    {.key = "share",
     .heading = "of the time",
     .kind = CELL_SHARE,
     .use = COLUMN_ALL,
     .is_heat = true},
};

static void add_idle(const struct bottlenecks *found, struct arena *arena, struct report *report)
{
    struct table *table;
    uint32_t height = 0, at = 0;

    for (uint32_t i = 0; i < found->count; i++)
        for (int cause = 0; cause < IDLE_CLASS_COUNT; cause++)
            height += found->devices[i].idle_by[cause] > 0;
    if (height == 0)
        return;
    table = table_new(arena, idle_columns, COUNT_OF(idle_columns), height, "idle_causes",
                      "Why devices were idle");
    for (uint32_t i = 0; i < found->count; i++) {
        const struct device_bottleneck *device = &found->devices[i];

        for (int cause = 0; cause < IDLE_CLASS_COUNT; cause++) {
            struct row_writer row = table_row(table, at);

            if (device->idle_by[cause] == 0)
                continue;
            row_device(&row, device->device);
            row_text(&row, span_of(idle_class_name((enum idle_class)cause)));
            row_number(&row, device->idle_by[cause]);
            row_real(&row, share_of(device->idle_by[cause], device->span));
            at++;
        }
    }
    report_table(report, table);
}

/* ---- the process ---- */

static const struct column process_columns[] = {
    TIME_COLUMN("wall", NULL),       TIME_COLUMN("user", NULL),
    TIME_COLUMN("system", NULL),     TIME_COLUMN("cpu", NULL),
    COUNT_COLUMN("cpus", "CPUs"),    RATIO_COLUMN("busy_threads", "busy threads"),
    TEXT_COLUMN("bound", "verdict"),
};

static const struct column process_check_columns[] = {CHECK_COLUMNS};

static void add_process(const struct process_bottleneck *process, struct arena *arena,
                        struct report *report)
{
    struct table *table =
        table_new(arena, process_columns, COUNT_OF(process_columns), 1, "process", NULL);
    struct row_writer row = table_row(table, 0);

    row_figure(&row, process->use.wall);
    row_figure(&row, process->use.user);
    row_figure(&row, process->use.system);
    row_figure(&row, process->use.cpu);
    row_number(&row, process->cpus ? (int64_t)process->cpus : TABLE_NULL);
    row_real(&row,
             process->use.cpu == UNKNOWN ? NAN : share_of(process->use.cpu, process->use.wall));
    row_text(&row, span_of(bottleneck_name(process->verdict)));
    report_table(report, table);
}

static void add_process_checks(const struct process_bottleneck *process,
                               const struct thresholds *thresholds, struct arena *arena,
                               struct report *report)
{
    struct table *table = table_new(arena, process_check_columns, COUNT_OF(process_check_columns),
                                    process->check_count, "process_checks",
                                    "What the verdict is made from, in this order");

    for (uint32_t i = 0; i < process->check_count; i++) {
        struct row_writer row = table_row(table, i);

        row_check(&row, &process->checks[i], thresholds, arena);
    }
    report_table(report, table);
}

/* ---- all of it ---- */

/* How large the single reads and writes are, and whose. */
static void say_files(const struct process_use *use, struct arena *arena, struct report *report)
{
    char calls[FORMAT_LEN], bytes[FORMAT_LEN], time[FORMAT_LEN];

    if (use->file_time == UNKNOWN || use->file_calls <= 0)
        return;
    report_beforef(report, arena, "%s reads and writes of files, of %s on average, take %s%s%s",
                   format_value(calls, use->file_calls, UNIT_COUNT),
                   format_value(bytes, not_negative(use->file_bytes) / use->file_calls, UNIT_BYTES),
                   format_value(time, use->file_time, UNIT_NS),
                   use->file_place ? ", most of it in " : "",
                   use->file_place ? use->file_place : "");
}

/* What to do next; the commands that show more. */
static const char *advice(enum bottleneck verdict)
{
    static const char *const texts[] = {
        [HELD_BY_NOTHING] = "nothing can be said",
        [HELD_BY_INPUT] = "the device waits for data: more loader workers, pinned memory, "
                          "prefetching, cheaper decoding",
        [HELD_BY_LAUNCH] = "the host cannot launch fast enough: larger batches, fused kernels, "
                           "CUDA graphs, compilation",
        [HELD_BY_SYNC] = "the host waits for the device and lets its queue run empty: no .item(), "
                         ".cpu() or blocking copies in the loop",
        [HELD_BY_ALLOCATOR] = "allocating and freeing device memory holds the host up: keep "
                              "buffers, a caching allocator",
        [HELD_BY_DEPENDENCY] = "streams wait for one another: what they wait for stands in `ptk "
                               "overlap`",
        [HELD_BY_HOST] = "the device waits for work that the host does: `ptk hotspots --value "
                         "host` shows which, `ptk overlap` the gaps",
        [HELD_BY_COPY] = "copies are not hidden: pinned memory and non_blocking=True, fewer and "
                         "larger ones, data that stays on the device",
        [HELD_BY_COMMUNICATION] = "communication is not hidden: overlap it with the backward pass, "
                                  "fewer and larger messages, a smaller type",
        [HELD_BY_COMPUTE] = "the device has work: `ptk roofline` shows what each kernel could save",
        [HELD_BY_PAGING] = "memory is short, and pages are read back from disk: use less of it, or "
                           "give it more",
        [HELD_BY_IO] = "it waits for files, pipes or the network: larger reads and writes, "
                       "buffering, fewer round trips, asynchronous I/O, a faster disk",
        [HELD_BY_WAITING] =
            "it waits: for locks, the network, other processes, a GPU, or, where file "
            "I/O is not known below, files",
        [HELD_BY_EVENTS] =
            "it waits for events, as an event loop does: timers, the network, other processes",
        [HELD_BY_SYSTEM] = "the kernel works for it: page faults, memory that is allocated and "
                           "freed over and over, or many small system calls",
        [HELD_BY_LOCKS] =
            "no more than about one thread computes at a time, and locks take much of "
            "that: hold them shorter, split what they guard, use a copy for each thread",
        [HELD_BY_ONE_THREAD] =
            "about one thread computes at a time: `ptk hotspots` shows what. If there is one, use "
            "more; if there are several, they take turns: a profile of locks says where",
        [HELD_BY_FEW_THREADS] = "some CPUs have nothing to do: the serial part, locks, or too few "
                                "threads",
        [HELD_BY_CPU] = "it computes: `ptk hotspots` shows what",
    };

    return texts[verdict];
}

/* The host has most of the idle time for want of an owner that is on record. */
static bool is_unrecorded(const struct device_bottleneck *device)
{
    return device->verdict == HELD_BY_HOST && device->unrecorded > device->lost[HELD_BY_HOST] / 2;
}

/* What the host does is not always its own work. */
static const char *advice_of_device(const struct device_bottleneck *device)
{
    if (device->verdict != HELD_BY_HOST)
        return advice(device->verdict);
    if (device->idle_by[IDLE_OF_SETUP] > device->lost[HELD_BY_HOST] / 2)
        return "calls of the runtime load code, make a context or tune: warm up first, and leave "
               "that "
               "out (--step, --begin)";
    return advice(HELD_BY_HOST);
}

static const char *profiling_text(const struct bottlenecks *found, struct arena *arena)
{
    char time[FORMAT_LEN];
    int64_t most = 0;

    for (uint32_t i = 0; i < found->count; i++)
        most = found->devices[i].profiling > most ? found->devices[i].profiling : most;
    return most ? arena_printf(arena, ", without %s of the profiler's own calls",
                               format_value(time, most, UNIT_NS))
                : "";
}

static const char *window_text(const struct bottlenecks *found, struct arena *arena)
{
    const char *without = profiling_text(found, arena);

    switch (found->window) {
    case WINDOW_STEPS:
        return arena_printf(arena, "over %" PRIu32 " training step%s%s", found->steps,
                            found->steps == 1 ? "" : "s", without);
    case WINDOW_DEVICE:
        return arena_printf(arena, "from the first to the last work of each device%s", without);
    default:
        return arena_printf(arena, "over the whole run%s", without);
    }
}

/* " 0"; "" when the file has none. */
static const char *number(const struct device_bottleneck *device, struct arena *arena)
{
    return device->device < 0 ? "" : arena_printf(arena, " %" PRId32, device->device);
}

static const char *runner_up(const struct device_bottleneck *device, struct arena *arena)
{
    int64_t lost = device->lost[device->verdict], next = device->lost[device->runner_up];
    char first[FORMAT_LEN], second[FORMAT_LEN];

    return arena_printf(arena, "lost to %s: %s (%.1f%% of the time); runner-up: %s, %s (%.1f%%)",
                        is_unrecorded(device) ? "that and other work of the host" : "that",
                        format_value(first, lost, UNIT_NS), 100 * share_of(lost, device->span),
                        bottleneck_name(device->runner_up), format_value(second, next, UNIT_NS),
                        100 * share_of(next, device->span));
}

static const char record_more[] =
    "record more of the host, from before the device's first work on, all threads, Python's "
    "functions";

enum { DEVICES_SAID = 8 };

/* " 3", or "s 0, 1, 2 and 14 more", of what follows "device": those for which `holds` says so. None:
 * NULL. */
static const char *numbers(const struct bottlenecks *found,
                           bool (*holds)(const struct device_bottleneck *device, int verdict),
                           int verdict, struct arena *arena)
{
    uint32_t list[DEVICES_SAID], said = 0, count = 0;

    for (uint32_t i = 0; i < found->count; i++) {
        if (!holds(&found->devices[i], verdict))
            continue;
        if (count++ < DEVICES_SAID)
            list[said++] = (uint32_t)found->devices[i].device;
    }
    if (count == 1)
        return number(&(struct device_bottleneck){.device = (int32_t)list[0]}, arena);
    return count ? job_ranks_text(list, said, count, arena) : NULL;
}

static bool has_verdict(const struct device_bottleneck *device, int verdict)
{
    return (int)device->verdict == verdict;
}

static bool is_told_why(const struct device_bottleneck *device, int verdict)
{
    return has_verdict(device, verdict) && !is_unrecorded(device);
}

static bool is_not_told_why(const struct device_bottleneck *device, int verdict)
{
    return has_verdict(device, verdict) && is_unrecorded(device);
}

/* Many devices share a line for each verdict. */
static void add_headlines_of_many(const struct bottlenecks *found, struct arena *arena,
                                  struct report *report)
{
    for (int verdict = HELD_BY_NOTHING; verdict <= HELD_BY_COMPUTE; verdict++) {
        const char *devices = numbers(found, is_told_why, verdict, arena);

        if (devices)
            report_beforef(report, arena, "device%s: %s %s: %s", devices,
                           bottleneck_name((enum bottleneck)verdict), window_text(found, arena),
                           advice((enum bottleneck)verdict));
    }
    if (numbers(found, is_not_told_why, HELD_BY_HOST, arena))
        report_beforef(report, arena, "device%s: idle %s, and nothing on record says why: %s",
                       numbers(found, is_not_told_why, HELD_BY_HOST, arena),
                       window_text(found, arena), record_more);
}

static void add_headlines(const struct bottlenecks *found, struct arena *arena,
                          struct report *report)
{
    if (found->count > DEVICES_SAID) {
        add_headlines_of_many(found, arena, report);
        return;
    }
    for (uint32_t i = 0; i < found->count; i++) {
        const struct device_bottleneck *device = &found->devices[i];

        if (is_unrecorded(device))
            report_beforef(
                report, arena,
                "device%s was idle for %.1f%% of the time %s, and nothing on record says why: %s",
                number(device, arena), 100 * share_of(device->unrecorded, device->span),
                window_text(found, arena), record_more);
        else
            report_beforef(report, arena, "device%s is %s %s: %s", number(device, arena),
                           bottleneck_name(device->verdict), window_text(found, arena),
                           advice_of_device(device));
        if (device->verdict < HELD_BY_COMPUTE && device->runner_up != HELD_BY_NOTHING)
            report_before(report, runner_up(device, arena));
    }
}

/* Why a verdict on the CPU needs a grain of salt. */
static void add_caveats(const struct process_bottleneck *process, struct report *report)
{
    if (process->use.cpu == UNKNOWN) {
        if (process->use.file_time != UNKNOWN || process->use.socket_time != UNKNOWN ||
            process->use.contention != UNKNOWN)
            return;
        report_after(report, "told from the names of functions: the profile has no CPU time; "
                             "/usr/bin/time -v has, and --time FILE reads what it writes");
        if (process->may_lack_waits)
            report_after(report, "none of the samples waits: samplers may leave out threads that "
                                 "do (py-spy without --idle)");
        return;
    }
    if (process->verdict >= HELD_BY_ONE_THREAD)
        report_after(report, "waiting for DRAM counts as user time: code that memory bandwidth "
                             "holds up looks the same here, and only hardware counters tell");
    if (process->cpus == 0 && process->verdict >= HELD_BY_SYSTEM)
        report_after(report, "how many CPUs it may use is not known: --cpus N says so");
}

/* ---- what is no work of the program ---- */

static const struct column cost_columns[] = {
    TEXT_COLUMN("class", "what"),
    {.key = "time", .kind = CELL_VALUE, .use = COLUMN_ALL},
    {.key = "share", .heading = "%", .kind = CELL_SHARE, .use = COLUMN_ALL, .is_heat = true},
    TEXT_COLUMN("function", "most of it"),
    TEXT_COLUMN("caller", "called by"),
};

static bool costs_more(const void *context, uint32_t a, uint32_t b)
{
    const struct cost_share *of = context;

    return of[a].time > of[b].time;
}

/* What the work is, and how concentrated. */
static void say_costs(const struct cost_shares *costs, const uint32_t *order, uint32_t count,
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
        report_beforef(report, arena, "what is not the program's own work: %s", classes);
    if (!costs->top)
        return;
    top = frame_label(graph, costs->top, arena);
    if (costs->top_caller)
        caller = frame_label(graph, costs->top_caller, arena);
    report_text(report, "top_function", top);
    report_real(report, "top_share", share_of(costs->top_self, costs->work));
    report_number(report, "half_functions", costs->half);
    format_share(share, share_of(costs->top_self, costs->work));
    report_beforef(report, arena,
                   "%s of the %s is %.*s itself%s%.*s; half of the %s is in %" PRIu32 " of %" PRIu32
                   " function%s",
                   share, noun, (int)top.len, top.at, caller.len ? ", called by " : "",
                   (int)caller.len, caller.at, noun, costs->half, costs->functions,
                   costs->functions == 1 ? "" : "s");
}

void bound_report_alone(const struct graph *graph, struct report *report)
{
    if (graph_unit(graph) == UNIT_BYTES)
        report_before(report, "only memory is on record: nothing tells what holds the run up");
    else if (graph_value_time(graph) == VALUE_WAIT_TIME)
        report_before(report, "only waits are on record, not the time that they are part of");
    else
        report_before(report, "only work is on record, not how long the process waited: --time "
                              "FILE, which /usr/bin/time -v writes, says whether it did");
}

void bound_report_costs(const struct cost_shares *costs, const struct graph *graph,
                        struct arena *arena, struct report *report)
{
    uint32_t order[COST_CLASS_COUNT], count = 0;
    struct table *table;

    for (uint32_t class = COST_NONE + 1; class < COST_CLASS_COUNT; class ++)
        if (costs->of[class].time > 0 && graph_unit(graph) != UNIT_BYTES &&
            graph_value_time(graph) != VALUE_WAIT_TIME) /* where they say nothing */
            order[count++] = class;
    sort_stable(order, count, costs_more, costs->of);
    say_costs(costs, order, count, graph, arena, report);
    if (count == 0)
        return;
    table = table_new(
        arena, columns_in_unit(arena, cost_columns, COUNT_OF(cost_columns), graph_unit(graph)),
        COUNT_OF(cost_columns), count, "costs", "What is no work of the program");
    for (uint32_t i = 0; i < count; i++) {
        const struct cost_share *share = &costs->of[order[i]];
        struct row_writer row = table_row(table, i);

        row_text(&row, span_of(cost_class_name(share->class)));
        row_number(&row, share->time);
        row_real(&row, share_of(share->time, costs->whole));
        row_text(&row, share->worst ? frame_label(graph, share->worst, arena) : NO_TEXT);
        row_text(&row, share->caller ? frame_label(graph, share->caller, arena) : NO_TEXT);
    }
    report_table(report, table);
}

void bound_report_process(const struct process_bottleneck *process, const struct graph *graph,
                          const struct thresholds *thresholds, struct arena *arena,
                          struct report *report)
{
    const struct process_use *use = &process->use;
    char cpu[FORMAT_LEN], wall[FORMAT_LEN];

    report_beforef(report, arena, "the process is %s: %s", bottleneck_name(process->verdict),
                   advice(process->verdict));
    if (process->waiter) {
        struct span in = frame_label(graph, process->waiter, arena), for_ = {0};

        if (process->caller)
            for_ = frame_label(graph, process->caller, arena);
        report_beforef(report, arena, "it waits most in %.*s%s%.*s", (int)in.len, in.at,
                       for_.len ? ", called by " : "", (int)for_.len, for_.at);
    }
    say_files(use, arena, report);
    if (use->cpu != UNKNOWN && use->wall != UNKNOWN)
        report_beforef(report, arena, "%s of CPU time in %s", format_value(cpu, use->cpu, UNIT_NS),
                       format_value(wall, use->wall, UNIT_NS));
    add_process(process, arena, report);
    add_process_checks(process, thresholds, arena, report);
    add_caveats(process, report);
}

/* A recording that begins long before the device's work, or ends long after it, hides the rest. */
static bool is_idle_outside(const struct device_bottleneck *device, int verdict)
{
    return has_verdict(device, verdict) && device->outside > device->idle / 2;
}

static void add_outside(const struct bottlenecks *found, struct arena *arena, struct report *report)
{
    const char *devices = found->window == WINDOW_DEVICE
                              ? NULL
                              : numbers(found, is_idle_outside, HELD_BY_HOST, arena);

    if (devices)
        report_afterf(report, arena,
                      "device%s %s idle mostly before %s first work or after %s last: "
                      "--over device leaves that out",
                      devices, *devices == 's' ? "were" : "was", *devices == 's' ? "their" : "its",
                      *devices == 's' ? "their" : "its");
}

void bound_report(const struct bottlenecks *found, const struct thresholds *thresholds,
                  struct arena *arena, struct report *report)
{
    static const char *const windows[] = {"auto", "steps", "run", "device"};

    report_text(report, "stretch", span_of(windows[found->window]));
    report_number(report, "steps", found->steps);
    add_headlines(found, arena, report);
    add_devices(found, arena, report);
    add_checks(found, thresholds, arena, report);
    add_idle(found, arena, report);
    add_outside(found, arena, report);
}
