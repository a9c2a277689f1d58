/* SPDX-License-Identifier: Apache-2.0 */
/* diff_runs.c — the runs that are compared: each one's figures, by the functions of a table common to all */
#include <stdlib.h>

#include "analysis/compare/diff.h"
#include "base/checked.h"
#include "base/memory/memory.h"
#include "base/text/format.h"
#include "graph/classify/function_class.h"
#include "graph/derive/derive.h"

static void diff_begin_graph(struct diff *diff, const struct graph *graph)
{
    struct graph *names = &diff->names;

    frames_init(&names->frames);
    names->source.format = graph->source.format;
    names->source.format_title = graph->source.format_title;
    names->native = graph->native;
    names->selection.grouped_by = graph->selection.grouped_by;
    names->values.list = grow_zeroed(1, sizeof(*names->values.list));
    names->values.count = 1;
    names->values.list[0].unit = graph_unit(graph);
    if (graph->values.count)
        names->values.list[0].name = strings_intern(
            &names->strings, graph_text(graph, graph->values.list[graph->values.selected].name));
}

frame_id diff_frame(struct diff *diff, const struct graph *graph, frame_id id)
{
    struct strings *strings = &diff->names.strings;
    struct frame frame = *graph_frame(graph, id);

    frame.name = identity_name(graph, id, strings);
    frame.file = strings_intern(strings, graph_text(graph, frame.file));
    frame.module = strings_intern(strings, graph_text(graph, frame.module));
    frame.address = 0;
    frame.is_nameless = false;
    return frame_intern(&diff->names.frames, &frame);
}

static void fill_run(struct diff_run *run, const struct graph *graph, const frame_id *frame_of)
{
    const struct functions *functions = &graph->functions;

    run->total = graph_total(graph);
    if (!graph_fact(graph, FACT_RUNS, &run->merged))
        run->merged = 1;
    if (run->merged == 1) /* how far the runs of a sum lay apart is not known by samples alone */
        run->quantum = (double)noise_quantum(graph);
    run->is_there = grow_zeroed(run->count, sizeof(*run->is_there));
    run->self = grow_zeroed(run->count, sizeof(*run->self));
    run->cum = grow_zeroed(run->count, sizeof(*run->cum));
    run->calls = grow_zeroed(run->count, sizeof(*run->calls));
    for (uint32_t i = 0; i < functions->listed; i++) {
        frame_id at = frame_of[i];

        run->is_there[at] = true;
        run->self[at] = checked_add(run->self[at], functions->self[i]);
        run->cum[at] = checked_add(run->cum[at], functions->cum[i]);
        run->calls[at] = sum_known(run->calls[at], functions->calls[i]);
    }
}

static void take_calls(struct diff *diff, enum diff_end end, const struct graph *graph)
{
    const struct functions *functions = &graph->functions;
    struct diff_calls *calls = &diff->calls[end];
    frame_id *frame_of = grow_zeroed((size_t)functions->count + 1, sizeof(*frame_of));

    calls->caller = grow_zeroed((size_t)graph->calls.count + 1, sizeof(*calls->caller));
    calls->callee = grow_zeroed((size_t)graph->calls.count + 1, sizeof(*calls->callee));
    for (uint32_t i = 0; i < functions->count; i++)
        frame_of[i] = diff_frame(diff, graph, functions->frame[i]);
    for (uint32_t i = 0; i < graph->calls.count; i++) {
        calls->caller[calls->count] = frame_of[graph->calls.caller[i]];
        calls->callee[calls->count++] = frame_of[graph->calls.callee[i]];
    }
    free(frame_of);
}

bool diff_add(struct diff *diff, enum diff_end end, const struct graph *graph, struct error *err)
{
    uint32_t count = diff->run_count[end];
    frame_id *frame_of;
    struct diff_run *run;

    if (!diff->names.values.count)
        diff_begin_graph(diff, graph);
    if (graph_unit(graph) != graph_unit(&diff->names)) {
        error_set(err, ERROR_USAGE, "the profiles count different things: %s and %s",
                  format_unit(graph_unit(&diff->names)), format_unit(graph_unit(graph)));
        return error_hint(err, "--value selects what to compare; 'ptk info' lists what there is");
    }
    if (count == 0 && graph->has[LEVEL_CALLGRAPH])
        take_calls(diff, end, graph);
    frame_of = grow_zeroed(graph->functions.listed, sizeof(*frame_of));
    for (uint32_t i = 0; i < graph->functions.listed; i++)
        frame_of[i] = diff_frame(diff, graph, graph->functions.frame[i]);
    diff->runs[end] = grow_to(diff->runs[end], (size_t)count + 1, sizeof(*diff->runs[end]));
    diff->run_count[end]++;
    run = &diff->runs[end][count];
    *run = (struct diff_run){.count = (uint32_t)diff->names.frames.count};
    fill_run(run, graph, frame_of);
    free(frame_of);
    return true;
}

void diff_add_measures(struct diff *diff, enum diff_end end, const struct run_measures *measures)
{
    diff->runs[end][diff->run_count[end] - 1].measures = *measures;
}

bool diff_add_whole(struct diff *diff, enum diff_end end, struct graph *graph, struct error *err)
{
    struct run_measures measures;

    run_measures_take(graph, &measures);
    if (!graph_need(graph, LEVEL_FLAT, "there is nothing to compare", err) || !diff_add(diff, end, graph, err))
        return false;
    diff_add_measures(diff, end, &measures);
    return true;
}

void diff_free(struct diff *diff)
{
    for (int end = 0; end < DIFF_ENDS; end++) {
        for (uint32_t i = 0; i < diff->run_count[end]; i++) {
            free(diff->runs[end][i].is_there);
            free(diff->runs[end][i].self);
            free(diff->runs[end][i].cum);
            free(diff->runs[end][i].calls);
        }
        free(diff->runs[end]);
        free(diff->calls[end].caller);
        free(diff->calls[end].callee);
    }
    if (diff->names.values.count)
        graph_free(&diff->names);
    *diff = (struct diff){0};
}
