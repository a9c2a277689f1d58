/* SPDX-License-Identifier: Apache-2.0 */
/* group_events.c — what a timeline's events belong to: tracks, steps, stages, categories, details */
#include <inttypes.h>
#include <stdio.h>

#include "analysis/selection/select.h"
#include "analysis/timeline/device_work.h"
#include "analysis/timeline/inventory.h"
#include "analysis/timeline/serving_steps.h"
#include "base/memory/memory.h"
#include "graph/classify/event_class.h"

/* "GPU 0: stream 7" */
static str_id track_group(struct graph *graph, const struct track *track)
{
    struct arena scratch = {0};
    struct span process = graph_text(graph, track->process), name = graph_text(graph, track->name);
    const char *text = process.len
                           ? arena_printf(&scratch, "%.*s: %.*s", (int)(process.len & 0xffff),
                                          process.at, (int)(name.len & 0xffff), name.at)
                           : arena_copy(&scratch, name);
    str_id group = strings_intern(&graph->strings, span_of(text));

    arena_free(&scratch);
    return group;
}

/* By step, its text. */
static str_id *name_steps(struct graph *graph, const struct steps *steps, struct arena *arena)
{
    str_id *names = arena_array(arena, steps->count, sizeof(*names));

    for (uint32_t i = 0; i < steps->count; i++) {
        char text[32];
        int len = snprintf(text, sizeof(text), "step %" PRId64, steps->list[i].number);

        names[i] = strings_intern(&graph->strings, (struct span){text, (size_t)len});
    }
    return names;
}

/* The last to begin of the steps in which the event, or the call that launched it, lies. */
static str_id step_group(struct graph *graph, const struct steps *steps, const str_id *names,
                         event_id event)
{
    const struct timeline *timeline = &graph->timeline;
    event_id call = timeline->launch ? timeline->launch[event] : NO_EVENT;
    int64_t time = timeline->start[call == NO_EVENT ? event : call];

    SEARCH(uint32_t, at, steps->span_count, steps->spans[at].start <= time);
    if (at && time < steps->spans[at - 1].end)
        return names[steps->spans[at - 1].step];
    return strings_intern(&graph->strings, SPAN("(outside of steps)"));
}

/* By step of serving: its stage, or its number and stage. */
static str_id *name_serving(struct graph *graph, const struct serving_steps *steps, bool by_stage,
                            struct arena *arena)
{
    str_id *names = arena_array(arena, steps->count + 1u, sizeof(*names));

    for (uint32_t i = 0; i < steps->count; i++) {
        struct span stage = serving_step_stage(&steps->list[i]);

        names[i] = strings_intern(&graph->strings,
                                  by_stage ? stage
                                           : span_of(arena_printf(arena, "step %" PRIu32 " (%.*s)",
                                                                  i, (int)stage.len, stage.at)));
    }
    names[steps->count] = strings_intern(&graph->strings, SPAN("(outside of steps)"));
    return names;
}

/* Of device work by what launched it. */
static str_id serving_group(const struct graph *graph, const struct serving_steps *steps,
                            const str_id *names, event_id event)
{
    uint32_t step = is_device_work(graph, event) ? serving_step_of_work(graph, steps, event)
                                                 : serving_step_of_host(graph, steps, event);

    return names[step == NO_STEP ? steps->count : step];
}

/* "Source /usr/include/stdio.h" */
static str_id detail_group(struct graph *graph, event_id event)
{
    const struct timeline *timeline = &graph->timeline;
    str_id name = graph_frame(graph, timeline->frame[event])->name, group;
    struct arena scratch = {0};
    struct span first = graph_text(graph, name), second;
    int64_t detail;

    if (!property_of(&timeline->properties[PROP_DETAIL], event, &detail) || !detail)
        return name;
    second = graph_text(graph, (str_id)detail);
    group = strings_intern(&graph->strings,
                           span_of(arena_printf(&scratch, "%.*s %.*s", (int)(first.len & 0xffff),
                                                first.at, (int)(second.len & 0xffff), second.at)));
    arena_free(&scratch);
    return group;
}

/* What device work computes or moves; of what the host does, what the file calls it. */
static str_id category_group(struct graph *graph, event_id event)
{
    const struct timeline *timeline = &graph->timeline;
    enum kernel_family family = graph_class(graph, timeline->frame[event]).family;

    return family == FAMILY_NONE
               ? event_category(timeline, event)
               : strings_intern(&graph->strings, span_of(kernel_family_name(family)));
}

static void mark_all(struct graph *graph, enum group_by by, const struct steps *steps,
                     const struct serving_steps *serving, const str_id *names)
{
    struct timeline *timeline = &graph->timeline;
    struct idmap known = {0}; /* (frame, group) → the frame distinguished by it */

    for (uint32_t t = 0; t < timeline->track_count; t++) {
        const struct track *track = &timeline->tracks[t];
        str_id group = by == BY_TRACK || by == BY_THREAD ? track_group(graph, track) : 0;

        for (event_id event = track->first; event < track->first + track->count; event++) {
            if (by == BY_STAGE || (by == BY_STEP && serving->count))
                group = serving_group(graph, serving, names, event);
            else if (by == BY_STEP)
                group = step_group(graph, steps, names, event);
            else if (by == BY_CATEGORY)
                group = category_group(graph, event);
            else if (by == BY_DETAIL)
                group = detail_group(graph, event);

            uint32_t *at = idmap_at(&known, idmap_pair(timeline->frame[event], group));

            if (*at == IDMAP_NONE)
                *at = frame_split(&graph->frames, timeline->frame[event], group);
            timeline->frame[event] = *at;
        }
    }
    idmap_free(&known);
}

void group_mark_events(struct graph *graph, enum group_by by)
{
    struct steps steps = {0};
    struct serving_steps serving = {0};
    struct arena arena = {0};

    if (!graph->has[LEVEL_TIMELINE] || (by == BY_CATEGORY && !graph->timeline.category) ||
        (by == BY_DETAIL && !graph->timeline.properties[PROP_DETAIL].count))
        return;
    if (by == BY_STEP)
        steps_find(graph, &arena, &steps);
    if (by == BY_STAGE || (by == BY_STEP && !steps.count))
        serving_steps_find(graph, by == BY_STAGE, &arena, &serving);
    if ((by != BY_STEP && by != BY_STAGE) || steps.count || serving.count) {
        mark_all(graph, by, &steps, &serving,
                 serving.count ? name_serving(graph, &serving, by == BY_STAGE, &arena)
                               : name_steps(graph, &steps, &arena));
        graph_classify(graph);
    }
    arena_free(&arena);
}
