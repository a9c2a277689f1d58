/* SPDX-License-Identifier: Apache-2.0 */
/* advice_replay.c — the run once more without each trouble that rules found, and whose that trouble is most */
#include <math.h>
#include <stdlib.h>

#include "analysis/advice/advice.h"
#include "base/memory/memory.h"

bool finding_has_remedy(const struct finding *finding)
{
    return finding->is_reported && (finding->kernel_count || finding->rule->remedy != REMEDY_NONE);
}

void finding_apply(struct scenario *scenario, const struct finding *finding, uint8_t faster)
{
    scenario->factors[REMEDY_GOES] = (double)INFINITY;
    scenario->factors[faster] = finding->kernel_count ? finding->factor : 1;
    for (uint32_t i = 0; i < finding->kernel_count; i++)
        if (scenario->of_frame[finding->kernels[i]] == 0)
            scenario->of_frame[finding->kernels[i]] = faster;
    if (!finding->kernel_count)
        scenario_apply(scenario, finding->rule->remedy, REMEDY_GOES);
}

/* How much shorter the run is. */
static int64_t replay(const struct scenario *scenario)
{
    const struct execution *execution = scenario->execution;
    int64_t *length = grow_to(NULL, execution->count, sizeof(*length));
    int64_t *end = grow_to(NULL, execution->count, sizeof(*end));
    int64_t gain;

    replay_lengths(execution, &scenario->change, length);
    gain = execution->run_end - replay_run(execution, &scenario->change, length, end);
    free(length);
    free(end);
    return gain > 0 ? gain : 0;
}

/* What a finding's remedy changes alone; scenario_free() it. */
static void begin_without(struct scenario *scenario, const struct execution *execution,
                          const struct finding *finding)
{
    scenario_begin(scenario, execution);
    scenario->change.batch_cost = BATCH_COST_LIKELY;
    finding_apply(scenario, finding, REMEDY_FASTER);
}

/* What kernels are from their roof is the most that a better one can save: how near it comes, nothing tells. */
static void limit_to_roof(struct finding *finding)
{
    finding->gain_least = 0;
    finding->doubt = "how near to their roof such kernels come is not known";
    if (finding->high > finding->gain_most)
        finding->high = finding->gain_most;
}

static void replay_one(const struct execution *execution, struct finding *finding)
{
    int64_t span = execution_span(execution);
    struct replay_bounds bounds;
    struct scenario scenario;

    begin_without(&scenario, execution, finding);
    finding->gain = replay(&scenario);
    replay_bound(execution, &scenario.change, &bounds);
    finding->gain_least = span > bounds.most ? span - bounds.most : 0;
    finding->gain_most = span > bounds.least ? span - bounds.least : 0;
    finding->doubt = replay_doubt(&bounds, finding->gain);
    if (finding->is_to_roof)
        limit_to_roof(finding);
    scenario_free(&scenario);
}

/* One before `at` with the same remedy, whose replay is this one's, too; NULL. */
static const struct finding *replayed_before(const struct finding *findings, uint32_t at)
{
    for (uint32_t i = 0; i < at && !findings[at].kernel_count; i++)
        if (finding_has_remedy(&findings[i]) && !findings[i].kernel_count &&
            findings[i].rule->remedy == findings[at].rule->remedy)
            return &findings[i];
    return NULL;
}

/* A change for each remedy, and for each cause that makes kernels slow, whatever the file: advice has a finding for
 * each of the latter, and those that share a remedy share its change. */
_Static_assert((int)REMEDY_FASTER - 1 + ((int)REMEDY_COUNT - 1) + (int)CAUSE_COUNT <= (int)REPLAY_CHANGES_MAX,
               "a change of its own for each remedy and each cause");

int64_t advice_replay(const struct execution *execution, struct finding *findings, uint32_t count)
{
    struct scenario all;
    int64_t gain = UNKNOWN;
    int part = REMEDY_FASTER;

    scenario_begin(&all, execution);
    all.change.batch_cost = BATCH_COST_LIKELY;
    for (uint32_t i = 0; i < count; i++) {
        const struct finding *same = replayed_before(findings, i);

        if (!finding_has_remedy(&findings[i]))
            continue;
        if (same) {
            findings[i].gain = same->gain;
            findings[i].gain_least = same->gain_least;
            findings[i].gain_most = same->gain_most;
            findings[i].doubt = same->doubt;
            continue;
        }
        replay_one(execution, &findings[i]);
        finding_apply(&all, &findings[i], (uint8_t)part++);
        gain = findings[i].gain;
    }
    if (part > REMEDY_FASTER + 1)
        gain = replay(&all);
    scenario_free(&all);
    return gain;
}

/* ---- of several at once ---- */

static void replay_scenario(const struct scenario *scenario, struct replayed_gain *gain)
{
    int64_t span = execution_span(scenario->execution);
    struct replay_bounds bounds;

    gain->gain = replay(scenario);
    replay_bound(scenario->execution, &scenario->change, &bounds);
    gain->least = span > bounds.most ? span - bounds.most : 0;
    gain->most = span > bounds.least ? span - bounds.least : 0;
}

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

