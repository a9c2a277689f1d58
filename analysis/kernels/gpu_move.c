/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_move.c — what bounds each kernel of a run, and what it would take on another GPU by that */
#include "analysis/kernels/gpu_move.h"

#include <math.h>

#include "analysis/kernels/work.h"
#include "analysis/timeline/device_work.h"
#include "base/checked.h"

const char *move_bound_name(enum move_bound bound)
{
    static const char *const names[] = {
        [MOVE_MEMORY] = "memory",     [MOVE_COMPUTE] = "compute",
        [MOVE_LINK] = "link",         [MOVE_LATENCY] = "latency",
        [MOVE_UNKNOWN] = "not known", [MOVE_COMMUNICATION] = "communication"};

    return names[bound];
}

/* 1 where either is not known. */
static double ratio_of(double here, double there)
{
    return here > 0 && there > 0 ? here / there : 1;
}

static void set_ends(struct move_class *class, double low, double high, double slack)
{
    class->ratio[MOVE_LOW] = low / slack;
    class->ratio[MOVE_LIKELY] = sqrt(low * high);
    class->ratio[MOVE_HIGH] = high * slack;
}

static void scale_class(struct move_class *class, const struct ceilings *here,
                        const struct ceilings *there)
{
    double memory = ratio_of(here->memory, there->memory);
    double compute = ratio_of(here->flops[class->precision], there->flops[class->precision]);
    double link = ratio_of(here->link, there->link);

    switch (class->bound) {
    case MOVE_MEMORY:
        set_ends(class, memory, memory, MOVE_SLACK);
        return;
    case MOVE_COMPUTE:
        set_ends(class, compute, compute, MOVE_SLACK);
        return;
    case MOVE_LINK:
        set_ends(class, link, link, 1);
        return;
    case MOVE_COMMUNICATION:
        set_ends(class, fmin(1, link), fmax(1, link), MOVE_SLACK);
        return;
    default:
        set_ends(class, fmin(1, fmin(memory, compute)), fmax(1, fmax(memory, compute)), MOVE_SLACK);
    }
}

/* 1 + the place of the class. */
static uint8_t class_at(struct gpu_move *move, enum move_bound bound, enum precision precision,
                        const struct ceilings *here, const struct ceilings *there)
{
    uint32_t at = 0;

    while (at < move->count &&
           (move->list[at].bound != bound || move->list[at].precision != precision))
        at++;
    if (at == move->count) {
        move->list[at] = (struct move_class){.bound = bound, .precision = precision};
        scale_class(&move->list[at], here, there);
        move->count++;
    }
    return (uint8_t)(at + 1);
}

static enum move_bound bound_of(const struct roofline_row *row)
{
    switch (row->bound) {
    case BOUND_MEMORY:
    case BOUND_L2:
    case BOUND_L1:
        return MOVE_MEMORY;
    case BOUND_COMPUTE:
        return MOVE_COMPUTE;
    case BOUND_LINK:
        return MOVE_LINK;
    case BOUND_LATENCY:
        return MOVE_LATENCY;
    default:
        return MOVE_UNKNOWN;
    }
}

static enum move_bound bound_of_frame(const struct graph *graph, const struct roofline_row *row,
                                      frame_id frame)
{
    if (graph_frame(graph, frame)->kind == KIND_COMMUNICATION)
        return MOVE_COMMUNICATION;
    if (!row)
        return MOVE_UNKNOWN;
    if (graph_frame(graph, frame)->kind == KIND_MEMCPY && bound_of(row) != MOVE_MEMORY)
        return row->bound == BOUND_UNKNOWN ? MOVE_UNKNOWN : MOVE_LINK;
    return bound_of(row);
}

void gpu_move_find(const struct graph *graph, const struct ceilings *here,
                   const struct ceilings *there, struct arena *arena, struct gpu_move *move)
{
    const struct timeline *t = &graph->timeline;
    const struct roofline_options all = {.ceilings = *here};
    const struct roofline_row **row_of =
        arena_array(arena, graph->frames.count, sizeof(struct roofline_row *));
    struct kernel_owners owners;
    struct roofline roofline;

    *move = (struct gpu_move){.of_frame = arena_array(arena, graph->frames.count, 1)};
    kernel_owners_find(&owners, graph);
    roofline_compute(&owners, &all, arena, &roofline);
    kernel_owners_free(&owners);
    for (uint32_t i = 0; i < roofline.count; i++)
        row_of[roofline.rows[i].frame] = &roofline.rows[i];
    for (event_id e = 0; e < t->count; e++) {
        frame_id frame = t->frame[e];
        const struct roofline_row *row = row_of[frame];
        struct move_class *class;

        if (!is_device_work(graph, e))
            continue;
        if (!move->of_frame[frame]) {
            enum move_bound bound = bound_of_frame(graph, row, frame);
            bool by_precision = row && (bound == MOVE_COMPUTE || bound == MOVE_LATENCY);

            move->of_frame[frame] = class_at(
                move, bound, by_precision ? row->precision : PRECISION_UNKNOWN, here, there);
        }
        class = &move->list[move->of_frame[frame] - 1];
        class->time = checked_add(class->time, t->duration[e]);
        move->time = checked_add(move->time, t->duration[e]);
        for (int end = 0; end < MOVE_ENDS; end++)
            move->there[end] += (double)t->duration[e] * class->ratio[end];
    }
}
