/* SPDX-License-Identifier: Apache-2.0 */
/* advice_memory.c — what a snapshot of a device's allocator says: leaks, pieces, and why memory ended */
#include "analysis/advice/advice.h"
#include "graph/model/graph.h"

static const char *place(const struct advice_context *context, enum fact_id id)
{
    const char *text = graph_fact_text(context->graph, id);

    return text ? text : "nobody known";
}

static const char *asked_for(const struct advice_context *context)
{
    return arena_printf(context->arena, "asked for by %s", place(context, FACT_OOM_PLACE));
}

static void judge_share(const struct advice_context *context, struct finding *finding,
                        const char *what, enum fact_id part, enum threshold limit)
{
    const struct check check = {.what = arena_printf(context->arena, "%s / reserved", what),
                                .sides = {what, "reserved"},
                                .part = fact_or_unknown(context->graph, part),
                                .whole = fact_or_unknown(context->graph, FACT_RESERVED),
                                .unit = UNIT_BYTES,
                                .limit = limit};

    finding_set(context, finding, &check, UNKNOWN, UNKNOWN);
}

void judge_leak(const struct advice_context *context, struct finding *finding)
{
    if (fact_or_unknown(context->graph, FACT_LEAK) == UNKNOWN) {
        finding->why_not = "nothing grew in every step, or fewer than four are recorded";
        return;
    }
    judge_share(context, finding,
                arena_printf(context->arena, "held more after each step, most by %s",
                             place(context, FACT_LEAK_PLACE)),
                FACT_LEAK, LIMIT_LEAK);
}

void judge_oom_pieces(const struct advice_context *context, struct finding *finding)
{
    const char *asked = asked_for(context);
    const struct check check = {.what = arena_printf(context->arena, "largest free piece / %s", asked),
                                .sides = {"in the largest free piece", asked},
                                .part = fact_or_unknown(context->graph, FACT_OOM_PIECE),
                                .whole = fact_or_unknown(context->graph, FACT_OOM_ASKED),
                                .unit = UNIT_BYTES,
                                .limit = LIMIT_OOM,
                                .is_below = true};

    if (check.whole == UNKNOWN)
        finding->why_not = "no allocation failed";
    else if (fact_or_unknown(context->graph, FACT_OOM_CACHED) < check.whole)
        finding->why_not = "less was free in the cache than what was asked for";
    else
        finding_set(context, finding, &check, UNKNOWN, UNKNOWN);
}

/* One request against all that the process could have had: what the allocator had, and the driver left. */
static struct check huge_request(const struct advice_context *context)
{
    int64_t left = fact_or_unknown(context->graph, FACT_OOM_LEFT),
            reserved = fact_or_unknown(context->graph, FACT_OOM_RESERVED);
    const char *asked = asked_for(context);
    struct check check = {
        .what = arena_printf(context->arena, "%s / all that the process could have", asked),
        .sides = {asked, "for all of the process"},
        .part = fact_or_unknown(context->graph, FACT_OOM_ASKED),
        .whole = left == UNKNOWN || reserved == UNKNOWN ? UNKNOWN : checked_add(left, reserved),
        .unit = UNIT_BYTES,
        .limit = LIMIT_HUGE};

    check_judge(&check, context->thresholds);
    return check;
}

void judge_oom_huge(const struct advice_context *context, struct finding *finding)
{
    const struct check check = huge_request(context);

    if (check.part == UNKNOWN)
        finding->why_not = "no allocation failed";
    else if (check.whole == UNKNOWN)
        finding->why_not = "what the driver had left is not recorded";
    else if (fact_or_unknown(context->graph, FACT_OOM_CACHED) >= check.part)
        finding->why_not = "as much was free in the cache";
    else
        finding_set(context, finding, &check, UNKNOWN, UNKNOWN);
}

void judge_oom_full(const struct advice_context *context, struct finding *finding)
{
    int64_t left = fact_or_unknown(context->graph, FACT_OOM_LEFT),
            cached = fact_or_unknown(context->graph, FACT_OOM_CACHED);
    const char *asked = asked_for(context);
    const struct check check = {
        .what = arena_printf(context->arena, "free in the cache and on the device / %s", asked),
        .sides = {"free in the cache and on the device", asked},
        .part = checked_add(left == UNKNOWN ? 0 : left, cached),
        .whole = fact_or_unknown(context->graph, FACT_OOM_ASKED),
        .unit = UNIT_BYTES,
        .limit = LIMIT_OOM,
        .is_below = true};

    if (check.whole == UNKNOWN)
        finding->why_not = "no allocation failed";
    else if (huge_request(context).holds)
        finding->why_not = "one request is very large";
    else
        finding_set(context, finding, &check, UNKNOWN, UNKNOWN);
}

void judge_trapped(const struct advice_context *context, struct finding *finding)
{
    judge_share(context, finding, "free beside blocks in use", FACT_TRAPPED,
                LIMIT_TRAPPED);
}

void judge_awaiting(const struct advice_context *context, struct finding *finding)
{
    judge_share(context, finding, "freed, but awaited by other streams",
                FACT_AWAITING_FREE, LIMIT_AWAITING);
}

void judge_private_pools(const struct advice_context *context, struct finding *finding)
{
    judge_share(context, finding, "in pools of recorded graphs", FACT_PRIVATE_POOLS,
                LIMIT_POOLS);
}
