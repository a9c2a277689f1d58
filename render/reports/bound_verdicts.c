/* SPDX-License-Identifier: Apache-2.0 */
/* bound_verdicts.c — what bound says of a verdict: its reason, its remedy, and the checks that made it, as blocks */
#include "render/reports/reports.h"

#include <inttypes.h>
#include <math.h>

#include "analysis/advice/bottleneck.h"
#include "base/checked.h"
#include "base/memory/memory.h"
#include "base/text/format.h"
#include "render/forms/block.h"
#include "render/reports/report_columns.h"

static const struct {
    const char *why, *remedy;
} texts[] = {
    [HELD_BY_NOTHING] = {"no check applies", ""},
    [HELD_BY_INPUT] = {"no data is ready",
                       "more loader workers, pinned memory, prefetching, cheaper decoding"},
    [HELD_BY_LAUNCH] = {"the host cannot launch fast enough",
                        "larger batches, fused kernels, CUDA graphs, compilation"},
    [HELD_BY_SYNC] = {"the host waits for the device, and its queue runs empty",
                      "no .item(), .cpu() or blocking copies in the loop"},
    [HELD_BY_ALLOCATOR] = {"the host allocates and frees device memory",
                           "keep buffers, a caching allocator"},
    [HELD_BY_HOST] = {"the host does other work than launching",
                      "`ptk hotspots --value host` shows the host's functions, `ptk overlap` the gaps"},
    [HELD_BY_DEPENDENCY] = {"streams wait for one another", "`ptk overlap` shows what each stream waits for"},
    [HELD_BY_COPY] = {"copies are not hidden behind compute",
                      "pinned memory and non_blocking=True, fewer and larger copies, data that stays on the "
                      "device"},
    [HELD_BY_COMMUNICATION] = {"communication is not hidden behind compute",
                               "overlap it with the backward pass, fewer and larger messages, a smaller type"},
    [HELD_BY_COMPUTE] = {"it has work", "`ptk roofline` shows what each kernel could save"},
    [HELD_BY_PAGING] = {"memory is short, and pages are read back from disk",
                        "use less memory, or give it more"},
    [HELD_BY_IO] = {"it waits for files, pipes or the network",
                    "larger reads and writes, buffering, fewer round trips, asynchronous I/O, a faster disk"},
    [HELD_BY_WAITING] = {"it waits for locks, the network, other processes, a GPU, or files where file I/O is not known",
                         "`ptk hotspots` and `ptk callers` show the functions that wait"},
    [HELD_BY_EVENTS] = {"it waits for events, as an event loop does: timers, the network, other processes",
                        "nothing, if it had no requests; else look at what the events come from"},
    [HELD_BY_SYSTEM] = {"the kernel works for it",
                        "fewer page faults, less memory that is allocated and freed again, larger system calls"},
    [HELD_BY_LOCKS] = {"at most about one thread computes at a time, and locks take much of that",
                       "hold locks for shorter, split the data that they guard, use a copy for each thread"},
    [HELD_BY_ONE_THREAD] = {"about one thread computes at a time",
                            "`ptk hotspots` shows its functions. Use more threads; if there are several, they take "
                            "turns, and a profile of locks shows where"},
    [HELD_BY_FEW_THREADS] = {"some CPUs have nothing to do", "a shorter serial part, fewer locks, more threads"},
    [HELD_BY_CPU] = {"it computes", "`ptk hotspots` shows its functions"},
};

const char *bound_why(enum bottleneck verdict)
{
    return texts[verdict].why;
}

static const char *remedy_text(enum bottleneck verdict)
{
    return texts[verdict].remedy;
}

static bool is_unrecorded(const struct device_bottleneck *device)
{
    return device->verdict == HELD_BY_HOST && device->unrecorded > device->lost[HELD_BY_HOST] / 2;
}

static bool is_set_up(const struct device_bottleneck *device)
{
    return device->idle_by[IDLE_OF_SETUP] > device->lost[HELD_BY_HOST] / 2;
}

const char *bound_why_device(const struct device_bottleneck *device, enum bottleneck loss)
{
    if (loss != HELD_BY_HOST)
        return bound_why(loss);
    if (is_unrecorded(device))
        return "the host does other work, and the profile does not record which";
    return is_set_up(device) ? "calls of the runtime load code, make a context or tune" : bound_why(loss);
}

