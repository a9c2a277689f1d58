/* SPDX-License-Identifier: Apache-2.0 */
/* structure.c — the places in a program that a run's device work comes from: modules, operators, kernels */
#define XXH_INLINE_ALL
#include "analysis/compare/structure.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "analysis/captures/captures.h"
#include "analysis/timeline/device_work.h"
#include "analysis/timeline/inventory.h"
#include "analysis/timeline/serving_steps.h"
#include "base/checked.h"
#include "graph/classify/event_class.h"
#include "graph/classify/function_class.h"
#include "graph/model/walks.h"
#include "graph/names/names.h"

/* ---- trees of sites ---- */

/* Where it is, or would be added. */
static uint32_t site_search(struct site_tree *tree, const struct site_key *key,
                            struct index_place *place)
{
    uint32_t id;

    index_reserve(&tree->index);
    *place = index_start(&tree->index,
                         (uint32_t)XXH3_64bits_withSeed(key, sizeof(*key), tree->index.key));
    while ((id = index_next(&tree->index, place)))
        if (memcmp(&tree->list[id].key, key, sizeof(*key)) == 0)
            return id;
    return 0;
}

uint32_t site_find(struct site_tree *tree, struct site_key key)
{
    struct index_place place;

    return tree->count ? site_search(tree, &key, &place) : 0;
}

uint32_t site_child(struct site_tree *tree, struct site_key key)
{
    struct index_place place;
    uint32_t id;

    if (!tree->count)
        vector_add(tree, (struct site){.outer = 0});
    id = site_search(tree, &key, &place);
    if (id)
        return id;
    id = index_add(&tree->index, &place);
    vector_add(tree,
               (struct site){key, key.kind < SITE_OPERATOR ? id : tree->list[key.parent].outer});
    return id;
}

void site_tree_free(struct site_tree *tree)
{
    free(tree->list);
    index_free(&tree->index);
    *tree = (struct site_tree){0};
}

/* ---- reading a run ---- */

uint64_t structure_properties(void)
{
    return property_bit(PROP_SHAPES) | property_bit(PROP_STEP) | captures_properties();
}

struct structure_reading {
    const struct graph *graph;
    struct structure *structure;
    struct structure_side *side;
    uint32_t run;
    bool has_modules, has_operators;
    str_id *name_of;        /* by frame; 0: not asked for */
    struct idmap shapes_of; /* a text of the graph → that of the structure */
    uint32_t *site_of;      /* by event of a thread */
    uint32_t *captured;     /* by captured call, its site with shapes, and then without */
    struct arena arena;
    struct serving_steps serving;
    struct steps steps;
    uint32_t first_sample, outside, unlaunched; /* of the run */
    struct idmap last; /* site → its piece in the sample that it was last in */
};

static str_id frame_name(struct structure_reading *reading, frame_id id)
{
    struct strings *strings = &reading->structure->strings;
    const struct frame *frame = graph_frame(reading->graph, id);
    struct span file = span_file_name(graph_text(reading->graph, frame->file));

    if (!reading->name_of[id]) {
        reading->name_of[id] = identity_name(reading->graph, id, strings);
        if (frame->kind == KIND_PYTHON && file.len) {
            struct span name = python_function(strings_get(strings, reading->name_of[id]));

            reading->name_of[id] = strings_intern(
                strings, span_of(arena_printf(&reading->arena, "%.*s: %.*s", (int)file.len, file.at,
                                              (int)name.len, name.at)));
        }
    }
    return reading->name_of[id];
}

/* Writers differ in their blanks. */
static str_id shapes_text(struct structure_reading *reading, str_id id)
{
    uint32_t *at;
    struct span text;
    char *bytes;
    size_t len = 0;

    if (!id)
        return 0;
    at = idmap_at(&reading->shapes_of, id);
    if (*at != IDMAP_NONE)
        return *at;
    text = graph_text(reading->graph, id);
    bytes = arena_array(&reading->arena, text.len + 1, 1);
    for (size_t i = 0; i < text.len; i++)
        if (text.at[i] != ' ')
            bytes[len++] = text.at[i];
    return *at = strings_intern(&reading->structure->strings, (struct span){bytes, len});
}

static bool is_module(const struct graph *graph, frame_id frame)
{
    return graph_frame(graph, frame)->kind == KIND_PYTHON &&
           graph_class(graph, frame).implied_phase == ROLE_FORWARD;
}

/* Below `around`, where the frame's calls are sites; else `around` itself. A module that began within an
 * operator is one of the module around that. */
