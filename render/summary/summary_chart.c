#include "analysis/summary/device_use.h"
#include "analysis/summary/memory_curve.h"
#include "render/charts/memory_chart.h"
#include "render/charts/steps_chart.h"
#include "render/summary/summary_report.h"

static void add_steps(const struct host_tree *tree, struct arena *arena, struct report *report)
{
    struct step_times *steps = arena_alloc(arena, sizeof(*steps));

    summary_step_times(tree, arena, steps);
    steps_chart(steps, report);
}

static void add_memory(const struct host_tree *tree, struct arena *arena, struct report *report)
{
    struct memory_curve *curve = arena_alloc(arena, sizeof(*curve));

    summary_memory_curve(tree, false, arena, curve);
    memory_chart(curve, report);
}

bool summary_chart(enum summary_view view, const struct host_tree *tree, struct arena *arena,
                   struct report *report)
{
    if (view == VIEW_STEPS)
        add_steps(tree, arena, report);
    else if (view == VIEW_MEMORY_CURVE &&
             tree->graph->timeline.properties[PROP_ALLOCATED].count > 0)
        add_memory(tree, arena, report);
    else
        return false;
    return true;
}
