/* SPDX-License-Identifier: Apache-2.0 */
/* pstats_sampled.c — what Python 3.15's sampling profiler writes as a pstats dump
 *
 * (file, line, name) → (cc, nc, tt, ct, callers), where the line is the one that ran: of the samples cc
 * were taken in it, and nc had it on their stack. tt and ct are the same in seconds. A caller's
 * count says how often the one stood on the other, in all stacks together. So a function is
 * several rows, and samples with two of its lines on their stack are in the nc of both. How many
 * samples a function is in is exact, unless it calls itself through others: then the file has only
 * limits of it, between which the figure is an estimate. */
#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "parsers/pstats/pstats.h"
#include "parsers/stacks/call_cycles.h"
#include "parsers/stacks/language_names.h"

struct sampled_row {
    int64_t self, time;   /* samples, and ns */
    int64_t stacks, most; /* samples with each of its lines on the stack: their sum, the largest */
    int64_t calling;      /* how often it stood below another function or itself */
    int64_t recursion, line_recursion; /* below itself; below another line of itself */
    int64_t from_cycle, to_cycle;      /* calls between it and others of its cycle */
    int64_t cum;
    bool is_estimate; /* the cum */
};

struct sampled_rows {
    struct store *store;
    struct VECTOR_OF(struct sampled_row) rows; /* by function */
    struct VECTOR_OF(int64_t) lines;           /* by key */
    struct VECTOR_OF(struct call_pair) pairs;
    struct VECTOR_OF(int64_t) counts; /* by pair */
    struct idmap pair_of;
    int64_t samples, time;
    uint64_t estimates;
};

static void add_to(int64_t *sum, int64_t amount)
{
    *sum = checked_add(*sum, not_negative(amount));
}

/* ---- rows of lines to functions ---- */

static void name_functions(struct sampled_rows *sampled, struct batch *const *batches, size_t count)
{
    struct store *store = sampled->store;
    struct VECTOR_OF(struct frame) frames = {0};
    frame_id *ids;

    for (size_t b = 0; b < count; b++) {
        store_names(store, batches[b]);
        for (size_t i = 0; i < batches[b]->keys.count; i++) {
            vector_add(&frames, store_frame(store, &batches[b]->keys.list[i]));
            vector_add(&sampled->lines, batches[b]->keys.list[i].line);
        }
    }
    ids = grow_zeroed(frames.count, sizeof(*ids));
    python_frames_give(store->builder, frames.list, frames.count, PYTHON_LINES_THAT_RAN, ids);
    for (size_t i = 0; i < frames.count; i++) {
        uint32_t function = builder_function(store->callgraph, ids[i]);

        vector_add(&store->functions, function);
        while (sampled->rows.count <= function)
            vector_add(&sampled->rows, (struct sampled_row){0});
    }
    free(ids);
    free(frames.list);
}

static void add_caller(struct sampled_rows *sampled, uint32_t key, const struct batch_caller *from)
{
    uint32_t callee = sampled->store->functions.list[key];
    uint32_t caller = sampled->store->functions.list[from->key];
    uint32_t *known = idmap_at(&sampled->pair_of, idmap_pair(caller, callee));

    if (*known == IDMAP_NONE) {
        *known = (uint32_t)sampled->pairs.count;
        vector_add(&sampled->pairs, (struct call_pair){caller, callee});
        vector_add(&sampled->counts, 0);
    }
    add_to(&sampled->counts.list[*known], from->figures.calls);
    add_to(&sampled->rows.list[caller].calling, from->figures.calls);
    if (caller == callee)
        add_to(&sampled->rows.list[callee].recursion, from->figures.calls);
    if (caller == callee && sampled->lines.list[key] != sampled->lines.list[from->key])
        add_to(&sampled->rows.list[callee].line_recursion, from->figures.calls);
}

static void add_batch(struct sampled_rows *sampled, const struct batch *batch)
{
    const struct batch_caller *caller = batch->callers.list;

    for (size_t i = 0; i < batch->functions.count; i++) {
        const struct batch_function *row = &batch->functions.list[i];
        struct sampled_row *sums = &sampled->rows.list[sampled->store->functions.list[row->key]];

        add_to(&sums->self, row->figures.primitive_calls);
        add_to(&sums->time, row->figures.self);
        add_to(&sums->stacks, row->figures.calls);
        sums->most = row->figures.calls > sums->most ? row->figures.calls : sums->most;
        add_to(&sampled->samples, row->figures.primitive_calls);
        add_to(&sampled->time, row->figures.self);
        for (const struct batch_caller *end = caller + row->callers; caller < end; caller++)
            add_caller(sampled, row->key, caller);
    }
}

/* ---- how many samples a function is in ---- */

static int64_t between(int64_t figure, int64_t least, int64_t most)
{
    figure = figure < most ? figure : most;
    return figure > least ? figure : least;
}

/* How often the functions of each cycle were entered from outside it: over a call, or at a stack's
 * root, where a function stands without a caller. */
static int64_t *entries_of_cycles(const struct sampled_rows *sampled, const uint32_t *cycle,
                                  struct arena *arena)
{
    uint32_t count = (uint32_t)sampled->rows.count;
    int64_t *entries = arena_array(arena, count, sizeof(*entries));
    int64_t *called = arena_array(arena, count, sizeof(*called));

