/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of intervals: union, intersection, difference and length. */
#include "analysis/timeline/device_work.h"

#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/memory/memory.h"

void intervals_add_all(struct intervals *set, const struct intervals *other)
{
    for (size_t i = 0; i < other->count; i++)
        intervals_add(set, other->list[i].start, other->list[i].end);
}

/* ---- by start ---- */

struct interval_ordering {
    struct interval *list;
    struct interval *aside; /* the left side of a merge */
    size_t aside_cap;
};

static bool starts_before(const void *context, size_t a, size_t b)
{
    const struct interval *list = ((const struct interval_ordering *)context)->list;

    return list[a].start < list[b].start;
}

/* Without a branch: which is next cannot be foretold. */
static void merge_from(const struct interval *left, const struct interval *left_end,
                       const struct interval *right, const struct interval *right_end,
                       struct interval *to)
{
    while (left < left_end && right < right_end) {
        bool is_right = right->start < left->start;

        *to++ = is_right ? *right : *left;
        right += is_right;
        left += !is_right;
    }
    while (left < left_end)
        *to++ = *left++;
}

/* What is in its place at the ends is left alone. */
static void merge(void *context, size_t begin, size_t middle, size_t end)
{
    struct interval_ordering *ordering = context;
    struct interval *left = ordering->list + begin, *right = ordering->list + middle;
    size_t lefts = middle - begin;

    SEARCH(size_t, settled, lefts, left[settled].start <= right[0].start);
    SEARCH(size_t, rights, end - middle, right[rights].start < right[-1].start);
    lefts -= settled;
    if (lefts > ordering->aside_cap) {
        free(ordering->aside);
        ordering->aside = grow_to(NULL, lefts, sizeof(*ordering->aside));
        ordering->aside_cap = lefts;
    }
    memcpy(ordering->aside, left + settled, lefts * sizeof(*left));
    merge_from(ordering->aside, ordering->aside + lefts, right, right + rights, left + settled);
}

/* Sets are made of what is in order already: the events of one track after those of another. */
static void sort(struct intervals *set)
{
    struct interval_ordering ordering = {.list = set->list};
    struct mergeable things = {starts_before, merge, &ordering};

    sort_by_merging(&things, set->count);
    free(ordering.aside);
}

/* ---- sets ---- */

void intervals_unite(struct intervals *set)
{
    struct interval last;
    size_t kept = 0;

    if (set->count == 0)
        return;
    sort(set);
    last = set->list[0];
    for (size_t i = 1; i < set->count; i++) {
        struct interval next = set->list[i];
        bool is_part = next.start <= last.end;

        set->list[kept] = last;
        kept += !is_part;
        last.start = is_part ? last.start : next.start;
        last.end = is_part && last.end > next.end ? last.end : next.end;
    }
    set->list[kept] = last;
    set->count = kept + 1;
}

int64_t intervals_length(const struct intervals *set)
{
    int64_t length = 0;

    for (size_t i = 0; i < set->count; i++)
        length = checked_add(length, checked_sub(set->list[i].end, set->list[i].start));
    return length;
}

void intervals_intersect(const struct intervals *a, const struct intervals *b,
                         struct intervals *out)
{
    for (size_t i = 0, j = 0; i < a->count && j < b->count;) {
        struct interval x = a->list[i], y = b->list[j];

        intervals_add(out, x.start > y.start ? x.start : y.start, x.end < y.end ? x.end : y.end);
        if (x.end < y.end)
            i++;
        else
            j++;
    }
}

void intervals_subtract(const struct intervals *from, const struct intervals *what,
                        struct intervals *out)
{
    size_t j = 0;

    for (size_t i = 0; i < from->count; i++) {
        int64_t at = from->list[i].start, end = from->list[i].end;

        while (j < what->count && what->list[j].end <= at)
            j++;
        for (size_t k = j; k < what->count && what->list[k].start < end; k++) {
            intervals_add(out, at, what->list[k].start);
            at = what->list[k].end;
        }
        intervals_add(out, at, end);
    }
}

void intervals_clip(const struct intervals *set, int64_t start, int64_t end, struct intervals *out)
{
    SEARCH(size_t, at, set->count, set->list[at].end <= start);
    for (; at < set->count && set->list[at].start < end; at++)
        intervals_add(out, set->list[at].start > start ? set->list[at].start : start,
                      set->list[at].end < end ? set->list[at].end : end);
}

int64_t intervals_cut(struct intervals *set, int64_t time)
{
    int64_t end = time;

    intervals_unite(set);
    if (set->count && set->list[set->count - 1].end > time) {
        end = set->list[set->count - 1].end;
        set->list[set->count - 1].end = time;
    }
    return end;
}

int64_t intervals_take(struct intervals *set, int64_t time)
{
    int64_t end = intervals_cut(set, time), length = intervals_length(set);

    set->count = 0;
    intervals_add(set, time, end);
    return length;
}

void intervals_keep(const struct intervals *set, struct arena *arena, struct intervals *out)
{
    *out = (struct intervals){.list = arena_array(arena, set->count, sizeof(*set->list)),
                              .count = set->count};
    if (set->count)
        memcpy(out->list, set->list, set->count * sizeof(*set->list));
}

void intervals_free(struct intervals *set)
{
    free(set->list);
    *set = (struct intervals){0};
}
