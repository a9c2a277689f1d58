/* SPDX-License-Identifier: Apache-2.0 */
/* What holds devices up: their time in four numbers, the checks, why they were idle. */
#include "render/reports/reports.h"

#include <inttypes.h>
#include <math.h>

#include "analysis/advice/bottleneck.h"
#include "base/checked.h"
#include "base/memory/memory.h"
#include "base/text/format.h"
#include "graph/model/graph.h"
#include "render/reports/report_columns.h"

/* ---- devices: four numbers that add up ---- */

static void add_devices(const struct bottlenecks *found, const struct table_context *context,
                        struct report *report)
{
    typedef struct {
        struct device_bottleneck of;
        const char *verdict, *runner_up;
        double lost, runner_up_lost;
    } row;
    static const struct column columns[] = {
        INDEX_AT("device", of.device),
        TIME_AT("start", of.start, FOR_MACHINES),
        TIME_AT("time", of.span),
        TIME_AT("compute", of.compute, FOR_MACHINES),
        TIME_AT("copy_only", of.copy_only, FOR_MACHINES),
        TIME_AT("communication_only", of.communication_only, FOR_MACHINES),
        TIME_AT("idle", of.idle, FOR_MACHINES),
        SHARE_OF("compute_share", of.compute, of.span, .heading = "compute"),
        SHARE_OF("copy_only_share", of.copy_only, of.span, .heading = "copy only"),
        SHARE_OF("communication_only_share", of.communication_only, of.span,
                 .heading = "communication only"),
        SHARE_OF("idle_share", of.idle, of.span, .heading = "idle"),
        TEXT_AT("bound", verdict, .heading = "verdict"),
        SHARE_AT("lost", lost, .is_heat = true),
        TEXT_AT("runner_up", runner_up, .heading = "then"),
        SHARE_AT("runner_up_lost", runner_up_lost, .heading = "lost"),
    };
    struct table *table = TABLE_BEGIN(context, columns, found->count, "devices", NULL);

    for (uint32_t i = 0; i < found->count; i++) {
        const struct device_bottleneck *of = &found->devices[i];
        bool has_second = of->runner_up != HELD_BY_NOTHING;
        int64_t lost =
            of->verdict < HELD_BY_COMPUTE ? of->lost[of->verdict] : of->span - of->compute;

        TABLE_ADD(table, .of = *of, .verdict = bottleneck_name(of->verdict),
                  .runner_up = has_second ? bottleneck_name(of->runner_up) : NULL,
                  .lost = share_of(lost, of->span),
                  .runner_up_lost = has_second ? share_of(of->lost[of->runner_up], of->span) : NAN);
    }
    report_table(report, table);
}

/* ---- checks: divisions and thresholds ---- */

static void add_checks(const struct bottlenecks *found, const struct thresholds *thresholds,
                       const struct table_context *context, struct report *report)
{
    typedef struct {
        int32_t device;
        struct check_row check;
    } row;
    static const struct column columns[] = {INDEX_AT("device", device), CHECK_AT(check)};
    struct table *table = TABLE_BEGIN(context, columns, found->count * CHECKS_MAX, "checks",
                                      "What the verdict is made from");

    for (uint32_t i = 0; i < found->count; i++)
        for (uint32_t k = 0; k < found->devices[i].check_count; k++)
            TABLE_ADD(table, found->devices[i].device,
                      check_row(&found->devices[i].checks[k], thresholds, context->arena));
    report_table(report, table);
}

/* ---- idle ---- */

static void add_idle(const struct bottlenecks *found, const struct table_context *context,
                     struct report *report)
{
    typedef struct {
        int32_t device;
        const char *cause;
        int64_t idle, span;
    } row;
    static const struct column columns[] = {
        INDEX_AT("device", device),
        TEXT_AT("cause", cause),
        TIME_AT("idle", idle),
        SHARE_OF("share", idle, span, .heading = "of the time", .is_heat = true),
    };
    struct table *table = TABLE_BEGIN(context, columns, found->count * IDLE_CLASS_COUNT,
                                      "idle_causes", "Why devices were idle");

