/* SPDX-License-Identifier: Apache-2.0 */
/* profile_select.c — the part of a profile that is asked for: what that wants of the file, and how it is narrowed */
#include "analysis/selection/select.h"
#include "base/text/format.h"
#include "cmd/help/messages.h"
#include "cmd/load/profile_load.h"

bool selection_is_by_function(const struct selection *selection)
{
    return selection->by.index == BY_FUNCTION;
}

bool selection_is_all(const struct selection *selection)
{
    return selection->filters.count == 0 && !selection->no_imports &&
           selection->labels.count == 0 && selection_is_by_function(selection);
}

void selection_want(const struct selection *selection, struct builder_options *wanted)
{
    enum group_by by = (enum group_by)selection->by.index;
    /* What the file itself tells apart needs no grouping afterwards. */
    bool is_grouped = by != BY_FUNCTION && by != BY_LINE && by != BY_ADDRESS && by <= BY_LABEL;
    bool is_filtered = selection->filters.count || selection->no_imports;
    bool is_narrow = is_grouped || (is_filtered && !selection->is_of_events);

    if (group_is_of_events(by))
        wanted->need = LEVEL_TIMELINE;
    wanted->sample_times |= by == BY_TRACK || by == BY_THREAD;
    if (is_narrow && wanted->need < LEVEL_CALLGRAPH)
        wanted->need = LEVEL_CALLGRAPH;
    wanted->launches |= by == BY_STEP || by == BY_STAGE || (is_filtered && selection->is_of_events);
    wanted->categories |= by == BY_CATEGORY;
    if (by == BY_STEP || by == BY_DETAIL)
        wanted->properties |= property_bit(by == BY_STEP ? PROP_STEP : PROP_DETAIL);
    if (by == BY_LINE || by == BY_ADDRESS)
        wanted->detail = by == BY_LINE ? DETAIL_LINE : DETAIL_ADDRESS;
    wanted->label_key = selection->by.name;
    wanted->label_is_leaf = by == BY_TAG_LEAF;
    wanted->label_filters = &selection->labels;
}

struct builder_options selection_wanted(const struct selection *selection, enum level need)
{
    struct builder_options wanted = {.need = need};

    selection_want(selection, &wanted);
    return wanted;
}

/* What is asked for by a name must be there; what is to be left out need not. */
static bool check_matches(const struct profile *profile, const struct filter *filters,
                          uint32_t count, struct error *err)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct filter *filter = &filters[i];

        if (filter->has_match || profile->graph.frames.count <= 1)
            continue;
        if (!filter->pattern.text) {
            error_set(err, ERROR_NO, "no function seems to be the program's own");
            return error_hint(err,
                              "--mine=RE says which are; 'ptk help hotspots' shows how ptk knows "
                              "them");
        }
        if (filter->pattern.fault.kind || filter->kind == FILTER_FOCUS ||
            filter->kind == FILTER_SHOW || filter->kind == FILTER_MINE)
            return name_pattern_lack(&filter->pattern, err);
        message_note("no function matches '%s': nothing is left out", filter->pattern.text);
    }
    return true;
}

/* --mine of a script that leaves all work to a package says which. */
static void name_package(const struct filter *filter)
{
    char own[FORMAT_LEN], share[FORMAT_LEN];

    if (filter->package.len)
        message_note("the program's own code has %s of the time itself; %.*s has %s: "
                     "--mine=%.*s shows that",
                     format_share(own, filter->own_share), (int)filter->package.len,
                     filter->package.at, format_share(share, filter->package_share),
                     (int)filter->package.len, filter->package.at);
}

/* Of a profile that held something. */
static bool check_rest(const struct profile *profile, const struct selection *selection,
                       struct error *err)
{
    const struct graph *graph = &profile->graph;
    bool is_empty =
        graph->has[LEVEL_CALLTREE] ? graph->tree.count <= 1 : graph->functions.count == 0;

    if (selection->filters.count == 0 || graph->frames.count <= 1 || !is_empty)
        return true;
    error_set(err, ERROR_NO, "nothing is left of the profile");
    return error_hint(err, "what --focus and --show keep, --ignore and --hide take away");
}

/* Before anything is made of them. */
static bool select_events(struct profile *profile, const struct selection *selection,
                          struct filter *filters, uint32_t count, struct error *err)
{
    struct graph *graph = &profile->graph;
    uint32_t before = graph->timeline.count;

    if (selection->no_imports)
        timeline_without_imports(graph);
    timeline_filter(graph, filters, count);
    return check_matches(profile, filters, count, err) &&
           (!count || graph->timeline.count || !before ||
            error_set(err, ERROR_NO, "no event is left of the profile"));
}

/* What the profile has nothing of that it could be narrowed by. */
static bool check_selectable(const struct graph *graph, const struct selection *selection,
                             struct error *err)
{
    bool is_of_samples = graph->native == LEVEL_CALLTREE;

    if (selection->labels.count && !is_of_samples)
        return error_set(err, ERROR_LACK, "%s hold no labels to choose by",
                         graph->source.format_title);
    return !selection->filters.count || graph->native != LEVEL_COUNTERS ||
           error_set(err, ERROR_LACK,
                     "counters are of kernels, which no other function calls: "
                     "none can be chosen");
}

bool profile_select(struct profile *profile, const struct selection *selection, struct error *err)
{
    const struct option_values *values = &selection->filters;
    struct graph *graph = &profile->graph;
    struct filter filters[OPTION_VALUES_MAX] = {0};
    uint32_t count = (uint32_t)values->count;
    char text[FORMAT_LEN];
    bool ok;

    if (!check_selectable(graph, selection, err))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        filters[i].kind = (enum filter_kind)values->list[i].tag;
        if (values->list[i].text)
            name_pattern_set(&filters[i].pattern, values->list[i].text, selection->is_literal);
    }
    if (group_is_of_events((enum group_by)selection->by.index) && graph->values.are_of_timeline &&
        graph->values.selected == TIMELINE_IDLE)
        return error_set(err, ERROR_USAGE,
                         "--value idle is of functions: it cannot be divided by track, category, "
                         "step or detail");
    if (group_is_of_events((enum group_by)selection->by.index))
        group_mark_events(graph, (enum group_by)selection->by.index);
    if (selection->is_of_events && graph->native == LEVEL_TIMELINE) {
        ok = select_events(profile, selection, filters, count, err);
        for (uint32_t i = 0; i < count; i++)
            name_pattern_free(&filters[i].pattern);
        return ok;
    }
    if (selection->no_imports) {
        int64_t time = select_no_imports(graph);

        if (time)
            message_note("left out: %s of imports", format_value(text, time, graph_unit(graph)));
        else
            message_note("no import is seen: nothing is left out");
    }
    select_apply(graph, filters, count);
    for (uint32_t i = 0; i < count; i++)
        name_package(&filters[i]);
    ok = check_matches(profile, filters, count, err) && check_rest(profile, selection, err);
    for (uint32_t i = 0; i < count; i++)
        name_pattern_free(&filters[i].pattern);
    return ok && group_apply(graph, (enum group_by)selection->by.index, err);
}
