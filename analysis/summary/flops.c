#include "analysis/summary/flops.h"

#include <stdlib.h>

#include "analysis/summary/summary.h"
#include "analysis/work/event_work.h"
#include "base/checked.h"
#include "base/grow.h"

bool summary_has_formula(struct span operator_name)
{
    return operator_is_known(operator_name) || summary_paddle_has_formula(operator_name);
}

static bool *frames_with_formula(const struct graph *graph)
{
    bool *has_formula = grow_zeroed(graph->frames.count + 1, sizeof(*has_formula));

    for (frame_id id = 0; id < graph->frames.count; id++)
        has_formula[id] = graph_frame(graph, id)->kind == KIND_OPERATOR &&
                          operator_is_known(graph_text(graph, graph_frame(graph, id)->name));
    return has_formula;
}

static int64_t read_or(struct property_cursor *cursor, event_id event, int64_t otherwise)
{
    int64_t value;

    return property_near(cursor, event, &value) ? value : otherwise;
}

static int64_t flops_by_shapes(struct flops *flops, event_id event, str_id shapes)
{
    const struct graph *graph = flops->tree->graph;
    str_id concrete = (str_id)read_or(&flops->concrete, event, 0);
    uint32_t *inputs = idmap_at(&flops->inputs, idmap_pair(shapes, concrete)), *at;
    struct work work;

    if (*inputs == IDMAP_NONE)
        *inputs = flops->input_count++;
    at = idmap_at(&flops->calls, idmap_pair(graph->timeline.frame[event], *inputs));
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
    int64_t known = read_or(&flops->known, event, UNKNOWN);
    str_id shapes = (str_id)read_or(&flops->shapes, event, 0);
    struct span text = graph_text(graph, shapes);

    if (known != UNKNOWN)
        return known;
    if (span_starts(text, SPAN("{")))
        return summary_paddle_flops(graph_text(graph, graph_frame(graph, frame)->name), text);
    return inside == 0 && text.len && flops->has_formula[frame]
               ? flops_by_shapes(flops, event, shapes)
               : 0;
}

/* Reads a property from its last event to its first. */
static struct property_cursor cursor_of(const struct timeline *t, enum property property)
{
    return (struct property_cursor){&t->properties[property], t->properties[property].count};
}

void flops_start(struct flops *flops, const struct host_tree *tree)
{
    const struct timeline *t = &tree->graph->timeline;

    *flops = (struct flops){.tree = tree,
                            .is_known = t->properties[PROP_FLOP].count > 0 ||
                                        t->properties[PROP_SHAPES].count > 0,
                            .known = cursor_of(t, PROP_FLOP),
                            .shapes = cursor_of(t, PROP_SHAPES),
                            .concrete = cursor_of(t, PROP_CONCRETE),
                            .has_formula = frames_with_formula(tree->graph)};
}

/* Gives to the event around what is inside it; those that wait for their own turn nest. */
static void hand_up(struct flops *flops, event_id above, int64_t sum)
{
    if (!flops->depth || flops->waiting[flops->depth - 1].event != above) {
        flops->waiting =
            grow_one(flops->waiting, flops->depth, &flops->waiting_cap, sizeof(*flops->waiting));
        flops->waiting[flops->depth++] = (struct waiting_flops){above, 0};
    }
    flops->waiting[flops->depth - 1].sum = checked_add(flops->waiting[flops->depth - 1].sum, sum);
}

int64_t flops_of(struct flops *flops, event_id event)
{
    event_id above = flops->tree->parent[event];
    int64_t sum = 0;

    if (flops->depth && flops->waiting[flops->depth - 1].event == event)
        sum = flops->waiting[--flops->depth].sum;
    if (flops->is_known && role_of(flops->tree, event) == ROLE_OPERATOR)
        sum = checked_add(sum, own_flops(flops, event, sum));
    if (sum && above != NO_EVENT)
        hand_up(flops, above, sum);
    return sum;
}

void flops_end(struct flops *flops)
{
    free(flops->has_formula);
    free(flops->reckoned);
    free(flops->waiting);
    idmap_free(&flops->inputs);
    idmap_free(&flops->calls);
}
