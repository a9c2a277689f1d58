/* SPDX-License-Identifier: Apache-2.0 */
/* The keys that functions are ranked by, under the names of pstats and of pprof. */
#include "analysis/functions/hotspots.h"

#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "base/text/pattern.h"
#include "graph/model/graph.h"

const char *const order_names[] = {
    "self",       "cum",   "calls",  "pcalls",   "name",    "file", "line", "nfl",
    "stdname",    "min",   "max",    "none",     "tottime", "time", "flat", "cumtime",
    "cumulative", "total", "ncalls", "filename", "module",  NULL,
};

/* What each name means, in the same order. */
static const struct {
    enum order_key keys[3];
    uint32_t count;
} meanings[] = {
    {{ORDER_SELF}, 1},  {{ORDER_CUM}, 1},
    {{ORDER_CALLS}, 1}, {{ORDER_PRIMITIVE}, 1},
    {{ORDER_NAME}, 1},  {{ORDER_FILE}, 1},
    {{ORDER_LINE}, 1},  {{ORDER_NAME, ORDER_FILE, ORDER_LINE}, 3},
    {{ORDER_LABEL}, 1}, {{ORDER_MIN}, 1},
    {{ORDER_MAX}, 1},   {{ORDER_FILE_ORDER}, 1},
    {{ORDER_SELF}, 1},  /* tottime */
    {{ORDER_SELF}, 1},  /* time */
    {{ORDER_SELF}, 1},  /* flat */
    {{ORDER_CUM}, 1},   /* cumtime */
    {{ORDER_CUM}, 1},   /* cumulative */
    {{ORDER_CUM}, 1},   /* total */
    {{ORDER_CALLS}, 1}, /* ncalls */
    {{ORDER_FILE}, 1},  /* filename */
    {{ORDER_FILE}, 1},  /* module, as pstats calls the file */
};

_Static_assert(COUNT_OF(meanings) + 1 == COUNT_OF(order_names), "one meaning for each name");

static bool add_keys(struct order *order, struct span word)
{
    for (size_t i = 0; order_names[i]; i++)
        if (span_eq(word, span_of(order_names[i])) &&
            order->count + meanings[i].count <= ORDER_KEYS_MAX) {
            for (uint32_t k = 0; k < meanings[i].count; k++)
                order->keys[order->count++] = meanings[i].keys[k];
            return true;
        }
    return false;
}

static bool unknown_key(struct span word, struct error *err)
{
    char typed[40] = "";
    struct suggestion nearest = {.typed = typed};

    memcpy(typed, word.at, word.len < sizeof(typed) ? word.len : sizeof(typed) - 1);
    for (size_t i = 0; order_names[i]; i++)
        suggestion_consider(&nearest, order_names[i]);
    error_set(err, ERROR_USAGE, "--sort: unknown key '%s'", typed);
    if (nearest.word)
        return error_hint(err, "did you mean '%s'?", nearest.word);
    return error_hint(err, "the keys are self, cum, calls, pcalls, name, file, line, nfl, "
                           "stdname, min, max, none");
}

bool order_parse(struct order *order, const char *text, struct error *err)
{
    struct span rest = span_of(text);

    order->count = 0;
    do {
        struct span word = span_trim(span_split(&rest, ','));

        if (!add_keys(order, word))
            return unknown_key(word, err);
    } while (rest.len);
    return true;
}

/* ---- comparing ---- */

struct function_sorting {
    const struct order *order;
    const struct order_items *items;
    const struct span *labels; /* by item; only for ORDER_LABEL */
};

static int by_figure(const struct order_items *items, const int64_t *column, uint32_t a, uint32_t b)
{
    if (!column || column[a] == column[b])
        return 0;
    if (items->graph->selection.is_difference && column[a] != UNKNOWN && column[b] != UNKNOWN &&
        llabs(column[a]) != llabs(column[b])) /* the largest come first, up or down */
        return llabs(column[a]) > llabs(column[b]) ? -1 : 1;
    return column[a] > column[b] ? -1 : 1; /* UNKNOWN is the least, so it comes last */
}

static const struct frame *frame_of(const struct order_items *items, uint32_t item)
{
    uint32_t function = items->function ? items->function[item] : item;

    return graph_frame(items->graph, items->graph->functions.frame[function]);
}

static int by_text(const struct order_items *items, str_id a, str_id b)
{
    return a == b ? 0 : span_cmp(graph_text(items->graph, a), graph_text(items->graph, b));
}

