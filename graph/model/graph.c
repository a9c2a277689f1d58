/* SPDX-License-Identifier: Apache-2.0 */
/* The columns of the graph's levels: adding rows, summing calls, freeing; and facts of the whole
 * profile. */
#include "graph/model/graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/memory/memory.h"

static uint32_t larger_cap(uint32_t cap)
{
    size_t larger = grow_cap(cap, cap + 1);

    if (larger > UINT32_MAX)
        oom(); /* indices have 32 bits */
    return (uint32_t)larger;
}

uint32_t functions_add(struct functions *functions, frame_id frame)
{
    struct functions *f = functions;
    uint32_t at = f->count++;

    if (at == f->cap) {
        f->cap = larger_cap(f->cap);
        f->frame = grow_to(f->frame, f->cap, sizeof(*f->frame));
        f->calls = grow_to(f->calls, f->cap, sizeof(*f->calls));
        f->primitive_calls = grow_to(f->primitive_calls, f->cap, sizeof(*f->primitive_calls));
        f->self = grow_to(f->self, f->cap, sizeof(*f->self));
        f->cum = grow_to(f->cum, f->cap, sizeof(*f->cum));
    }
    f->frame[at] = frame;
    f->calls[at] = f->primitive_calls[at] = f->self[at] = f->cum[at] = 0;
    return at;
}

uint32_t calls_add(struct calls *calls, uint32_t caller, uint32_t callee)
{
    struct calls *c = calls;
    uint32_t at = c->count++;

    if (at == c->cap) {
        c->cap = larger_cap(c->cap);
        c->caller = grow_to(c->caller, c->cap, sizeof(*c->caller));
        c->callee = grow_to(c->callee, c->cap, sizeof(*c->callee));
        c->calls = grow_to(c->calls, c->cap, sizeof(*c->calls));
        c->primitive_calls = grow_to(c->primitive_calls, c->cap, sizeof(*c->primitive_calls));
        c->self = grow_to(c->self, c->cap, sizeof(*c->self));
        c->cum = grow_to(c->cum, c->cap, sizeof(*c->cum));
    }
    c->caller[at] = caller;
    c->callee[at] = callee;
    c->calls[at] = c->primitive_calls[at] = c->self[at] = c->cum[at] = 0;
    return at;
}

void calls_sum(struct calls *to, uint32_t at, const struct calls *from, uint32_t call)
{
    to->calls[at] = sum_known(to->calls[at], from->calls[call]);
    to->primitive_calls[at] = sum_known(to->primitive_calls[at], from->primitive_calls[call]);
    to->self[at] = sum_known(to->self[at], from->self[call]);
    to->cum[at] = sum_known(to->cum[at], from->cum[call]);
}

void edge_totals_grow(struct edge_totals *t, uint32_t functions)
{
    uint32_t old = t->cap;

    if (functions > t->count)
        t->count = functions;
    if (functions <= old)
        return;
    t->cap = (uint32_t)grow_cap(old, functions);
    t->in_calls = grow_to(t->in_calls, t->cap, sizeof(*t->in_calls));
    t->in_self = grow_to(t->in_self, t->cap, sizeof(*t->in_self));
    t->in_cum = grow_to(t->in_cum, t->cap, sizeof(*t->in_cum));
    t->out_cum = grow_to(t->out_cum, t->cap, sizeof(*t->out_cum));
    t->marks = grow_to(t->marks, t->cap, sizeof(*t->marks));
    memset(t->in_calls + old, 0, (t->cap - old) * sizeof(*t->in_calls));
    memset(t->in_self + old, 0, (t->cap - old) * sizeof(*t->in_self));
    memset(t->in_cum + old, 0, (t->cap - old) * sizeof(*t->in_cum));
    memset(t->out_cum + old, 0, (t->cap - old) * sizeof(*t->out_cum));
    memset(t->marks + old, 0, (t->cap - old) * sizeof(*t->marks));
}

void edge_totals_add(struct edge_totals *t, uint32_t caller, uint32_t callee, int64_t calls,
                     int64_t self, int64_t cum)
{
    uint32_t last = caller > callee ? caller : callee;

    if (last >= t->count)
        edge_totals_grow(t, last + 1);
    t->calls++;
    t->marks[callee] |= EDGES_IN;
    if (calls != UNKNOWN)
        t->in_calls[callee] = checked_add(t->in_calls[callee], calls);
    if (self == UNKNOWN)
        t->marks[callee] |= EDGES_IN_LACK_SELF;
    else
        t->in_self[callee] = checked_add(t->in_self[callee], self);
    if (cum == UNKNOWN) {
        t->marks[callee] |= EDGES_IN_LACK_CUM;
        t->lacks_times = true;
        return;
    }
    t->in_cum[callee] = checked_add(t->in_cum[callee], cum);
    if (caller != callee)
        t->out_cum[caller] = checked_add(t->out_cum[caller], cum);
}

