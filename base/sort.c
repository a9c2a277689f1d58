#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

struct sort {
    bool (*is_before)(const void *context, uint32_t a, uint32_t b);
    const void *context;
};

static bool is_sorted(const struct sort *sort, const uint32_t *items, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (sort->is_before(sort->context, items[i], items[i - 1]))
            return false;
    return true;
}

static void merge(const struct sort *sort, const uint32_t *left, const uint32_t *middle,
                  const uint32_t *end, uint32_t *to)
{
    const uint32_t *right = middle;

    if (left == middle || right == end || !sort->is_before(sort->context, *right, middle[-1])) {
        memcpy(to, left,
               (size_t)(end - left) * sizeof(*to)); /* what is in order already is cheap */
        return;
    }
    while (left < middle && right < end)
        *to++ = sort->is_before(sort->context, *right, *left) ? *right++ : *left++;
    memcpy(to, left, (size_t)(middle - left) * sizeof(*to));
    to += middle - left;
    memcpy(to, right, (size_t)(end - right) * sizeof(*to));
}

void sort_stable(uint32_t *items, size_t count,
                 bool (*is_before)(const void *context, uint32_t a, uint32_t b),
                 const void *context)
{
    struct sort sort = {is_before, context};
    uint32_t *from = items, *to;

    if (is_sorted(&sort, items, count))
        return;
    uint32_t *scratch = grow_to(NULL, count, sizeof(*scratch));

    to = scratch;
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t at = 0; at < count; at += 2 * width) {
            size_t middle = at + width < count ? at + width : count;
            size_t end = at + 2 * width < count ? at + 2 * width : count;

            merge(&sort, from + at, from + middle, from + end, to + at);
        }
        uint32_t *swap = from;

        from = to;
        to = swap;
    }
    if (from != items)
        memcpy(items, from, count * sizeof(*items));
    free(scratch);
}
