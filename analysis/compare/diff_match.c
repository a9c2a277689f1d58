/* SPDX-License-Identifier: Apache-2.0 */
/* diff_match.c — which function of one side is which of the other
 *
 * Functions of one name in one file, as comprehensions and lambdas are, are paired in the order of
 * their lines before any line is compared: lines move. Where there are more on one side, an
 * alignment in order pairs those that moved as far as their neighbours in the file did. */
#include <stdlib.h>

#include "analysis/compare/diff.h"
#include "analysis/selection/select.h"
#include "base/memory/memory.h"
#include "graph/classify/function_class.h"
#include "graph/derive/derive.h"

/* Past this many pairs that are possible only lines decide. */
enum { ALIGNED_MAX = 1000000 };

/* What is not matched yet, of both sides, with its key at the level that is tried. */
struct waiting {
    const struct graph *names;
    struct strings *keys;
    str_id *key; /* by frame */
    uint32_t *list[DIFF_ENDS];
    uint32_t count[DIFF_ENDS];
    frame_id *after_of; /* the result */
    bool *is_taken;     /* by after-frame */
    bool *is_doubtful;  /* by before-frame */
    frame_id *anchors; /* before-frames that are alone of their name in their file, with partners */
    uint32_t anchor_count;
};

static bool is_before_by_key(const void *context, uint32_t a, uint32_t b)
{
    const struct waiting *waiting = context;
    const struct frame *left = graph_frame(waiting->names, a);
    const struct frame *right = graph_frame(waiting->names, b);

    if (waiting->key[a] != waiting->key[b])
        return waiting->key[a] < waiting->key[b];
    if (left->line != right->line)
        return left->line < right->line;
    return left->column != right->column ? left->column < right->column : a < b;
}

static void make_keys(struct waiting *waiting, enum identity_level level)
{
    for (int end = 0; end < DIFF_ENDS; end++) {
        for (uint32_t i = 0; i < waiting->count[end]; i++) {
            frame_id id = waiting->list[end][i];

            waiting->key[id] = identity_key(waiting->keys, graph_frame(waiting->names, id), level);
        }
        sort_stable(waiting->list[end], waiting->count[end], is_before_by_key, waiting);
    }
}

/* How many from `at` on have the same key. */
static uint32_t count_same(const struct waiting *waiting, enum diff_end end, uint32_t at)
{
    const uint32_t *list = waiting->list[end];
    uint32_t to = at;

    while (to < waiting->count[end] && waiting->key[list[to]] == waiting->key[list[at]])
        to++;
    return to - at;
}

static void pair(struct waiting *waiting, frame_id before, frame_id after)
{
    waiting->after_of[before] = after;
    waiting->is_taken[after] = true;
}

/* ---- several of one name in one file ---- */

static int64_t line_of(const struct waiting *waiting, frame_id id)
{
    return graph_frame(waiting->names, id)->line;
}

static bool is_before_in_file(const void *context, uint32_t a, uint32_t b)
{
    const struct waiting *waiting = context;
    const struct frame *left = graph_frame(waiting->names, a);
    const struct frame *right = graph_frame(waiting->names, b);

    return left->file != right->file ? left->file < right->file : left->line < right->line;
}

enum { ALONE = 1, SAME_LINE = 2, WITH_NEXT = 4, WITH_PREVIOUS = 8 };

/* Whether the two lie as far apart as the functions beside them that have no namesakes: as the one
 * before, which may be what they are in, or the one after; 0: neither. */
static uint32_t moved_with_neighbours(const struct waiting *waiting, frame_id before,
                                      frame_id after)
{
    const struct graph *names = waiting->names;
    int64_t shift = line_of(waiting, after) - line_of(waiting, before);

    SEARCH(uint32_t, at, waiting->anchor_count,
           !is_before_in_file(waiting, before, waiting->anchors[at]));
    for (uint32_t i = at ? at - 1 : 0; i <= at && i < waiting->anchor_count; i++) {
        frame_id anchor = waiting->anchors[i], partner = waiting->after_of[anchor];

        if (graph_frame(names, anchor)->file == graph_frame(names, before)->file &&
            line_of(waiting, partner) - line_of(waiting, anchor) == shift)
            return i < at ? WITH_PREVIOUS : WITH_NEXT;
    }
    return 0;
}

/* The best pairs in order (Needleman and Wunsch 1970): as many as move with their neighbours, then
 * as many as stay on their lines, then as many as there are. */
