/* SPDX-License-Identifier: Apache-2.0 */
#include "render/reports/reports.h"

#include <math.h>

#include "analysis/advice/causes.h"
#include "analysis/captures/captures.h"
#include "base/checked.h"
#include "base/memory/memory.h"
#include "base/text/format.h"
#include "graph/classify/function_class.h"

static const struct column columns[] = {
    TEXT_COLUMN("cause", NULL),
    COUNT_COLUMN("calls", NULL),
    TIME_COLUMN("time", NULL),
    SHARE_COLUMN("share", "of kernels"),
    SHARE_COLUMN("efficiency", "of roof"),
    TIME_COLUMN("saving", "could save"),
    TEXT_COLUMN("evidence", NULL),
    TEXT_COLUMN("operator", NULL),
    TEXT_COLUMN("shapes", NULL),
    {.key = "kernel", .kind = CELL_TEXT, .use = COLUMN_MACHINES},
    {.key = "device", .kind = CELL_COUNT, .use = COLUMN_MACHINES},
    {.key = "flops", .kind = CELL_VALUE, .use = COLUMN_MACHINES, .unit = UNIT_FLOP},
    {.key = "bytes", .kind = CELL_VALUE, .use = COLUMN_MACHINES, .unit = UNIT_BYTES},
    {.key = "precision", .kind = CELL_TEXT, .use = COLUMN_MACHINES},
    {.key = "remedy", .kind = CELL_TEXT, .use = COLUMN_MACHINES},
};

/* One cause of one group. */
struct named {
    uint32_t group;
    enum kernel_cause cause;
    double saving;
};

static bool is_before(const void *context, uint32_t a, uint32_t b)
{
    const struct named *list = context;
    double x = isnan(list[a].saving) ? -1 : list[a].saving;
    double y = isnan(list[b].saving) ? -1 : list[b].saving;

    return x > y;
}

static uint32_t list_all(const struct kernel_causes *causes, struct named *list)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < causes->count; i++)
        for (int cause = 0; cause < CAUSE_COUNT; cause++)
            if (kernel_has_cause(&causes->list[i], (enum kernel_cause)cause))
                list[count++] =
                    (struct named){i, (enum kernel_cause)cause, causes->list[i].saving[cause]};
    return count;
}

static void fill_row(struct row_writer *row, const struct graph *graph,
                     const struct kernel_causes *causes, const struct ceilings *ceilings,
                     const struct named *named, struct arena *arena)
{
    const struct slow_group *slow = &causes->list[named->group];
    const struct kernel_group *group = &slow->group;
    bool is_operator = group->owner != NO_EVENT;
    struct span name = graph_text(graph, graph_frame(graph, group->frame)->name);

    row_text(row, span_of(cause_texts[named->cause].name));
    row_number(row, group->calls);
    row_number(row, group->time);
    row_real(row, slow->share);
    row_real(row, slow->efficiency);
    row_number(row, isnan(named->saving) ? TABLE_NULL : llround(named->saving));
    row_text(row,
             span_of(kernel_cause_evidence(graph, causes, slow, ceilings, named->cause, arena)));
    row_text(row, is_operator ? name : kernel_name_short(name, arena));
    row_text(row, is_operator ? graph_text(graph, group->shapes) : (struct span){0});
    row_text(row, graph_text(graph, graph_frame(graph, group->kernel)->name));
    row_number(row, group->device);
    row_number(row, group->has_work ? llround(group->flops / (double)group->calls) : TABLE_NULL);
    row_number(row, group->has_work ? llround(group->bytes / (double)group->calls) : TABLE_NULL);
    row_text(row, group->precision == PRECISION_UNKNOWN
                      ? NO_TEXT
                      : span_of(precision_names[group->precision]));
    row_text(row, span_of(cause_texts[named->cause].remedy));
}

/* ---- what people do ---- */

static const struct column remedy_columns[] = {
    {.key = "cause", .kind = CELL_TEXT, .use = COLUMN_PEOPLE},
    {.key = "title", .heading = "what it is", .kind = CELL_TEXT, .use = COLUMN_PEOPLE},
    {.key = "remedy", .heading = "what people do", .kind = CELL_TEXT, .use = COLUMN_PEOPLE},
};

static void add_remedies(const struct named *list, const uint32_t *order, uint32_t count,
                         struct arena *arena, struct report *report)
{
    struct table *table =
        table_new(arena, remedy_columns, COUNT_OF(remedy_columns), CAUSE_COUNT, "remedies", NULL);
    uint64_t told = 0;
    uint32_t height = 0;

