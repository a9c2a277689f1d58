/* SPDX-License-Identifier: Apache-2.0 */
/* advice.c — asks all rules about a profile, and ranks what they found by what the run gains without it */
#include <math.h>
#include <stdlib.h>

#include "analysis/advice/advice.h"
#include "analysis/captures/captures.h"
#include "analysis/ranks/rank_overlap.h"
#include "analysis/ranks/rank_summaries.h"
#include "analysis/timeline/inventory.h"
#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/classify/function_class.h"
#include "graph/derive/derive.h"

uint64_t advice_properties(void)
{
    return bottleneck_properties() | property_bit(PROP_COPY_KIND) | property_bit(PROP_GRID) |
           property_bit(PROP_BLOCK) | property_bit(PROP_REGISTERS) |
           property_bit(PROP_SHARED_MEMORY) | property_bit(PROP_BLOCKS_PER_SM) |
           property_bit(PROP_OCCUPANCY) | property_bit(PROP_RESERVED) | captures_properties() |
           collectives_properties();
}

/* Whether the check is of a loss of the device that is below its limit, but larger than all that are not. */
static bool outweighs(const struct advice_context *context, const struct finding *finding)
{
    const struct device_bottleneck *device = context->device;

    return device && finding->rule->loss != HELD_BY_NOTHING && !finding->check.is_below &&
           finding->check.whole == device->span && finding->check.part != UNKNOWN &&
           bottleneck_outweighs(device, finding->check.part);
}

void finding_set(const struct advice_context *context, struct finding *finding,
                 const struct check *check, int64_t low, int64_t high)
{
    finding->check = *check;
    check_judge(&finding->check, context->thresholds);
    finding->outweighs = !finding->check.holds && outweighs(context, finding);
    finding->is_reported = finding->check.holds || finding->outweighs;
    finding->low = low;
    finding->high = high;
}

void finding_point(struct finding *finding, frame_id frame, event_id event, int64_t part,
                   int64_t whole)
{
    finding->frame = frame;
    finding->event = event;
    finding->place_share = share_of(part, whole);
}

static struct finding nothing_found(const struct rule *rule, int32_t device)
{
    return (struct finding){.rule = rule,
                            .device = device,
                            .event = NO_EVENT,
                            .low = UNKNOWN,
                            .high = UNKNOWN,
                            .gain = UNKNOWN,
                            .gain_least = UNKNOWN,
                            .gain_most = UNKNOWN,
                            .place_share = NAN,
                            .step = UNKNOWN};
}

static void apply_rule(const struct advice_context *context, const struct rule *rule,
                       struct finding *finding)
{
    const struct device_bottleneck *device = context->device;
    double petty = context->thresholds->of[LIMIT_GAIN] * (double)context->whole;

    *finding = nothing_found(rule, device ? device->device : -1);
    rule->judge(context, finding);
    finding->is_verdict = device && rule->loss != HELD_BY_NOTHING && rule->loss == device->verdict;
    if (finding->is_reported && !finding->why_not && finding->high != UNKNOWN &&
        (double)finding->high < petty)
        finding->why_not = "what it could save is below the threshold 'gain'";
    if (finding->why_not)
        finding->is_reported = false;
}

/* The device on which it is reported, with the most to save. */
static void ask_devices(struct advice_context *context, const struct rule *rule,
                        struct finding *finding)
{
    for (uint32_t i = 0; i < context->all->count; i++) {
        struct finding other;

        context->work = &context->works->list[i];
        context->device = &context->all->devices[i];
        context->causes = &context->causes_of[i];
        context->waits = &context->waits_of[i];
        apply_rule(context, rule, &other);
        if (i == 0 || other.is_reported > finding->is_reported ||
            (other.is_reported == finding->is_reported && other.high > finding->high))
            *finding = other;
    }
    context->work = NULL;
    context->device = NULL;
}

