#include "graph/build/event_order.h"

#include "base/memory/search.h"
#include "base/memory/sort.h"
#include "graph/build/event_rows.h"

struct ordering {
    struct event_rows events;
    struct event_rows aside; /* the shorter side of a merge */
    size_t aside_cap;
};

static bool is_before(const struct event_rows *a, size_t i, const struct event_rows *b, size_t j)
{
    if (a->start[i] != b->start[j])
        return a->start[i] < b->start[j];
    return a->duration[i] > b->duration[j];
}

static bool is_place_before(const void *context, size_t a, size_t b)
{
    const struct ordering *ordering = context;

    return is_before(&ordering->events, a, &ordering->events, b);
}

/* ---- merging ---- */

static void set_aside(struct ordering *ordering, size_t from, size_t count)
{
    if (count > ordering->aside_cap) {
        event_rows_free(&ordering->aside);
        ordering->aside = event_rows_like(&ordering->events, count);
        ordering->aside_cap = count;
    }
    event_rows_move(&ordering->aside, 0, &ordering->events, from, count);
}

static void merge_forward(struct ordering *ordering, size_t to, size_t right, size_t end)
{
    const struct event_rows *events = &ordering->events, *aside = &ordering->aside;
    size_t left = 0, lefts = right - to;

    set_aside(ordering, to, lefts);
    for (; left < lefts && right < end; to++)
        if (is_before(events, right, aside, left))
            event_rows_move_one(events, to, events, right++);
        else
            event_rows_move_one(events, to, aside, left++);
    event_rows_move(events, to, aside, left, lefts - left);
}

static void merge_backward(struct ordering *ordering, size_t begin, size_t left, size_t to)
{
    const struct event_rows *events = &ordering->events, *aside = &ordering->aside;
    size_t rights = to - left;

    set_aside(ordering, left, rights);
    while (left > begin && rights > 0)
        if (is_before(aside, rights - 1, events, left - 1))
            event_rows_move_one(events, --to, events, --left);
        else
            event_rows_move_one(events, --to, aside, --rights);
    event_rows_move(events, begin, aside, 0, rights);
}

/* What is in its place at the ends is left alone. */
static void merge(void *context, size_t begin, size_t middle, size_t end)
{
    struct ordering *ordering = context;
    const struct event_rows *events = &ordering->events;

    SEARCH(size_t, settled, middle - begin, !is_before(events, middle, events, begin + settled));
    SEARCH(size_t, rights, end - middle, is_before(events, middle + rights, events, middle - 1));
    begin += settled;
    if (middle - begin < rights)
        merge_forward(ordering, begin, middle, middle + rights);
    else
        merge_backward(ordering, begin, middle, middle + rights);
}

void event_order_set(const struct timeline *timeline, uint32_t *number, const struct track *track)
{
    struct ordering ordering = {.events = event_rows_of(timeline, number, track)};
    struct mergeable things = {is_place_before, merge, &ordering};

    sort_by_merging(&things, track->count);
    event_rows_free(&ordering.aside);
}
