#include "render/bound_report.h"

#include <inttypes.h>
#include <math.h>

#include "base/checked.h"
#include "base/format.h"

static struct table *new_table(struct arena *arena, const struct column *columns, uint32_t width,
                               uint32_t height)
{
    struct table *table = arena_alloc(arena, sizeof(*table));

    table_init(table, arena, columns, width, height);
    return table;
}

static void row_device(struct row_writer *row, int32_t device)
{
    row_number(row, device < 0 ? TABLE_NULL : device);
}

/* ---- devices: four numbers that add up ---- */

static const struct column device_columns[] = {
    {.key = "device", .kind = CELL_COUNT, .use = COLUMN_ALL},
    {.key = "start", .kind = CELL_VALUE, .use = COLUMN_MACHINES, .unit = UNIT_NS},
    {.key = "time", .kind = CELL_VALUE, .use = COLUMN_ALL, .unit = UNIT_NS},
    {.key = "compute", .kind = CELL_VALUE, .use = COLUMN_MACHINES, .unit = UNIT_NS},
    {.key = "copy_only", .kind = CELL_VALUE, .use = COLUMN_MACHINES, .unit = UNIT_NS},
    {.key = "communication_only", .kind = CELL_VALUE, .use = COLUMN_MACHINES, .unit = UNIT_NS},
    {.key = "idle", .kind = CELL_VALUE, .use = COLUMN_MACHINES, .unit = UNIT_NS},
    {.key = "compute_share", .heading = "compute", .kind = CELL_SHARE, .use = COLUMN_ALL},
    {.key = "copy_only_share", .heading = "copy only", .kind = CELL_SHARE, .use = COLUMN_ALL},
    {.key = "communication_only_share",
     .heading = "communication only",
     .kind = CELL_SHARE,
     .use = COLUMN_ALL},
    {.key = "idle_share", .heading = "idle", .kind = CELL_SHARE, .use = COLUMN_ALL},
    {.key = "bound", .heading = "verdict", .kind = CELL_TEXT, .use = COLUMN_ALL},
};

static void add_devices(const struct bottlenecks *found, struct arena *arena, struct report *report)
{
    struct table *table = new_table(arena, device_columns, COUNT_OF(device_columns), found->count);

    table->key = "devices";
    for (uint32_t i = 0; i < found->count; i++) {
        const struct device_bottleneck *device = &found->devices[i];
        struct row_writer row = table_row(table, i);

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
    }
    report_table(report, table);
}

/* ---- checks: divisions and thresholds ---- */

static const struct column check_columns[] = {
    {.key = "device", .kind = CELL_COUNT, .use = COLUMN_ALL},
    {.key = "holds", .kind = CELL_FLAG, .use = COLUMN_ALL},
    {.key = "bound", .heading = "says", .kind = CELL_TEXT, .use = COLUMN_ALL},
    {.key = "what", .heading = "evidence", .kind = CELL_TEXT, .use = COLUMN_ALL},
    {.key = "part", .kind = CELL_VALUE, .use = COLUMN_MACHINES, .unit = UNIT_NS},
    {.key = "whole", .kind = CELL_VALUE, .use = COLUMN_MACHINES, .unit = UNIT_NS},
    {.key = "value", .kind = CELL_RATIO, .use = COLUMN_MACHINES},
    {.key = "is_below", .kind = CELL_FLAG, .use = COLUMN_MACHINES},
    {.key = "limit", .kind = CELL_RATIO, .use = COLUMN_MACHINES},
    {.key = "threshold", .kind = CELL_TEXT, .use = COLUMN_MACHINES},
    {.key = "figures", .heading = "", .kind = CELL_TEXT, .use = COLUMN_PEOPLE},
    {.key = "threshold", .kind = CELL_TEXT, .use = COLUMN_PEOPLE},
};

/* "28.27 ms / 34.35 ms = 82.30%" */
static const char *figures_of(const struct check *check, struct arena *arena)
{
    char part[FORMAT_LEN], whole[FORMAT_LEN], share[FORMAT_LEN];

    if (isnan(check->value))
        return "not known";
    format_value(part, check->part, UNIT_NS);
    if (check->whole <= 0)
        return arena_printf(arena, "%s", part);
    return arena_printf(arena, "%s / %s = %s", part, format_value(whole, check->whole, UNIT_NS),
                        format_share(share, check->value));
}

/* "idle >= 15%" */
static const char *threshold_text(const struct check *check, const struct thresholds *thresholds,
                                  struct arena *arena)
{
    double limit = thresholds->of[check->limit];
    bool is_share = threshold_unit(check->limit) == LIMIT_SHARE;

    return arena_printf(arena, "%s %s %g%s", threshold_name(check->limit),
                        check->is_below ? "<" : ">=", is_share ? limit * 100 : limit,
                        is_share ? "%" : "");
}

