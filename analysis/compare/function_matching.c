/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/compare/diff.h"

#include "analysis/selection/select.h"
#include "base/memory/hash_index.h"
#include "graph/classify/function_class.h"

/* The frame that stands for all that are one function with it. */
static frame_id stand_in(struct graph *graph, frame_id id)
{
    struct frame frame = *graph_frame(graph, id);

    if (!frame.is_nameless)
        return id;
    frame.name = identity_name(graph, id, &graph->strings);
    frame.address = 0;
    frame.is_nameless = false;
    return frame_intern(&graph->frames, &frame);
}

/* Makes one what is one, and numbers frames as in the common table. */
static bool unite(struct diff *diff, struct graph *graph, struct arena *arena, uint32_t **key,
                  struct error *err)
{
    size_t count = graph->frames.count;
    frame_id *group = arena_array(arena, count, sizeof(*group));
    uint32_t *common = arena_array(arena, count, sizeof(*common));
    struct idmap known = {0};
    bool is_united = true, ok = true;

    for (frame_id id = 1; id < count; id++) {
        uint32_t *at = idmap_at(&known, common[id] = diff_frame(diff, graph, id));

        if (*at == IDMAP_NONE)
            *at = stand_in(graph, id);
        group[id] = *at;
        is_united &= group[id] == id;
    }
    idmap_free(&known);
    *key = arena_array(arena, graph->frames.count, sizeof(**key));
    for (frame_id id = 1; id < count; id++)
        (*key)[group[id]] = common[id];
    if (!is_united)
        ok = group_functions_as(graph, group, err);
    return ok;
}

/* Takes the numbers of the later profile. */
static void renumber(const struct diff *diff, const struct graph *before, struct arena *arena,
                     uint32_t *key)
{
    bool *is_doubtful = arena_array(arena, diff->names.frames.count, sizeof(*is_doubtful));
    const frame_id *after_of =
        diff_match(diff, diff_frames_of(diff, DIFF_BEFORE, arena),
                   diff_frames_of(diff, DIFF_AFTER, arena), is_doubtful, arena);

    for (frame_id id = 1; id < before->frames.count; id++)
        if (after_of[key[id]])
            key[id] = after_of[key[id]];
}

bool function_matches_find(struct graph *before, struct graph *after, struct arena *arena,
                           struct function_matches *found, struct error *err)
{
    struct diff diff = {0};
    bool ok = diff_add(&diff, DIFF_BEFORE, before, err) &&
              diff_add(&diff, DIFF_AFTER, after, err) &&
              unite(&diff, before, arena, &found->key[DIFF_BEFORE], err) &&
              unite(&diff, after, arena, &found->key[DIFF_AFTER], err);

    if (ok)
        renumber(&diff, before, arena, found->key[DIFF_BEFORE]);
    diff_free(&diff);
    return ok;
}
