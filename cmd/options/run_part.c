/* SPDX-License-Identifier: Apache-2.0 */
/* The part of a run that is meant besides its time: a stage, a rank, a process, a thread, a device. */
#include "cmd/options/run_part.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/selection/select.h"
#include "analysis/timeline/device_work.h"
#include "analysis/timeline/serving_steps.h"
#include "base/text/pattern.h"
#include "graph/classify/event_class.h"
#include "graph/derive/derive.h"

static bool has_tracks(const struct run_part *part)
{
    return part->process || part->track || part->device;
}

bool run_part_is_all(const struct run_part *part)
{
    return time_window_is_all(&part->window) && !part->stage && !part->rank && !has_tracks(part);
}

void run_part_want(const struct run_part *part, struct builder_options *wanted)
{
    if (time_window_is_all(&part->window) && !part->stage && !has_tracks(part))
        return;
    wanted->need = LEVEL_TIMELINE;
    wanted->sample_times = true;
    wanted->properties |= property_bit(PROP_STEP);
    wanted->launches |= part->stage != NULL;
    wanted->categories |= part->stage != NULL;
}

/* ---- tracks ---- */

/* A number means the number alone. */
struct track_wish {
    const char *text;
    int64_t number;
    bool is_number;
    struct pattern pattern;
};

static bool wish_take(struct track_wish *wish, const char *text, struct error *err)
{
    *wish = (struct track_wish){.text = text};
    wish->is_number = text && span_to_i64(span_of(text), &wish->number);
    return !text || wish->is_number || pattern_compile(&wish->pattern, text, err);
}

static void wish_free(struct track_wish *wish)
{
    if (wish->text && !wish->is_number)
        pattern_free(&wish->pattern);
}

static bool wish_fits(const struct track_wish *wish, int64_t number, int64_t other,
                      struct span name, struct span more)
{
    if (!wish->text)
        return true;
    if (wish->is_number)
        return wish->number == number || (other && wish->number == other);
    return pattern_matches(&wish->pattern, name) ||
           (more.len && pattern_matches(&wish->pattern, more));
}

static bool lack_tracks(const struct run_part *part, struct error *err)
{
    if (part->device && !part->process && !part->track)
        error_set(err, ERROR_NO, "no device has the number %.40s", part->device);
    else
        error_set(err, ERROR_NO, "no track that has events is '%.80s'",
                  part->track ? part->track : part->process);
    return error_hint(err, "ptk info lists tracks, with their processes and devices");
}

/* A device's tracks are its process's only where the file says so. */
static bool keep_tracks(const struct run_part *part, struct graph *graph, struct error *err)
{
    const struct timeline *timeline = &graph->timeline;
    struct track_wish process = {0}, track = {0};
    struct arena arena = {0};
    bool *keeps = arena_array(&arena, timeline->track_count, sizeof(*keeps));
    int64_t device = -1;
    bool has_device = false, any = false, ok;

    if (part->device && (!span_to_i64(span_of(part->device), &device) || device < 0))
        return error_set(err, ERROR_USAGE, "--device takes a device's number, not '%.60s'",
                         part->device);
    ok = wish_take(&process, part->process, err) && wish_take(&track, part->track, err);
    for (uint32_t i = 0; ok && i < timeline->track_count; i++) {
        const struct track *at = &timeline->tracks[i];
        struct span name = graph_text(graph, at->name), owner = graph_text(graph, at->process);

        keeps[i] = (!part->device || at->device < 0 || at->device == device) &&
                   wish_fits(&process, at->pid, 0, owner, (struct span){NULL, 0}) &&
                   wish_fits(&track, at->tid, at->stream, name, owner);
        has_device |= at->device == device;
        any |= keeps[i] && at->count;
    }
    wish_free(&process);
    wish_free(&track);
    if (ok && (!any || (part->device && !has_device)))
        ok = lack_tracks(part, err);
    if (ok)
        timeline_keep_tracks(graph, keeps);
    arena_free(&arena);
    return ok;
}

/* ---- stages ---- */

static const struct {
    const char *name;
    enum event_role role;
} stages[] = {{"dataloader", ROLE_DATALOADER},
              {"forward", ROLE_FORWARD},
              {"backward", ROLE_BACKWARD},
              {"optimizer", ROLE_OPTIMIZATION}};

/* Threads that name no stage work for it while another is in it: autograd's, for the one that called it. */
static void mark_helpers(const struct timeline *timeline, bool *marks)
{
    struct intervals while_marked = {0};

    for (event_id e = 0; e < timeline->count; e++)
        if (marks[e])
            intervals_cover(&while_marked, timeline->start[e], event_end(timeline, e));
    intervals_unite(&while_marked);
    for (uint32_t i = 0; i < timeline->track_count; i++) {
        const struct track *track = &timeline->tracks[i];
        bool is_helper = track->kind == TRACK_THREAD;
        size_t at = 0;

        for (event_id e = track->first; e < track->first + track->count; e++)
            is_helper &= !marks[e];
        for (event_id e = track->first; is_helper && e < track->first + track->count; e++) {
            while (at < while_marked.count && while_marked.list[at].end <= timeline->start[e])
                at++;
            marks[e] = at < while_marked.count && while_marked.list[at].start <= timeline->start[e];
        }
    }
    intervals_free(&while_marked);
}

