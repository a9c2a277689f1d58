/* SPDX-License-Identifier: Apache-2.0 */
/* diff_renames.c — functions that have another name, but the callers, the file and the callees of before, or some of these
 *
 * What diff_match() leaves is compared by who calls whom: a function that is gone and one that is new are
 * one, where they lie in one file, both have the same callers and callees, and no other has these. Callers and
 * callees are the same where diff_match() or an earlier round says so; all that have no partner yet are alike.
 * Where no more are found, callees may have changed: one that both call is enough, beside the same callers. */
#include <stdlib.h>

#include "analysis/compare/diff.h"
#include "base/checked.h"
#include "base/memory/memory.h"

enum { ROUNDS_MAX = 16 };
#define NOBODY UINT32_MAX

struct renaming {
    const struct diff *diff;
    const bool *is_there[DIFF_ENDS];
    frame_id *after_of;  /* by before-frame */
    frame_id *before_of; /* by after-frame */
    bool may_call_others; /* callees are not in the key */
    uint64_t
        *key[DIFF_ENDS]; /* by frame: of its callers, callees and file; 0: it is not looked for */
};

/* Order does not matter in a sum; the calls of one function are different. */
static uint64_t mixed(uint64_t value)
{
    value ^= value >> 31;
    value *= 0x9e3779b97f4a7c15u;
    value ^= value >> 29;
    value *= 0xbf58476d1ce4e5b9u;
    return value ^ value >> 32;
}

/* Both sides' functions by the before-frame. */
static uint32_t common_of(const struct renaming *renaming, enum diff_end end, frame_id frame)
{
    if (end == DIFF_AFTER)
        return renaming->before_of[frame] ? renaming->before_of[frame] : NOBODY;
    return renaming->after_of[frame] ? frame : NOBODY;
}

static bool is_alone(const struct renaming *renaming, enum diff_end end, frame_id frame)
{
    return renaming->is_there[end][frame] && graph_frame(&renaming->diff->names, frame)->file &&
           (end == DIFF_BEFORE ? !renaming->after_of[frame] : !renaming->before_of[frame]);
}

static void make_keys(struct renaming *renaming, enum diff_end end)
{
    const struct diff_calls *calls = &renaming->diff->calls[end];
    uint64_t *key = renaming->key[end];

    memset(key, 0, renaming->diff->names.frames.count * sizeof(*key));
    for (size_t i = 0; i < calls->count; i++) {
        frame_id caller = calls->caller[i], callee = calls->callee[i];

        if (caller == callee)
            continue;
        if (is_alone(renaming, end, caller) && !renaming->may_call_others)
            key[caller] += mixed(2 * (uint64_t)common_of(renaming, end, callee) + 1);
        if (is_alone(renaming, end, callee))
            key[callee] += mixed(2 * (uint64_t)common_of(renaming, end, caller) + 2);
    }
    for (frame_id id = 1; id < renaming->diff->names.frames.count; id++)
        if (key[id])
            key[id] = mixed(key[id] + graph_frame(&renaming->diff->names, id)->file) | 1;
}

/* Takes back the partners of functions that call nothing that these call, too. `partner`: by before-frame. */
static void drop_strangers(const struct renaming *renaming, frame_id *partner, uint32_t count)
{
    const struct diff_calls *before = &renaming->diff->calls[DIFF_BEFORE],
                            *after = &renaming->diff->calls[DIFF_AFTER];
    bool *has_common = grow_zeroed(count, sizeof(*has_common));
    struct idmap called = {0}; /* (caller, callee) of the second side */

    for (size_t i = 0; i < after->count; i++)
        *idmap_at(&called, idmap_pair(after->caller[i], after->callee[i])) = 0;
    for (size_t i = 0; i < before->count; i++) {
        frame_id caller = before->caller[i], callee = renaming->after_of[before->callee[i]];

        if (partner[caller] && callee &&
            idmap_find(&called, idmap_pair(partner[caller], callee)) != IDMAP_NONE)
            has_common[caller] = true;
    }
    for (frame_id id = 1; id < count; id++)
        if (!has_common[id])
            partner[id] = 0;
    free(has_common);
    idmap_free(&called);
}

/* Returns whether any pair was found: a key that one function of each side has. */
static bool pair_alike(struct renaming *renaming, bool *is_renamed)
{
    size_t frames = renaming->diff->names.frames.count;
    struct idmap place = {0};
    frame_id(*found)[DIFF_ENDS] = grow_zeroed(frames + 1, sizeof(*found));
    frame_id *partner = grow_zeroed(frames + 1, sizeof(*partner));
    uint32_t places = 0;
    bool has_pair = false;

    for (int end = 0; end < DIFF_ENDS; end++)
        for (frame_id id = 1; id < frames; id++) {
            uint32_t *at;

            if (!renaming->key[end][id])
                continue;
            at = idmap_at(&place, renaming->key[end][id]);
            if (*at == IDMAP_NONE) {
                if (end == DIFF_AFTER) {
                    *at = (uint32_t)frames; /* none before has it */
                    continue;
                }
                *at = places++;
            }
            if (*at < frames)
                found[*at][end] = found[*at][end] ? NOBODY : id;
        }
    for (uint32_t i = 0; i < places; i++) {
        frame_id before = found[i][DIFF_BEFORE], after = found[i][DIFF_AFTER];

        if (before && after && before != NOBODY && after != NOBODY)
            partner[before] = after;
    }
    if (renaming->may_call_others)
        drop_strangers(renaming, partner, (uint32_t)frames);
    for (frame_id id = 1; id < frames; id++) {
        if (!partner[id])
            continue;
        renaming->after_of[id] = partner[id];
        renaming->before_of[partner[id]] = id;
        is_renamed[id] = has_pair = true;
    }
    idmap_free(&place);
    free(found);
    free(partner);
    return has_pair;
}

void diff_match_renamed(const struct diff *diff, const bool *is_before, const bool *is_after,
                        frame_id *after_of, bool *is_renamed, struct arena *arena)
{
    size_t frames = diff->names.frames.count;
    struct renaming renaming = {.diff = diff,
                                .is_there = {is_before, is_after},
                                .after_of = after_of,
                                .before_of = arena_array(arena, frames, sizeof(frame_id)),
                                .key = {arena_array(arena, frames, sizeof(uint64_t)),
                                        arena_array(arena, frames, sizeof(uint64_t))}};

    for (frame_id id = 1; id < frames; id++)
        if (is_before[id] && after_of[id])
            renaming.before_of[after_of[id]] = id;
    for (uint32_t round = 0; round < ROUNDS_MAX; round++) {
        make_keys(&renaming, DIFF_BEFORE);
        make_keys(&renaming, DIFF_AFTER);
        if (pair_alike(&renaming, is_renamed))
            renaming.may_call_others = false;
        else if (renaming.may_call_others)
            break;
        else
            renaming.may_call_others = true;
    }
}