/* What the host does is not always its own work. */
static const char *remedy_of_device(const struct device_bottleneck *device, enum bottleneck loss)
{
    if (loss != HELD_BY_HOST)
        return remedy_text(loss);
    if (is_unrecorded(device))
        return "record more of the host, from before the device's first work on, all threads, Python's functions";
    return is_set_up(device) ? "warm up first, and leave that out; --step and --begin do" : remedy_text(loss);
}

/* ---- the checks that support a verdict, and the others ---- */

/* The loss that a check is about, whether it decides it or only explains it. */
static enum bottleneck subject_of(const struct check *check)
{
    switch (check->limit) {
    case LIMIT_SMALL_KERNEL:
        return HELD_BY_LAUNCH;
    case LIMIT_PAGEABLE:
    case LIMIT_SMALL_COPIES:
        return HELD_BY_COPY;
    case LIMIT_HIDDEN:
        return HELD_BY_COMMUNICATION;
    default:
        return check->verdict;
    }
}

static const char *add_evidence(const char *evidence, const struct check *check, const struct thresholds *thresholds,
                                struct arena *arena)
{
    return arena_printf(arena, "%s%s%s: %s (limit: %s)", evidence, *evidence ? "; " : "", check->what,
                        check_figures(check, arena), check_threshold(check, thresholds, arena));
}

/* Adds "input-bound 3.1% (limit: input >= 5%)". */
static const char *add_within(const char *within, const char *name, const struct check *check,
                              const struct thresholds *thresholds, struct arena *arena)
{
    char share[FORMAT_LEN];
    bool is_share = threshold_rows[check->limit].unit == LIMIT_SHARE;

    if (check->holds || isnan(check->value) || check->verdict == HELD_BY_NOTHING)
        return within;
    return arena_printf(arena, "%s%s%s %s (limit: %s)", within, *within ? ", " : "", name,
                        is_share ? format_share(share, check->value) : check_figures(check, arena),
                        check_threshold(check, thresholds, arena));
}

/* ---- the table, which text shows as blocks ---- */

struct verdict_row {
    int32_t device; /* or -1 */
    const char *verdict, *why, *remedy, *evidence;
    int64_t lost, whole; /* ns; `lost` UNKNOWN: of a process */
};

static void add_verdicts(struct verdict_row *list, uint32_t count, bool are_named, struct arena *arena,
                         struct report *report)
{
    typedef struct verdict_row row;
    static const struct column columns[] = {
        INDEX_AT("device", device),
        TEXT_AT("verdict", verdict),
        TIME_AT("lost", lost),
        TEXT_AT("reason", why, .heading = "because"),
        TEXT_AT("remedy", remedy, .heading = "how to fix it"),
        TEXT_AT("evidence", evidence),
    };
    struct table *table = TABLE_OF(&(struct table_context){.arena = arena}, columns, list, count, NULL, NULL);
    struct text_block *blocks = arena_array(arena, count + 1, sizeof(*blocks));

    table->use = COLUMN_PEOPLE;
    table->blocks = blocks;
    for (uint32_t i = 0; i < count; i++) {
        const struct verdict_row *of = &list[i];
        char lost[FORMAT_LEN], whole[FORMAT_LEN], share[FORMAT_LEN];
        const char *device = are_named ? arena_printf(arena, "device %" PRId32 " is ", of->device) : "";

        blocks[i] = (struct text_block){
            .title = arena_printf(arena, "%s%s: %s", device, of->verdict, of->why),
            .lines = {{"fix", of->remedy}, {"why", of->evidence}},
        };
        if (of->lost != TABLE_NULL)
            blocks[i].right = arena_printf(arena, "%s of %s = %s", format_value(lost, of->lost, UNIT_NS),
                                           format_value(whole, of->whole, UNIT_NS),
                                           format_share(share, share_of(of->lost, of->whole)));
    }
    if (count)
        report_table(report, table);
}

static struct verdict_row row_of_loss(const struct device_bottleneck *device, enum bottleneck loss,
                                      const struct thresholds *thresholds, struct arena *arena)
{
    struct verdict_row row = {
        .device = device->device,
        .verdict = bottleneck_name(loss),
        .why = bound_why_device(device, loss),
        .remedy = remedy_of_device(device, loss),
        .evidence = "",
        .lost = device->lost[loss],
        .whole = device->span,
    };

    for (uint32_t i = 0; i < device->check_count; i++)
        if (device->checks[i].holds && subject_of(&device->checks[i]) == loss)
            row.evidence = add_evidence(row.evidence, &device->checks[i], thresholds, arena);
    return row;
}

