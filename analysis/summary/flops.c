#include <stdlib.h>

#include "analysis/event_work.h"
#include "analysis/summary/summary.h"
#include "base/checked.h"
#include "base/grow.h"
#include "base/idmap.h"

/* What has been reckoned: the same operator on the same inputs does the same work. */
struct reckoned {
    struct idmap inputs; /* (shapes, other inputs) → their number */
    struct idmap calls;  /* (frame, inputs) → index */
    int64_t *flops;
    size_t count, cap;
    uint32_t input_count;
};

static int64_t flops_by_shapes(struct reckoned *reckoned, const struct host_tree *tree,
                               event_id event, str_id shapes)
{
    str_id concrete = (str_id)summary_property(tree, PROP_CONCRETE, event, 0);
    uint32_t *inputs = idmap_at(&reckoned->inputs, idmap_pair(shapes, concrete)), *at;
    struct work work;

    if (*inputs == IDMAP_NONE)
        *inputs = reckoned->input_count++;
    at = idmap_at(&reckoned->calls, idmap_pair(tree->graph->timeline.frame[event], *inputs));
    if (*at != IDMAP_NONE)
        return reckoned->flops[*at];
    *at = (uint32_t)reckoned->count;
    reckoned->flops =
        grow_one(reckoned->flops, reckoned->count, &reckoned->cap, sizeof(*reckoned->flops));
    return reckoned->flops[reckoned->count++] =
               event_work(tree->graph, event, &work) ? work.flops : 0;
}

/* In Paddle's tables an operator and one inside it both count; elsewhere the outer one only hands
 * its work on. */
static int64_t own_flops(struct reckoned *reckoned, const struct host_tree *tree, event_id event,
                         int64_t inside)
{
    const struct frame *frame = graph_frame(tree->graph, tree->graph->timeline.frame[event]);
    int64_t known = summary_property(tree, PROP_FLOP, event, UNKNOWN);
    str_id shapes = (str_id)summary_property(tree, PROP_SHAPES, event, 0);
    struct span text = graph_text(tree->graph, shapes);

    if (known != UNKNOWN)
        return known;
    if (span_starts(text, SPAN("{")))
        return summary_paddle_flops(graph_text(tree->graph, frame->name), text);
    return inside == 0 && text.len ? flops_by_shapes(reckoned, tree, event, shapes) : 0;
}

int64_t *summary_flops(const struct host_tree *tree, bool *is_known)
{
    const struct timeline *t = &tree->graph->timeline;
    int64_t *flops = grow_zeroed((size_t)t->count + 1, sizeof(*flops));
    struct reckoned reckoned = {0};

    *is_known = t->properties[PROP_FLOP].count > 0 || t->properties[PROP_SHAPES].count > 0;
    for (event_id e = t->count; *is_known && e-- > 0;) {
        event_id above = tree->parent[e];

        if (role_of(tree, e) == ROLE_OPERATOR)
            flops[e] = checked_add(flops[e], own_flops(&reckoned, tree, e, flops[e]));
        if (above != NO_EVENT)
            flops[above] = checked_add(flops[above], flops[e]);
    }
    idmap_free(&reckoned.inputs);
    idmap_free(&reckoned.calls);
    free(reckoned.flops);
    return flops;
}
