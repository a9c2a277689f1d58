/* SPDX-License-Identifier: Apache-2.0 */
/* A call graph trimmed as pprof does: the functions that weigh most, residual edges past the
 * others. */
#include <math.h>
#include <stdlib.h>

#include "analysis/functions/call_edges.h"
#include "analysis/selection/prune.h"
#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/derive/derive.h"
#include "graph/model/walks.h"

/* ---- what passes between functions that are kept ---- */

/* In no order; `list` is malloc'ed. */
struct residual_edges {
    VECTOR(struct trimmed_call);
};

#define NONE UINT32_MAX

/* A node on the way from the root to where the walk is. */
struct residual_step {
    uint32_t function; /* kept: of this node, or the nearest below it */
    uint32_t call;     /* that this node is a part of; NONE */
    bool is_gap;       /* the node itself was left out */
};

struct crossing {
    struct residual_edges *residual;
    const bool *keeps;
    struct VECTOR_OF(uint32_t) open; /* by call: how often it is on the way */
    struct idmap known;              /* (caller, callee) → call */
    struct VECTOR_OF(struct residual_step) way;
};

static uint32_t call_between(struct crossing *crossing, uint32_t caller, uint32_t callee)
{
    struct residual_edges *residual = crossing->residual;
    uint32_t *at = idmap_at(&crossing->known, idmap_pair(caller, callee));

    if (*at == IDMAP_NONE) {
        *at = (uint32_t)residual->count;
        vector_add(residual, (struct trimmed_call){.caller = caller, .callee = callee});
        vector_add(&crossing->open, 0);
    }
    return *at;
}

static void enter(struct crossing *crossing, uint32_t function, int64_t total)
{
    struct residual_step below = crossing->way.count ? crossing->way.list[crossing->way.count - 1]
                                                     : (struct residual_step){.function = NONE};
    struct residual_step step = {below.function, NONE, true};

    if (crossing->keeps[function]) {
        step = (struct residual_step){function, NONE, false};
        if (below.function != NONE && below.function != function && total != 0)
            step.call = call_between(crossing, below.function, function);
    }
    if (step.call != NONE && crossing->open.list[step.call]++ == 0) {
        struct trimmed_call *call = &crossing->residual->list[step.call];

        call->cum = checked_add(call->cum, total);
        call->is_residual |= below.is_gap;
    }
    vector_add(&crossing->way, step);
}

static void cross_tree(struct crossing *crossing, const struct graph *graph)
{
    const struct calltree *tree = &graph->tree;
    struct arena arena = {0};
    uint32_t *function_of = arena_array(&arena, graph->frames.count, sizeof(*function_of));
    const int64_t *total = tree_totals(tree, graph->values.selected, &arena);
    struct tree_links links;
    struct walk walk = {.links = &links};

    for (uint32_t i = 0; i < graph->functions.count; i++)
        function_of[graph->functions.frame[i]] = i;
    tree_link(tree, &links);
    while (walk_next(&walk))
        if (walk.node && walk.is_leaving) {
            uint32_t call = crossing->way.list[--crossing->way.count].call;

            if (call != NONE)
                crossing->open.list[call]--;
        } else if (walk.node) {
            enter(crossing, function_of[tree->frame[walk.node]], total[walk.node]);
        }
    tree_unlink(&links);
    arena_free(&arena);
}

static void add_kept_calls(struct crossing *crossing, const struct graph *graph)
{
    const struct calls *c = &graph->calls;
    struct residual_edges *residual = crossing->residual;
    struct arena arena = {0};
    struct edge_times times;

    edges_times(graph, &arena, &times);
    for (uint32_t i = 0; i < c->count; i++) {
        if (!crossing->keeps[c->caller[i]] || !crossing->keeps[c->callee[i]] ||
            c->caller[i] == c->callee[i])
            continue;
        vector_add(residual, (struct trimmed_call){c->caller[i], c->callee[i], times.cum[i], false,
                                                   times.cum_is_estimate[i]});
    }
    arena_free(&arena);
}

/* ---- trimming ---- */

struct trimming {
    const struct graph *graph;
    const struct trim_options *options;
    struct arena *arena;
    struct trimmed *result;
    bool *keeps; /* by function */
    struct residual_edges residual;
    double *score; /* by function */
};

static int64_t size_of(int64_t value)
{
    return value < 0 ? checked_sub(0, value) : value;
}

static struct span name_of(const struct trimming *trimming, uint32_t function)
{
    const struct graph *graph = trimming->graph;

    return graph_text(graph, graph_frame(graph, graph->functions.frame[function])->name);
}

/* Among the functions that are kept by now. */
static void find_residual_edges(struct trimming *trimming)
{
    struct crossing crossing = {.residual = &trimming->residual, .keeps = trimming->keeps};

    trimming->residual.count = 0;
    if (trimming->graph->has[LEVEL_CALLTREE])
        cross_tree(&crossing, trimming->graph);
    else
        add_kept_calls(&crossing, trimming->graph);
    idmap_free(&crossing.known);
    free(crossing.open.list);
    free(crossing.way.list);
}

