/* SPDX-License-Identifier: Apache-2.0 */
/* counters_join.c — gives the kernels of a timeline what counters saw of them in another run */
#include "analysis/kernels/roofline.h"

#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "analysis/timeline/device_work.h"
#include "base/memory/memory.h"
#include "graph/classify/function_class.h"

static const enum property properties[COUNTER_COUNT] = {
    [COUNTER_FLOP_HALF] = PROP_FLOP_HALF,     [COUNTER_FLOP_SINGLE] = PROP_FLOP_SINGLE,
    [COUNTER_FLOP_DOUBLE] = PROP_FLOP_DOUBLE, [COUNTER_FLOP_TENSOR] = PROP_FLOP_TENSOR,
    [COUNTER_DRAM_BYTES] = PROP_DRAM_BYTES,   [COUNTER_L2_BYTES] = PROP_L2_BYTES,
    [COUNTER_L1_BYTES] = PROP_L1_BYTES,
};

#define NONE UINT32_MAX

/* Launches that look alike: the counted ones in their order, and how many the timeline had. */
struct bucket {
    uint32_t first, last; /* rows of `counted`, linked by next[]; NONE: no such */
    uint32_t at;          /* the row for the next launch */
    int64_t counted, seen;
};

struct counter_joining {
    struct graph *timeline;
    const struct graph *counted;
    struct bucket *buckets;
    size_t count, cap;
    struct idmap bucket_of;
    uint32_t *next;   /* by row of `counted` */
    uint32_t *row_of; /* by event: the row that it is, or NONE */
    bool has_shapes;  /* both files have grids and blocks */
    bool by_short_names;
};

/* ---- buckets ---- */

static uint64_t key_of(const struct counter_joining *joining, struct span name, int64_t grid,
                       int64_t block)
{
    int64_t parts[3] = {0, grid, block};

    if (joining->by_short_names)
        name = kernel_name_bare(name);
    parts[0] = (int64_t)XXH3_64bits(name.at, name.len);
    return XXH3_64bits(parts, sizeof(parts));
}

static struct bucket *bucket_at(struct counter_joining *joining, uint64_t key)
{
    uint32_t *at = idmap_at(&joining->bucket_of, key);

    if (*at == IDMAP_NONE) {
        joining->buckets =
            grow_one(joining->buckets, joining->count, &joining->cap, sizeof(*joining->buckets));
        *at = (uint32_t)joining->count;
        joining->buckets[joining->count++] = (struct bucket){.first = NONE, .at = NONE};
    }
    return &joining->buckets[*at];
}

static uint64_t row_key(const struct counter_joining *joining, const struct kernel_counts *row)
{
    const struct graph *from = joining->counted;

    return key_of(joining, graph_text(from, graph_frame(from, row->frame)->name),
                  joining->has_shapes ? row->grid : 0, joining->has_shapes ? row->block : 0);
}

static void fill_buckets(struct counter_joining *joining)
{
    for (uint32_t i = 0; i < joining->counted->counters.count; i++) {
        const struct kernel_counts *row = &joining->counted->counters.list[i];
        struct bucket *bucket;

        joining->next[i] = NONE;
        if (row->launches <= 0)
            continue;
        bucket = bucket_at(joining, row_key(joining, row));
        if (bucket->first == NONE)
            bucket->first = bucket->at = i;
        else
            joining->next[bucket->last] = i;
        bucket->last = i;
        bucket->counted += row->launches;
    }
}

static bool have_shapes(const struct graph *timeline, const struct graph *counted)
{
    for (uint32_t i = 0; i < counted->counters.count; i++)
        if (counted->counters.list[i].grid == UNKNOWN || counted->counters.list[i].block == UNKNOWN)
            return false;
    return timeline->timeline.properties[PROP_GRID].count > 0;
}

/* ---- events ---- */

static uint64_t event_key(const struct counter_joining *joining, event_id event)
{
    const struct timeline *t = &joining->timeline->timeline;
    int64_t grid = 0, block = 0;

    if (joining->has_shapes) {
        (void)!property_of(&t->properties[PROP_GRID], event, &grid);
        (void)!property_of(&t->properties[PROP_BLOCK], event, &block);
    }
    return key_of(
        joining,
        graph_text(joining->timeline, graph_frame(joining->timeline, t->frame[event])->name), grid,
        block);
}

static void match_event(struct counter_joining *joining, event_id event, struct counters_join *join)
{
    uint32_t at = idmap_find(&joining->bucket_of, event_key(joining, event));
    struct bucket *bucket;

    join->launches++;
    if (at == IDMAP_NONE)
        return;
    bucket = &joining->buckets[at];
    bucket->seen++;
    if (bucket->at == NONE)
        return;
    joining->row_of[event] = bucket->at;
    join->matched++;
    if (joining->counted->counters.list[bucket->at].nth >= 0)
        bucket->at = joining->next[bucket->at];
}

