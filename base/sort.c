#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

struct sort {
    bool (*is_before)(const void *context, uint32_t a, uint32_t b);
    const void *context;
    uint32_t *scratch; /* the shorter side of a merge */
    size_t scratch_cap;
};

/* Stretches that are in order already: files are mostly a few of them, one after another. */
struct runs {
    uint32_t *ends;
    size_t count, cap;
};

static inline bool comes_before(const struct sort *sort, uint32_t a, uint32_t b)
{
    return sort->is_before(sort->context, a, b);
}

static struct runs find_runs(const struct sort *sort, const uint32_t *items, size_t count)
{
    struct runs runs = {0};

    for (size_t i = 1; i <= count; i++)
        if (i == count || comes_before(sort, items[i], items[i - 1])) {
            runs.ends = grow_one(runs.ends, runs.count, &runs.cap, sizeof(*runs.ends));
            runs.ends[runs.count++] = (uint32_t)i;
        }
    return runs;
}

/* ---- merging ---- */

/* How many items of a run come before the first that `item` is before. */
static size_t count_until_after(const struct sort *sort, const uint32_t *run, size_t count,
                                uint32_t item)
{
    size_t begin = 0;

    while (begin < count) {
        size_t middle = begin + (count - begin) / 2;

        if (comes_before(sort, item, run[middle]))
            count = middle;
        else
            begin = middle + 1;
    }
    return begin;
}

/* How many items of a run are before `item`. */
static size_t count_before(const struct sort *sort, const uint32_t *run, size_t count,
                           uint32_t item)
{
    size_t begin = 0;

    while (begin < count) {
        size_t middle = begin + (count - begin) / 2;

        if (comes_before(sort, run[middle], item))
            begin = middle + 1;
        else
            count = middle;
    }
    return begin;
}

static uint32_t *set_aside(struct sort *sort, const uint32_t *items, size_t count)
{
    if (count > sort->scratch_cap) {
        free(sort->scratch);
        sort->scratch_cap = count;
        sort->scratch = grow_to(NULL, count, sizeof(*sort->scratch));
    }
    memcpy(sort->scratch, items, count * sizeof(*items));
    return sort->scratch;
}

static void merge_forward(struct sort *sort, uint32_t *to, size_t lefts, size_t rights)
{
    const uint32_t *left = set_aside(sort, to, lefts), *left_end = left + lefts;
    const uint32_t *right = to + lefts, *right_end = right + rights;

    while (left < left_end && right < right_end)
        *to++ = comes_before(sort, *right, *left) ? *right++ : *left++;
    while (left < left_end)
        *to++ = *left++;
}

static void merge_backward(struct sort *sort, uint32_t *items, size_t lefts, size_t rights)
{
    const uint32_t *right = set_aside(sort, items + lefts, rights);
    uint32_t *to = items + lefts + rights;

    while (lefts && rights)
        *--to = comes_before(sort, right[rights - 1], items[lefts - 1]) ? items[--lefts]
                                                                        : right[--rights];
    memcpy(items, right, rights * sizeof(*items));
}

/* Merges two runs that follow each other. What is in its place at their ends is left alone: of most
 * pairs in files that is nearly all. */
static void merge(struct sort *sort, uint32_t *items, size_t lefts, size_t rights)
{
    size_t settled;

    if (rights == 0 || !comes_before(sort, items[lefts], items[lefts - 1]))
        return;
    rights = count_before(sort, items + lefts, rights, items[lefts - 1]);
    settled = count_until_after(sort, items, lefts, items[lefts]);
    if (lefts - settled < rights)
        merge_forward(sort, items + settled, lefts - settled, rights);
    else
        merge_backward(sort, items + settled, lefts - settled, rights);
}

/* Merges each run with the next: half as many are left. */
static void merge_pairs(struct sort *sort, struct runs *runs, uint32_t *items)
{
    size_t begin = 0, left = 0;

    for (size_t i = 0; i < runs->count; i += 2) {
        size_t middle = runs->ends[i], end = i + 1 < runs->count ? runs->ends[i + 1] : middle;

        merge(sort, items + begin, middle - begin, end - middle);
        runs->ends[left++] = (uint32_t)end;
        begin = end;
    }
    runs->count = left;
}

void sort_stable(uint32_t *items, size_t count,
                 bool (*is_before)(const void *context, uint32_t a, uint32_t b),
                 const void *context)
{
    struct sort sort = {.is_before = is_before, .context = context};
    struct runs runs = find_runs(&sort, items, count);

    while (runs.count > 1)
        merge_pairs(&sort, &runs, items);
    free(sort.scratch);
    free(runs.ends);
}