    for (size_t i = 0; i < sampled->pairs.count; i++) {
        struct call_pair pair = sampled->pairs.list[i];

        add_to(&called[pair.callee], sampled->counts.list[i]);
        if (cycle[pair.caller] != cycle[pair.callee])
            add_to(&entries[cycle[pair.callee]], sampled->counts.list[i]);
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct sampled_row *row = &sampled->rows.list[i];

        add_to(&entries[cycle[i]], checked_sub(checked_add(row->self, row->calling), called[i]));
    }
    return entries;
}

static void count_cycle_calls(struct sampled_rows *sampled, const uint32_t *cycle)
{
    for (size_t i = 0; i < sampled->pairs.count; i++) {
        struct call_pair pair = sampled->pairs.list[i];

        if (pair.caller == pair.callee || cycle[pair.caller] != cycle[pair.callee])
            continue;
        add_to(&sampled->rows.list[pair.caller].to_cycle, sampled->counts.list[i]);
        add_to(&sampled->rows.list[pair.callee].from_cycle, sampled->counts.list[i]);
    }
}

/* A function is in as many samples as it was entered in. It stands on a stack where it runs itself
 * and where it calls, and was entered there unless it called itself. Only a function that calls
 * itself through others is entered several times in one stack: how often the file does not say. But
 * no stack has it that did not enter its cycle, and to come back it has to call into the cycle and
 * to be called from there. Where these limits meet the figure is exact. */
static void find_cum_of(struct sampled_row *row, int64_t samples, int64_t entries)
{
    int64_t entered = checked_sub(checked_add(row->self, row->calling), row->recursion);
    int64_t returns = row->from_cycle < row->to_cycle ? row->from_cycle : row->to_cycle;
    int64_t most = between(row->stacks, row->most, samples), least;

    most = between(entered, row->most, most);
    row->cum = most;
    if (returns == 0)
        return;
    most = between(entries, row->most, most);
    least = between(checked_sub(entered, returns), row->most, most);
    row->cum = between(checked_sub(row->stacks, row->line_recursion), least, most);
    row->is_estimate = least < most;
}

static void find_cum(struct sampled_rows *sampled)
{
    struct arena arena = {0};
    uint32_t count = (uint32_t)sampled->rows.count;
    uint32_t *cycle = call_cycles(sampled->pairs.list, sampled->pairs.count, count, &arena);
    int64_t *entries = entries_of_cycles(sampled, cycle, &arena);

    count_cycle_calls(sampled, cycle);
    for (uint32_t i = 0; i < count; i++) {
        find_cum_of(&sampled->rows.list[i], sampled->samples, entries[cycle[i]]);
        sampled->estimates += sampled->rows.list[i].is_estimate;
    }
    arena_free(&arena);
}

/* ---- onto the graph ---- */

static int64_t figure_of(const struct sampled_rows *sampled, uint32_t value, int64_t samples)
{
    if (value == SAMPLED_SAMPLES || !sampled->samples)
        return value == SAMPLED_SAMPLES ? samples : 0;
    return checked_share(sampled->time, samples, sampled->samples);
}

static void give(const struct sampled_rows *sampled)
{
    struct builder *builder = sampled->store->builder;
    struct callgraph_builder *callgraph = sampled->store->callgraph;
    uint32_t value = builder_value(builder);

    for (uint32_t i = 0; i < sampled->rows.count; i++) {
        const struct sampled_row *row = &sampled->rows.list[i];
        int64_t self[SAMPLED_VALUES] = {[SAMPLED_TIME] = row->time, [SAMPLED_SAMPLES] = row->self};

        builder_list(callgraph, i,
                     &(struct call_figures){UNKNOWN, UNKNOWN, self[value],
                                            figure_of(sampled, value, row->cum)});
        if (row->is_estimate)
            builder_estimate_cum(callgraph, i);
        if (builder_wants_all_values(builder))
            builder_list_values(callgraph, i, self);
    }
    for (size_t i = 0; i < sampled->pairs.count; i++) {
        struct call_pair pair = sampled->pairs.list[i];
        int64_t most = sampled->rows.list[pair.callee].cum;
        int64_t samples = between(sampled->counts.list[i], 0, most);

        builder_call(
            callgraph, pair.caller, pair.callee,
            &(struct call_figures){UNKNOWN, UNKNOWN, UNKNOWN, figure_of(sampled, value, samples)});
    }
}

void sampled_dump_store(struct store *store, struct batch *const *batches, size_t count)
{
    struct sampled_rows sampled = {.store = store};

    name_functions(&sampled, batches, count);
    for (size_t b = 0; b < count; b++)
        add_batch(&sampled, batches[b]);
    find_cum(&sampled);
    give(&sampled);
    builder_fact(store->builder, "samples", sampled.samples, UNIT_COUNT);
    if (sampled.samples)
        builder_known_fact(store->builder, FACT_PERIOD,
                           checked_share(sampled.time, 1, sampled.samples), UNIT_NS);
    warning_count_many(builder_warnings(store->builder), WARNING_NOTE,
                       "functions that call themselves through others: their cumulative figures are "
                       "estimates (~), because the file has no stacks",
                       sampled.estimates);
    free(sampled.rows.list);
    free(sampled.lines.list);
    free(sampled.pairs.list);
    free(sampled.counts.list);
    idmap_free(&sampled.pair_of);
}
