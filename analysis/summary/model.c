#include <stdlib.h>

#include "analysis/summary/phases.h"
#include "analysis/summary/summary.h"
#include "base/checked.h"

enum { ROW_STEP, ROW_FIRST_PHASE, ROW_LAST_PHASE = 4, ROW_OTHERS };

/* The phases that are not inside another, and all steps. */
static void collect(const struct host_tree *tree, const uint8_t *phase, struct summary_phase *rows,
                    struct intervals *phases)
{
    const struct timeline *t = &tree->graph->timeline;
    struct arena arena = {0};
    int64_t *kernel_time = host_tree_launched_time(tree, true);
    struct helped helped = summary_helped(tree, phase, kernel_time, &arena);

    for (event_id e = 0; e < t->count; e++) {
        bool is_phase = phase[e] & PHASE_BEGINS;
        int row = is_phase ? (phase[e] & PHASE_ROLE) - ROLE_STEP : ROW_STEP;
        int64_t kernels = kernel_time[e];

        if (phase[e] & (PHASE_BEGINS | PHASE_HELPS))
            intervals_cover(phases, t->start[e], end_of(tree, e));
        if (!is_phase && (role_of(tree, e) != ROLE_STEP || phase[e]))
            continue;
        if (is_phase)
            kernels = checked_add(kernels, summary_help(&helped, t, e));
        item_add(&rows[row].item, t->duration[e], kernels, 0);
    }
    intervals_unite(phases);
    arena_free(&arena);
    free(kernel_time);
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

/* Kernels that a step launched outside of its phases. */
static int64_t loose_kernels(const struct host_tree *tree, const uint8_t *phase)
{
    const struct timeline *t = &tree->graph->timeline;
    int64_t time = 0;

    for (uint32_t i = 0; t->launch && i < tree->work_count; i++) {
        event_id e = tree->work[i], call = t->launch[e];
        bool is_stepped = false;

        if (role_of(tree, e) != ROLE_KERNEL || call == NO_EVENT)
            continue;
        for (size_t low = 0, high = tree->steps.count; low < high && !is_stepped;) {
            size_t middle = low + (high - low) / 2;
            struct interval step = tree->steps.list[middle];

            is_stepped = step.start <= t->start[call] && t->start[call] < step.end;
            if (t->start[call] < step.start)
                high = middle;
            else
                low = middle + 1;
        }
        if (is_stepped && !phase[call])
            time = checked_add(time, t->duration[e]);
    }
    return time;
}

static void find_others(const struct host_tree *tree, const uint8_t *phase,
                        const struct intervals *phases, struct summary_phase *rows)
{
    struct intervals left = {0};

    intervals_subtract(&tree->steps, phases, &left);
    rows[ROW_OTHERS].item.cpu.total = intervals_length(&left);
    rows[ROW_OTHERS].item.gpu.total = loose_kernels(tree, phase);
    intervals_free(&left);
}

/* Phases without steps are shares of the whole, and have nothing beside them. */
static void finish(const struct host_tree *tree, struct summary_phase *all,
                   struct summary_model *model)
{
    for (int i = 0; i <= ROW_OTHERS; i++) {
        struct summary_phase *row = &all[i];

        row->role = i == ROW_OTHERS ? ROLE_NONE : (enum summary_role)(ROLE_STEP + i);
        row->item.name = i == ROW_OTHERS ? SPAN("Others") : span_of(summary_role_name(row->role));
        row->cpu_share = share_of(row->item.cpu.total, tree->total_time);
        row->gpu_share = share_of(row->item.gpu.total, all[ROW_STEP].item.gpu.total);
        if (row->item.calls || (i == ROW_OTHERS && all[ROW_STEP].item.calls))
            model->rows[model->count++] = *row;
    }
}

void summary_model(const struct host_tree *tree, struct summary_model *model)
{
    struct summary_phase rows[6] = {0};
    struct intervals phases = {0};
    uint8_t *phase = summary_phases(tree);
    int kinds = 0;

    *model = (struct summary_model){0};
    collect(tree, phase, rows, &phases);
    for (int i = ROW_STEP; i < ROW_OTHERS; i++)
        kinds += rows[i].item.calls > 0;
    if (tree->is_paddle_compat)
        subtract_phases(tree, rows);
    else
        find_others(tree, phase, &phases, rows);
    if (kinds >= 2)
        finish(tree, rows, model);
    intervals_free(&phases);
    free(phase);
}