void advice_replay_both(const struct execution *execution, const struct bottlenecks *all,
                        const struct thresholds *thresholds, const struct finding *first,
                        const struct finding *second, struct replayed_gain *gain)
{
    struct execution limited = *execution;
    struct scenario scenario;

    limited.limits = thresholds_of_idle(thresholds);
    scenario_begin(&scenario, &limited);
    scenario.change.batch_cost = BATCH_COST_LIKELY;
    finding_apply(&scenario, first, REMEDY_FASTER);
    finding_apply(&scenario, second, REMEDY_FASTER + 1);
    replay_scenario(&scenario, gain);
    scenario_free(&scenario);
    for (uint32_t i = 0; i < all->count; i++)
        if (all->devices[i].device == first->device) {
            int64_t most = all->devices[i].span - all->devices[i].compute;

            *gain = (struct replayed_gain){lesser(gain->gain, most), lesser(gain->least, most),
                                           lesser(gain->most, most)};
        }
}

int64_t advice_replay_kernels(const struct execution *execution,
                              const struct thresholds *thresholds)
{
    const struct graph *graph = execution->graph;
    struct execution limited = *execution;
    struct scenario scenario;
    int64_t gain;

    limited.limits = thresholds_of_idle(thresholds);
    scenario_begin(&scenario, &limited);
    scenario.factors[REMEDY_GOES] = (double)INFINITY;
    for (frame_id id = 1; id < graph->frames.count; id++)
        if (graph_frame(graph, id)->kind == KIND_KERNEL ||
            graph_frame(graph, id)->kind == KIND_MEMSET)
            scenario.of_frame[id] = REMEDY_GOES;
    gain = replay(&scenario);
    scenario_free(&scenario);
    return gain;
}

/* ---- what only a replay shows ---- */

/* Where waits are gone the host runs ahead, which hides more than the idle time right after them. */
void advice_reconsider(const struct advice_context *context, const struct execution *execution,
                       struct finding *findings, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        struct finding *finding = &findings[i];
        struct check check = finding->check;
        struct scenario scenario;
        int64_t gain;

        if (finding->rule->remedy != REMEDY_WAITS || finding->is_reported || finding->why_not ||
            check.whole <= 0)
            continue;
        begin_without(&scenario, execution, finding);
        gain = replay(&scenario);
        scenario_free(&scenario);
        check.what = "time that the run gains without waits / time";
        check.part = gain < check.whole ? gain : check.whole;
        check_judge(&check, context->thresholds);
        if (check.holds) {
            finding_set(context, finding, &check, 0, check.part);
            finding->place_share = NAN; /* of the idle time */
        }
    }
}

/* What the run gains if a function takes half of its time. */
static int64_t gain_of_half(const struct execution *execution, frame_id function)
{
    struct scenario scenario;
    int64_t gain;

    scenario_begin(&scenario, execution);
    scenario.factors[REMEDY_GOES] = 2;
    scenario_remove_function(&scenario, function, REMEDY_GOES, REMEDY_STAYS);
    gain = replay(&scenario);
    scenario_free(&scenario);
    return gain;
}

/* What a function holds a device up for after waits, where the host works for long after some. */
static int64_t time_after_waits(const struct gaps *gaps, frame_id function)
{
    for (uint32_t i = 0; gaps->worked_after_waits && i < gaps->after_wait_count; i++)
        if (gaps->after_waits[i].frame == function)
            return gaps->after_waits[i].time;
    return 0;
}

enum { CLEARLY = 10 /* %: more, for another one to be pointed at */ };

/* The best of the functions that were asked about. */
struct worthiest {
    const struct execution *execution;
    struct finding *finding;
    int64_t whole, best; /* ns: of all functions; what the run gains if this one takes half of its time */
    bool has_asked;
};

/* `time`: ns that it holds the device up. */
static void ask_function(struct worthiest *asking, frame_id function, event_id event, int64_t time)
{
    int64_t gain = gain_of_half(asking->execution, function);

    if (asking->has_asked && gain <= asking->best + asking->best / 100 * CLEARLY)
        return;
    asking->has_asked = true;
    asking->best = gain;
    finding_point(asking->finding, function, event, time, asking->whole);
    if (time == 0) /* it is idle for others, who come late because of it */
        asking->finding->place_share = NAN;
}

/* The longest event of a function's on any thread; NO_EVENT. */
static event_id longest_on_host(const struct graph *graph, frame_id function)
{
    const struct timeline *timeline = &graph->timeline;
    event_id longest = NO_EVENT;

    for (uint32_t t = 0; t < timeline->track_count; t++) {
        const struct track *track = &timeline->tracks[t];

        for (event_id e = track->first; e < track->first + track->count; e++)
            if (track->kind == TRACK_THREAD && timeline->frame[e] == function &&
                (longest == NO_EVENT || timeline->duration[e] > timeline->duration[longest]))
                longest = e;
    }
    return longest;
}

