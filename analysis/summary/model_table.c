#include <stdlib.h>

#include "analysis/summary/step_phases.h"
#include "analysis/summary/summary.h"
#include "base/checked.h"

enum { ROW_STEP, ROW_FIRST_PHASE, ROW_LAST_PHASE = 4, ROW_OTHERS };

/* The phases that are not inside another, and all steps. */
static void collect(const struct host_tree *tree, const struct phases *phases,
                    struct summary_phase *rows, struct intervals *covered)
{
    const struct timeline *t = &tree->graph->timeline;

    for (size_t i = 0; i < phases->count; i++) {
        const struct phase *phase = &phases->list[i];

        intervals_cover(covered, t->start[phase->event], end_of(tree, phase->event));
        if (!phase->is_help)
            item_count(&rows[phase->role - ROLE_STEP].item, t->duration[phase->event],
                       phase->kernel_time);
    }
    intervals_unite(covered);
    for (uint32_t i = 0; i < tree->step_count; i++)
        if (!phase_around(phases, tree->step[i]))
            item_count(&rows[ROW_STEP].item,
                       checked_sub(tree->step_span[i].end, tree->step_span[i].start),
                       tree->step_kernel_time[i]);
}

/* What remains of the steps' sums: Paddle's way. */
static void subtract_phases(const struct host_tree *tree, struct summary_phase *rows)
{
    struct summary_item *others = &rows[ROW_OTHERS].item;

    others->cpu.total = tree->total_time;
    others->gpu.total = rows[ROW_STEP].item.gpu.total;
    for (int i = ROW_FIRST_PHASE; i <= ROW_LAST_PHASE; i++) {
        others->cpu.total = checked_sub(others->cpu.total, rows[i].item.cpu.total);
        others->gpu.total = checked_sub(others->gpu.total, rows[i].item.gpu.total);
    }
}

static void find_others(const struct host_tree *tree, const struct phases *phases,
                        const struct intervals *covered, struct summary_phase *rows)
{
    struct intervals left = {0};

    intervals_subtract(&tree->steps, covered, &left);
    rows[ROW_OTHERS].item.cpu.total = intervals_length(&left);
    rows[ROW_OTHERS].item.gpu.total = phases->loose_kernel_time;
    intervals_free(&left);
}

/* Phases without steps are shares of the whole, and have nothing beside them. */
static void finish(const struct host_tree *tree, struct summary_phase *all,
                   struct summary_model *model)
{
    for (int i = 0; i <= ROW_OTHERS; i++) {
        struct summary_phase *row = &all[i];

        row->role = i == ROW_OTHERS ? ROLE_NONE : (enum event_role)(ROLE_STEP + i);
        row->item.name = i == ROW_OTHERS ? SPAN("Others") : span_of(event_role_name(row->role));
        row->cpu_share = share_of(row->item.cpu.total, tree->total_time);
        row->gpu_share = share_of(row->item.gpu.total, all[ROW_STEP].item.gpu.total);
        if (row->item.calls || (i == ROW_OTHERS && all[ROW_STEP].item.calls))
            model->rows[model->count++] = *row;
    }
}

void summary_model(const struct host_tree *tree, struct summary_model *model)
{
    struct summary_phase rows[6] = {0};
    struct intervals covered = {0};
    struct phases phases;
    int kinds = 0;

    *model = (struct summary_model){0};
    summary_phases(tree, &phases);
    collect(tree, &phases, rows, &covered);
    for (int i = ROW_STEP; i < ROW_OTHERS; i++)
        kinds += rows[i].item.calls > 0;
    if (tree->is_paddle_compat)
        subtract_phases(tree, rows);
    else
        find_others(tree, &phases, &covered, rows);
    if (kinds >= 2)
        finish(tree, rows, model);
    intervals_free(&covered);
    phases_free(&phases);
}
