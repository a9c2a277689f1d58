/* SPDX-License-Identifier: Apache-2.0 */
/* Which step of one rank is which of another, by the collectives in them. */
#include "analysis/ranks/step_numbers.h"

#include <stdlib.h>

#include "base/memory/memory.h"

/* That one summary called a step, in which both had a collective, by so much more than another. */
struct vote {
    uint32_t summary, other;
    int64_t more;
};

struct voting {
    const struct job_shard *shard;
    struct idmap first; /* of a group and sequence → where the first summary has it, in seen */
    struct VECTOR_OF(struct vote) votes;
    struct VECTOR_OF(struct vote) seen; /* `more` is the number itself */
    bool is_any;                        /* somebody counts otherwise */
};

static int by_pair(const void *a, const void *b)
{
    const struct vote *first = a, *second = b;

    if (first->summary != second->summary)
        return first->summary < second->summary ? -1 : 1;
    if (first->other != second->other)
        return first->other < second->other ? -1 : 1;
    return (first->more > second->more) - (first->more < second->more);
}

static void vote(struct voting *voting, uint32_t l)
{
    const struct rank_summary *summary = &voting->shard->summaries[l];

    for (uint32_t i = 0; i < summary->participation_count; i++) {
        uint64_t key = (uint64_t)summary->sequence[i] * 0x9e3779b97f4a7c15u ^ summary->group[i];
        int64_t number;
        uint32_t *at;

        if (summary->in_step[i] >= summary->step_count)
            continue;
        number = summary->step[summary->in_step[i]];
        at = idmap_at(&voting->first, key);
        if (*at == IDMAP_NONE) {
            *at = (uint32_t)voting->seen.count;
            vector_add(&voting->seen, (struct vote){.summary = l, .more = number});
        } else if (voting->seen.list[*at].summary != l) {
            const struct vote *other = &voting->seen.list[*at];

            vector_add(&voting->votes, (struct vote){l, other->summary, number - other->more});
            voting->is_any |= number != other->more;
        }
    }
}

/* ---- all summaries against one of those that they are tied to ---- */

/* A forest: each summary counts `more` than the one above it. */
struct forest {
    uint32_t *above;
    int64_t *more;
};

/* The summary at the top, by which `at` counts `more`. */
static uint32_t top_of(struct forest *forest, uint32_t at, int64_t *more)
{
    uint32_t top = at;

    for (*more = 0; forest->above[top] != top; top = forest->above[top])
        *more += forest->more[top];
    for (int64_t rest = *more; forest->above[at] != at;) {
        uint32_t next = forest->above[at];
        int64_t step = forest->more[at];

        forest->above[at] = top;
        forest->more[at] = rest;
        rest -= step;
        at = next;
    }
    return top;
}

/* What most votes of two summaries say ties them. */
static void tie(struct voting *voting, struct forest *forest)
{
    qsort(voting->votes.list, voting->votes.count, sizeof(*voting->votes.list), by_pair);
    for (size_t i = 0, end; i < voting->votes.count; i = end) {
        const struct vote *votes = voting->votes.list, *middle;
        int64_t own, others;
        uint32_t top, other_top;

        for (end = i + 1; end < voting->votes.count && votes[end].summary == votes[i].summary &&
                          votes[end].other == votes[i].other;)
            end++;
        middle = &votes[i + (end - i - 1) / 2];
        top = top_of(forest, middle->summary, &own);
        other_top = top_of(forest, middle->other, &others);
        if (top == other_top)
            continue;
        forest->above[top] = other_top;
        forest->more[top] = middle->more + others - own;
    }
}

struct counted {
    uint32_t top, summary;
    int64_t more;
};

static int by_top(const void *a, const void *b)
{
    const struct counted *first = a, *second = b;

    if (first->top != second->top)
        return first->top < second->top ? -1 : 1;
    if (first->more != second->more)
        return first->more < second->more ? -1 : 1;
    return (first->summary > second->summary) - (first->summary < second->summary);
}

/* Most are right; of as many those with the smallest rank. */
static void settle(struct forest *forest, uint32_t count, int64_t *shift, struct arena *arena)
{
    struct counted *list = arena_array(arena, (size_t)count + 1, sizeof(*list));

    for (uint32_t l = 0; l < count; l++) {
        list[l].summary = l;
        list[l].top = top_of(forest, l, &list[l].more);
    }
    qsort(list, count, sizeof(*list), by_top);
    for (uint32_t i = 0, end = 0; i < count; i = end) {
        uint32_t best = i, most = 0;

        for (uint32_t from = i, next; from < count && list[from].top == list[i].top; from = next) {
            for (next = from + 1; next < count && list[next].top == list[from].top &&
                                  list[next].more == list[from].more;)
                next++;
            if (next - from > most ||
                (next - from == most && list[from].summary < list[best].summary)) {
                most = next - from;
                best = from;
            }
            end = next;
        }
        for (uint32_t k = i; k < end; k++)
            shift[list[k].summary] = list[k].more - list[best].more;
    }
}

int64_t *step_numbers_find(const struct job_shard *shard, struct arena *arena)
{
    int64_t *shift = arena_array(arena, (size_t)shard->summary_count + 1, sizeof(*shift));
    struct voting voting = {.shard = shard};

    for (uint32_t l = 0; l < shard->summary_count; l++)
        vote(&voting, l);
    if (voting.is_any) {
        struct arena scratch = {0};
        struct forest forest = {
            .above = arena_array(&scratch, shard->summary_count, sizeof(uint32_t)),
            .more = arena_array(&scratch, shard->summary_count, sizeof(int64_t)),
        };

        for (uint32_t l = 0; l < shard->summary_count; l++)
            forest.above[l] = l;
        tie(&voting, &forest);
        settle(&forest, shard->summary_count, shift, &scratch);
        arena_free(&scratch);
    }
    idmap_free(&voting.first);
    free(voting.votes.list);
    free(voting.seen.list);
    return shift;
}