/* ---- what is light goes ---- */

static int64_t cutoff(int64_t total, double percent)
{
    return checked_whole(fabs((double)total * percent / 100));
}

static void drop_light_functions(struct trimming *trimming)
{
    const struct functions *f = &trimming->graph->functions;
    struct trimmed *result = trimming->result;

    for (uint32_t i = 0; i < f->listed; i++) {
        bool is_there = (f->cum[i] != 0 || f->self[i] != 0) &&
                        !graph_is_idle(trimming->graph, f->frame[i]);

        trimming->keeps[i] = is_there && size_of(f->cum[i]) >= result->least_cum;
        result->known_functions += trimming->keeps[i];
        result->light_functions += is_there && !trimming->keeps[i];
    }
}

static void drop_light_calls(struct trimming *trimming)
{
    struct residual_edges *residual = &trimming->residual;
    uint32_t kept = 0;

    for (uint32_t i = 0; i < residual->count; i++)
        if (size_of(residual->list[i].cum) >= trimming->result->least_edge)
            residual->list[kept++] = residual->list[i];
    trimming->result->light_calls = (uint32_t)residual->count - kept;
    residual->count = kept;
}

/* ---- rank ---- */

/* What passes over one side of a function: its sum, the entropy of its parts. */
struct trimmed_side {
    double sum, entropy;
    uint32_t count;
};

static void add_part(struct trimmed_side *side, int64_t part)
{
    double share = side->sum != 0 ? (double)size_of(part) / side->sum : 0;

    side->count++;
    if (share > 0)
        side->entropy -= share * log2(share);
}

/* In two sweeps over the calls: the parts are weighed by their sum. */
static void rank_functions(struct trimming *trimming)
{
    const struct functions *f = &trimming->graph->functions;
    const struct residual_edges *residual = &trimming->residual;
    struct trimmed_side *in = arena_array(trimming->arena, f->count, sizeof(*in));
    struct trimmed_side *out = arena_array(trimming->arena, f->count, sizeof(*out));

    for (uint32_t i = 0; i < f->count; i++)
        out[i].sum = (double)f->self[i];
    for (uint32_t i = 0; i < residual->count; i++) {
        const struct trimmed_call *call = &residual->list[i];

        if (call->cum > 0) {
            out[call->caller].sum += (double)call->cum;
            in[call->callee].sum += (double)call->cum;
        }
    }
    for (uint32_t i = 0; i < residual->count; i++) {
        add_part(&out[residual->list[i].caller], residual->list[i].cum);
        add_part(&in[residual->list[i].callee], residual->list[i].cum);
    }
    for (uint32_t i = 0; i < f->count; i++) {
        uint32_t calls = out[i].count;

        if (f->self[i] > 0)
            add_part(&out[i], f->self[i]);
        trimming->score[i] =
            fabs(trunc(((in[i].count ? in[i].entropy : 1) + (calls ? out[i].entropy : 1)) *
                       (double)f->cum[i]) +
                 (double)f->self[i]);
    }
}

static bool is_ranked_before(const void *context, uint32_t a, uint32_t b)
{
    const struct trimming *trimming = context;
    const struct functions *f = &trimming->graph->functions;
    int order;

    if (trimming->score[a] != trimming->score[b])
        return trimming->score[a] > trimming->score[b];
    order = span_cmp(name_of(trimming, a), name_of(trimming, b));
    return order ? order < 0 : size_of(f->self[a]) > size_of(f->self[b]);
}

static void take_ranked(struct trimming *trimming)
{
    struct trimmed *result = trimming->result;

    rank_functions(trimming);
    result->function_count = 0;
    for (uint32_t i = 0; i < trimming->graph->functions.listed; i++)
        if (trimming->keeps[i])
            result->functions[result->function_count++] = i;
    sort_stable(result->functions, result->function_count, is_ranked_before, trimming);
}

/* Ranked among those that are kept; then again, when only so many are. */
static void keep_highest(struct trimming *trimming)
{
    struct trimmed *result = trimming->result;
    uint32_t most = trimming->options->nodes;

    take_ranked(trimming);
    if (!most || result->function_count <= most)
        return;
    for (uint32_t i = most; i < result->function_count; i++)
        trimming->keeps[result->functions[i]] = false;
    find_residual_edges(trimming);
    take_ranked(trimming);
}

/* ---- residual calls ---- */

static bool is_heavier(const void *context, uint32_t a, uint32_t b)
{
    const struct trimming *trimming = context;
    const struct trimmed_call *left = &trimming->residual.list[a];
    const struct trimmed_call *right = &trimming->residual.list[b];
    int order;

    if (size_of(left->cum) != size_of(right->cum))
        return size_of(left->cum) > size_of(right->cum);
    order = span_cmp(name_of(trimming, left->caller), name_of(trimming, right->caller));
    if (order == 0)
        order = span_cmp(name_of(trimming, left->callee), name_of(trimming, right->callee));
    return order ? order < 0 : left->caller < right->caller;
}