static bool is_kernel(const struct graph *graph, event_id event)
{
    enum frame_kind kind = graph_frame(graph, graph->timeline.frame[event])->kind;

    return kind == KIND_KERNEL || kind == KIND_COMMUNICATION;
}

static void match_events(struct counter_joining *joining, struct counters_join *join)
{
    struct devices_work devices = {0};
    struct arena arena = {0};

    device_work_collect(joining->timeline, &arena, &devices);
    for (uint32_t d = 0; d < devices.count; d++)
        for (uint32_t i = 0; i < devices.list[d].count; i++)
            if (is_kernel(joining->timeline, devices.list[d].events[i]))
                match_event(joining, devices.list[d].events[i], join);
    arena_free(&arena);
}

/* ---- figures ---- */

/* Replaces what the timeline may have had of this property. */
static void give(struct counter_joining *joining, enum counter counter)
{
    struct timeline *t = &joining->timeline->timeline;
    struct property_column column = {0};

    for (event_id event = 0; event < t->count; event++) {
        const struct kernel_counts *row;

        if (joining->row_of[event] == NONE)
            continue;
        row = &joining->counted->counters.list[joining->row_of[event]];
        if (row->figure[counter] != UNKNOWN)
            property_append(&column, event, row->figure[counter] / row->launches);
    }
    if (column.count) {
        property_column_free(&t->properties[properties[counter]]);
        t->properties[properties[counter]] = column;
    }
}

/* Finds the counted row of every event that has one. */
static void match(struct counter_joining *joining, bool by_short_names, struct counters_join *join)
{
    *join = (struct counters_join){.by_short_names = by_short_names};
    joining->by_short_names = by_short_names;
    joining->count = 0;
    idmap_free(&joining->bucket_of);
    joining->bucket_of = (struct idmap){0};
    fill_buckets(joining);
    match_events(joining, join);
}

void counters_join(struct graph *timeline, const struct graph *counted, struct counters_join *join)
{
    struct counter_joining joining = {.timeline = timeline, .counted = counted};

    *join = (struct counters_join){0};
    joining.has_shapes = have_shapes(timeline, counted);
    joining.next = grow_to(NULL, counted->counters.count + 1u, sizeof(*joining.next));
    joining.row_of = grow_to(NULL, timeline->timeline.count + 1u, sizeof(*joining.row_of));
    for (event_id event = 0; event < timeline->timeline.count; event++)
        joining.row_of[event] = NONE;
    match(&joining, false, join);
    if (join->matched == 0)
        match(&joining, true, join);
    for (int i = 0; i < COUNTER_COUNT; i++)
        give(&joining, (enum counter)i);
    for (size_t i = 0; i < joining.count; i++) {
        const struct bucket *bucket = &joining.buckets[i];

        join->kernels++;
        join->absent += bucket->seen == 0;
        join->uneven += bucket->seen != 0 && bucket->seen != bucket->counted;
    }
    free(joining.buckets);
    free(joining.next);
    free(joining.row_of);
    idmap_free(&joining.bucket_of);
}

/* ---- tables of times ---- */

/* The mean of a function of this name; UNKNOWN. */
static int64_t mean_of(const struct graph *table, const struct idmap *function_of, uint64_t name)
{
    uint32_t at = idmap_find(function_of, name);

    if (at == IDMAP_NONE || table->functions.calls[at] <= 0)
        return UNKNOWN;
    return table->functions.cum[at] / table->functions.calls[at];
}

static void take_row(struct graph *table, const struct graph *counted,
                     const struct kernel_counts *row, int64_t mean)
{
    struct span name = graph_text(counted, graph_frame(counted, row->frame)->name);
    struct frame frame = {.name = strings_intern(&table->strings, name), .kind = KIND_KERNEL};
    struct kernel_counts taken = *row;

    taken.frame = frame_intern(&table->frames, &frame);
    if (__builtin_mul_overflow(mean, row->launches, &taken.time))
        taken.time = INT64_MAX;
    vector_add(&table->counters, taken);
    table->has[LEVEL_COUNTERS] = true;
}

void counters_take(struct graph *table, const struct graph *counted, struct counters_join *join)
{
    struct counter_joining joining = {.timeline = table, .counted = counted};
    struct idmap function_of = {0};

    *join = (struct counters_join){.kernels = (uint32_t)counted->counters.count};
    for (uint32_t i = 0; i < table->functions.count; i++) {
        frame_id frame = table->functions.frame[i];

        *idmap_at(&function_of,
                  key_of(&joining, graph_text(table, graph_frame(table, frame)->name), 0, 0)) = i;
    }
    for (uint32_t i = 0; i < counted->counters.count; i++) {
        const struct kernel_counts *row = &counted->counters.list[i];
        int64_t mean = mean_of(table, &function_of, row_key(&joining, row));

        if (mean == UNKNOWN)
            join->absent++;
        else
            take_row(table, counted, row, mean);
    }
    idmap_free(&function_of);
}
