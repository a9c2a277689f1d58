/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/functions/entry_points.h"

#include "base/checked.h"

/* When every outermost activation came from outside, all of cum did. */
static int64_t entry_cum(const struct functions *f, uint32_t at, const struct edge_totals *t,
                         int64_t calls)
{
    int64_t rest;

    if (!(t->marks[at] & EDGES_IN) || (calls != UNKNOWN && calls >= f->primitive_calls[at]))
        return f->cum[at];
    if (t->marks[at] & EDGES_IN_LACK_CUM)
        return 0;
    rest = checked_sub(f->cum[at], t->in_cum[at]);
    return rest > 0 ? rest : 0;
}

/* Where calls are counted they decide. Sampled graphs have only times to go by. */
static bool is_entered(const struct functions *f, uint32_t at, const struct edge_totals *t,
                       int64_t calls)
{
    if (!(t->marks[at] & EDGES_IN))
        return f->self[at] != 0 || f->cum[at] != 0 || f->calls[at] != 0;
    if (calls != UNKNOWN)
        return calls > 0;
    return !(t->marks[at] & EDGES_IN_LACK_CUM) && f->cum[at] > t->in_cum[at];
}

void entries_find(const struct graph *graph, const struct edge_totals *t, struct arena *arena,
                  struct entries *entries)
{
    const struct functions *f = &graph->functions;

    *entries = (struct entries){.list = arena_array(arena, f->listed, sizeof(*entries->list))};
    for (uint32_t i = 0; i < f->listed; i++) {
        int64_t calls = f->calls[i] == UNKNOWN ? UNKNOWN : checked_sub(f->calls[i], t->in_calls[i]);
        struct entry entry = {.function = i, .calls = calls};

        if (!is_entered(f, i, t, calls))
            continue;
        entry.self =
            t->marks[i] & EDGES_IN_LACK_SELF ? UNKNOWN : checked_sub(f->self[i], t->in_self[i]);
        entry.cum = entry_cum(f, i, t, calls);
        entries->cum = checked_add(entries->cum, entry.cum);
        entries->list[entries->count++] = entry;
    }
}