static void sort_calls(struct trimming *trimming)
{
    struct trimmed *result = trimming->result;
    uint32_t count = (uint32_t)trimming->residual.count;
    uint32_t *order = sorted_order(count, is_heavier, trimming);

    result->calls = arena_array(trimming->arena, count, sizeof(*result->calls));
    for (uint32_t i = 0; i < count; i++)
        result->calls[i] = trimming->residual.list[order[i]];
    result->call_count = count;
    free(order);
}

/* The calls to each function that are left, the heaviest first. */
struct callers {
    uint32_t *first, *list, *count; /* by function; `list` holds calls */
};

static struct callers index_callers(const struct trimming *trimming)
{
    const struct trimmed *result = trimming->result;
    uint32_t functions = trimming->graph->functions.count;
    struct callers callers = {
        .first = arena_array(trimming->arena, (size_t)functions + 1, sizeof(uint32_t)),
        .count = arena_array(trimming->arena, functions, sizeof(uint32_t)),
        .list = arena_array(trimming->arena, result->call_count, sizeof(uint32_t))};

    for (uint32_t i = 0; i < result->call_count; i++)
        callers.first[result->calls[i].callee + 1]++;
    for (uint32_t i = 0; i < functions; i++)
        callers.first[i + 1] += callers.first[i];
    for (uint32_t i = 0; i < result->call_count; i++) {
        uint32_t callee = result->calls[i].callee;

        callers.list[callers.first[callee] + callers.count[callee]++] = i;
    }
    return callers;
}

/* Whether other calls lead from its caller to its callee as well. */
static bool is_redundant(const struct trimmed *result, const struct callers *callers, uint32_t call,
                         uint32_t *queue, uint32_t *seen)
{
    const struct trimmed_call *wanted = &result->calls[call];
    uint32_t count = 0;

    queue[count++] = wanted->callee;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t c = 0; c < callers->count[queue[i]]; c++) {
            uint32_t other = callers->list[callers->first[queue[i]] + c];
            uint32_t caller = result->calls[other].caller;

            if (other == call || seen[caller] == call + 1)
                continue;
            if (caller == wanted->caller)
                return true;
            seen[caller] = call + 1;
            queue[count++] = caller;
        }
    return false;
}

/* From the lowest rank up, and from the lightest call to one that is not residual. */
static void drop_redundant_calls(struct trimming *trimming)
{
    struct trimmed *result = trimming->result;
    uint32_t functions = trimming->graph->functions.count, kept = 0;
    uint32_t *queue = arena_array(trimming->arena, (size_t)functions + 1, sizeof(*queue));
    uint32_t *seen = arena_array(trimming->arena, functions, sizeof(*seen));
    bool *is_gone = arena_array(trimming->arena, result->call_count, sizeof(*is_gone));
    struct callers callers = index_callers(trimming);

    for (uint32_t i = result->function_count; i-- > 0;) {
        uint32_t function = result->functions[i];

        for (uint32_t c = callers.count[function]; c-- > 0;) {
            uint32_t *at = &callers.list[callers.first[function] + c];
            uint32_t call = *at;

            if (!result->calls[call].is_residual)
                break;
            if (!is_redundant(result, &callers, call, queue, seen))
                continue;
            is_gone[call] = true;
            for (uint32_t rest = c; rest + 1 < callers.count[function]; rest++, at++)
                *at = at[1];
            callers.count[function]--;
        }
    }
    for (uint32_t i = 0; i < result->call_count; i++)
        if (!is_gone[i])
            result->calls[kept++] = result->calls[i];
    result->call_count = kept;
}

void trim(const struct graph *graph, const struct trim_options *options, struct arena *arena,
          struct trimmed *trimmed)
{
    const struct functions *f = &graph->functions;
    struct trimming trimming = {
        .graph = graph, .options = options, .arena = arena, .result = trimmed};

    *trimmed = (struct trimmed){.total = checked_sub(graph_total(graph), graph_idle(graph))};
    trimmed->least_cum = cutoff(trimmed->total, options->node_percent);
    trimmed->least_edge = cutoff(trimmed->total, options->edge_percent);
    trimmed->functions = arena_array(arena, f->count, sizeof(*trimmed->functions));
    trimming.keeps = arena_array(arena, f->count, sizeof(*trimming.keeps));
    trimming.score = arena_array(arena, f->count, sizeof(*trimming.score));
    drop_light_functions(&trimming);
    find_residual_edges(&trimming);
    keep_highest(&trimming);
    drop_light_calls(&trimming);
    sort_calls(&trimming);
    drop_redundant_calls(&trimming);
    for (uint32_t i = 0; i < trimmed->function_count; i++)
        trimmed->shown = checked_add(trimmed->shown, f->self[trimmed->functions[i]]);
    free(trimming.residual.list);
}
