/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_sequences.c — finds kernels that recur in one order under an operator, and what one kernel in their place would
 * save at most */
#include "analysis/timeline/kernel_sequences.h"

#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/text/string_table.h"
#include "graph/classify/event_class.h"

/* The sequence at hand, and all that have ended. */
struct sequence_search {
    const struct graph *graph;
    event_id *owner_of; /* by event of the host: the outermost one around it; NO_EVENT */
    struct VECTOR_OF(frame_id) frames; /* the owner's, then those of the kernels */
    int64_t time, gaps, moving, end;
    event_id owner;
    struct strings keys;
    struct VECTOR_OF(struct kernel_sequence) found; /* by key less one */
};

static void find_owners(struct sequence_search *search, bool of_any_kind)
{
    const struct timeline *t = &search->graph->timeline;

    for (uint32_t i = 0; i < t->track_count; i++) {
        const struct track *track = &t->tracks[i];
        event_id owner = NO_EVENT;

        for (event_id e = track->first; e < track->first + track->count; e++) {
            if (owner != NO_EVENT && t->start[e] >= event_end(t, owner))
                owner = NO_EVENT;
            if (owner == NO_EVENT && track->kind == TRACK_THREAD &&
                (of_any_kind || graph_frame(search->graph, t->frame[e])->kind == KIND_OPERATOR))
                owner = e;
            search->owner_of[e] = owner;
        }
    }
}

/* A kernel whose time is that of memory: what it computes could be done while the data is at hand. */
static bool only_moves_data(enum kernel_family family)
{
    return family == FAMILY_NORMALISATION || family == FAMILY_SOFTMAX || family == FAMILY_COPY ||
           family == FAMILY_ELEMENTWISE || family == FAMILY_REDUCTION || family == FAMILY_EMBEDDING ||
           family == FAMILY_OPTIMIZER || family == FAMILY_OTHER;
}

static void end_sequence(struct sequence_search *search)
{
    struct span key = {(const char *)search->frames.list, search->frames.count * sizeof(frame_id)};
    struct kernel_sequence *row;
    str_id id;

    if (search->frames.count > 2) {
        id = strings_intern(&search->keys, key);
        if (id > search->found.count)
            vector_add(&search->found, (struct kernel_sequence){.owner = search->frames.list[0],
                                                                 .kernels = (int64_t)search->frames.count - 1});
        row = &search->found.list[id - 1];
        row->count++;
        row->time = checked_add(row->time, search->time);
        row->gaps = checked_add(row->gaps, search->gaps);
        row->most = checked_add(row->most, checked_add(search->gaps, search->moving));
    }
    search->frames.count = 0;
    search->owner = NO_EVENT;
}

static void add_kernel(struct sequence_search *search, event_id kernel)
{
    const struct timeline *t = &search->graph->timeline;
    event_id launch = t->launch[kernel], owner = launch == NO_EVENT ? NO_EVENT : search->owner_of[launch];

    if (owner != search->owner || owner == NO_EVENT)
        end_sequence(search);
    if (owner == NO_EVENT)
        return;
    if (!search->frames.count) {
        vector_add(&search->frames, t->frame[owner]);
        search->time = search->gaps = search->moving = 0;
        search->owner = owner;
    } else if (t->start[kernel] > search->end) {
        search->gaps = checked_add(search->gaps, t->start[kernel] - search->end);
    }
    vector_add(&search->frames, t->frame[kernel]);
    search->time = checked_add(search->time, t->duration[kernel]);
    if (only_moves_data(graph_class(search->graph, t->frame[kernel]).family))
        search->moving = checked_add(search->moving, t->duration[kernel]);
    search->end = event_end(t, kernel);
}

static bool saves_more(const void *context, uint32_t a, uint32_t b)
{
    const struct kernel_sequence *list = context;

    return list[a].most > list[b].most;
}

/* Those that recur. */
static void collect(struct sequence_search *search, struct arena *arena, struct kernel_sequences *sequences)
{
    uint32_t *order = sorted_order(search->found.count, saves_more, search->found.list);

    sequences->list = arena_array(arena, search->found.count + 1, sizeof(*sequences->list));
    for (size_t i = 0; i < search->found.count; i++) {
        struct kernel_sequence row = search->found.list[order[i]];
        struct span key = strings_get(&search->keys, (str_id)order[i] + 1);

        if (row.count < 2)
            continue;
        key.at += sizeof(frame_id);
        key.len -= sizeof(frame_id);
        row.frames = memcpy(arena_array(arena, key.len / sizeof(frame_id), sizeof(frame_id)), key.at, key.len);
        sequences->most = checked_add(sequences->most, row.most);
        sequences->list[sequences->count++] = row;
    }
    free(order);
}

void kernel_sequences_find(const struct graph *graph, bool of_any_kind, struct arena *arena,
                           struct kernel_sequences *sequences)
{
    const struct timeline *t = &graph->timeline;
    struct sequence_search search = {.graph = graph, .owner = NO_EVENT};

    *sequences = (struct kernel_sequences){0};
    if (!t->launch)
        return;
    search.owner_of = grow_to(NULL, (size_t)t->count + 1, sizeof(*search.owner_of));
    find_owners(&search, of_any_kind);
    for (uint32_t i = 0; i < t->track_count; i++) {
        const struct track *track = &t->tracks[i];

        for (event_id e = track->first; track->kind == TRACK_STREAM && e < track->first + track->count; e++) {
            if (graph_frame(graph, t->frame[e])->kind == KIND_KERNEL)
                add_kernel(&search, e);
            else
                end_sequence(&search);
        }
        end_sequence(&search);
    }
    collect(&search, arena, sequences);
    free(search.owner_of);
    free(search.frames.list);
    free(search.found.list);
    strings_free(&search.keys);
}