/* Where nothing names phases, what implies one. */
static bool mark_stage(const struct graph *graph, enum event_role wanted, bool *marks)
{
    const struct timeline *timeline = &graph->timeline;
    uint8_t *role = event_roles(graph);
    bool any = false;

    for (event_id e = 0; e < timeline->count; e++)
        any |= marks[e] = role[e] == wanted;
    for (event_id e = 0; !any && e < timeline->count; e++)
        marks[e] = role_is_host((enum event_role)role[e]) &&
                   graph_class(graph, timeline->frame[e]).implied_phase == wanted;
    for (event_id e = 0; !any && e < timeline->count; e++)
        any = marks[e];
    free(role);
    return any;
}

/* What begins after a step's label and ends before the next one's: device work follows its launch. */
static bool mark_serving(const struct graph *graph, enum serving_stage wanted, bool *marks)
{
    const struct timeline *timeline = &graph->timeline;
    struct arena arena = {0};
    struct serving_steps steps;
    bool any = false;

    serving_steps_find(graph, false, &arena, &steps);
    for (uint32_t i = 0; steps.count && i < timeline->track_count; i++) {
        const struct track *track = &timeline->tracks[i];

        for (event_id e = track->first;
             track->kind == TRACK_THREAD && e < track->first + track->count; e++) {
            uint32_t step = serving_step_of_host(graph, &steps, e), next;

            if (step == NO_STEP || steps.list[step].label->stage != wanted)
                continue;
            next = serving_step_after(&steps, step);
            marks[e] = next == NO_STEP || event_end(timeline, e) <= steps.list[next].start;
            any |= marks[e];
        }
    }
    arena_free(&arena);
    return any;
}

/* STAGE_COUNT: it is none of serving. */
static enum serving_stage serving_stage_named(const char *name)
{
    int stage = 0;

    while (stage < STAGE_OTHER && strcmp(serving_stage_name((enum serving_stage)stage), name) != 0)
        stage++;
    return stage < STAGE_OTHER ? (enum serving_stage)stage : STAGE_COUNT;
}

static bool keep_serving(enum serving_stage stage, bool keeps_steps, struct graph *graph,
                         struct error *err)
{
    bool *marks = grow_zeroed((size_t)graph->timeline.count + 1, sizeof(*marks));
    bool ok = mark_serving(graph, stage, marks);

    if (ok)
        timeline_focus(graph, marks, keeps_steps);
    else
        error_set(err, ERROR_LACK, "no label of a server's step says %s",
                  serving_stage_name(stage));
    free(marks);
    return ok;
}

static bool keep_stage(const char *name, bool keeps_steps, struct graph *graph,
                       struct error *err)
{
    bool *marks = grow_zeroed((size_t)graph->timeline.count + 1, sizeof(*marks)), ok = false;
    size_t at = 0;

    if (serving_stage_named(name) != STAGE_COUNT) {
        free(marks);
        return keep_serving(serving_stage_named(name), keeps_steps, graph, err);
    }
    while (at < COUNT_OF(stages) && strcmp(stages[at].name, name) != 0)
        at++;
    if (at == COUNT_OF(stages)) {
        error_set(err, ERROR_USAGE, "unknown stage '%.60s'", name);
        error_hint(err, "it is one of dataloader, forward, backward, optimizer, prefill, decode, mixed, "
                        "draft, dummy");
    } else if (!mark_stage(graph, stages[at].role, marks)) {
        error_set(err, ERROR_LACK, "no range says when the %s ran", name);
    } else {
        ok = true;
        mark_helpers(&graph->timeline, marks);
        timeline_focus(graph, marks, keeps_steps);
    }
    free(marks);
    return ok;
}

/* ---- all of them ---- */

static bool check_rank(const char *text, const struct graph *graph, struct error *err)
{
    int64_t wanted, rank;

    if (!span_to_i64(span_of(text), &wanted))
        return error_set(err, ERROR_USAGE, "--rank takes the number of a rank, not '%.60s'", text);
    if (!graph_fact(graph, FACT_RANK, &rank))
        return error_set(err, ERROR_LACK, "the file does not say of which rank it is");
    return rank == wanted ||
           error_set(err, ERROR_NO, "the file is of rank %" PRId64 ", not %" PRId64, rank, wanted);
}

bool run_part_apply(const struct run_part *part, bool keeps_steps, struct graph *graph,
                    struct error *err)
{
    if (part->rank && !check_rank(part->rank, graph, err))
        return false;
    if (!time_window_is_all(&part->window) && !time_window_apply(&part->window, graph, err))
        return false;
    if ((part->stage || has_tracks(part)) &&
        !graph_need(graph, LEVEL_TIMELINE, "it has no tracks or stages to choose", err))
        return false;
    return (!part->stage || keep_stage(part->stage, keeps_steps, graph, err)) &&
           (!has_tracks(part) || keep_tracks(part, graph, err));
}
