#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

struct sort {
    bool (*is_before)(const void *context, uint32_t a, uint32_t b);
    const void *context;
};

/* Stretches that are in order already: files are mostly a few of them, one after another. */
struct runs {
    uint32_t *ends;
    size_t count, cap;
};

static struct runs find_runs(const struct sort *sort, const uint32_t *items, size_t count)
{
    struct runs runs = {0};

    for (size_t i = 1; i <= count; i++)
        if (i == count || sort->is_before(sort->context, items[i], items[i - 1])) {
            runs.ends = grow_one(runs.ends, runs.count, &runs.cap, sizeof(*runs.ends));
            runs.ends[runs.count++] = (uint32_t)i;
        }
    return runs;
}

static void merge(const struct sort *sort, const uint32_t *left, const uint32_t *middle,
                  const uint32_t *end, uint32_t *to)
{
    const uint32_t *right = middle;

    while (left < middle && right < end)
        *to++ = sort->is_before(sort->context, *right, *left) ? *right++ : *left++;
    memcpy(to, left, (size_t)(middle - left) * sizeof(*to));
    to += middle - left;
    memcpy(to, right, (size_t)(end - right) * sizeof(*to));
}

/* Merges each run with the next: half as many are left. */
static void merge_pairs(const struct sort *sort, struct runs *runs, const uint32_t *from,
                        uint32_t *to)
{
    size_t begin = 0, left = 0;

    for (size_t i = 0; i < runs->count; i += 2) {
        size_t middle = runs->ends[i], end = i + 1 < runs->count ? runs->ends[i + 1] : middle;

        merge(sort, from + begin, from + middle, from + end, to + begin);
        runs->ends[left++] = (uint32_t)end;
        begin = end;
    }
    runs->count = left;
}

void sort_stable(uint32_t *items, size_t count,
                 bool (*is_before)(const void *context, uint32_t a, uint32_t b),
                 const void *context)
{
    struct sort sort = {is_before, context};
    struct runs runs = find_runs(&sort, items, count);
    uint32_t *from = items, *to = NULL;

    if (runs.count > 1)
        to = grow_to(NULL, count, sizeof(*to));
    while (runs.count > 1) {
        uint32_t *swap = from;

        merge_pairs(&sort, &runs, from, to);
        from = to;
        to = swap;
    }
    if (from != items) {
        memcpy(items, from, count * sizeof(*items));
        to = from;
    }
    free(to);
    free(runs.ends);
}