static const char *lacks(const struct advice_context *context, const struct rule *rule)
{
    bool has_timeline = context->graph->has[LEVEL_TIMELINE];
    int64_t reserved;

    if (rule->scope == RULE_MEMORY)
        return graph_fact(context->graph, FACT_RESERVED, &reserved)
                   ? NULL
                   : "about snapshots of an allocator";
    if (rule->scope == RULE_FLAT && context->all->count)
        return "about programs without a device: see ptk amdahl";
    if (rule->scope == RULE_FLAT && context->has_ranks)
        return "the functions are phases of several ranks: see ptk job";
    if (rule->scope == RULE_FLAT && (graph_unit(context->graph) == UNIT_BYTES ||
                                     graph_value_time(context->graph) == VALUE_STOCK))
        return "the value is not time";
    if (rule->scope != RULE_FLAT && !has_timeline)
        return "about timelines";
    if (rule->scope != RULE_FLAT && context->all->count == 0)
        return "no device did anything";
    if (rule->scope != RULE_FLAT && context->all->has_only_collectives)
        return "the file has only collectives: what ran beside them is not recorded";
    return NULL;
}

static void judge(struct advice_context *context, const struct rule *rule, struct finding *finding)
{
    const char *why_not = lacks(context, rule);

    *finding = nothing_found(rule, -1);
    finding->why_not = why_not;
    if (why_not)
        return;
    if (rule->scope == RULE_DEVICE)
        ask_devices(context, rule, finding);
    else
        apply_rule(context, rule, finding);
}

/* What the finding is ranked by: what the run gains without it, else what is lost to it. */
static int64_t worth(const struct finding *finding)
{
    return finding->gain != UNKNOWN ? finding->gain : finding->high;
}

/* Those that are reported first, causes before symptoms, then by worth, then by the most that it can give;
 * ties as in the table of rules. */
static bool comes_before(const void *context, uint32_t a, uint32_t b)
{
    const struct finding *list = context;

    if (list[a].is_reported != list[b].is_reported)
        return list[a].is_reported;
    if (list[a].leads != list[b].leads)
        return list[a].leads;
    if (list[a].rule->is_symptom != list[b].rule->is_symptom)
        return list[a].is_reported && list[b].rule->is_symptom;
    if (worth(&list[a]) != worth(&list[b]))
        return list[a].is_reported && worth(&list[a]) > worth(&list[b]);
    return list[a].is_reported && list[a].high > list[b].high;
}

static bool has_culprit(const struct finding *finding)
{
    return finding->event != NO_EVENT || finding->frame;
}

/* What is done once gives way to what goes on and gives about as much, or gives half and loses the device more. */
static bool gives_way(const struct finding *once, const struct finding *going)
{
    enum { ABOUT = 90 /* % */ };

    return worth(going) >= worth(once) / 100 * ABOUT ||
           (going->high > once->high && worth(going) >= worth(once) / 2);
}

static bool is_worthier(const struct finding *finding, const struct finding *most)
{
    bool is_once = finding->rule->remedy == REMEDY_SETUP;

    if (is_once == (most->rule->remedy == REMEDY_SETUP))
        return worth(finding) > worth(most);
    return is_once ? !gives_way(finding, most) : gives_way(most, finding);
}

/* Advice begins with what the verdict is about: the worthiest of its findings, unless that gives hardly anything. One without a culprit gives
 * way to one that has, if the same remedy gives a third of it there. */
static void rank(struct finding *found, uint32_t count, int64_t petty, struct arena *arena,
                 struct advice *advice)
{
    struct finding *most = NULL, *lead;
    bool has_minor = false;