static bool exceeds(const struct device_bottleneck *device, enum bottleneck loss)
{
    for (uint32_t i = 0; i < device->check_count; i++)
        if (device->checks[i].holds && device->checks[i].verdict == loss)
            return true;
    return false;
}

/* The device's losses that exceed their thresholds, the largest first, and the verdict before all. */
static uint32_t losses_of(const struct device_bottleneck *device, enum bottleneck losses[HELD_BY_COMPUTE])
{
    uint32_t count = 0;

    for (int loss = HELD_BY_NOTHING + 1; loss < HELD_BY_COMPUTE; loss++) {
        uint32_t at = count;

        if (!exceeds(device, (enum bottleneck)loss))
            continue;
        for (; at > 0 && device->lost[loss] > device->lost[losses[at - 1]]; at--)
            losses[at] = losses[at - 1];
        losses[at] = (enum bottleneck)loss;
        count++;
    }
    return count;
}

/* Each loss of each device. */
static uint32_t verdicts_of_few(const struct bottlenecks *found, const struct thresholds *thresholds,
                                struct verdict_row *list, struct arena *arena, struct report *report)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < found->count; i++) {
        const struct device_bottleneck *device = &found->devices[i];
        enum bottleneck losses[HELD_BY_COMPUTE];
        uint32_t loss_count = losses_of(device, losses);
        const char *within = "";

        for (uint32_t k = 0; k < loss_count; k++)
            list[count++] = row_of_loss(device, losses[k], thresholds, arena);
        for (uint32_t k = 0; k < device->check_count; k++)
            within = add_within(within, bottleneck_name(device->checks[k].verdict), &device->checks[k], thresholds,
                                arena);
        if (*within)
            report_afterf(report, arena, "Within %s limits: %s.",
                          found->count > 1 ? arena_printf(arena, "device %" PRId32 "'s", device->device) : "their",
                          within);
    }
    return count;
}

/* Each verdict once, as it is of the first device that has it. */
static uint32_t verdicts_of_many(const struct bottlenecks *found, const struct thresholds *thresholds,
                                 struct verdict_row *list, struct arena *arena)
{
    bool is_listed[HELD_BY_COMPUTE + 1] = {0};
    uint32_t count = 0;

    for (uint32_t i = 0; i < found->count; i++) {
        const struct device_bottleneck *device = &found->devices[i];

        if (device->verdict < HELD_BY_COMPUTE && !is_listed[device->verdict]) {
            is_listed[device->verdict] = true;
            list[count++] = row_of_loss(device, device->verdict, thresholds, arena);
        }
    }
    return count;
}

void bound_verdicts_of_devices(const struct bottlenecks *found, const struct thresholds *thresholds,
                               struct arena *arena, struct report *report)
{
    struct verdict_row *list = arena_array(arena, (size_t)found->count * HELD_BY_COMPUTE, sizeof(*list));
    uint32_t count = found->count <= DEVICES_NAMED ? verdicts_of_few(found, thresholds, list, arena, report)
                                                   : verdicts_of_many(found, thresholds, list, arena);

    add_verdicts(list, count, found->count > 1, arena, report);
}

void bound_verdict_of_process(const struct process_bottleneck *process, const struct thresholds *thresholds,
                              struct arena *arena, struct report *report)
{
    struct verdict_row *row = arena_alloc(arena, sizeof(*row));
    const char *within = "";

    *row = (struct verdict_row){
        .device = -1,
        .verdict = bottleneck_name(process->verdict),
        .why = bound_why(process->verdict),
        .remedy = remedy_text(process->verdict),
        .evidence = "",
        .lost = TABLE_NULL,
    };
    for (uint32_t i = 0; i < process->check_count; i++) {
        if (process->checks[i].holds)
            row->evidence = add_evidence(row->evidence, &process->checks[i], thresholds, arena);
        within = add_within(within, process->checks[i].what, &process->checks[i], thresholds, arena);
    }
    if (*within)
        report_afterf(report, arena, "Within their limits: %s.", within);
    add_verdicts(row, 1, false, arena, report);
}
