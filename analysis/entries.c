#include "analysis/entries.h"

#include "base/checked.h"

/* What the callers of each function account for. */
struct accounted {
    int64_t *calls, *self, *cum;
    bool *is_vague; /* some caller has no times */
    bool *is_called;
};

static struct accounted account(const struct graph *graph, struct arena *arena)
{
    const struct calls *c = &graph->calls;
    uint32_t count = graph->functions.count;
    struct accounted a = {
        .calls = arena_array(arena, count, sizeof(int64_t)),
        .self = arena_array(arena, count, sizeof(int64_t)),
        .cum = arena_array(arena, count, sizeof(int64_t)),
        .is_vague = arena_array(arena, count, sizeof(bool)),
        .is_called = arena_array(arena, count, sizeof(bool)),
    };

    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t callee = c->callee[i];

        a.is_called[callee] = true;
        if (c->calls[i] != UNKNOWN)
            a.calls[callee] = checked_add(a.calls[callee], c->calls[i]);
        a.is_vague[callee] |= c->self[i] == UNKNOWN || c->cum[i] == UNKNOWN;
        if (c->self[i] != UNKNOWN)
            a.self[callee] = checked_add(a.self[callee], c->self[i]);
        if (c->cum[i] != UNKNOWN)
            a.cum[callee] = checked_add(a.cum[callee], c->cum[i]);
    }
    return a;
}

/* When every outermost activation came from outside, all of cum did. */
static int64_t entry_cum(const struct functions *f, uint32_t at, const struct accounted *a,
                         int64_t calls)
{
    int64_t rest;

    if (!a->is_called[at] || (calls != UNKNOWN && calls >= f->primitive_calls[at]))
        return f->cum[at];
    if (a->is_vague[at])
        return 0;
    rest = checked_sub(f->cum[at], a->cum[at]);
    return rest > 0 ? rest : 0;
}

/* Where calls are counted they decide. Sampled graphs have only times to go by. */
static bool is_entered(const struct functions *f, uint32_t at, const struct accounted *a,
                       int64_t calls)
{
    if (!a->is_called[at])
        return f->self[at] != 0 || f->cum[at] != 0 || f->calls[at] != 0;
    if (calls != UNKNOWN)
        return calls > 0;
    return !a->is_vague[at] && f->cum[at] > a->cum[at];
}

void entries_find(const struct graph *graph, struct arena *arena, struct entries *entries)
{
    const struct functions *f = &graph->functions;
    struct accounted a = account(graph, arena);

    *entries = (struct entries){.list = arena_array(arena, f->listed, sizeof(*entries->list))};
    for (uint32_t i = 0; i < f->listed; i++) {
        int64_t calls = f->calls[i] == UNKNOWN ? UNKNOWN : checked_sub(f->calls[i], a.calls[i]);
        struct entry entry = {.function = i, .calls = calls};

        if (!is_entered(f, i, &a, calls))
            continue;
        entry.self = a.is_vague[i] ? UNKNOWN : checked_sub(f->self[i], a.self[i]);
        entry.cum = entry_cum(f, i, &a, calls);
        entries->cum = checked_add(entries->cum, entry.cum);
        entries->list[entries->count++] = entry;
    }
}
