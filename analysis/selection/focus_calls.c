/* SPDX-License-Identifier: Apache-2.0 */
/* focus_calls.c — --focus and --ignore on a call graph
 *
 * What flows through the graph (call_edges.h) either passes a match on its way or does not; --focus
 * keeps the one part, --ignore the other, and together they are the profile. A function all of
 * whose time comes over a match keeps its recorded figures. One that is reached with and without a
 * match has them split by the time that comes in either way: estimates. Of a function above a match
 * --focus keeps what leads there, and none of its own time, as in a call tree. */
#include "analysis/functions/call_edges.h"
#include "analysis/selection/select.h"
#include "base/checked.h"

struct focus_share {
    int64_t part, whole;
};

/* By function, of the time that comes in. Where that is nothing all calls weigh the same. */
struct focus_reach {
    const struct calls *calls;
    const bool *is_match;
    struct call_flow flow;
    struct focus_share *passed; /* comes over a match, or is in one */
    struct focus_share *leads;  /* is in a match, or goes on to one */
    bool *is_below;             /* a match, or called from there */
    bool *is_clear;             /* reached without a match */
    bool *is_above;             /* a match, or calls one */
};

static int64_t portion(int64_t figure, struct focus_share share)
{
    if (figure == UNKNOWN || share.part >= share.whole)
        return figure;
    return share.part > 0 ? checked_share(figure, share.part, share.whole) : 0;
}

/* A count of which a part is kept is not 0. */
static int64_t count_portion(int64_t count, struct focus_share share)
{
    int64_t part = portion(count, share);

    return part == 0 && count > 0 && share.part > 0 ? 1 : part;
}

/* Both of what passed a match and of what is still to come to one. */
static struct focus_share either(struct focus_share passed, struct focus_share leads)
{
    return (struct focus_share){
        checked_add(passed.part, portion(checked_sub(passed.whole, passed.part), leads)),
        passed.whole};
}

/* Callers come before the function. */
static void find_passed(struct focus_reach *reach, uint32_t function)
{
    const struct call_flow *flow = &reach->flow;
    bool is_match = reach->is_match[function], has_time = flow->time[function] > 0;
    struct focus_share passed = {0, flow->outside[function].is_there};

    reach->is_below[function] = is_match;
    reach->is_clear[function] = flow->outside[function].is_there && !is_match;
    for (uint32_t i = flow->edges.in_first[function]; i < flow->edges.in_first[function + 1]; i++) {
        uint32_t call = flow->edges.in[i], caller = reach->calls->caller[call];

        if (!flow->call[call].is_there)
            continue;
        reach->is_below[function] |= reach->is_below[caller];
        reach->is_clear[function] |= reach->is_clear[caller] && !is_match;
        passed.part = checked_add(passed.part,
                                  has_time ? portion(flow->call[call].time, reach->passed[caller])
                                           : reach->is_below[caller]);
        passed.whole++;
    }
    if (has_time)
        passed.whole = flow->time[function];
    if (is_match || passed.part > passed.whole)
        passed.part = passed.whole;
    reach->passed[function] = passed;
}

/* Callees come before the function. */
static void find_leading(struct focus_reach *reach, uint32_t function)
{
    const struct call_flow *flow = &reach->flow;
    struct focus_share leads = {0, flow->time[function]};
    int64_t most = checked_sub(flow->time[function], flow->self[function]);

    reach->is_above[function] = reach->is_match[function];
    for (uint32_t i = flow->edges.out_first[function]; i < flow->edges.out_first[function + 1];
         i++) {
        uint32_t call = flow->edges.out[i], callee = reach->calls->callee[call];

        if (!flow->call[call].is_there)
            continue;
        reach->is_above[function] |= reach->is_above[callee];
        leads.part = checked_add(leads.part, portion(flow->call[call].time, reach->leads[callee]));
    }
    if (leads.part > most)
        leads.part = not_negative(most);
    if (leads.whole <= 0)
        leads = (struct focus_share){reach->is_above[function], 1};
    if (reach->is_match[function])
        leads.part = leads.whole;
    reach->leads[function] = leads;
}

static void find_shares(struct focus_reach *reach, const struct graph *graph, struct arena *arena)
{
    uint32_t count = graph->functions.count;

    call_flow_solve(graph, arena, &reach->flow);
    reach->passed = arena_array(arena, count, sizeof(*reach->passed));
    reach->leads = arena_array(arena, count, sizeof(*reach->leads));
    reach->is_below = arena_array(arena, count, sizeof(*reach->is_below));
    reach->is_clear = arena_array(arena, count, sizeof(*reach->is_clear));
    reach->is_above = arena_array(arena, count, sizeof(*reach->is_above));
    for (uint32_t i = count; i-- > 0;)
        find_passed(reach, reach->flow.order[i]);
    for (uint32_t i = 0; i < count; i++)
        find_leading(reach, reach->flow.order[i]);
}

/* The rest of a figure whose part is known. */
static int64_t less(int64_t figure, int64_t part)
{
    return figure == UNKNOWN ? UNKNOWN : checked_sub(figure, part);
}

