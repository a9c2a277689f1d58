/* SPDX-License-Identifier: Apache-2.0 */
/* Why kernels are slow, how to fix it, and whose work graphs launched. */
#include "render/reports/reports.h"

#include <math.h>

#include "analysis/advice/causes.h"
#include "analysis/captures/captures.h"
#include "base/checked.h"
#include "base/memory/memory.h"
#include "base/text/format.h"
#include "graph/classify/function_class.h"
#include "graph/names/names.h"
#include "render/reports/report_columns.h"

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

struct cause_row {
    struct kernel_group group;
    double share, efficiency;
    int64_t saving, flops, bytes;
    const char *cause, *evidence, *precision, *remedy;
    struct span operator, shapes;
};

static void add_cause(struct table *table, const struct kernel_causes *causes,
                      const struct ceilings *ceilings, const struct named *named)
{
    typedef struct cause_row row;
    const struct graph *graph = table->context.graph;
    struct arena *arena = table->context.arena;
    const struct slow_group *slow = &causes->list[named->group];
    const struct kernel_group *group = &slow->group;
    bool is_operator = group->owner != NO_EVENT, has_work = group->has_work;
    struct span name = graph_text(graph, graph_frame(graph, group->frame)->name);

    TABLE_ADD(table, .group = *group, .share = slow->share, .efficiency = slow->efficiency,
              .cause = cause_texts[named->cause].name,
              .saving = isnan(named->saving) ? TABLE_NULL : llround(named->saving),
              .evidence = kernel_cause_evidence(graph, causes, slow, ceilings, named->cause, arena),
              .operator= is_operator ? name : graph_short_name(graph, group->frame),
              .shapes = is_operator ? graph_text(graph, group->shapes) : NO_TEXT,
              .flops = has_work ? llround(group->flops / (double)group->calls) : TABLE_NULL,
              .bytes = has_work ? llround(group->bytes / (double)group->calls) : TABLE_NULL,
              .precision =
                  group->precision == PRECISION_UNKNOWN ? NULL : precision_names[group->precision],
              .remedy = cause_remedy(named->cause, ceilings));
}

static struct table *begin_causes(const struct table_context *context, uint32_t room)
{
    typedef struct cause_row row;
    static const struct column columns[] = {
        TEXT_AT("cause", cause),
        COUNT_AT("calls", group.calls),
        TIME_AT("time", group.time),
        SHARE_AT("share", share, .heading = "of kernels"),
        SHARE_AT("efficiency", efficiency, .heading = "of roof"),
        TIME_AT("saving", saving, .heading = "could save"),
        TEXT_AT("evidence", evidence),
        TEXT_AT("operator", operator),
        TEXT_AT("shapes", shapes),
        TEXT_BY(cell_frame_name, "kernel", group.kernel, FOR_MACHINES),
        COUNT_AT("device", group.device, FOR_MACHINES),
        VALUE_AT("flops", flops, FOR_MACHINES, .unit = UNIT_FLOP),
        BYTES_AT("bytes", bytes, FOR_MACHINES),
        TEXT_AT("precision", precision, FOR_MACHINES),
        TEXT_AT("remedy", remedy, FOR_MACHINES),
    };

    return TABLE_BEGIN(context, columns, room, "causes", NULL);
}

/* Each cause once. */
static void add_remedies(const struct named *list, const uint32_t *order, uint32_t count,
                         const struct table_context *context, struct report *report)
{
    typedef struct {
        const char *cause, *title, *remedy;
    } row;
    static const struct column columns[] = {
        TEXT_AT("cause", cause, FOR_PEOPLE),
        TEXT_AT("title", title, FOR_PEOPLE, .heading = "what it is", .is_spare = true),
        TEXT_AT("remedy", remedy, FOR_PEOPLE, .heading = "how to fix it", .is_prose = true),
    };
    struct table *table = TABLE_BEGIN(context, columns, CAUSE_COUNT, "remedies", NULL);
    uint64_t shown = 0;

    table->use = COLUMN_PEOPLE;
    for (uint32_t i = 0; i < count; i++) {
        enum kernel_cause cause = list[order[i]].cause;

        if (!(shown >> cause & 1))
            TABLE_ADD(table, cause_texts[cause].name, cause_texts[cause].title,
                      cause_texts[cause].remedy);
        shown |= (uint64_t)1 << cause;
    }
    report_table(report, table);
}

void causes_report(const struct kernel_causes *causes, const struct ceilings *ceilings,
                   uint32_t limit, struct arena *arena, struct report *report)
{
    struct table_context context = {.arena = arena, .graph = report->inputs[0].graph};
    struct named *list = arena_array(arena, (size_t)causes->count * CAUSE_COUNT, sizeof(*list));
    uint32_t count = list_all(causes, list), shown = limit_rows(count, limit);
    uint32_t *order = arena_array(arena, count, sizeof(*order));
    struct table *table = begin_causes(&context, shown);

    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    sort_stable(order, count, is_before, list);
    for (uint32_t i = 0; i < shown; i++)
        add_cause(table, causes, ceilings, &list[order[i]]);
    if (count == 0)
        table->use = COLUMN_MACHINES;
    report_table(report, table);
    if (count)
        add_remedies(list, order, shown, &context, report);
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
        captures = arena_printf(arena,
                                !join->smallest                  ? "%u captures: "
                                : join->smallest == join->largest ? "%u captures of size %lld: "
                                                                  : "%u captures (sizes %lld to %lld): ",
                                join->captures, (long long)join->smallest, (long long)join->largest);
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
                       "are joined with their captures%s; the operators of %s of "
                       "their time are known%s%s",
                       captures, in_graphs, join->joined, join->launches, ways(join, arena),
                       share_text(join->known_time, join->time, arena), padding,
                       join->several ? "; where several captures fit, shapes are left out" : "");
    } else if (share >= WORTH_A_HINT) {
        report_afterf(report, arena,
                      "%s of device time was launched by graphs: a trace of their "
                      "capture (--capture FILE) shows whose work it is",
                      in_graphs);
    }
}