static void row_check(struct row_writer *row, int32_t device, const struct check *check,
                      const struct thresholds *thresholds, struct arena *arena)
{
    row_device(row, device);
    row_number(row, check->holds);
    if (check->verdict == HELD_BY_NOTHING)
        row_no_text(row);
    else
        row_text(row, span_of(bottleneck_name(check->verdict)));
    row_text(row, span_of(check->what));
    row_number(row, check->part);
    row_number(row, check->whole > 0 ? check->whole : TABLE_NULL);
    row_real(row, check->value);
    row_number(row, check->is_below);
    row_real(row, thresholds->of[check->limit]);
    row_text(row, span_of(threshold_name(check->limit)));
    row_text(row, span_of(figures_of(check, arena)));
    row_text(row, span_of(threshold_text(check, thresholds, arena)));
}

static void add_checks(const struct bottlenecks *found, const struct thresholds *thresholds,
                       struct arena *arena, struct report *report)
{
    struct table *table;
    uint32_t height = 0, at = 0;

    for (uint32_t i = 0; i < found->count; i++)
        height += found->devices[i].check_count;
    table = new_table(arena, check_columns, COUNT_OF(check_columns), height);
    table->key = "checks";
    table->title = "What the verdict is made from, in this order";
    for (uint32_t i = 0; i < found->count; i++) {
        const struct device_bottleneck *device = &found->devices[i];

        for (uint32_t k = 0; k < device->check_count; k++) {
            struct row_writer row = table_row(table, at++);

            row_check(&row, device->device, &device->checks[k], thresholds, arena);
        }
    }
    report_table(report, table);
}

/* ---- idle ---- */

static const struct column idle_columns[] = {
    {.key = "device", .kind = CELL_COUNT, .use = COLUMN_ALL},
    {.key = "cause", .kind = CELL_TEXT, .use = COLUMN_ALL},
    {.key = "idle", .kind = CELL_VALUE, .use = COLUMN_ALL, .unit = UNIT_NS},
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
        for (int cause = 0; cause < IDLE_CAUSE_COUNT; cause++)
            height += found->devices[i].idle_by[cause] > 0;
    if (height == 0)
        return;
    table = new_table(arena, idle_columns, COUNT_OF(idle_columns), height);
    table->key = "idle_causes";
    table->title = "Why devices were idle";
    for (uint32_t i = 0; i < found->count; i++) {
        const struct device_bottleneck *device = &found->devices[i];

        for (int cause = 0; cause < IDLE_CAUSE_COUNT; cause++) {
            struct row_writer row = table_row(table, at);

            if (device->idle_by[cause] == 0)
                continue;
            row_device(&row, device->device);
            row_text(&row, span_of(idle_cause_name((enum idle_cause)cause)));
            row_number(&row, device->idle_by[cause]);
            row_real(&row, share_of(device->idle_by[cause], device->span));
            at++;
        }
    }
    report_table(report, table);
}

/* ---- all of it ---- */

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
        [HELD_BY_HOST] = "the device waits for work that the host does: `ptk hotspots --value "
                         "host` shows which, `ptk overlap` the gaps",
        [HELD_BY_COPY] = "copies are not hidden: pinned memory and non_blocking=True, fewer and "
                         "larger ones, data that stays on the device",
        [HELD_BY_COMMUNICATION] = "communication is not hidden: overlap it with the backward pass, "
                                  "fewer and larger messages, a smaller type",
        [HELD_BY_COMPUTE] = "the device has work: `ptk roofline` shows what each kernel could save",
    };

    return texts[verdict];
}

static const char *stretch_text(const struct bottlenecks *found, struct arena *arena)
{
    switch (found->stretch) {
    case STRETCH_STEPS:
        return arena_printf(arena, "over %" PRIu32 " training step%s", found->steps,
                            found->steps == 1 ? "" : "s");
    case STRETCH_DEVICE:
        return "from the first to the last work of each device";
    default:
        return "over the whole run";
    }
}

static void add_headlines(const struct bottlenecks *found, struct arena *arena,
                          struct report *report)
{
    enum { HEADLINES_MAX = 8 };

    for (uint32_t i = 0; i < found->count && i < HEADLINES_MAX; i++) {
        const struct device_bottleneck *device = &found->devices[i];
        const char *number =
            device->device < 0 ? "" : arena_printf(arena, " %" PRId32, device->device);

        report_before(report, arena_printf(arena, "device%s is %s %s: %s", number,
                                           bottleneck_name(device->verdict),
                                           stretch_text(found, arena), advice(device->verdict)));
    }
}

void bound_report(const struct bottlenecks *found, const struct thresholds *thresholds,
                  struct arena *arena, struct report *report)
{
    static const char *const stretches[] = {"auto", "steps", "run", "device"};

    report_text(report, "stretch", span_of(stretches[found->stretch]));
    report_number(report, "steps", found->steps);
    add_headlines(found, arena, report);
    add_devices(found, arena, report);
    add_checks(found, thresholds, arena, report);
    add_idle(found, arena, report);
}
