/* SPDX-License-Identifier: Apache-2.0 */
/* Which collective of a job a rank's collective is: its group, and its number there. */
#define XXH_INLINE_ALL
#include "analysis/ranks/participation.h"

#include <inttypes.h>
#include <xxhash.h>

#include "base/memory/memory.h"

/* ---- groups ---- */

static struct span text_or(const struct graph *graph, int64_t text, struct span otherwise)
{
    return text == UNKNOWN ? otherwise : graph_text(graph, (str_id)text);
}

/* Both ends of a transfer: as the event says, or by its direction in a group of two. */
static bool ends_of(const struct participation_finder *finder, const struct collective *collective,
                    int64_t ends[2])
{
    bool is_send = collective->traffic == TRAFFIC_SEND;
    struct span members = text_or(finder->graph, collective->group_ranks, SPAN(""));
    int64_t other = -1;
    uint32_t count = 0;

    ends[0] = collective->source;
    ends[1] = collective->target;
    if (ends[0] >= 0 && ends[1] >= 0)
        return true;
    if (!collective->is_named || (!is_send && collective->traffic != TRAFFIC_RECEIVE))
        return false;
    for (size_t i = 0; i < members.len;) {
        size_t digits = 0;
        uint64_t number;

        while (i + digits < members.len && members.at[i + digits] >= '0' &&
               members.at[i + digits] <= '9')
            digits++;
        if (digits && span_to_u64((struct span){members.at + i, digits}, &number)) {
            count++;
            other = number != finder->rank ? (int64_t)number : other;
        }
        i += digits + 1;
    }
    if (count != 2 || other < 0)
        return false;
    ends[0] = is_send ? finder->rank : other;
    ends[1] = is_send ? other : finder->rank;
    return true;
}

bool participation_is_known(const struct participation_finder *finder,
                            const struct collective *collective)
{
    bool is_transfer =
        collective->traffic == TRAFFIC_SEND || collective->traffic == TRAFFIC_RECEIVE;
    int64_t ends[2];

    return !collective->is_named || !is_transfer || finder->flags & RANK_LOG ||
           ends_of(finder, collective, ends);
}

uint32_t participation_group(const struct participation_finder *finder,
                             const struct collective *collective, struct arena *scratch)
{
    const struct graph *graph = finder->graph;
    struct span name = text_or(graph, collective->group, SPAN("")), use = {0}, members = {0};
    int64_t ends[2];

    use = text_or(graph, collective->group_use, SPAN(""));
    members = text_or(graph, collective->group_ranks, SPAN(""));
    if (ends_of(finder, collective, ends))
        return group_list_add(
            finder->groups,
            span_of(arena_printf(scratch, "%.*s %" PRId64 ">%" PRId64, (int)(name.len & 0xffff),
                                 name.at, ends[0], ends[1])),
            use, span_of(arena_printf(scratch, "[%" PRId64 ",%" PRId64 "]", ends[0], ends[1])), 2,
            true);
    return group_list_add(finder->groups, name, use, members,
                          collective->group_size > 0 ? (uint32_t)collective->group_size : 0, false);
}

/* ---- numbers ---- */

int64_t participation_sequence(struct participation_finder *finder,
                               const struct collective *collective, uint32_t group, int64_t step)
{
    uint32_t *next, operation = 0;

    if (collective->sequence != UNKNOWN)
        return collective->sequence;
    finder->flags |= RANK_ORDINALS;
    if (step != finder->counted_step)
        idmap_free(&finder->counted);
    finder->counted_step = step;
    next = idmap_at(&finder->counted, idmap_pair(group, collective->operation));
    *next = *next == IDMAP_NONE ? 0 : *next + 1;
    if (!finder->groups->shard->groups[group].is_pair) {
        struct span name = graph_text(finder->graph, collective->operation);

        operation = (uint32_t)XXH3_64bits(name.at, name.len) >> 20;
    }
    return shard_ordinal(step, operation, *next);
}

void participation_groups(const struct participation_finder *finder)
{
    const struct graph *graph = finder->graph;

    for (uint32_t i = 0; i < graph->source.groups.count; i++)
        group_list_add(finder->groups, graph_text(graph, graph->source.groups.list[i].name),
                       graph_text(graph, graph->source.groups.list[i].use),
                       graph_text(graph, graph->source.groups.list[i].ranks), 0, false);
}

/* ---- ranks ---- */

/* The number in a file's name after the last "rank", or that at its end; or -1. */
static int64_t rank_of_name(struct span file)
{
    size_t at = span_find(file, SPAN("rank"));
    int64_t rank = -1;

    if (at == SIZE_MAX)
        for (at = file.len; at > 0 && is_digit(file.at[at - 1]);)
            at--;
    while (at < file.len && (file.at[at] < '0' || file.at[at] > '9'))
        at++;
    for (; at < file.len && is_digit(file.at[at]) && rank < 100000000; at++)
        rank = (rank < 0 ? 0 : rank) * 10 + (file.at[at] - '0');
    return rank;
}

uint32_t participation_rank(const struct graph *graph, const char *file, int64_t rank,
                            int64_t place, uint32_t *flags)
{
    if (rank < 0 && graph_fact(graph, FACT_RANK, &rank) && rank >= 0 && rank < UINT32_MAX)
        return (uint32_t)rank;
    if (rank < 0) {
        *flags |= RANK_OWN_NUMBER;
        rank = rank_of_name(span_of(file));
    }
    return (uint32_t)(rank < 0 ? place : rank);
}
