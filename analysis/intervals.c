#include "analysis/intervals.h"

#include <stdlib.h>

#include "base/checked.h"
#include "base/grow.h"
#include "base/search.h"

void intervals_add(struct intervals *set, int64_t start, int64_t end)
{
    if (start >= end)
        return;
    set->list = grow_one(set->list, set->count, &set->cap, sizeof(*set->list));
    set->list[set->count++] = (struct interval){start, end};
}

void intervals_add_all(struct intervals *set, const struct intervals *other)
{
    for (size_t i = 0; i < other->count; i++)
        intervals_add(set, other->list[i].start, other->list[i].end);
}

/* Where the run of rising starts that begins at `at` ends. */
static size_t run_end(const struct interval *list, size_t at, size_t count)
{
    for (at++; at < count && list[at].start >= list[at - 1].start; at++)
        ;
    return at < count ? at : count;
}

static void merge(const struct interval *list, size_t at, size_t middle, size_t end,
                  struct interval *to)
{
    size_t right = middle;

    /* without a branch: which is next cannot be foretold */
    while (at < middle && right < end) {
        bool is_right = list[right].start < list[at].start;
        const struct interval *next = is_right ? &list[right] : &list[at];

        *to++ = *next;
        right += is_right;
        at += !is_right;
    }
    while (at < middle)
        *to++ = list[at++];
    while (right < end)
        *to++ = list[right++];
}

/* By start. Runs are merged pair by pair, as sets are made of what is in order already: the events
 * of one track after those of another. */
static void sort(struct intervals *set)
{
    struct interval *to;

    if (set->count == 0 || run_end(set->list, 0, set->count) == set->count)
        return;
    to = grow_to(NULL, set->count, sizeof(*to));
    while (run_end(set->list, 0, set->count) < set->count) {
        struct interval *from = set->list;

        for (size_t at = 0, end; at < set->count; at = end) {
            size_t middle = run_end(from, at, set->count);

            end = middle < set->count ? run_end(from, middle, set->count) : middle;
            merge(from, at, middle, end, to + at);
        }
        set->list = to;
        set->cap = set->count;
        to = from;
    }
    free(to);
}

void intervals_unite(struct intervals *set)
{
    struct interval last;
    size_t kept = 0;

    sort(set);
    if (set->count == 0)
        return;
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

int64_t intervals_take(struct intervals *set, int64_t time)
{
    int64_t length, end = time;

    intervals_unite(set);
    if (set->count && set->list[set->count - 1].end > time) {
        end = set->list[set->count - 1].end;
        set->list[set->count - 1].end = time;
    }
    length = intervals_length(set);
    set->count = 0;
    intervals_add(set, time, end);
    return length;
}

void intervals_free(struct intervals *set)
{
    free(set->list);
    *set = (struct intervals){0};
}