    for (uint32_t i = 0; i < count; i++) {
        advice->reported += found[i].is_reported;
        has_minor |= found[i].is_reported && found[i].is_minor;
        if (found[i].is_reported && found[i].is_verdict && worth(&found[i]) > 0 &&
            worth(&found[i]) >= petty && (!most || is_worthier(&found[i], most)))
            most = &found[i];
    }
    lead = most;
    for (uint32_t i = 0; most && !has_culprit(most) && most->gain != UNKNOWN && i < count; i++)
        if (found[i].is_reported && found[i].is_verdict && has_culprit(&found[i]) &&
            found[i].rule->remedy == most->rule->remedy && found[i].gain >= most->gain / 3 &&
            (lead == most || found[i].gain > lead->gain))
            lead = &found[i];
    for (uint32_t i = 0; !most && has_minor && i < count; i++)
        if (found[i].is_reported && !found[i].is_minor && !found[i].rule->is_symptom &&
            (!lead || worth(&found[i]) > worth(lead)))
            lead = &found[i];
    if (lead)
        lead->leads = true;
    advice->findings = sorted_copy(arena, found, sizeof(*found), count, count, comes_before);
    advice->count = count;
}

/* What savings are of: the window that was looked at, or all that functions have. */
static int64_t find_whole(const struct graph *graph, const struct bottlenecks *all)
{
    int64_t whole = 0;

    if (!all->count)
        return graph_work(graph);
    for (uint32_t i = 0; i < all->count; i++)
        whole = all->devices[i].span > whole ? all->devices[i].span : whole;
    return whole;
}

static int64_t first_start(const struct timeline *timeline)
{
    int64_t first = INT64_MAX;

    for (uint32_t i = 0; i < timeline->track_count; i++)
        if (timeline->tracks[i].count && timeline->start[timeline->tracks[i].first] < first)
            first = timeline->start[timeline->tracks[i].first];
    return first == INT64_MAX ? 0 : first;
}

/* ---- where ---- */

/* The innermost Python function around a host event, else what else is around it. */
static frame_id around(const struct graph *graph, event_id event)
{
    enum { EVENTS_ASKED = 10000 };
    const struct timeline *timeline = &graph->timeline;
    const struct track *track = &timeline->tracks[track_of_event(timeline, event)];
    int64_t end = event_end(timeline, event);
    frame_id nearest = 0;

    for (uint32_t asked = 0; event-- > track->first && asked < EVENTS_ASKED; asked++) {
        if (event_end(timeline, event) < end)
            continue;
        if (graph_frame(graph, timeline->frame[event])->kind == KIND_PYTHON)
            return timeline->frame[event];
        nearest = nearest ? nearest : timeline->frame[event];
    }
    return nearest;
}

/* Device work is where it was launched. */
static void locate(const struct graph *graph, const struct steps *steps, struct finding *finding)
{
    const struct timeline *timeline = &graph->timeline;
    event_id event = finding->event;

    if (event == NO_EVENT)
        return;
    if (is_device_work(graph, event))
        event = timeline->launch ? timeline->launch[event] : NO_EVENT;
    if (event == NO_EVENT)
        return;
    finding->inside = around(graph, event);
    for (uint32_t i = 0; i < steps->count; i++)
        if (steps->list[i].start <= timeline->start[event] &&
            timeline->start[event] < steps->list[i].end)
            finding->step = steps->list[i].number;
}

static void locate_all(const struct graph *graph, struct arena *arena, struct advice *advice)
{
    struct steps steps;

    steps_find(graph, arena, &steps);
    for (uint32_t i = 0; i < advice->reported; i++)
        locate(graph, &steps, &advice->findings[i]);
}

/* By device, in the order of context->works: rules look at one after the other. */
static struct kernel_causes *share_out(const struct advice_context *context,
                                       const struct kernel_causes *all)
{
    const struct devices_work *works = context->works;
    struct kernel_causes *causes = arena_array(context->arena, works->count, sizeof(*causes));
    struct idmap place_of = {0};

    for (uint32_t i = 0; i < works->count; i++)
        *idmap_at(&place_of, (uint32_t)works->list[i].device) = i;
    for (uint32_t i = 0; i < all->count; i++)
        causes[idmap_find(&place_of, (uint32_t)all->list[i].group.device)].count++;
    for (uint32_t i = 0; i < works->count; i++)
        causes[i] = (struct kernel_causes){
            .list = arena_array(context->arena, causes[i].count, sizeof(*causes->list)),
            .units = all->units,
            .has_ceiling = all->has_ceiling,
            .thresholds = all->thresholds};
    for (uint32_t i = 0; i < all->count; i++) {
        uint32_t place = idmap_find(&place_of, (uint32_t)all->list[i].group.device);

        causes[place].list[causes[place].count++] = all->list[i];
    }
    idmap_free(&place_of);
    return causes;
}

