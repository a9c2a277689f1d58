/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/captures/captures.h"

#include "base/checked.h"
#include "graph/classify/event_class.h"

static const struct operand *operand_of(const struct graph *graph, enum property property,
                                        event_id event, uint32_t at)
{
    int64_t text;

    return input_at(property_of(&graph->timeline.properties[property], event, &text)
                        ? inputs_of(&graph->inputs, property, (str_id)text)
                        : NULL,
                    at);
}

static int64_t number_of(const struct operand *operand, uint32_t at)
{
    return operand->kind == INPUT_NUMBERS && at < operand->count ? operand->number[at] : 0;
}

/* By c10::ScalarType's number, as aten::empty has it; others take four bytes. */
static int64_t bytes_of_type(int64_t type)
{
    static const struct {
        int64_t type, bytes;
    } types[] = {{0, 1}, {1, 1}, {2, 2}, {3, 4}, {4, 8}, {5, 2}, {6, 4}, {7, 8}, {11, 1}, {15, 2}};

    for (size_t i = 0; i < COUNT_OF(types); i++)
        if (types[i].type == type)
            return types[i].bytes;
    return 4;
}

/* An allocation of [1, tokens · chosen, inner] is between the products, one of [1, 1, …, hidden] behind
 * them. */
static void add_allocation(const struct graph *graph, event_id event, int64_t tokens,
                           struct call_inside *inside)
{
    const struct operand *sizes = operand_of(graph, PROP_CONCRETE, event, 0);
    int64_t rows = checked_mul(tokens, inside->chosen), all = 1;

    if (sizes->kind != INPUT_NUMBERS || !sizes->count)
        return;
    for (uint32_t i = 0; i < sizes->count; i++)
        all = checked_mul(all, sizes->number[i]);
    inside->scratch = checked_add(
        inside->scratch,
        checked_mul(all,
                    bytes_of_type(number_of(operand_of(graph, PROP_CONCRETE, event, 1), 0))));
    if (inside->chosen && sizes->count == 3 && sizes->number[0] == 1 && sizes->number[1] == rows)
        inside->inner = sizes->number[2];
    if (inside->chosen && sizes->count == 4 && sizes->number[0] == 1 && sizes->number[1] == 1 &&
        sizes->number[2] == rows)
        inside->hidden = sizes->number[3];
}

bool call_inside_find(const struct graph *graph, const struct track *track, event_id event,
                      struct call_inside *inside)
{
    const struct timeline *t = &graph->timeline;
    enum operator_kind kind = graph_class(graph, t->frame[event]).operator.kind;
    const struct operand *x;
    int64_t tokens, end = event_end(t, event);

    if (kind != OPERATOR_EXPERTS_INSIDE && kind != OPERATOR_SORT_TOKENS)
        return false;
    *inside = (struct call_inside){0};
    x = operand_of(graph, PROP_SHAPES, event, 0);
    tokens = x->count ? x->number[0] : 0;
    for (event_id e = event + 1; e < track->first + track->count && t->start[e] < end; e++) {
        const struct operand *sizes;

        if (graph_frame(graph, t->frame[e])->kind != KIND_OPERATOR)
            continue;
        sizes = operand_of(graph, PROP_SHAPES, e, 0);
        switch (graph_class(graph, t->frame[e]).operator.kind) {
        case OPERATOR_TOP_EXPERTS:
            inside->experts = sizes->count ? sizes->number[sizes->count - 1] : 0;
            inside->chosen = number_of(operand_of(graph, PROP_CONCRETE, e, 1), 0);
            break;
        case OPERATOR_SORT_TOKENS:
            if (!inside->chosen && sizes->count)
                inside->chosen = sizes->number[sizes->count - 1];
            if (!inside->experts)
                inside->experts = number_of(operand_of(graph, PROP_CONCRETE, e, 2), 0);
            break;
        case OPERATOR_ALLOCATE:
            add_allocation(graph, e, tokens, inside);
            break;
        default:
            break;
        }
    }
    return true;
}