    for (uint32_t i = 0; i < found->count; i++) {
        const struct device_bottleneck *device = &found->devices[i];

        for (int cause = 0; cause < IDLE_CLASS_COUNT; cause++)
            if (device->idle_by[cause])
                TABLE_ADD(table, device->device, idle_class_name((enum idle_class)cause),
                          device->idle_by[cause], device->span);
    }
    if (table->height)
        report_table(report, table);
}

/* ---- what they say ---- */

/* The host has most of the idle time for want of an owner that is on record. */
static bool is_unrecorded(const struct device_bottleneck *device)
{
    return device->verdict == HELD_BY_HOST && device->unrecorded > device->lost[HELD_BY_HOST] / 2;
}

/* What the host does is not always its own work. */
static const char *advice_of_device(const struct device_bottleneck *device,
                                    const struct thresholds *thresholds)
{
    if (bottleneck_is_spread(device, thresholds))
        return "losses are spread: none passes its threshold";
    if (device->verdict != HELD_BY_HOST)
        return bound_advice_text(device->verdict);
    if (device->idle_by[IDLE_OF_SETUP] > device->lost[HELD_BY_HOST] / 2)
        return "calls of the runtime load code, make a context or tune: warm up first, and leave "
               "that "
               "out (--step, --begin)";
    return bound_advice_text(HELD_BY_HOST);
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

enum { DEVICES_NAMED = 8 };

/* " 3", or "s 0, 1, 2 and 14 more", of what follows "device": those for which `holds` says so. None:
 * NULL. */
static const char *numbers(const struct bottlenecks *found,
                           bool (*holds)(const struct device_bottleneck *device, int verdict),
                           int verdict, struct arena *arena)
{
    uint32_t list[DEVICES_NAMED], named = 0, count = 0;

    for (uint32_t i = 0; i < found->count; i++) {
        if (!holds(&found->devices[i], verdict))
            continue;
        if (count++ < DEVICES_NAMED)
            list[named++] = (uint32_t)found->devices[i].device;
    }
    if (count == 1)
        return number(&(struct device_bottleneck){.device = (int32_t)list[0]}, arena);
    return count ? job_ranks_text(list, named, count, arena) : NULL;
}

static bool has_verdict(const struct device_bottleneck *device, int verdict)
{
    return (int)device->verdict == verdict;
}

static bool is_explained(const struct device_bottleneck *device, int verdict)
{
    return has_verdict(device, verdict) && !is_unrecorded(device);
}

static bool is_unexplained(const struct device_bottleneck *device, int verdict)
{
    return has_verdict(device, verdict) && is_unrecorded(device);
}

/* Many devices share a line for each verdict. */
static void add_headlines_of_many(const struct bottlenecks *found, struct arena *arena,
                                  struct report *report)
{
    for (int verdict = HELD_BY_NOTHING; verdict <= HELD_BY_COMPUTE; verdict++) {
        const char *devices = numbers(found, is_explained, verdict, arena);

        if (devices)
            report_beforef(report, arena, "device%s: %s %s: %s", devices,
                           bottleneck_name((enum bottleneck)verdict), window_text(found, arena),
                           bound_advice_text((enum bottleneck)verdict));
    }
    if (numbers(found, is_unexplained, HELD_BY_HOST, arena))
        report_beforef(report, arena, "device%s: idle %s, and nothing on record says why: %s",
                       numbers(found, is_unexplained, HELD_BY_HOST, arena),
                       window_text(found, arena), record_more);
}

static void add_headlines(const struct bottlenecks *found, const struct thresholds *thresholds,
                          struct arena *arena, struct report *report)
{
    if (found->count > DEVICES_NAMED) {
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
                           advice_of_device(device, thresholds));
        if (device->verdict < HELD_BY_COMPUTE && device->runner_up != HELD_BY_NOTHING)
            report_before(report, runner_up(device, arena));
    }
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
    struct table_context context = {.arena = arena};
    static const char *const windows[] = {"auto", "steps", "run", "device"};

    report_text(report, "stretch", span_of(windows[found->window]));
    report_number(report, "steps", found->steps);
    add_headlines(found, thresholds, arena, report);
    add_devices(found, &context, report);
    add_checks(found, thresholds, &context, report);
    add_idle(found, &context, report);
    add_outside(found, arena, report);
}