/* Of the kernels in the window that was looked at. */
static const struct kernel_causes *find_causes(const struct advice_context *context,
                                               const struct kernel_owners *known)
{
    struct kernel_causes causes;
    int64_t start = INT64_MAX, end = INT64_MIN;
    struct kernel_owners own = {.graph = NULL};

    for (uint32_t i = 0; i < context->all->count; i++) {
        const struct device_bottleneck *device = &context->all->devices[i];

        start = device->start < start ? device->start : start;
        end = device->end > end ? device->end : end;
    }
    if (!known)
        kernel_owners_find(&own, context->graph);
    kernel_causes_find(known ? known : &own, context->ceilings, context->thresholds, start, end,
                       context->arena, &causes);
    kernel_owners_free(&own);
    return share_out(context, &causes);
}

/* ---- what a remedy gives ---- */

/* What a device did not compute in; INT64_MAX for a finding about none. */
static int64_t not_computed(const struct bottlenecks *all, int32_t device)
{
    for (uint32_t i = 0; i < all->count; i++)
        if (all->devices[i].device == device)
            return all->devices[i].span - all->devices[i].compute;
    return INT64_MAX;
}

/* A remedy may take out more than the trouble: all copies, where some are not hidden. No more than was lost to it
 * is promised. A host that does less runs ahead, which hides other losses, too: at most all of them, a promise only
 * of waits, which hide nothing else. */
static void limit_gain(const struct bottlenecks *all, struct finding *finding)
{
    int64_t most =
        finding->rule->loss == HELD_BY_NOTHING ? INT64_MAX : not_computed(all, finding->device);
    enum remedy remedy = finding->rule->remedy;
    int64_t promised;

    finding->high = finding->high < most ? finding->high : most;
    if (finding->gain == UNKNOWN || finding->high == UNKNOWN)
        return;
    promised = finding->high;
    if ((remedy == REMEDY_WAITS || remedy == REMEDY_HOST || remedy == REMEDY_LAUNCHES) &&
        finding->gain > finding->high)
        finding->high = finding->gain < most ? finding->gain : most;
    promised = remedy == REMEDY_WAITS ? finding->high : promised;
    finding->gain = finding->gain < promised ? finding->gain : promised;
    finding->gain_least = finding->gain_least < promised ? finding->gain_least : promised;
    finding->gain_most = finding->gain_most < finding->high ? finding->gain_most : finding->high;
}

static bool is_launched(const struct timeline *timeline, const struct devices_work *works,
                        int32_t device)
{
    for (uint32_t i = 0; i < works->count; i++)
        for (uint32_t k = 0; works->list[i].device == device && k < works->list[i].count; k++)
            if (timeline->launch && timeline->launch[works->list[i].events[k]] != NO_EVENT)
                return true;
    return false;
}

/* Whether no recorded call launched a device's last work, such as the migration of a page. */
static bool ends_unlaunched(const struct timeline *timeline, const struct devices_work *works,
                            int32_t device)
{
    event_id last = NO_EVENT;

    for (uint32_t i = 0; i < works->count; i++)
        for (uint32_t k = 0; works->list[i].device == device && k < works->list[i].count; k++) {
            event_id work = works->list[i].events[k];

            if (last == NO_EVENT || event_end(timeline, work) > event_end(timeline, last))
                last = work;
        }
    return last != NO_EVENT && timeline->launch && timeline->launch[last] == NO_EVENT;
}

/* In a replay, work without a recorded launch begins when it began. So the gain is not known if that is the device's
 * last work, or if no host or no launch is recorded. */
