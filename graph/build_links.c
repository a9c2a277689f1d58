/* build_links.c — joins device work to the calls that launched it */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/sort.h"
#include "graph/build.h"

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

/* The last launch with that correlation, or NO_EVENT. */
static event_id find_launch(const struct property_column *launches, const uint32_t *order,
                            int64_t correlation)
{
    uint32_t low = 0, high = launches->count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (launches->value[order[middle]] <= correlation)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || launches->value[order[low - 1]] != correlation)
        return NO_EVENT;
    return launches->event[order[low - 1]];
}

void build_links_finish(struct builder *builder, const uint32_t *place)
{
    struct timeline *t = &builder->graph.timeline;
    const struct property_column *launches = &builder->launches, *launched = &builder->launched;
    uint32_t *order;
    uint64_t lost = 0;

    if (!builder->options.launches || launched->count == 0)
        return;
    order = sort_launches(launches);
    t->launch = grow_to(NULL, (size_t)t->count + 1, sizeof(*t->launch));
    memset(t->launch, 0xff, (size_t)t->count * sizeof(*t->launch));
    for (uint32_t i = 0; i < launched->count; i++) {
        event_id launch = find_launch(launches, order, launched->value[i]);

        if (launch != NO_EVENT)
            t->launch[place[launched->event[i]]] = place[launch];
        else
            lost++;
    }
    warning_count_many(&builder->graph.warnings, WARNING_NOTE,
                       "device events whose launch was not recorded", lost);
    free(order);
}
