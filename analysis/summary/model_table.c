/* SPDX-License-Identifier: Apache-2.0 */
/* The phases of training that host events belong to, and the summary table of the model's time
 * in each. */
#include <stdlib.h>

#include "analysis/summary/host_tree.h"
#include "analysis/summary/summary.h"
#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/classify/event_class.h"

/* ---- which part of a training step each host event belongs to ---- */

struct phase {
    event_id event, last; /* itself, and the last event inside it */
    enum event_role role;
    bool is_help;        /* of a phase on another thread */
    int64_t kernel_time; /* ns of the kernels launched in it, and in what helps it */
};

struct model_phases {
    VECTOR(struct phase);      /* by event */
    int64_t loose_kernel_time; /* ns of the kernels that steps launched outside of phases */
};

/* What a frame's events are where they are in no phase. */
struct implied {
    uint8_t role;
    bool is_help;
};

/* By frame, the phase that its events are or help where nothing else tells. */
static struct implied *implied_phases(const struct host_tree *tree)
{
    const struct graph *graph = tree->graph;
    struct implied *implied = grow_zeroed((size_t)graph->frames.count + 1, sizeof(*implied));

    for (frame_id id = 1; id < graph->frames.count && !tree->is_paddle_compat; id++) {
        enum event_role phase = graph_class(graph, id).implied_phase;

        if (phase != ROLE_NONE && (!tree->has_role[phase] || phase == ROLE_BACKWARD))
            implied[id] = (struct implied){(uint8_t)phase, tree->has_role[phase]};
    }
    return implied;
}

static void find_on_track(const struct host_tree *tree, const struct track *track,
                          const struct implied *implied, struct model_phases *phases)
{
    const struct timeline *t = &tree->graph->timeline;
    event_id end = track->first + track->count, next;

    for (event_id e = track->first; e < end; e = next) {
        enum event_role role = role_of(tree, e);
        struct implied begun =
            role_is_phase(role) ? (struct implied){(uint8_t)role, false} : implied[t->frame[e]];

        next = e + 1;
        if (begun.role == ROLE_NONE)
            continue;
        next = tree->after[e];
        vector_add(phases, (struct phase){e, next - 1, begun.role, begun.is_help,
                                          launched_kernel_time(&tree->launched, e, next)});
    }
}

/* Of the events between two phases that are in a step. */
static int64_t loose_kernel_time(const struct host_tree *tree, event_id first, event_id end)
{
    const struct launched *launched = &tree->launched;
    const struct intervals *steps = &tree->steps;
    const int64_t *start = tree->graph->timeline.start;
    int64_t time = 0;

    for (event_id call = bits_next(&launched->calls, first, end); call < end;
         call = bits_next(&launched->calls, call + 1, end)) {
        SEARCH(size_t, after, steps->count, steps->list[after].start <= start[call]);
        if (after && start[call] < steps->list[after - 1].end)
            time = checked_add(time, launched_kernel_time(launched, call, call + 1));
    }
    return time;
}

static void find_loose_kernels(const struct host_tree *tree, struct model_phases *phases)
{
    event_id first = 0;

    for (size_t i = 0; i <= phases->count; i++) {
        event_id end = i < phases->count ? phases->list[i].event : tree->graph->timeline.count;

        phases->loose_kernel_time =
            checked_add(phases->loose_kernel_time, loose_kernel_time(tree, first, end));
        first = i < phases->count ? phases->list[i].last + 1 : end;
    }
}

/* ---- autograd's threads ---- */

struct helped {
    const struct host_tree *tree;
    const struct model_phases *phases;
    uint32_t *list; /* annotated backward passes, by start */
    uint32_t count;
};

static int64_t start_of(const struct helped *helped, uint32_t phase)
{
    return helped->tree->graph->timeline.start[helped->phases->list[phase].event];
}

static bool starts_before(const void *helped, uint32_t a, uint32_t b)
{
    return start_of(helped, a) < start_of(helped, b);
}

/* The last one begun by then, if it still runs; or NULL. */
static struct phase *helped_at(const struct helped *helped, int64_t time)
{
    struct phase *phase;

    SEARCH(uint32_t, after, helped->count, start_of(helped, helped->list[after]) <= time);
    if (!after)
        return NULL;
    phase = &helped->phases->list[helped->list[after - 1]];
    return time < end_of(helped->tree, phase->event) ? phase : NULL;
}

static void add_help(const struct host_tree *tree, const struct model_phases *phases)
{
    struct helped helped = {tree, phases, grow_to(NULL, phases->count + 1, sizeof(uint32_t)), 0};

    for (uint32_t i = 0; i < phases->count; i++)
        if (phases->list[i].role == ROLE_BACKWARD && !phases->list[i].is_help)
            helped.list[helped.count++] = i;
    sort_stable(helped.list, helped.count, starts_before, &helped);
    for (uint32_t i = 0; i < phases->count; i++) {
        const struct phase *help = &phases->list[i];
        struct phase *phase = help->is_help ? helped_at(&helped, start_of(&helped, i)) : NULL;

        if (phase)
            phase->kernel_time = checked_add(phase->kernel_time, help->kernel_time);
    }
    free(helped.list);
}

/* ---- the whole ---- */

static void summary_phases(const struct host_tree *tree, struct model_phases *phases)
{
    const struct timeline *t = &tree->graph->timeline;
    struct implied *implied = implied_phases(tree);

    *phases = (struct model_phases){0};
    for (uint32_t i = 0; i < t->track_count; i++)
        if (t->tracks[i].kind == TRACK_THREAD)
            find_on_track(tree, &t->tracks[i], implied, phases);
    free(implied);
    find_loose_kernels(tree, phases);
    add_help(tree, phases);
}

/* ---- the table ---- */

enum { ROW_STEP, ROW_FIRST_PHASE, ROW_LAST_PHASE = 4, ROW_OTHERS };

/* The phases that are not inside another, and all steps. */
static void collect(const struct host_tree *tree, const struct model_phases *phases,
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
    for (uint32_t i = 0; i < tree->step_count; i++) {
        SEARCH(size_t, after, phases->count, phases->list[after].event <= tree->step[i]);
        if (after && tree->step[i] <= phases->list[after - 1].last)
            continue; /* is a phase, or inside of one */
        item_count(&rows[ROW_STEP].item,
                   checked_sub(tree->step_span[i].end, tree->step_span[i].start),
                   tree->step_kernel_time[i]);
    }
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

static void find_others(const struct host_tree *tree, const struct model_phases *phases,
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
    struct model_phases phases;
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
    free(phases.list);
}
