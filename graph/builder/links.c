/* links.c — joins device work to the calls that launched it */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/search.h"
#include "base/sort.h"
#include "graph/builder/inside.h"

static bool is_lower(const void *context, uint32_t a, uint32_t b)
{
    const int64_t *value = context;

    return value[a] < value[b];
}

/* The launches' indices by correlation; those with the same one stay in file order. */
static uint32_t *sort_launches(const struct property_column *launches)
{
    uint32_t *order = grow_to(NULL, (size_t)launches->count + 1, sizeof(*order));

    for (uint32_t i = 0; i < launches->count; i++)
        order[i] = i;
    sort_stable(order, launches->count, is_lower, launches->value);
    return order;
}

/* How many launches have at most this correlation. Looked for around `near`, the answer to the
 * question before: devices work in about the order in which they are told to. */
static uint32_t count_up_to(const struct property_column *launches, const uint32_t *order,
                            int64_t correlation, uint32_t near)
{
    uint32_t low = near, high = near, step = 1;

    while (low > 0 && launches->value[order[low - 1]] > correlation) {
        high = low - 1;
        low = low > step ? low - step : 0;
        step *= 2;
    }
    while (high < launches->count && launches->value[order[high]] <= correlation) {
        low = high + 1;
        high = launches->count - high > step ? high + step : launches->count;
        step *= 2;
    }
    SEARCH(uint32_t, more, high - low, launches->value[order[low + more]] <= correlation);
    return low + more;
}

void build_links_finish(struct builder *builder, const uint32_t *place)
{
    struct timeline *t = &builder->graph.timeline;
    const struct property_column *launches = &builder->launches, *launched = &builder->launched;
    uint32_t *order, last = 0;
    uint64_t lost = 0;

    if (!builder->options.launches || launched->count == 0)
        return;
    order = sort_launches(launches);
    t->launch = grow_to(NULL, (size_t)t->count + 1, sizeof(*t->launch));
    memset(t->launch, 0xff, (size_t)t->count * sizeof(*t->launch));
    for (uint32_t i = 0; i < launched->count; i++) {
        last = count_up_to(launches, order, launched->value[i], last);
        if (last && launches->value[order[last - 1]] == launched->value[i])
            t->launch[place[launched->event[i]]] = place[launches->event[order[last - 1]]];
        else
            lost++;
    }
    warning_count_many(&builder->graph.warnings, WARNING_NOTE,
                       "device events whose launch was not recorded", lost);
    free(order);
}
