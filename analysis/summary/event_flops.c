#include "analysis/summary/event_flops.h"

#include <stdlib.h>

#include "analysis/summary/summary.h"
#include "analysis/work/event_work.h"
#include "base/checked.h"
#include "base/memory/grow.h"

enum input_need summary_flops_need(struct span operator_name)
{
    enum input_need need = operator_flops_need(operator_name);

    return need == INPUTS_NONE && summary_paddle_has_formula(operator_name) ? INPUTS_SHAPES : need;
}

static uint8_t *needs_of_frames(const struct graph *graph)
{
    uint8_t *need = grow_zeroed(graph->frames.count + 1, sizeof(*need));

    for (frame_id id = 0; id < graph->frames.count; id++)
        need[id] = (uint8_t)summary_flops_need(graph_text(graph, graph_frame(graph, id)->name));
    return need;
}

/* The number of an operator's inputs, among those whose values matter. */
static uint32_t inputs_of(struct flops *flops, event_id event, str_id shapes)
{
    str_id concrete = (str_id)property_or(&flops->properties, PROP_CONCRETE, event, 0);
    uint32_t *inputs = idmap_at(&flops->inputs, idmap_pair(shapes, concrete));

    if (*inputs == IDMAP_NONE)
        *inputs = flops->input_count++;
    return *inputs;
}

static int64_t flops_by_shapes(struct flops *flops, event_id event, str_id shapes)
{
    const struct graph *graph = flops->tree->graph;
    frame_id frame = graph->timeline.frame[event];
    bool has_values = flops->need[frame] == INPUTS_VALUES;
    uint32_t inputs = has_values ? inputs_of(flops, event, shapes) : shapes;
    uint32_t *at = idmap_at(&flops->calls[has_values], idmap_pair(frame, inputs));
    struct work work;

    if (*at != IDMAP_NONE)
        return flops->reckoned[*at];
    *at = (uint32_t)flops->count;
    flops->reckoned =
        grow_one(flops->reckoned, flops->count, &flops->cap, sizeof(*flops->reckoned));
    return flops->reckoned[flops->count++] = event_work(graph, event, &work) ? work.flops : 0;
}

/* In Paddle's tables an operator and one inside it both count; elsewhere the outer one only hands
 * its work on. */
static int64_t own_flops(struct flops *flops, event_id event, int64_t inside)
{
    const struct graph *graph = flops->tree->graph;
    frame_id frame = graph->timeline.frame[event];
    int64_t known = graph->timeline.properties[PROP_FLOP].count
                        ? property_or(&flops->properties, PROP_FLOP, event, UNKNOWN)
                        : UNKNOWN;
    str_id shapes;
    struct span text;

    if (known != UNKNOWN || flops->need[frame] == INPUTS_NONE)
        return known != UNKNOWN ? known : 0;
    shapes = (str_id)property_or(&flops->properties, PROP_SHAPES, event, 0);
    text = graph_text(graph, shapes);
    if (span_starts(text, SPAN("{")))
        return summary_paddle_flops(graph_text(graph, graph_frame(graph, frame)->name), text);
    return inside == 0 && text.len ? flops_by_shapes(flops, event, shapes) : 0;
}

void flops_start(struct flops *flops, const struct host_tree *tree)
{
    const struct timeline *t = &tree->graph->timeline;

    *flops = (struct flops){.tree = tree,
                            .is_known = t->properties[PROP_FLOP].count > 0 ||
                                        t->properties[PROP_SHAPES].count > 0,
                            .properties = {.columns = t->properties},
                            .need = needs_of_frames(tree->graph)};
}

void flops_next_track(struct flops *flops)
{
    flops->depth = 0;
}

int64_t flops_of(struct flops *flops, event_id event)
{
    int64_t sum = 0;

    if (!flops->is_known)
        return 0;
    while (flops->depth && flops->waiting[flops->depth - 1].event < flops->tree->after[event])
        sum = checked_add(sum, flops->waiting[--flops->depth].sum);
    sum = checked_add(sum, own_flops(flops, event, sum));
    if (sum) {
        flops->waiting =
            grow_one(flops->waiting, flops->depth, &flops->waiting_cap, sizeof(*flops->waiting));
        flops->waiting[flops->depth++] = (struct waiting_flops){event, sum};
    }
    return sum;
}

void flops_end(struct flops *flops)
{
    free(flops->need);
    free(flops->reckoned);
    free(flops->waiting);
    idmap_free(&flops->inputs);
    idmap_free(&flops->calls[0]);
    idmap_free(&flops->calls[1]);
}
