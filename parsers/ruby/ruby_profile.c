/* SPDX-License-Identifier: Apache-2.0 */
/* ruby_profile.c — a profile of stackprof becomes a call tree, or a call graph where it has no stacks */
#include "parsers/ruby/ruby_profile.h"

#include <stdlib.h>

#include "base/checked.h"
#include "parsers/stacks/merged_rows.h"

enum { VALUES = 2 };

/* ---- stacks ---- */

/* By the numbers of the stacks: functions, or pairs of a function and the line that ran. */
static frame_id *name_frames(struct ruby_profile *profile)
{
    size_t count = profile->stacks.frames.count;
    bool has_lines = count && profile->lines.frames.count == count;
    enum detail detail =
        builder_detail(profile->builder, has_lines ? DETAIL_LINE : DETAIL_FUNCTION);
    frame_id *ids =
        grow_zeroed(detail == DETAIL_LINE ? count : profile->functions.count, sizeof(*ids));

    for (size_t i = 0; detail != DETAIL_LINE && i < profile->functions.count; i++)
        ids[i] = builder_frame(profile->builder, &profile->functions.list[i].frame);
    for (size_t i = 0; detail == DETAIL_LINE && i < count; i++) {
        struct frame frame = profile->functions.list[profile->stacks.frames.list[i]].frame;
        int64_t begins_at = frame.line;

        frame.line = profile->lines.frames.list[i];
        ids[i] = builder_frame_in(profile->builder, &frame, begins_at);
        profile->stacks.frames.list[i] = (uint32_t)i;
    }
    return ids;
}

static void give_stacks(struct ruby_profile *profile)
{
    frame_id *ids = name_frames(profile);
    struct VECTOR_OF(frame_id) stack = {0}; /* the leaf first */
    size_t begin = 0;
    int64_t found = 0;

    for (size_t i = 0; i < profile->stacks.stacks.count; i++) {
        const struct listed_stack *listed = &profile->stacks.stacks.list[i];
        int64_t values[VALUES] = {listed->amount, checked_mul(listed->amount, profile->weight)};

        stack.count = 0;
        for (size_t at = listed->end; at-- > begin;)
            vector_add(&stack, ids[profile->stacks.frames.list[at]]);
        builder_stack(builder_stacks(profile->builder), stack.list, (uint32_t)stack.count, values);
        begin = listed->end;
        found = checked_add(found, listed->amount);
    }
    if (found < profile->samples)
        warning_count_many(builder_warnings(profile->builder), WARNING_LOSS,
                           "samples without a stack, left out",
                           (uint64_t)(profile->samples - found));
    free(stack.list);
    free(ids);
}

/* ---- functions and who called whom ---- */

/* Gives all functions; by the profile's number, `places` are theirs in the call graph. */
static void give_functions(struct ruby_profile *profile, int64_t weight, uint32_t *places)
{
    struct callgraph_builder *builder = builder_callgraph(profile->builder);
    size_t count = profile->functions.count, merged = 0;
    struct merged_rows *rows = grow_zeroed(count, sizeof(*rows));
    int64_t total = 0;
    uint64_t estimates = 0;
    bool is_estimate;

    for (size_t i = 0; i < count; i++) {
        const struct ruby_function *function = &profile->functions.list[i];

        places[i] = builder_function(builder, builder_frame(profile->builder, &function->frame));
        merged_rows_add(&rows[places[i]], function->self, function->total);
        merged = places[i] < merged ? merged : places[i] + 1;
        total = checked_add(total, function->self);
    }
    for (uint32_t i = 0; i < merged; i++) {
        int64_t cum = merged_rows_cum(&rows[i], total, &is_estimate);

        builder_list(builder, i,
                     &(struct call_figures){UNKNOWN, UNKNOWN, checked_mul(rows[i].self, weight),
                                            checked_mul(cum, weight)});
        if (is_estimate)
            builder_estimate_cum(builder, i);
        estimates += is_estimate;
    }
    warning_count_many(builder_warnings(profile->builder), WARNING_NOTE,
                       "functions that the file lists more than once: their cumulative figures are "
                       "estimates (~)",
                       estimates);
    free(rows);
}

/* A pair of functions is given once, with the samples of all pairs of ids that are this one. */
static void give_edges(struct ruby_profile *profile, int64_t weight, const uint32_t *places)
{
    struct idmap by_pair = {0}; /* → the pair's first edge */
    struct ruby_edge *edges = profile->edges.list;

    for (size_t i = 0; i < profile->edges.count; i++) {
        uint32_t *first =
            idmap_at(&by_pair, idmap_pair(places[edges[i].caller], places[edges[i].callee]));

        if (*first == IDMAP_NONE) {
            *first = (uint32_t)i;
        } else {
            edges[*first].samples = checked_add(edges[*first].samples, edges[i].samples);
            edges[i].samples = 0;
        }
    }
    for (size_t i = 0; i < profile->edges.count; i++)
        if (edges[i].samples)
            builder_call(builder_callgraph(profile->builder), places[edges[i].caller],
                         places[edges[i].callee],
                         &(struct call_figures){UNKNOWN, UNKNOWN, UNKNOWN,
                                                checked_mul(edges[i].samples, weight)});
    idmap_free(&by_pair);
}

static void give_calls(struct ruby_profile *profile)
{
    int64_t weight = builder_value(profile->builder) ? profile->weight : 1;
    uint32_t *places = grow_zeroed(profile->functions.count, sizeof(*places));

    give_functions(profile, weight, places);
    give_edges(profile, weight, places);
    free(places);
}

bool ruby_profile_give(struct ruby_profile *profile, struct error *err)
{
    struct value_name values[VALUES] = {{LITERAL("samples"), UNIT_COUNT}, profile->value};

    if (!builder_begin(profile->builder, profile->has_stacks ? LEVEL_CALLTREE : LEVEL_CALLGRAPH,
                       values, profile->weight ? VALUES : 1, 0, err))
        return false;
    if (profile->has_stacks)
        give_stacks(profile);
    else
        give_calls(profile);
    return true;
}

void ruby_profile_free(struct ruby_profile *profile)
{
    stack_list_free(&profile->stacks);
    stack_list_free(&profile->lines);
    free(profile->functions.list);
    free(profile->edges.list);
}
