/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/summary/summary.h"

#include <stdlib.h>

#include "analysis/layout/timeline_layout.h"
#include "base/checked.h"
#include "base/memory/sort.h"
#include "base/memory/vector.h"

static bool is_earlier(const void *rows, uint32_t a, uint32_t b)
{
    const struct memory_point *points = rows;

    return points[a].time < points[b].time;
}

/* Of each place the first point with the most allocated, and the most that was ever reserved. */
static size_t keep_peaks(struct memory_point *points, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        size_t place = 0;
        int64_t reserved;

        while (place < kept && !span_eq(points[place].place, points[i].place))
            place++;
        if (place == kept) {
            points[kept++] = points[i];
            continue;
        }
        reserved = points[place].reserved;
        if (points[i].allocated > points[place].allocated)
            points[place] = points[i];
        points[place].reserved = points[i].reserved > reserved ? points[i].reserved : reserved;
    }
    return kept;
}

static struct memory_point *collect(const struct host_tree *tree, size_t *count)
{
    const struct property_column *column = &tree->graph->timeline.properties[PROP_ALLOCATED];
    struct memory_point *points = grow_zeroed((size_t)column->count + 1, sizeof(*points));
    struct property_cursors properties = {.columns = tree->graph->timeline.properties};
    int64_t origin = timeline_layout_origin(tree->graph);

    *count = column->count;
    for (uint32_t i = 0; i < column->count; i++) {
        event_id e = column->event[i];
        str_id place = (str_id)property_or(&properties, PROP_PLACE, e, 0);

        points[i] = (struct memory_point){
            .place = graph_text(tree->graph, place),
            .time = checked_sub(tree->graph->timeline.start[e], origin),
            .allocated = column->value[i],
            .reserved = property_or(&properties, PROP_RESERVED, e, UNKNOWN),
        };
    }
    return points;
}

void summary_memory_curve(const struct host_tree *tree, bool peaks_only, struct arena *arena,
                          struct memory_curve *curve)
{
    size_t count;
    struct memory_point *points = collect(tree, &count);
    uint32_t *order = grow_to(NULL, count + 1, sizeof(*order));

    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    sort_stable(order, count, is_earlier, points);
    *curve = (struct memory_curve){arena_array(arena, count, sizeof(*curve->rows)), 0};
    for (uint32_t i = 0; i < count; i++)
        curve->rows[i] = points[order[i]];
    curve->count = (uint32_t)(peaks_only ? keep_peaks(curve->rows, count) : count);
    free(points);
    free(order);
}
