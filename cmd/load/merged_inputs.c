/* SPDX-License-Identifier: Apache-2.0 */
/* Above all a timeline, else a table of times, else counters alone. */
#include "cmd/load/merged_inputs.h"

#include "cmd/load/profile_load.h"
#include "cmd/options/common_options.h"
static void put_first(struct merged_inputs *joined)
{
    uint32_t best = 0;
    struct profile first;

    for (uint32_t i = joined->count; i-- > 0;)
        if (joined->list[i].graph.native == LEVEL_TIMELINE ||
            graph_unit(&joined->list[i].graph) == UNIT_NS)
            best = i;
    for (uint32_t i = joined->count; i-- > 0;)
        if (joined->list[i].graph.native == LEVEL_TIMELINE)
            best = i;
    first = joined->list[best];
    for (; best > 0; best--)
        joined->list[best] = joined->list[best - 1];
    joined->list[0] = first;
}

static void join_with(struct merged_inputs *joined, const struct graph *counted)
{
    struct graph *graph = &joined->list[0].graph;
    struct counters_join join;

    if (graph->native == LEVEL_TIMELINE)
        counters_join(graph, counted, &join);
    else
        counters_take(graph, counted, &join);
    joined->is_joined = true;
    joined->join.launches = join.launches;
    joined->join.matched += join.matched;
    joined->join.kernels += join.kernels;
    joined->join.absent += join.absent;
    joined->join.by_short_names |= join.by_short_names;
    joined->join.uneven += join.uneven;
}

/* Takes what has captures of graphs from those that are to have counters. */
static void join_captures(struct merged_inputs *joined, bool *is_capture)
{
    struct profile *first = &joined->list[0];
    const struct graph *captured[MERGED_INPUTS_MAX];
    struct captures_join join;
    uint32_t count = 0;

    for (uint32_t i = 1; i < joined->count; i++) {
        is_capture[i] = captures_hold(&joined->list[i].graph);
        if (is_capture[i])
            captured[count++] = &joined->list[i].graph;
    }
    if (!count)
        return;
    captures_join(&first->graph, captured, count, &join);
    first->captures = join;
}

static bool join_all(struct merged_inputs *joined, struct error *err)
{
    bool is_capture[MERGED_INPUTS_MAX] = {0};

    join_captures(joined, is_capture);
    if (joined->list[0].graph.native == LEVEL_TIMELINE && joined->list[0].graph.has[LEVEL_COUNTERS])
        join_with(joined, &joined->list[0].graph);
    for (uint32_t i = 1; i < joined->count; i++) {
        if (is_capture[i])
            continue;
        if (!joined->list[i].graph.has[LEVEL_COUNTERS]) {
            error_set(err, ERROR_USAGE,
                      "it has no counters to join with %.80s, and no capture of a graph",
                      joined->list[0].path);
            error_hint(err, "one file has the times; all others have counters, as nvprof --metrics "
                            "and ncu write them, or captures of CUDA and HIP graphs that it ran");
            return error_file(err, joined->list[i].path);
        }
        join_with(joined, &joined->list[i].graph);
    }
    return true;
}

bool merged_inputs_load(struct merged_inputs *joined, char **operands, size_t count,
                        const struct builder_options *wanted, const struct common *common,
                        struct error *err)
{
    struct common whole = *common; /* launches are counted from the first of all */
    struct builder_options both = *wanted;
    bool ok = true;

    whole.part = (struct run_part){0};
    run_part_want(&common->part, &both);
    *joined = (struct merged_inputs){0};
    if (count > MERGED_INPUTS_MAX)
        return error_set(err, ERROR_USAGE, "%d files at most, not %zu", MERGED_INPUTS_MAX, count);
    if (count <= 1) {
        ok = profile_load_operand(&joined->list[0], operands, count, &both, &whole, err);
        joined->count = ok;
    }
    for (size_t i = 0; ok && count > 1 && i < count; i++) {
        ok = profile_load(&joined->list[i], operands[i], &both, &whole, err);
        joined->count += ok;
    }
    if (ok)
        put_first(joined);
    ok = ok && join_all(joined, err) &&
         (run_part_is_all(&common->part) ||
          run_part_apply(&common->part, true, &joined->list[0].graph, err)) &&
         profile_select(&joined->list[0], &common->selection, err);
    if (!ok)
        merged_inputs_free(joined);
    return ok;
}

void merged_inputs_free(struct merged_inputs *joined)
{
    for (uint32_t i = 0; i < joined->count; i++)
        profile_free(&joined->list[i]);
    joined->count = 0;
}
