/* diff_match.c — which function of one side is which of the other */
#include <stdlib.h>

#include "analysis/compare/diff.h"
#include "graph/classify/function_identity.h"
#include "base/memory/sort.h"

/* What is not matched yet, of both sides, with its key at the level that is tried. */
struct waiting {
    const struct graph *names;
    struct strings *keys;
    str_id *key; /* by frame */
    uint32_t *list[DIFF_ENDS];
    uint32_t count[DIFF_ENDS];
    frame_id *after_of; /* the result */
    bool *is_taken;     /* by after-frame */
};

static bool is_before_by_key(const void *context, uint32_t a, uint32_t b)
{
    const struct waiting *waiting = context;
    int64_t line_a = graph_frame(waiting->names, a)->line;
    int64_t line_b = graph_frame(waiting->names, b)->line;

    if (waiting->key[a] != waiting->key[b])
        return waiting->key[a] < waiting->key[b];
    return line_a != line_b ? line_a < line_b : a < b;
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

/* Where much has been left out of the names, order says nothing: one must stand against one. */
static bool can_pair(enum identity_level level, uint32_t before, uint32_t after)
{
    return before == after && (before == 1 || level <= IDENTITY_CLONE);
}

static void pair_all(struct waiting *waiting, enum identity_level level)
{
    uint32_t b = 0, a = 0;

    while (b < waiting->count[DIFF_BEFORE] && a < waiting->count[DIFF_AFTER]) {
        const uint32_t *before = waiting->list[DIFF_BEFORE] + b;
        const uint32_t *after = waiting->list[DIFF_AFTER] + a;
        uint32_t befores = count_same(waiting, DIFF_BEFORE, b);
        uint32_t afters = count_same(waiting, DIFF_AFTER, a);

        if (waiting->key[*before] != waiting->key[*after]) {
            b += waiting->key[*before] < waiting->key[*after] ? befores : 0;
            a += waiting->key[*before] > waiting->key[*after] ? afters : 0;
            continue;
        }
        for (uint32_t i = 0; can_pair(level, befores, afters) && i < befores; i++) {
            waiting->after_of[before[i]] = after[i];
            waiting->is_taken[after[i]] = true;
        }
        b += befores;
        a += afters;
    }
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

/* Keys get numbers of their own: the table of names is not to grow. */
static void copy_names(struct waiting *waiting, struct strings *keys)
{
    for (size_t i = 1; i < waiting->names->strings.count; i++)
        strings_intern(keys, graph_text(waiting->names, (str_id)i));
}

frame_id *diff_match(const struct diff *diff, const bool *is_before, const bool *is_after,
                     struct arena *arena)
{
    size_t frames = diff->names.frames.count;
    struct strings keys = {0};
    struct waiting waiting = {.names = &diff->names, .keys = &keys};

    waiting.key = arena_array(arena, frames, sizeof(*waiting.key));
    waiting.after_of = arena_array(arena, frames, sizeof(*waiting.after_of));
    waiting.is_taken = arena_array(arena, frames, sizeof(*waiting.is_taken));
    for (int end = 0; end < DIFF_ENDS; end++)
        waiting.list[end] = arena_array(arena, frames, sizeof(*waiting.list[end]));
    for (frame_id id = 1; id < frames; id++) {
        if (is_before[id] && is_after[id])
            waiting.after_of[id] = id;
        else if (is_before[id])
            waiting.list[DIFF_BEFORE][waiting.count[DIFF_BEFORE]++] = id;
        else if (is_after[id])
            waiting.list[DIFF_AFTER][waiting.count[DIFF_AFTER]++] = id;
    }
    copy_names(&waiting, &keys);
    for (int level = 0; level < IDENTITY_LEVELS; level++) {
        make_keys(&waiting, (enum identity_level)level);
        pair_all(&waiting, (enum identity_level)level);
        keep_waiting(&waiting);
    }
    strings_free(&keys);
    return waiting.after_of;
}