static uint32_t site_of_frame(struct structure_reading *reading, uint32_t around, frame_id id,
                              str_id shapes)
{
    struct structure_side *side = reading->side;
    enum frame_kind kind = graph_frame(reading->graph, id)->kind;
    struct frame_class class;

    if (kind == KIND_OPERATOR) {
        side->has_operators = true;
        return site_child(&side->sites, (struct site_key){around, SITE_OPERATOR,
                                                          frame_name(reading, id), shapes});
    }
    if (kind != KIND_PYTHON && kind != KIND_ANNOTATION)
        return around;
    class = graph_class(reading->graph, id);
    if (reading->has_modules ? !is_module(reading->graph, id)
                             : class.role == ROLE_STEP || class.is_serving_step)
        return around;
    return site_child(&side->sites,
                      (struct site_key){around ? side->sites.list[around].outer : 0,
                                        reading->has_modules ? SITE_MODULE : SITE_RANGE,
                                        frame_name(reading, id), 0});
}

/* ---- steps ---- */

static uint32_t add_sample(struct structure_reading *reading, struct span name, int64_t tokens)
{
    vector_add(&reading->side->samples,
               (struct structure_sample){strings_intern(&reading->structure->strings, name),
                                         reading->run, tokens});
    return (uint32_t)reading->side->samples.count - 1;
}

static void add_samples(struct structure_reading *reading)
{
    serving_steps_find(reading->graph, false, &reading->arena, &reading->serving);
    steps_find(reading->graph, &reading->arena, &reading->steps);
    reading->unlaunched = add_sample(reading, SPAN("not launched"), UNKNOWN);
    reading->outside = add_sample(reading, SPAN("outside steps"), UNKNOWN);
    reading->first_sample = (uint32_t)reading->side->samples.count;
    for (uint32_t i = 0; i < reading->serving.count; i++)
        add_sample(reading, serving_step_stage(&reading->serving.list[i]),
                   reading->serving.list[i].label->tokens);
    for (uint32_t i = 0; i < reading->steps.count && !reading->serving.count; i++)
        add_sample(reading, SPAN("step"), UNKNOWN);
    reading->side->is_serving |= reading->serving.count > 0;
    reading->side->steps += reading->serving.count ? reading->serving.count : reading->steps.count;
}

/* That an event of the host is in. */
static uint32_t sample_of(const struct structure_reading *reading, event_id event)
{
    const struct steps *steps = &reading->steps;
    int64_t time = reading->graph->timeline.start[event];

    if (reading->serving.count) {
        uint32_t step = serving_step_of_host(reading->graph, &reading->serving, event);

        return step == NO_STEP ? reading->outside : reading->first_sample + step;
    }
    SEARCH(uint32_t, at, steps->span_count, steps->spans[at].start <= time);
    return at && time < steps->spans[at - 1].end ? reading->first_sample + steps->spans[at - 1].step
                                                 : reading->outside;
}

/* Steps follow each other: a site's piece is the one that it had last, or a new one. */
static void add_piece(struct structure_reading *reading, uint32_t site, uint32_t sample,
                      int64_t time, int64_t count)
{
    struct structure_side *side = reading->side;
    uint32_t *at = idmap_at(&reading->last, site);

    if (*at == IDMAP_NONE || side->pieces.list[*at].sample != sample) {
        *at = (uint32_t)side->pieces.count;
        vector_add(&side->pieces, (struct structure_piece){.site = site, .sample = sample});
    }
    side->pieces.list[*at].time = checked_add(side->pieces.list[*at].time, time);
    side->pieces.list[*at].count += count;
}

/* ---- threads ---- */

/* Modules without device work have pieces, too: what they did on the other side has its place then. */
static void read_thread(struct structure_reading *reading, const struct track *track)
{
    const struct timeline *t = &reading->graph->timeline;
    struct property_cursors texts = {.columns = t->properties};
    struct open_events open = {0};

    for (event_id e = track->first; e < track->first + track->count; e++) {
        uint32_t around = 0, site;
        str_id shapes = 0;

        open_events_close_all(&open, t->start[e]);
        if (open.depth)
            around = open_events_innermost(&open)->tag;
        if (graph_frame(reading->graph, t->frame[e])->kind == KIND_OPERATOR)
            shapes = shapes_text(reading, (str_id)property_or(&texts, PROP_SHAPES, e, 0));
        site = site_of_frame(reading, around, t->frame[e], shapes);
        if (site != around && reading->side->sites.list[site].key.kind == SITE_MODULE)
            add_piece(reading, site, sample_of(reading, e), 0, 0);
        reading->site_of[e] = site;
        open_events_add(&open,
                        (struct open_event){.end = event_end(t, e), .event = e, .tag = site});
    }
    open_events_free(&open);
}