/* Figures of one call; whether any of it is kept. */
static bool keep_call(const struct focus_reach *reach, struct calls *c, uint32_t call,
                      bool is_focus)
{
    uint32_t caller = c->caller[call], callee = c->callee[call];
    struct focus_share passed =
        reach->is_match[callee] ? (struct focus_share){1, 1} : reach->passed[caller];
    struct focus_share kept =
        reach->flow.call[call].is_there ? either(passed, reach->leads[callee]) : passed;

    if (is_focus) {
        c->calls[call] = count_portion(c->calls[call], kept);
        c->primitive_calls[call] = count_portion(c->primitive_calls[call], kept);
        c->self[call] = portion(c->self[call], passed);
        c->cum[call] = portion(c->cum[call], kept);
        return reach->is_match[callee] || reach->is_below[caller] ||
               (reach->flow.call[call].is_there && reach->is_above[callee]);
    }
    c->calls[call] = less(c->calls[call], portion(c->calls[call], passed));
    c->primitive_calls[call] =
        less(c->primitive_calls[call], portion(c->primitive_calls[call], passed));
    c->self[call] = less(c->self[call], portion(c->self[call], passed));
    c->cum[call] = less(c->cum[call], portion(c->cum[call], kept));
    return reach->is_clear[caller] && !reach->is_match[callee];
}

/* Calls to it, and their time: from outside the profile, and left of its callers'. */
struct calls_to {
    int64_t outside, inside, cum;
};

static void keep_function(const struct focus_reach *reach, struct functions *f, uint32_t function,
                          const struct calls_to *to, bool is_focus)
{
    struct focus_share passed = reach->passed[function], leads = reach->leads[function];
    struct focus_share kept = either(passed, leads);
    int64_t self = portion(f->self[function], passed), cum = portion(f->cum[function], kept);
    int64_t primitive = f->primitive_calls[function];
    bool is_entered = reach->flow.outside[function].is_there;

    f->self[function] = is_focus ? self : checked_sub(f->self[function], self);
    f->cum[function] = is_focus ? cum : checked_sub(f->cum[function], cum);
    if (f->calls[function] == UNKNOWN) {
        /* or what was rounded seems to come from outside */
        if (!is_entered && f->cum[function] > to->cum && to->cum >= f->self[function])
            f->cum[function] = to->cum;
        return;
    }
    f->calls[function] = to->inside;
    if (is_focus)
        f->calls[function] = checked_add(to->inside, count_portion(to->outside, leads));
    else if (!reach->is_match[function])
        f->calls[function] = checked_add(to->inside, to->outside);
    primitive =
        is_focus ? count_portion(primitive, kept) : less(primitive, portion(primitive, passed));
    f->primitive_calls[function] = primitive < f->calls[function] ? primitive : f->calls[function];
}

static int64_t known(int64_t figure)
{
    return figure == UNKNOWN ? 0 : figure;
}

static void keep_calls(const struct focus_reach *reach, struct graph *graph, struct calls_to *to,
                       bool is_focus)
{
    struct functions *f = &graph->functions;
    struct calls *c = &graph->calls;
    uint32_t kept = 0;

    for (uint32_t i = 0; i < f->listed; i++)
        to[i].outside = known(f->calls[i]);
    for (uint32_t i = 0; i < c->count; i++) {
        struct calls_to *callee = &to[c->callee[i]];

        callee->outside = checked_sub(callee->outside, known(c->calls[i]));
        if (!keep_call(reach, c, i, is_focus))
            continue;
        callee->inside = checked_add(callee->inside, known(c->calls[i]));
        callee->cum = checked_add(callee->cum, known(c->cum[i]));
        move_call(c, kept++, i);
    }
    c->count = kept;
}

/* What is split, and by no figure of the file. */
static uint32_t count_estimates(const struct focus_reach *reach, const bool *keeps, uint32_t count,
                                bool is_focus)
{
    uint32_t estimates = 0;

    for (uint32_t i = 0; i < count; i++) {
        struct focus_share kept =
            is_focus ? reach->passed[i] : either(reach->passed[i], reach->leads[i]);

        estimates += keeps[i] && kept.part > 0 && kept.part < kept.whole;
    }
    return estimates;
}

void focus_calls(struct graph *graph, const bool *is_match, bool is_focus)
{
    struct focus_reach reach = {.calls = &graph->calls, .is_match = is_match};
    struct functions *f = &graph->functions;
    struct arena arena = {0};
    struct calls_to *to = arena_array(&arena, f->count, sizeof(*to));
    bool *keeps = arena_array(&arena, f->count, sizeof(*keeps));

    find_shares(&reach, graph, &arena);
    keep_calls(&reach, graph, to, is_focus);
    for (uint32_t i = 0; i < f->count; i++) {
        keeps[i] = is_focus ? reach.is_below[i] || reach.is_above[i] : reach.is_clear[i];
        if (i < f->listed)
            keep_function(&reach, f, i, &to[i], is_focus);
    }
    warning_count_many(
        &graph->source.warnings, WARNING_LOSS,
        "functions that are reached both with and without a match: their figures are "
        "split by the time that comes in either way (estimates)",
        count_estimates(&reach, keeps, f->count, is_focus));
    keep_functions(graph, keeps);
    arena_free(&arena);
}
