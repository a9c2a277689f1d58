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

/* By what an operator's work is reckoned. */
enum formula { NO_FORMULA, FORMULA_OF_PADDLE, FORMULA };

static uint8_t *formulas_of_frames(const struct graph *graph)
{
    uint8_t *formula = grow_zeroed(graph->frames.count + 1, sizeof(*formula));

    for (frame_id id = 0; id < graph->frames.count; id++) {
        struct span name = graph_text(graph, graph_frame(graph, id)->name);

        if (graph_frame(graph, id)->kind == KIND_OPERATOR && operator_is_known(name))
            formula[id] = FORMULA;
        else if (summary_paddle_has_formula(name))
            formula[id] = FORMULA_OF_PADDLE;
    }
    return formula;
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
    int64_t known = flops->known.column->count ? read_or(&flops->known, event, UNKNOWN) : UNKNOWN;
    str_id shapes;
    struct span text;

    if (known != UNKNOWN || flops->formula[frame] == NO_FORMULA)
        return known != UNKNOWN ? known : 0;
    shapes = (str_id)read_or(&flops->shapes, event, 0);
    text = graph_text(graph, shapes);
    if (span_starts(text, SPAN("{")))
        return summary_paddle_flops(graph_text(graph, graph_frame(graph, frame)->name), text);
    return inside == 0 && text.len && flops->formula[frame] == FORMULA
               ? flops_by_shapes(flops, event, shapes)
               : 0;
}

static struct property_cursor cursor_of(const struct timeline *t, enum property property)
{
    return (struct property_cursor){.column = &t->properties[property]};
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
                            .formula = formulas_of_frames(tree->graph)};
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
        flops->waiting = grow_one(flops->waiting, flops->depth, &flops->waiting_cap,
                                  sizeof(*flops->waiting));
        flops->waiting[flops->depth++] = (struct waiting_flops){event, sum};
    }
    return sum;
}

void flops_end(struct flops *flops)
{
    free(flops->formula);
    free(flops->reckoned);
    free(flops->waiting);
    idmap_free(&flops->inputs);
    idmap_free(&flops->calls);
}