/* Calls stand behind those around them. */
static void read_captured(struct structure_reading *reading)
{
    const struct captured_calls *calls = &reading->graph->captured;

    reading->captured = arena_array(&reading->arena, 2 * calls->count + 1, sizeof(uint32_t));
    for (size_t i = 0; i < calls->count; i++)
        for (int without = 0; without < 2; without++) {
            const struct captured_call *call = &calls->list[i];
            uint32_t around = call->parent == NO_CAPTURED_CALL
                                  ? 0
                                  : reading->captured[2 * (size_t)call->parent + without];

            reading->captured[2 * i + without] = site_of_frame(
                reading, around, call->frame, without ? 0 : shapes_text(reading, call->shapes));
        }
}

/* ---- device work ---- */

/* Of work that no operator is around: its family where no work of the file has one, else without a name. */
static str_id name_without_operator(struct structure_reading *reading, frame_id work)
{
    struct frame_class class = graph_class(reading->graph, work);

    if (reading->has_operators)
        return 0;
    return strings_intern(&reading->structure->strings,
                          span_of(class.family == FAMILY_NONE ? "copies and fills"
                                                              : kernel_family_name(class.family)));
}

/* Where a piece of device work comes from. */
static uint32_t site_of_work(struct structure_reading *reading, struct property_cursors *near,
                             event_id event, event_id call)
{
    const struct graph *graph = reading->graph;
    struct site_tree *sites = &reading->side->sites;
    int64_t captured;
    uint32_t site = call == NO_EVENT ? 0 : reading->site_of[call];

    if (property_near(near, PROP_CAPTURED, event, &captured))
        site = reading->captured[captured];
    if (!sites->count || !site || sites->list[site].key.kind != SITE_OPERATOR)
        site = site_child(
            sites, (struct site_key){
                       .parent = site,
                       .kind = SITE_OPERATOR,
                       .name = name_without_operator(reading, graph->timeline.frame[event])});
    return site_child(
        sites,
        (struct site_key){site, SITE_KERNEL, frame_name(reading, graph->timeline.frame[event]), 0});
}

static void read_stream(struct structure_reading *reading, const struct track *track)
{
    const struct timeline *t = &reading->graph->timeline;
    struct property_cursors near = {.columns = t->properties};

    for (event_id e = track->first; e < track->first + track->count; e++) {
        event_id call = t->launch ? t->launch[e] : NO_EVENT;

        if (is_device_work(reading->graph, e))
            add_piece(reading, site_of_work(reading, &near, e, call),
                      call == NO_EVENT ? reading->unlaunched : sample_of(reading, call),
                      t->duration[e], 1);
    }
}

void structure_add(struct structure *structure, enum diff_end end, const struct graph *graph)
{
    const struct timeline *t = &graph->timeline;
    struct structure_side *side = &structure->side[end];
    struct structure_reading reading = {
        .graph = graph, .structure = structure, .side = side, .run = side->runs++};

    if (!graph->has[LEVEL_TIMELINE] || !t->launch)
        return;
    for (frame_id id = 1; id < graph->frames.count; id++) {
        reading.has_modules |= is_module(graph, id);
        reading.has_operators |= graph_frame(graph, id)->kind == KIND_OPERATOR;
    }
    side->has_modules |= reading.has_modules;
    reading.name_of = arena_array(&reading.arena, graph->frames.count, sizeof(str_id));
    reading.site_of = grow_zeroed(t->count + 1u, sizeof(*reading.site_of));
    add_samples(&reading);
    read_captured(&reading);
    for (uint32_t i = 0; i < t->track_count; i++)
        if (t->tracks[i].kind == TRACK_THREAD)
            read_thread(&reading, &t->tracks[i]);
    for (uint32_t i = 0; i < t->track_count; i++)
        if (t->tracks[i].kind == TRACK_STREAM)
            read_stream(&reading, &t->tracks[i]);
    free(reading.site_of);
    idmap_free(&reading.shapes_of);
    idmap_free(&reading.last);
    arena_free(&reading.arena);
}

bool structure_can_compare(const struct structure *structure)
{
    const struct structure_side *before = &structure->side[DIFF_BEFORE],
                                *after = &structure->side[DIFF_AFTER];

    return before->has_operators == after->has_operators && before->pieces.count &&
           after->pieces.count;
}

void structure_free(struct structure *structure)
{
    for (int end = 0; end < DIFF_ENDS; end++) {
        site_tree_free(&structure->side[end].sites);
        free(structure->side[end].pieces.list);
        free(structure->side[end].samples.list);
    }
    strings_free(&structure->strings);
    *structure = (struct structure){0};
}

double structure_total_each(const struct structure_difference *found, enum diff_end end)
{
    uint32_t parts = found->has_steps ? found->steps[end] : found->runs[end];

    return (double)found->total[end] / (parts ? parts : 1);
}