static int compare(const struct function_sorting *sorting, enum order_key key, uint32_t a,
                   uint32_t b)
{
    const struct order_items *items = sorting->items;
    const struct frame *x, *y;

    switch (key) {
    case ORDER_SELF:
        return by_figure(items, items->self, a, b);
    case ORDER_CUM:
        return by_figure(items, items->cum, a, b);
    case ORDER_CALLS:
        return by_figure(items, items->calls, a, b);
    case ORDER_PRIMITIVE:
        return by_figure(items, items->primitive_calls, a, b);
    case ORDER_MAX:
        return by_figure(items, items->max, a, b);
    case ORDER_MIN:
        return by_figure(items, items->min, a, b);
    case ORDER_LABEL:
        return span_cmp(sorting->labels[a], sorting->labels[b]);
    case ORDER_FILE_ORDER:
        return a < b ? -1 : a > b;
    case ORDER_NAME:
    case ORDER_FILE:
    case ORDER_LINE:
        break;
    }
    x = frame_of(items, a);
    y = frame_of(items, b);
    if (key == ORDER_LINE)
        return (x->line > y->line) - (x->line < y->line);
    return key == ORDER_NAME ? by_text(items, x->name, y->name) : by_text(items, x->file, y->file);
}

static bool is_before(const void *context, uint32_t a, uint32_t b)
{
    const struct function_sorting *sorting = context;

    for (uint32_t i = 0; i < sorting->order->count; i++) {
        int order = compare(sorting, sorting->order->keys[i], a, b);

        if (order)
            return order < 0;
    }
    return false;
}

static const struct span *make_labels(const struct order_items *items, const uint32_t *indices,
                                      uint32_t count, struct arena *arena)
{
    uint32_t top = 0;

    for (uint32_t i = 0; i < count; i++)
        top = indices[i] > top ? indices[i] : top;

    struct span *labels = arena_array(arena, (size_t)top + 1, sizeof(*labels));

    for (uint32_t i = 0; i < count; i++) {
        uint32_t function = items->function ? items->function[indices[i]] : indices[i];

        labels[indices[i]] =
            frame_label(items->graph, items->graph->functions.frame[function], arena);
    }
    return labels;
}

struct order_items order_items_of(const struct graph *graph)
{
    const struct functions *f = &graph->functions;

    return (struct order_items){.graph = graph,
                                .calls = f->calls,
                                .primitive_calls = f->primitive_calls,
                                .self = f->self,
                                .cum = f->cum,
                                .min = f->min,
                                .max = f->max};
}

void order_sort(const struct order *order, const struct order_items *items, uint32_t *indices,
                uint32_t count)
{
    struct function_sorting sorting = {order, items, NULL};
    struct arena arena = {0};

    for (uint32_t i = 0; i < order->count; i++)
        if (order->keys[i] == ORDER_LABEL && !sorting.labels)
            sorting.labels = make_labels(items, indices, count, &arena);
    sort_stable(indices, count, is_before, &sorting);
    for (uint32_t i = 0; order->is_reversed && i < count / 2; i++) {
        uint32_t swap = indices[i];

        indices[i] = indices[count - 1 - i];
        indices[count - 1 - i] = swap;
    }
    arena_free(&arena);
}

/* Keeps candidates: whatever comes before the worst of the best so far. Sorted down to `limit`
 * whenever there are many. */
static uint32_t pick_best(const struct function_sorting *sorting, uint32_t *indices, uint32_t count,
                          uint32_t limit)
{
    uint32_t kept = 0, full = limit * 8;
    bool has_worst = false;

    for (uint32_t i = 0; i < count; i++) {
        uint32_t item = indices[i];

        if (has_worst && !is_before(sorting, item, indices[limit - 1]))
            continue;
        indices[kept++] = item;
        if (kept == full) {
            sort_stable(indices, kept, is_before, sorting);
            kept = limit;
            has_worst = true;
        }
    }
    return kept;
}

uint32_t order_top(const struct order *order, const struct order_items *items, uint32_t *indices,
                   uint32_t count, uint32_t limit)
{
    struct function_sorting sorting = {order, items, NULL};
    bool has_labels = false;

    for (uint32_t i = 0; i < order->count; i++)
        has_labels |= order->keys[i] == ORDER_LABEL;
    if (limit && limit < count / 16 && !order->is_reversed && !has_labels)
        count = pick_best(&sorting, indices, count, limit);
    order_sort(order, items, indices, count);
    return limit_rows(count, limit);
}
