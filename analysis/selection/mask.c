/* SPDX-License-Identifier: Apache-2.0 */
/* A profile that can be shown to others: names of people's code, paths, labels and arguments become numbers. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/selection/select.h"
#include "graph/classify/event_class.h"
#include "graph/classify/function_class.h"

/* One number a text, whatever it names, in the order in which they are first met. */
struct masking {
    struct graph *graph;
    struct idmap tokens; /* by text, its token */
    uint32_t count;
};

static str_id token_of(struct masking *masking, const char *what, str_id text)
{
    uint32_t *token;
    char name[64];

    if (!text)
        return 0;
    token = idmap_at(&masking->tokens, text);
    if (*token == IDMAP_NONE) {
        int len = snprintf(name, sizeof(name), "%s_%" PRIu32, what, ++masking->count);

        *token = strings_intern(&masking->graph->strings, (struct span){name, (size_t)len});
    }
    return *token;
}

static str_id without_folders(struct graph *graph, str_id path)
{
    return path ? strings_intern(&graph->strings, path_in_packages(graph_text(graph, path))) : 0;
}

/* Classes go by the names that frames had, so they are decided first. */
static void mask_frames(struct masking *masking)
{
    struct graph *graph = masking->graph;
    size_t count = graph->frames.count;
    bool *is_public = grow_zeroed(count, sizeof(*is_public));

    graph_classify(graph);
    for (frame_id id = 1; id < count; id++)
        is_public[id] = frame_name_is_public(graph, id);
    for (frame_id id = 1; id < count; id++) {
        struct frame *frame = &graph->frames.list[id];

        if (is_public[id]) {
            frame->file = without_folders(graph, frame->file);
            frame->module = without_folders(graph, frame->module);
        } else {
            frame->name = token_of(masking, frame_kind_name(frame->kind), frame->name);
            frame->file = token_of(masking, "file", frame->file);
            frame->module = token_of(masking, "module", frame->module);
        }
    }
    free(is_public);
}

/* What texts say of events in people's words; shapes, types and collectives stay. */
static void mask_properties(struct masking *masking)
{
    static const enum property dropped[] = {PROP_CALL_STACK, PROP_CONCRETE};
    static const enum property masked[] = {PROP_DETAIL, PROP_NODE_MODULE, PROP_NODE_LABEL,
                                           PROP_KERNEL_NAME, PROP_GROUP, PROP_GROUP_USE};
    struct property_column *columns = masking->graph->timeline.properties;

    for (size_t i = 0; i < COUNT_OF(dropped); i++)
        columns[dropped[i]].count = 0;
    for (size_t i = 0; i < COUNT_OF(masked); i++) {
        property_widen(&columns[masked[i]]);
        for (uint32_t k = 0; k < columns[masked[i]].count; k++)
            columns[masked[i]].value[k] =
                token_of(masking, "text", (str_id)columns[masked[i]].value[k]);
    }
}

static void mask_tracks(struct masking *masking)
{
    struct timeline *timeline = &masking->graph->timeline;

    for (uint32_t i = 0; i < timeline->track_count; i++) {
        struct track *track = &timeline->tracks[i];

        if (track->device >= 0)
            continue;
        track->name = token_of(masking, "track", track->name);
        track->process = token_of(masking, "process", track->process);
    }
    for (uint32_t i = 0; i < timeline->series.count; i++) {
        timeline->series.list[i].name = token_of(masking, "counter", timeline->series.list[i].name);
        timeline->series.list[i].process =
            token_of(masking, "process", timeline->series.list[i].process);
    }
}

static void mask_source(struct masking *masking)
{
    struct graph *graph = masking->graph;

    for (size_t i = 0; i < graph->label_sets.labels.count; i++) {
        struct sample_label *label = &graph->label_sets.labels.list[i];

        label->key = token_of(masking, "label", label->key);
        if (!label->is_number)
            label->text = token_of(masking, "value", label->text);
    }
    for (size_t i = 0; i < graph->source.facts.count; i++)
        if (graph->source.facts.list[i].text)
            graph->source.facts.list[i].text = "masked";
    for (size_t i = 0; i < graph->source.groups.count; i++) {
        struct process_group *group = &graph->source.groups.list[i];

        group->name = token_of(masking, "text", group->name);
        group->use = token_of(masking, "text", group->use);
    }
    for (size_t i = 0; i < graph->source.mappings.count; i++)
        graph->source.mappings.list[i].path =
            token_of(masking, "module", graph->source.mappings.list[i].path);
}

void graph_mask(struct graph *graph)
{
    struct masking masking = {.graph = graph};

    mask_frames(&masking);
    mask_properties(&masking);
    mask_tracks(&masking);
    mask_source(&masking);
    idmap_free(&masking.tokens);
}