void edge_totals_free(struct edge_totals *t)
{
    free(t->in_calls);
    free(t->in_self);
    free(t->in_cum);
    free(t->out_cum);
    free(t->marks);
    *t = (struct edge_totals){0};
}

void functions_free(struct functions *functions)
{
    free(functions->frame);
    free(functions->calls);
    free(functions->primitive_calls);
    free(functions->self);
    free(functions->cum);
    free(functions->min);
    free(functions->max);
    free(functions->each);
    free(functions->estimates);
    *functions = (struct functions){0};
}

void calls_free(struct calls *calls)
{
    free(calls->caller);
    free(calls->callee);
    free(calls->calls);
    free(calls->primitive_calls);
    free(calls->self);
    free(calls->cum);
    *calls = (struct calls){0};
}

void timeline_free(struct timeline *timeline)
{
    free(timeline->tracks);
    free(timeline->start);
    free(timeline->duration);
    free(timeline->frame);
    free(timeline->launch);
    free(timeline->category);
    free(timeline->categories);
    for (uint32_t p = 0; p < PROP_COUNT; p++)
        property_column_free(&timeline->properties[p]);
    for (uint32_t i = 0; i < timeline->series.count; i++) {
        free(timeline->series.list[i].time);
        free(timeline->series.list[i].value);
    }
    free(timeline->series.list);
    *timeline = (struct timeline){0};
}

void graph_free(struct graph *graph)
{
    functions_free(&graph->functions);
    calls_free(&graph->calls);
    edge_totals_free(&graph->edge_totals);
    calltree_free(&graph->tree);
    free(graph->labels.list);
    free(graph->labels.value);
    free(graph->labels.samples);
    label_sets_free(&graph->label_sets);
    timeline_free(&graph->timeline);
    free(graph->values.list);
    free(graph->source.devices.list);
    free(graph->source.groups.list);
    free(graph->source.mappings.list);
    free(graph->counters.list);
    free(graph->segments.list);
    free(graph->segments.sizes.list);
    free(graph->segments.states.list);
    free(graph->segments.places.list);
    free(graph->source.facts.list);
    warnings_free(&graph->source.warnings);
    frames_free(&graph->frames);
    strings_free(&graph->strings);
    free(graph->classes.list);
    idmap_free(&graph->short_names.by_text);
    idmap_free(&graph->short_names.by_tail);
    free(graph->short_names.next_of_text);
    free(graph->short_names.next_of_tail);
    free(graph->short_names.by_clue);
    free(graph->short_names.texts);
    arena_free(&graph->short_names.arena);
    inputs_free(&graph->inputs);
    free(graph->captured.list);
    free(graph->captured.inside.list);
    arena_free(&graph->arena);
    *graph = (struct graph){0};
}

const char *track_kind_name(enum track_kind kind)
{
    static const char *const names[TRACK_KIND_COUNT] = {
        [TRACK_THREAD] = "thread",   [TRACK_STREAM] = "stream", [TRACK_RANGES] = "ranges",
        [TRACK_SAMPLES] = "samples", [TRACK_ASYNC] = "async",   [TRACK_POINTS] = "instants",
        [TRACK_TOTALS] = "totals",
    };

    return names[kind];
}

uint32_t track_of_event(const struct timeline *timeline, event_id event)
{
    /* Tracks without events share `first` with the next one. */
    SEARCH(uint32_t, past, timeline->track_count, timeline->tracks[past].first <= event);
    return past ? past - 1 : 0;
}

const struct captured_call *graph_captured(const struct graph *graph, event_id event,
                                           bool *has_inputs)
{
    int64_t value;

    if (!property_of(&graph->timeline.properties[PROP_CAPTURED], event, &value))
        return NULL;
    *has_inputs = value % 2 == 0;
    return &graph->captured.list[value / 2];
}

static const struct fact *find_fact(const struct graph *graph, enum fact_id id)
{
    for (size_t i = 0; i < graph->source.facts.count; i++)
        if (graph->source.facts.list[i].id == id)
            return &graph->source.facts.list[i];
    return NULL;
}

bool graph_fact(const struct graph *graph, enum fact_id id, int64_t *figure)
{
    const struct fact *fact = find_fact(graph, id);

    if (fact)
        *figure = fact->figure;
    return fact;
}

const char *graph_fact_text(const struct graph *graph, enum fact_id id)
{
    const struct fact *fact = find_fact(graph, id);

    return fact ? fact->text : NULL;
}