    table->use = COLUMN_PEOPLE;
    for (uint32_t i = 0; i < count; i++) {
        enum kernel_cause cause = list[order[i]].cause;
        struct row_writer row;

        if (told >> cause & 1)
            continue;
        told |= (uint64_t)1 << cause;
        row = table_row(table, height++);
        row_text(&row, span_of(cause_texts[cause].name));
        row_text(&row, span_of(cause_texts[cause].title));
        row_text(&row, span_of(cause_texts[cause].remedy));
    }
    table->height = height;
    report_table(report, table);
}

void causes_report(const struct kernel_causes *causes, const struct ceilings *ceilings,
                   uint32_t limit, struct arena *arena, struct report *report)
{
    const struct graph *graph = report->inputs[0].graph;
    struct named *list = arena_array(arena, (size_t)causes->count * CAUSE_COUNT, sizeof(*list));
    uint32_t count = list_all(causes, list), shown = limit_rows(count, limit);
    uint32_t *order = arena_array(arena, count, sizeof(*order));
    struct table *table;

    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    sort_stable(order, count, is_before, list);
    table = table_new(arena, columns, COUNT_OF(columns), shown, "causes", NULL);
    for (uint32_t i = 0; i < shown; i++) {
        struct row_writer row = table_row(table, i);

        fill_row(&row, graph, causes, ceilings, &list[order[i]], arena);
    }
    if (count == 0)
        table->use = COLUMN_MACHINES;
    report_table(report, table);
    if (count)
        add_remedies(list, order, shown, arena, report);
}

/* Below this share of a device's work, a capture would tell next to nothing. */
static const double WORTH_A_HINT = 0.01;

/* " by order, names agree", or of several ways the number of launches of each. */
static const char *ways(const struct captures_join *join, struct arena *arena)
{
    const char *text = "";

    for (int i = ALIGNED_NOT + 1; i < ALIGNMENT_COUNT; i++)
        if (join->by[i] == join->joined && join->joined)
            return arena_printf(arena, " (%s)", alignment_text((enum alignment)i));
        else if (join->by[i])
            text = arena_printf(arena, "%s%s%u %s", text, *text ? "; " : "", join->by[i],
                                alignment_text((enum alignment)i));
    return *text ? arena_printf(arena, " (%s)", text) : "";
}

static const char *share_text(int64_t part, int64_t whole, struct arena *arena)
{
    char text[FORMAT_LEN];

    format_share(text, whole ? (double)part / (double)whole : 0);
    return arena_printf(arena, "%s", text);
}

void captures_report(const struct captures_join *join, struct arena *arena, struct report *report)
{
    double share = join->device_time ? (double)join->time / (double)join->device_time : 0;
    const char *captures = "", *padding = "";
    char in_graphs[FORMAT_LEN];

    format_share(in_graphs, share);
    if (join->captures > 1)
        captures = arena_printf(
            arena,
            join->smallest ? "%u captures (sizes %lld to %lld): " : "%u captures: ", join->captures,
            (long long)join->smallest, (long long)join->largest);
    /* A graph computes all slots of its batch, whatever stands in them. */
    if (join->slots > join->tokens)
        padding = arena_printf(arena, "; %s of their slots are padding (%lld of %lld)",
                               share_text(join->slots - join->tokens, join->slots, arena),
                               (long long)(join->slots - join->tokens), (long long)join->slots);
    if (join->captures || join->annotated) {
        report_number(report, "graph_launches", join->launches);
        report_number(report, "graph_launches_joined", join->joined);
        report_number(report, "graph_time", join->time);
        report_number(report, "graph_time_known", join->known_time);
        report_number(report, "graph_slots", join->slots);
        report_number(report, "graph_tokens", join->tokens);
        report_beforef(report, arena,
                       "%s%s of device time is in launches of graphs; %u of %u launches "
                       "are joined with their captures%s; operators are known of %s of "
                       "their time%s%s",
                       captures, in_graphs, join->joined, join->launches, ways(join, arena),
                       share_text(join->known_time, join->time, arena), padding,
                       join->several ? "; where several captures fit, shapes are left out" : "");
    } else if (share >= WORTH_A_HINT) {
        report_afterf(report, arena,
                      "%s of device time was launched by graphs: a trace of their "
                      "capture (--capture FILE) tells whose work it is",
                      in_graphs);
    }
}