static void align(struct waiting *waiting, const frame_id *before, uint32_t befores,
                  const frame_id *after, uint32_t afters)
{
    size_t width = (size_t)afters + 1;
    uint32_t *best = grow_zeroed(width * (befores + 1), sizeof(*best));
    uint32_t b = 0, a = 0;

    for (uint32_t i = befores; i-- > 0;)
        for (uint32_t j = afters; j-- > 0;) {
            uint32_t paired = best[(i + 1) * width + j + 1] + ALONE;
            uint32_t skipped = best[(i + 1) * width + j], other = best[i * width + j + 1];

            paired += before[i] == after[j] ? SAME_LINE : 0;
            paired += moved_with_neighbours(waiting, before[i], after[j]);
            skipped = skipped > other ? skipped : other;
            best[i * width + j] = paired > skipped ? paired : skipped;
        }
    while (b < befores && a < afters) {
        uint32_t here = best[b * width + a];

        if (here == best[(b + 1) * width + a]) {
            b++;
        } else if (here == best[b * width + a + 1]) {
            a++;
        } else {
            waiting->is_doubtful[before[b]] = !moved_with_neighbours(waiting, before[b], after[a]);
            pair(waiting, before[b++], after[a++]);
        }
    }
    free(best);
}

static void pair_same_names(struct waiting *waiting, const frame_id *before, uint32_t befores,
                            const frame_id *after, uint32_t afters)
{
    if ((uint64_t)befores * afters > ALIGNED_MAX) {
        for (uint32_t i = 0, j = 0; i < befores && j < afters;) {
            if (before[i] == after[j])
                pair(waiting, before[i], after[j]);
            i += line_of(waiting, before[i]) <= line_of(waiting, after[j]);
            j += i < befores && line_of(waiting, before[i]) > line_of(waiting, after[j]);
        }
        return;
    }
    if (befores != afters) {
        align(waiting, before, befores, after, afters);
        return;
    }
    for (uint32_t i = 0; i < befores; i++)
        pair(waiting, before[i], after[i]);
}

/* ---- level by level ---- */

/* Calls `visit` for every key that both sides have. */
static void visit_keys(struct waiting *waiting, enum identity_level level,
                       void (*visit)(struct waiting *, enum identity_level, const frame_id *,
                                     uint32_t, const frame_id *, uint32_t))
{
    uint32_t b = 0, a = 0;

    while (b < waiting->count[DIFF_BEFORE] && a < waiting->count[DIFF_AFTER]) {
        const uint32_t *before = waiting->list[DIFF_BEFORE] + b;
        const uint32_t *after = waiting->list[DIFF_AFTER] + a;
        uint32_t befores = count_same(waiting, DIFF_BEFORE, b);
        uint32_t afters = count_same(waiting, DIFF_AFTER, a);

        if (waiting->key[*before] == waiting->key[*after])
            visit(waiting, level, before, befores, after, afters);
        b += waiting->key[*before] <= waiting->key[*after] ? befores : 0;
        a += waiting->key[*before] >= waiting->key[*after] ? afters : 0;
    }
}

static void visit_single(struct waiting *waiting, enum identity_level level, const frame_id *before,
                         uint32_t befores, const frame_id *after, uint32_t afters)
{
    (void)level;
    if (befores != 1 || afters != 1)
        return;
    pair(waiting, *before, *after);
    waiting->anchors[waiting->anchor_count++] = *before;
}

static void visit_same_names(struct waiting *waiting, enum identity_level level,
                             const frame_id *before, uint32_t befores, const frame_id *after,
                             uint32_t afters)
{
    (void)level;
    if (befores > 1 || afters > 1)
        pair_same_names(waiting, before, befores, after, afters);
}

static void visit_alike(struct waiting *waiting, enum identity_level level, const frame_id *before,
                        uint32_t befores, const frame_id *after, uint32_t afters)
{
    /* where much has been left out of the names order says nothing: one must stand against one */
    if (befores != afters || (befores > 1 && level > IDENTITY_CLONE))
        return;
    for (uint32_t i = 0; i < befores; i++)
        pair(waiting, before[i], after[i]);
}

