/* SPDX-License-Identifier: Apache-2.0 */
/* build_links.c — joins device work to the calls that launched it */
#include <stdlib.h>
#include <string.h>

#include "base/memory/grow.h"
#include "base/memory/sort.h"
#include "graph/build/builder_state.h"

static bool is_lower(const void *context, uint32_t a, uint32_t b)
{
    const int64_t *value = context;

    return value[a] < value[b];
}

static bool is_in_order(const struct property_column *launches)
{
    for (uint32_t i = 1; i < launches->count; i++)
        if (launches->value[i] < launches->value[i - 1])
            return false;
    return true;
}

/* The launches' indices by correlation; those with the same one stay in file order. NULL where that
 * is the file's order. */
static uint32_t *sort_launches(const struct property_column *launches)
{
    uint32_t *order;

    if (is_in_order(launches))
        return NULL;
    order = grow_to(NULL, (size_t)launches->count + 1, sizeof(*order));
    for (uint32_t i = 0; i < launches->count; i++)
        order[i] = i;
    sort_stable(order, launches->count, is_lower, launches->value);
    return order;
}

/* The launches by correlation. */
struct ordered {
    const struct property_column *launches;
    uint32_t *order;
};

static uint32_t launch_at(const struct ordered *ordered, uint32_t index)
{
    return ordered->order ? ordered->order[index] : index;
}

static int64_t correlation_at(const struct ordered *ordered, uint32_t index)
{
    return ordered->launches->value[launch_at(ordered, index)];
}

event_id *build_links_finish(struct timeline_builder *builder, const uint32_t *place,
                             event_id *room)
{
    struct timeline *t = &builder->shared->graph.timeline;
    const struct property_column *launched = &builder->launched;
    struct ordered ordered = {&builder->launches, NULL};
    uint32_t last = 0;
    uint64_t lost = 0;

    if (!builder->shared->options.launches || launched->count == 0)
        return room;
    ordered.order = sort_launches(&builder->launches);
    t->launch = room;
    memset(t->launch, 0xff, (size_t)t->count * sizeof(*t->launch));
    for (uint32_t i = 0; i < launched->count; i++) {
        /* devices work in about the order in which they are told to */
        SEARCH_NEAR(uint32_t, upto, last, builder->launches.count,
                    correlation_at(&ordered, upto) <= launched->value[i]);
        last = upto;
        if (last && correlation_at(&ordered, last - 1) == launched->value[i])
            t->launch[place[launched->event[i]]] =
                place[builder->launches.event[launch_at(&ordered, last - 1)]];
        else
            lost++;
    }
    warning_count_many(&builder->shared->graph.source.warnings, WARNING_NOTE,
                       "device events whose launch was not recorded", lost);
    free(ordered.order);
    return NULL;
}