/* That of the host's functions which is most of the critical path, and does other work than launching. */
static void ask_most_of_path(struct worthiest *asking, const struct critical_path *path)
{
    enum { FUNCTIONS_ASKED = 4, EVENTS_ASKED = 10000 };
    const struct execution *execution = asking->execution;
    const struct timeline *timeline = &execution->graph->timeline;
    uint32_t asked = 0;

    for (uint32_t i = 0; i < path->row_count && asked < FUNCTIONS_ASKED; i++) {
        struct segment all = {.event = NO_EVENT};
        enum frame_kind kind = graph_frame(execution->graph, path->rows[i].frame)->kind;
        event_id event;

        if (kind != KIND_PYTHON && kind != KIND_HOST && kind != KIND_ANNOTATION)
            continue;
        asked++;
        event = longest_on_host(execution->graph, path->rows[i].frame);
        if (event == NO_EVENT || event_is_in_loader(execution->graph, event, EVENTS_ASKED))
            continue;
        all.event = event;
        all.start = timeline->start[event];
        all.end = event_end(timeline, event);
        if (host_piece_class(execution, &all) != IDLE_OF_HOST)
            continue;
        ask_function(asking, path->rows[i].frame, event, 0);
        return;
    }
}

/* A function that is busy while the device is, too, may decide more than the one that owns most of the idle time; so
 * may one that runs after waits, or is most of the critical path. */
static void point_at_worthiest(const struct execution *execution, const struct gaps *gaps,
                               const struct critical_path *path, struct finding *finding)
{
    enum { OWNERS_ASKED = 3 };
    struct worthiest asking = {execution, finding, gaps->by_class[IDLE_OF_HOST], 0, false};
    uint32_t asked = 0;

    for (uint32_t i = 0; gaps->worked_after_waits && i < gaps->after_wait_count; i++)
        asking.whole = checked_add(asking.whole, gaps->after_waits[i].time);
    for (uint32_t i = 0; i < gaps->owner_count && asked < OWNERS_ASKED; i++) {
        const struct idle_owner *owner = &gaps->owners[i];

        if (owner->class != IDLE_OF_HOST || owner->event == NO_EVENT)
            continue;
        asked++;
        ask_function(&asking, owner->frame, owner->event,
                     checked_add(owner->time, time_after_waits(gaps, owner->frame)));
    }
    if (gaps->worked_after_waits && gaps->after_waits[0].frame != finding->frame)
        ask_function(&asking, gaps->after_waits[0].frame, gaps->after_waits[0].event,
                     gaps->after_waits[0].time);
    ask_most_of_path(&asking, path);
}

/* At the function that gives most if it is twice as fast, or, where none owns much, at what holds most. */
static void point_at_host(const struct advice_context *context, const struct execution *execution,
                          const struct critical_path *path, struct finding *finding)
{
    for (uint32_t d = 0; d < context->all->count; d++) {
        const struct device_bottleneck *device = &context->all->devices[d];

        if (device->device == finding->device &&
            !point_at_holder(context, execution, device, IDLE_OF_HOST, finding))
            point_at_worthiest(execution, &device->gaps, path, finding);
    }
}

/* Points at the copies on the critical path that gain most in a replay at twice their speed. The longest one is shown. */
static void point_at_copy(const struct advice_context *context, const struct execution *execution,
                          const struct critical_path *path, struct finding *finding)
{
    enum { COPIES_ASKED = 4 };
    frame_id now = finding_place(context->graph, finding);
    int64_t best = gain_of_half(execution, now);
    uint32_t asked = 0;

    for (uint32_t i = 0; i < path->row_count && asked < COPIES_ASKED; i++) {
        frame_id frame = path->rows[i].frame;
        event_id event = NO_EVENT;
        int64_t gain;

        if (frame != now && graph_frame(context->graph, frame)->kind == KIND_MEMCPY)
            event = longest_copy(context, finding->device, frame);
        if (event == NO_EVENT)
            continue;
        asked++;
        gain = gain_of_half(execution, frame);
        if (gain <= best + best / 100 * CLEARLY)
            continue;
        best = gain;
        finding->event = event;
    }
}

void advice_point(const struct advice_context *context, const struct execution *execution,
                  struct finding *findings, uint32_t count)
{
    struct critical_path path = {0};

    for (uint32_t i = 0; i < count; i++) {
        bool is_of_host = findings[i].rule->remedy == REMEDY_HOST;

        if (!findings[i].is_reported ||
            !(is_of_host || findings[i].rule->judge == judge_copy_overlap))
            continue;
        if (path.row_count == 0)
            critical_path_compute(execution, context->arena, &path);
        if (is_of_host)
            point_at_host(context, execution, &path, &findings[i]);
        else
            point_at_copy(context, execution, &path, &findings[i]);
    }
}
