/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "analysis/selection/select_parts.h"
#include "base/memory/grow.h"

/* ---- keeping some functions ---- */

static void move_function(struct functions *f, uint32_t to, uint32_t from)
{
    f->frame[to] = f->frame[from];
    f->calls[to] = f->calls[from];
    f->primitive_calls[to] = f->primitive_calls[from];
    f->self[to] = f->self[from];
    f->cum[to] = f->cum[from];
    if (f->min) {
        f->min[to] = f->min[from];
        f->max[to] = f->max[from];
    }
}

void move_call(struct calls *c, uint32_t to, uint32_t from)
{
    c->caller[to] = c->caller[from];
    c->callee[to] = c->callee[from];
    c->calls[to] = c->calls[from];
    c->primitive_calls[to] = c->primitive_calls[from];
    c->self[to] = c->self[from];
    c->cum[to] = c->cum[from];
}

void keep_functions(struct graph *graph, const bool *keeps)
{
    struct functions *f = &graph->functions;
    struct calls *c = &graph->calls;
    uint32_t *place = grow_zeroed(f->count, sizeof(*place));
    uint32_t kept = 0, listed = 0, kept_calls = 0;

    for (uint32_t i = 0; i < f->count; i++) {
        if (!keeps[i])
            continue;
        listed += i < f->listed;
        place[i] = kept;
        move_function(f, kept++, i);
    }
    for (uint32_t i = 0; i < c->count; i++) {
        if (!keeps[c->caller[i]] || !keeps[c->callee[i]])
            continue;
        move_call(c, kept_calls, i);
        c->caller[kept_calls] = place[c->caller[kept_calls]];
        c->callee[kept_calls] = place[c->callee[kept_calls]];
        kept_calls++;
    }
    f->count = kept;
    f->listed = listed;
    c->count = kept_calls;
    free(place);
}

/* By function, whether its frame matches. */
static bool *function_matches(const struct graph *graph, const bool *matches, struct arena *arena)
{
    const struct functions *f = &graph->functions;
    bool *result = arena_array(arena, f->count, sizeof(*result));

    for (uint32_t i = 0; i < f->count; i++)
        result[i] = matches[f->frame[i]];
    return result;
}

void select_calls(struct graph *graph, enum filter_kind kind, const bool *matches)
{
    struct arena arena = {0};
    bool *is_match = function_matches(graph, matches, &arena);

    if (kind == FILTER_SHOW)
        for (uint32_t i = 0; i < graph->functions.count; i++)
            is_match[i] = !is_match[i];
    if (kind == FILTER_FOCUS || kind == FILTER_IGNORE)
        focus_calls(graph, is_match, kind == FILTER_FOCUS);
    else
        hide_functions(graph, is_match);
    arena_free(&arena);
}

void select_rows(struct graph *graph, enum filter_kind kind, const bool *matches)
{
    struct arena arena = {0};
    bool *keeps = function_matches(graph, matches, &arena);

    if (kind == FILTER_IGNORE || kind == FILTER_HIDE)
        for (uint32_t i = 0; i < graph->functions.count; i++)
            keeps[i] = !keeps[i];
    keep_functions(graph, keeps);
    arena_free(&arena);
}
