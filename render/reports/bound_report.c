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
        SHARE_OF("copy_only_share", of.copy_only, of.span, .heading = "copy only", .yields = 1),
        SHARE_OF("communication_only_share", of.communication_only, of.span,
                 .heading = "comm only", .yields = 1),
        SHARE_OF("idle_share", of.idle, of.span, .heading = "idle"),
        TEXT_AT("bound", verdict, .heading = "verdict", .is_whole = true),
        SHARE_AT("lost", lost, .is_heat = true),
        TEXT_AT("runner_up", runner_up, .heading = "then", .is_spare = true),
        SHARE_AT("runner_up_lost", runner_up_lost, .heading = "lost", .is_spare = true),
    };
    struct table *table = TABLE_BEGIN(context, columns, found->count, "devices", NULL);

    for (uint32_t i = 0; i < found->count; i++) {
        const struct device_bottleneck *of = &found->devices[i];
        bool has_second = of->runner_up != HELD_BY_NOTHING;
        int64_t lost =
            of->verdict < HELD_BY_COMPUTE ? of->lost[of->verdict] : of->span - of->compute;

        TABLE_ADD(table, .of = *of, .verdict = bottleneck_name(of->verdict),
                  .runner_up = has_second ? bottleneck_name(of->runner_up) : NULL,
                  .lost = found->has_only_collectives ? NAN : share_of(lost, of->span),
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
    table->text = ""; /* the verdicts' blocks have those that hold */
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

static const char *left_out_text(const struct bottlenecks *found, struct arena *arena)
{
    char time[FORMAT_LEN];
    int64_t profiling = 0, earlier = 0, requests = 0;
    const char *text = "";

    for (uint32_t i = 0; i < found->count; i++) {
        const struct device_bottleneck *device = &found->devices[i];

        profiling = device->profiling > profiling ? device->profiling : profiling;
        earlier = device->earlier > earlier ? device->earlier : earlier;
        requests = device->requests > requests ? device->requests : requests;
    }
    if (profiling)
        text = arena_printf(arena, ", without %s of the profiler's own calls",
                            format_value(time, profiling, UNIT_NS));
    if (earlier)
        text = arena_printf(arena, "%s, without the %s in which the device's first work waited in its queue", text,
                            format_value(time, earlier, UNIT_NS));
    if (requests)
        text = arena_printf(arena, "%s, without the %s in which the server waited for requests", text,
                            format_value(time, requests, UNIT_NS));
    return text;
}

/* Where the verdict is what it is although another loss is larger; of the device whose loss that is largest. */
static const char *larger_text(const struct bottlenecks *found, struct arena *arena)
{
    const struct device_bottleneck *most = NULL;
    char time[FORMAT_LEN];

    for (uint32_t i = 0; i < found->count; i++) {
        const struct device_bottleneck *device = &found->devices[i];

        if (device->verdict != HELD_BY_COMPUTE &&
            device->lost[device->runner_up] > device->lost[device->verdict] &&
            (!most || device->lost[device->verdict] > most->lost[most->verdict]))
            most = device;
    }
    if (!most)
        return "";
    if (bottleneck_of_host(most) > most->lost[most->runner_up])
        return arena_printf(arena, " The host's own work, with that after its waits, takes %s of it.",
                            format_value(time, bottleneck_of_host(most), UNIT_NS));
    return arena_printf(arena, " The largest loss, %s with %s, does not exceed its threshold.",
                        bottleneck_name(most->runner_up),
                        format_value(time, most->lost[most->runner_up], UNIT_NS));
}

static const char *window_text(const struct bottlenecks *found, struct arena *arena)
{
    switch (found->window) {
    case WINDOW_STEPS:
        return arena_printf(arena, "over %" PRIu32 " training step%s", found->steps, found->steps == 1 ? "" : "s");
    case WINDOW_DEVICE:
        return "from the first to the last work of each device";
    default:
        return "over the whole run";
    }
}

/* " 0"; "" when the file has none. */
static const char *number(const struct device_bottleneck *device, struct arena *arena)
{
    return device->device < 0 ? "" : arena_printf(arena, " %" PRId32, device->device);
}

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

static bool has_more_devices(const void *context, uint32_t a, uint32_t b)
{
    const uint32_t *counts = context;

    return counts[a] > counts[b];
}

static bool has_verdict(const struct device_bottleneck *device, int verdict)
{
    return (int)device->verdict == verdict;
}

/* "Device 0 is host-bound: it loses 315.0 us of 2.000 ms (15.75%) because …": the devices of a verdict, and what the
 * first of them says. */
static void add_sentence(const struct bottlenecks *found, const struct device_bottleneck *first, const char *devices,
                         const struct thresholds *thresholds, struct arena *arena, struct report *report)
{
    bool are_several = *devices == 's';
    int64_t lost = 0, span = 0;
    char part[FORMAT_LEN], whole[FORMAT_LEN], share[FORMAT_LEN];
    const char *figures;

    if (found->has_only_collectives) {
        report_beforef(report, arena,
                       "What holds device%s up is not known: the file has only collectives, and nothing else that %s.",
                       devices, are_several ? "they did" : "it did");
        return;
    }
    for (uint32_t i = 0; i < found->count; i++) {
        const struct device_bottleneck *device = &found->devices[i];

        if (device->verdict != first->verdict)
            continue;
        span = checked_add(span, device->span);
        lost = checked_add(lost, device->verdict < HELD_BY_COMPUTE        ? device->lost[device->verdict]
                                 : bottleneck_is_spread(first, thresholds) ? device->span - device->compute
                                                                           : device->compute);
    }
    format_share(share, share_of(lost, span));
    figures = are_several ? arena_printf(arena, "%s of their time", share)
                          : arena_printf(arena, "%s of %s (%s)", format_value(part, lost, UNIT_NS),
                                         format_value(whole, span, UNIT_NS), share);
    if (first->verdict < HELD_BY_COMPUTE)
        report_beforef(report, arena, "Device%s %s %s: %s %s because %s.", devices, are_several ? "are" : "is",
                       bottleneck_name(first->verdict), are_several ? "they lose" : "it loses", figures,
                       bound_why_device(first, first->verdict));
    else if (bottleneck_is_spread(first, thresholds))
        report_beforef(report, arena, "Device%s %s compute-bound: losses take %s, and %s its threshold.", devices,
                       are_several ? "are" : "is", figures,
                       bottleneck_outweighs(first, first->lost[first->runner_up]) ? "the largest does not exceed" : "none exceeds");
    else
        report_beforef(report, arena, "Device%s %s compute-bound: %s for %s.", devices, are_several ? "are" : "is",
                       are_several ? "they compute" : "it computes", figures);
}

/* Devices of one verdict share a line; where most devices are comes first. */
static void add_headlines(const struct bottlenecks *found, const struct thresholds *thresholds,
                          struct arena *arena, struct report *report)
{
    uint32_t counts[HELD_BY_COMPUTE + 1] = {0}, order[HELD_BY_COMPUTE + 1];

    for (uint32_t i = 0; i < found->count; i++)
        counts[found->devices[i].verdict]++;
    for (uint32_t i = 0; i < COUNT_OF(order); i++)
        order[i] = i;
    sort_stable(order, COUNT_OF(order), has_more_devices, counts);
    for (uint32_t i = 0; i < COUNT_OF(order) && counts[order[i]]; i++) {
        const struct device_bottleneck *first = found->devices;

        while (first->verdict != (enum bottleneck)order[i])
            first++;
        add_sentence(found, first, numbers(found, has_verdict, (int)order[i], arena), thresholds, arena, report);
    }
    report_beforef(report, arena, "This is measured %s%s.%s", window_text(found, arena), left_out_text(found, arena),
                   larger_text(found, arena));
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
                      "Device%s %s idle mostly before %s first work or after %s last. "
                      "Leave that out with --over device.",
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
    bound_verdicts_of_devices(found, thresholds, arena, report);
    add_checks(found, thresholds, &context, report);
    add_idle(found, &context, report);
    add_outside(found, arena, report);
}
