/* SPDX-License-Identifier: Apache-2.0 */
/* ptk hotspots: functions by what they cost, all values of them, and how single calls vary. */
#include "render/reports/reports.h"

#include "analysis/functions/hotspots.h"
#include "analysis/selection/select.h"
#include "cmd/answer/profile_command.h"
#include "cmd/help/command.h"
#include "cmd/load/profile_load.h"
#include "cmd/options/common_options.h"
#include "graph/derive/derive.h"

#include <string.h>

struct hotspots_arguments {
    struct common common;
    struct ranking ranking;
    bool all_values; /* --value all */
    bool measures_calls;
};

static const struct option options[] = {
    OPT_INCLUDE(struct hotspots_arguments, common, struct common, report_options),
    OPT_INCLUDE(struct hotspots_arguments, ranking, struct ranking, ranking_options),
    OPT_INCLUDE(struct hotspots_arguments, common, struct common, selection_options),
    OPT_INCLUDE(struct hotspots_arguments, common, struct common, part_options),
    OPT_INCLUDE(struct hotspots_arguments, common, struct common, input_options),
    OPT_INCLUDE(struct hotspots_arguments, common, struct common, capture_options),
    OPT_INCLUDE(struct hotspots_arguments, common, struct common, base_options),
    OPT_INCLUDE(struct hotspots_arguments, common, struct common, output_options),
    OPT_END,
};

/* Every value in a column of its own. */
static bool fill_values(const struct graph *graph, const struct hotspots *hotspots,
                        const struct hotspots_arguments *fields, struct arena *arena,
                        struct report *report, struct error *err)
{
    struct value_columns columns;

    if (graph->native == LEVEL_CALLGRAPH && !selection_is_all(&fields->common.selection))
        return error_set(err, ERROR_USAGE,
                         "of a part of a call graph one value is known: give its name");
    if (!value_columns_find(graph, arena, &columns)) {
        error_set(err, ERROR_USAGE, "the profile measures one thing");
        return error_hint(err, "'ptk info' lists values; those of a trace are one time, seen from "
                               "several sides");
    }
    hotspots_values_report(hotspots, &columns, arena, report);
    return true;
}

static bool fill_report(struct profile *profile, const void *asked, struct arena *arena,
                        struct report *report, struct error *err)
{
    const struct hotspots_arguments *fields = asked;
    struct hotspots_options wanted = {.limit = fields->ranking.limit,
                                      .min_percent = fields->ranking.min_percent};
    struct hotspots hotspots;

    if (!ranking_order(&fields->ranking, &wanted.order, err) ||
        !graph_need(&profile->graph, LEVEL_FLAT, "there is nothing to rank", err))
        return false;
    hotspots_compute(&profile->graph, &wanted, arena, &hotspots);
    if (fields->measures_calls && !profile->graph.has[LEVEL_TIMELINE])
        return error_set(err, ERROR_LACK, "%s hold no single calls, so these have no percentiles",
                         profile->graph.source.format_title);
    if (fields->measures_calls)
        hotspots_measure_calls(&profile->graph, arena, &hotspots);
    if (fields->all_values)
        return fill_values(&profile->graph, &hotspots, fields, arena, report, err);
    hotspots_report(&hotspots, arena, report);
    return true;
}

/* Columns that take a second look at every call. */
static bool names_percentiles(const char *list)
{
    static const char *const names[] = {"median", "p95", "p99", "deviation"};
    struct span rest = span_of(list ? list : ""), key;

    while (rest.len) {
        key = span_split(&rest, ',');
        for (size_t i = 0; i < COUNT_OF(names); i++)
            if (span_eq(key, span_of(names[i])))
                return true;
    }
    return false;
}

static bool prepare(struct profile_request *request, struct error *err)
{
    struct hotspots_arguments *fields = request->asked;
    struct builder_options *wanted = &request->wanted;
    const struct selection *selection = &fields->common.selection;
    bool is_for_people = report_is_for_people((enum report_format)fields->common.format);
    bool is_all = selection_is_all(selection);

    fields->measures_calls = names_percentiles(fields->common.columns);
    if (fields->measures_calls && !is_all) {
        error_set(err, ERROR_USAGE, "percentiles are of all calls of a function");
        return error_hint(err, "--step, --begin and the like choose calls");
    }
    if (fields->measures_calls)
        wanted->need = LEVEL_TIMELINE;
    fields->all_values = fields->common.value && strcmp(fields->common.value, "all") == 0;
    if (fields->all_values) {
        fields->common.value = NULL;
        wanted->all_values = true;
        wanted->need = LEVEL_CALLTREE;
    }
    /* By what keeps them apart, the host and devices can be in one list; so can they for machines. */
    wanted->one_world = is_for_people && !group_parts_worlds((enum group_by)selection->by.index);
    /* Of all, by self, the device's own functions say it without the host's that launched them. */
    wanted->launches |= wanted->one_world && !(is_all && strcmp(fields->ranking.sort, "self") == 0);
    /* People see no modules in the table: making them up is a tenth of the time. */
    wanted->no_modules = is_for_people && is_all;
    return true;
}

static const struct profile_command profile_command = {
    .size = sizeof(struct hotspots_arguments),
    .defaults = &(const struct hotspots_arguments){.ranking = {.sort = "self", .limit = 20}},
    .wanted = {.need = LEVEL_FLAT},
    .prepare = prepare,
    .fill = fill_report,
};

const struct command command_hotspots = {
    .name = "hotspots",
    .summary = "where the time goes: the functions that cost most",
    .operands = "[FILE]",
    .examples = "ptk hotspots profile.out\n"
                "ptk hotspots --sort cumtime -n 5 profile.out\n"
                "ptk hotspots --by module -f csv profile.out\n"
                "ptk hotspots --value all heap.pb.gz\n"
                "ptk hotspots --hide '^<' profile.out\n",
    .options = options,
    .profile = &profile_command,
};
