#include <stdlib.h>

#include "analysis/summary/summary.h"
#include "analysis/work/event_work.h"
#include "base/checked.h"
#include "base/grow.h"
#include "base/idmap.h"

/* What has been reckoned: the same operator on the same inputs does the same work. */
struct reckoned {
    const struct host_tree *tree;
    struct property_cursor known, shapes, concrete;
    bool *has_formula;   /* by frame */
    struct idmap inputs; /* (shapes, other inputs) → their number */
    struct idmap calls;  /* (frame, inputs) → index */
    int64_t *flops;
    size_t count, cap;
    uint32_t input_count;
};

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

    return property_before(cursor, event, &value) ? value : otherwise;
}

static int64_t flops_by_shapes(struct reckoned *reckoned, event_id event, str_id shapes)
{
    const struct graph *graph = reckoned->tree->graph;
    str_id concrete = (str_id)read_or(&reckoned->concrete, event, 0);
    uint32_t *inputs = idmap_at(&reckoned->inputs, idmap_pair(shapes, concrete)), *at;
    struct work work;

    if (*inputs == IDMAP_NONE)
        *inputs = reckoned->input_count++;
    at = idmap_at(&reckoned->calls, idmap_pair(graph->timeline.frame[event], *inputs));
    if (*at != IDMAP_NONE)
        return reckoned->flops[*at];
    *at = (uint32_t)reckoned->count;
    reckoned->flops =
        grow_one(reckoned->flops, reckoned->count, &reckoned->cap, sizeof(*reckoned->flops));
    return reckoned->flops[reckoned->count++] = event_work(graph, event, &work) ? work.flops : 0;
}

/* In Paddle's tables an operator and one inside it both count; elsewhere the outer one only hands
 * its work on. */
static int64_t own_flops(struct reckoned *reckoned, event_id event, int64_t inside)
{
    const struct graph *graph = reckoned->tree->graph;
    frame_id frame = graph->timeline.frame[event];
    int64_t known = read_or(&reckoned->known, event, UNKNOWN);
    str_id shapes = (str_id)read_or(&reckoned->shapes, event, 0);
    struct span text = graph_text(graph, shapes);

    if (known != UNKNOWN)
        return known;
    if (span_starts(text, SPAN("{")))
        return summary_paddle_flops(graph_text(graph, graph_frame(graph, frame)->name), text);
    return inside == 0 && text.len && reckoned->has_formula[frame]
               ? flops_by_shapes(reckoned, event, shapes)
               : 0;
}

/* Reads a property from its last event to its first. */
static struct property_cursor cursor_of(const struct timeline *t, enum property property)
{
    return (struct property_cursor){&t->properties[property], t->properties[property].count};
}

int64_t *summary_flops(const struct host_tree *tree, bool *is_known)
{
    const struct timeline *t = &tree->graph->timeline;
    int64_t *flops = grow_zeroed((size_t)t->count + 1, sizeof(*flops));
    struct reckoned reckoned = {.tree = tree,
                                .known = cursor_of(t, PROP_FLOP),
                                .shapes = cursor_of(t, PROP_SHAPES),
                                .concrete = cursor_of(t, PROP_CONCRETE),
                                .has_formula = frames_with_formula(tree->graph)};

    *is_known = t->properties[PROP_FLOP].count > 0 || t->properties[PROP_SHAPES].count > 0;
    for (event_id e = t->count; *is_known && e-- > 0;) {
        event_id above = tree->parent[e];

        if (role_of(tree, e) == ROLE_OPERATOR)
            flops[e] = checked_add(flops[e], own_flops(&reckoned, e, flops[e]));
        if (above != NO_EVENT && flops[e])
            flops[above] = checked_add(flops[above], flops[e]);
    }
    free(reckoned.has_formula);
    idmap_free(&reckoned.inputs);
    idmap_free(&reckoned.calls);
    free(reckoned.flops);
    return flops;
}