static void doubt_gain(const struct graph *graph, const struct devices_work *works,
                       struct finding *finding)
{
    enum bottleneck loss = finding->rule->loss;
    bool is_known = timeline_has_host(&graph->timeline) &&
                    is_launched(&graph->timeline, works, finding->device);
    bool is_held = is_known && finding->gain < finding->gain_most &&
                   ends_unlaunched(&graph->timeline, works, finding->device);

    if (loss >= HELD_BY_INPUT && loss <= HELD_BY_COMMUNICATION &&
        (is_held || (finding->gain == 0 && !is_known))) {
        finding->gain = finding->gain_least = finding->gain_most = UNKNOWN;
        finding->doubt = NULL;
    }
    if (finding->doubt) /* only between which ends it lies is known */
        finding->gain = UNKNOWN;
}

/* ---- the whole ---- */

void advice_give(const struct graph *graph, const struct execution *execution,
                 const struct bottlenecks *all, const struct thresholds *thresholds,
                 const struct ceilings *ceilings, const struct kernel_owners *owners,
                 struct arena *arena, struct advice *advice)
{
    struct property_cursors near = {.columns = graph->timeline.properties};
    struct advice_context context = {.graph = graph,
                                     .thresholds = thresholds,
                                     .ceilings = ceilings,
                                     .cause_rules = cause_rules_make(ceilings, arena),
                                     .near = &near,
                                     .arena = arena};
    struct execution limited;
    struct finding *found;
    uint32_t count = 0;
    int64_t petty;

    *advice = (struct advice){.gain = UNKNOWN, .is_of_functions = all->count == 0};
    if (graph->has[LEVEL_TIMELINE]) {
        advice->steps = all->window == WINDOW_STEPS ? all->steps : 0;
        advice->start = first_start(&graph->timeline);
    }
    if (!all->count) {
        cost_shares_find(graph, arena, &advice->costs);
        context.costs = &advice->costs;
        context.is_own = advice->costs.is_own;
        context.has_ranks = has_phases_of_ranks(graph);
    }
    if (graph->has[LEVEL_TIMELINE] && all->count)
        context.recorded = recorded_find(graph, &all->devices[0]);
    context.works = &all->works;
    context.all = all;
    context.whole = advice->whole = find_whole(graph, all);
    advice->has_only_collectives = all->has_only_collectives;
    if (graph->has[LEVEL_TIMELINE]) {
        context.causes_of = find_causes(&context, owners);
        context.waits_of = collective_waits_find(graph, all, arena);
    }
    while (rules[count].name)
        count++;
    found = arena_array(arena, count + CAUSE_COUNT, sizeof(*found));
    for (uint32_t i = 0; i < count; i++)
        judge(&context, &rules[i], &found[i]);
    for (uint32_t i = 0; i < CAUSE_COUNT; i++)
        judge(&context, &context.cause_rules[i], &found[count++]);
    if (graph->has[LEVEL_TIMELINE]) {
        limited = *execution;
        limited.limits = thresholds_of_idle(thresholds);
        advice_reconsider(&context, &limited, found, count);
        advice->gain = advice_replay(&limited, found, count);
        advice_point(&context, &limited, found, count);
    }
    for (uint32_t i = 0; i < count; i++) {
        limit_gain(all, &found[i]);
        doubt_gain(graph, &all->works, &found[i]);
    }
    petty = (int64_t)(thresholds->of[LIMIT_GAIN] * (double)advice->whole);
    silence_idle(&context, found, count, petty);
    silence_uneven_steps(graph, found, count);
    silence_symptoms(found, count);
    silence_paths(found, count);
    rank(found, count, petty, arena, advice);
    if (advice->reported)
        advice->recording = judge_recording(&context, &advice->findings[0]);
    if (graph->has[LEVEL_TIMELINE]) {
        advice_chain(&limited, arena, advice);
        locate_all(graph, arena, advice);
    }
}

bool advice_applies(const struct advice *advice)
{
    for (uint32_t i = 0; i < advice->count; i++)
        if (!advice->findings[i].why_not)
            return true;
    return false;
}