static void keep_waiting(struct waiting *waiting)
{
    uint32_t befores = 0, afters = 0;

    for (uint32_t i = 0; i < waiting->count[DIFF_BEFORE]; i++)
        if (!waiting->after_of[waiting->list[DIFF_BEFORE][i]])
            waiting->list[DIFF_BEFORE][befores++] = waiting->list[DIFF_BEFORE][i];
    for (uint32_t i = 0; i < waiting->count[DIFF_AFTER]; i++)
        if (!waiting->is_taken[waiting->list[DIFF_AFTER][i]])
            waiting->list[DIFF_AFTER][afters++] = waiting->list[DIFF_AFTER][i];
    waiting->count[DIFF_BEFORE] = befores;
    waiting->count[DIFF_AFTER] = afters;
}

frame_id *diff_match(const struct diff *diff, const bool *is_before, const bool *is_after,
                     bool *is_doubtful, struct arena *arena)
{
    size_t frames = diff->names.frames.count;
    struct strings keys = {0};
    struct waiting waiting = {.names = &diff->names, .keys = &keys, .is_doubtful = is_doubtful};

    waiting.key = arena_array(arena, frames, sizeof(*waiting.key));
    waiting.after_of = arena_array(arena, frames, sizeof(*waiting.after_of));
    waiting.is_taken = arena_array(arena, frames, sizeof(*waiting.is_taken));
    waiting.anchors = arena_array(arena, frames, sizeof(*waiting.anchors));
    for (int end = 0; end < DIFF_ENDS; end++)
        waiting.list[end] = arena_array(arena, frames, sizeof(*waiting.list[end]));
    for (frame_id id = 1; id < frames; id++) {
        if (is_before[id])
            waiting.list[DIFF_BEFORE][waiting.count[DIFF_BEFORE]++] = id;
        if (is_after[id])
            waiting.list[DIFF_AFTER][waiting.count[DIFF_AFTER]++] = id;
    }
    /* keys get numbers of their own: the table of names is not to grow */
    for (size_t i = 1; i < waiting.names->strings.count; i++)
        strings_intern(&keys, graph_text(waiting.names, (str_id)i));
    make_keys(&waiting, IDENTITY_FILE);
    visit_keys(&waiting, IDENTITY_FILE, visit_single);
    sort_stable(waiting.anchors, waiting.anchor_count, is_before_in_file, &waiting);
    visit_keys(&waiting, IDENTITY_FILE, visit_same_names);
    keep_waiting(&waiting);
    for (int level = IDENTITY_DIALECT; level < IDENTITY_LEVELS; level++) {
        make_keys(&waiting, (enum identity_level)level);
        visit_keys(&waiting, (enum identity_level)level, visit_alike);
        keep_waiting(&waiting);
    }
    strings_free(&keys);
    return waiting.after_of;
}

/* ---- functions of two graphs by the same keys ---- */

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
    bool is_united = true;

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
    return is_united || group_functions_as(graph, group, err);
}

/* Takes the numbers of the later profile. */
static void renumber(const struct diff *diff, const struct graph *before, struct arena *arena,
                     uint32_t *key)
{
    size_t frames = diff->names.frames.count;
    bool *is_doubtful = arena_array(arena, frames, sizeof(*is_doubtful));
    bool *is_renamed = arena_array(arena, frames, sizeof(*is_renamed));
    const bool *is_before = diff_frames_of(diff, DIFF_BEFORE, arena);
    const bool *is_after = diff_frames_of(diff, DIFF_AFTER, arena);
    frame_id *after_of = diff_match(diff, is_before, is_after, is_doubtful, arena);

    diff_match_renamed(diff, is_before, is_after, after_of, is_renamed, arena);
    for (frame_id id = 1; id < before->frames.count; id++)
        if (after_of[key[id]])
            key[id] = after_of[key[id]];
}

/* Who calls whom tells functions that have another name; sums over a timeline do not. */
static bool need_callers(struct graph *graph, struct error *err)
{
    return graph->native != LEVEL_CALLTREE ||
           graph_need(graph, LEVEL_CALLGRAPH, "functions cannot be compared", err);
}

bool function_matches_find(struct graph *before, struct graph *after, struct arena *arena,
                           struct function_matches *found, struct error *err)
{
    struct diff diff = {0};
    bool ok = need_callers(before, err) && need_callers(after, err) &&
              diff_add(&diff, DIFF_BEFORE, before, err) &&
              diff_add(&diff, DIFF_AFTER, after, err) &&
              unite(&diff, before, arena, &found->key[DIFF_BEFORE], err) &&
              unite(&diff, after, arena, &found->key[DIFF_AFTER], err);

    if (ok)
        renumber(&diff, before, arena, found->key[DIFF_BEFORE]);
    diff_free(&diff);
    return ok;
}
