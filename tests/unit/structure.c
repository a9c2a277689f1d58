/* SPDX-License-Identifier: Apache-2.0 */
/* Two traces by places in the program: laws that hold of any two, however their kernels are called. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/compare/structure.h"
#include "tests/unit/hand_made.h"

/* ---- programs made of numbers ---- */

struct program {
    struct builder *builder;
    uint32_t thread, stream;
    int64_t time, device_time, correlation;
    uint64_t random; /* of what runs where: the same on both sides, but for `other` */
    uint64_t noise;  /* of times and names of kernels */
    bool other;      /* some operators are others */
};

static uint32_t next_of(uint64_t *state, uint32_t most)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33) % most;
}

static void add_operator(struct program *program, uint32_t which)
{
    static const char *const shapes[] = {"[[8, 4], [4, 2]]", "[[16,4],[4,2]]", "[[2]]"};
    char name[32], kernel[64];
    uint32_t kernels = 1 + next_of(&program->noise, 2);
    struct timeline_builder *timeline = builder_timeline(program->builder);
    event_id event;

    snprintf(name, sizeof(name), "op%u", which / 3);
    event =
        timed(program->builder, program->thread, program->time, 4 * kernels, name, KIND_OPERATOR);
    builder_property(timeline, event, PROP_SHAPES,
                     builder_intern(program->builder, span_of(shapes[which % 3])));
    for (uint32_t i = 0; i < kernels; i++) {
        int64_t duration = 5 + next_of(&program->noise, 100);

        builder_launches(
            timeline,
            timed(program->builder, program->thread, program->time + 1, 2, "launch", KIND_RUNTIME),
            ++program->correlation);
        snprintf(kernel, sizeof(kernel), "kernel%u", next_of(&program->noise, 1000));
        builder_launched(timeline,
                         timed(program->builder, program->stream, program->device_time, duration,
                               kernel, KIND_KERNEL),
                         program->correlation);
        program->device_time += duration;
        program->time += 4;
    }
}

/* Modules within modules, each with a few operators. */
static void add_module(struct program *program, uint32_t depth)
{
    char name[48];
    uint32_t calls = next_of(&program->random, 4);
    int64_t begin = program->time++;

    for (uint32_t i = 0; i < calls; i++) {
        uint32_t which = next_of(&program->random, 9);
        bool goes_deeper = depth < 4 && next_of(&program->random, 2);

        if (goes_deeper)
            add_module(program, depth + 1);
        else if (!program->other || which > 2)
            add_operator(program, program->other && which > 6 ? which + 1 : which);
    }
    program->time++;
    snprintf(name, sizeof(name), "nn.Module: Layer%u_%u", depth, next_of(&program->random, 3));
    timed(program->builder, program->thread, begin, program->time - begin, name, KIND_PYTHON);
}

static void add_program(struct structure *structure, enum diff_end end, uint64_t seed,
                        uint64_t noise, bool other)
{
    const struct builder_options wanted = {
        .need = LEVEL_TIMELINE, .launches = true, .properties = structure_properties()};
    struct program program = {.builder = begin_timeline(&wanted),
                              .correlation = 0,
                              .random = seed,
                              .noise = noise,
                              .other = other};
    struct graph graph;

    program.thread = thread_of(program.builder, 1);
    program.stream = stream_of(program.builder, 0, 7);
    for (uint32_t step = 0; step < 4; step++) {
        int64_t begin = program.time++;

        program.random = seed;
        for (uint32_t i = 0; i < 3; i++)
            add_module(&program, 0);
        add_operator(&program, 5);
        builder_property(builder_timeline(program.builder),
                         timed(program.builder, program.thread, begin, program.time - begin, "step",
                               KIND_ANNOTATION),
                         PROP_STEP, step);
        program.time += 10;
    }
    builder_finish(program.builder, &graph);
    structure_add(structure, end, &graph);
    graph_free(&graph);
}

static void compare(struct structure *structure, struct arena *arena,
                    struct structure_difference *found)
{
    const struct structure_options all = {.fail_percent = -1};

    cr_assert(structure_can_compare(structure));
    structure_compare(structure, &all, arena, found);
}

/* A row as a text, in order of no times. */
static const char *row_text(const struct structure *structure, const struct structure_row *row,
                            bool is_turned, struct arena *arena)
{
    enum diff_end old = is_turned ? DIFF_AFTER : DIFF_BEFORE;
    enum diff_end new = is_turned ? DIFF_BEFORE : DIFF_AFTER;
    struct span first = strings_get(&structure->strings, row->name[old]);
    struct span second = strings_get(&structure->strings, row->name[new]);
    enum site_match match = row->match;

    if (is_turned && (match == MATCH_GONE || match == MATCH_NEW))
        match = match == MATCH_GONE ? MATCH_NEW : MATCH_GONE;
    return arena_printf(arena, "%s %.*s %.*s %" PRId64 " %" PRId64 " %u", site_match_name(match),
                        (int)first.len, first.at, (int)second.len, second.at, row->time[old],
                        row->time[new], row->places);
}

static bool has_row(const struct structure *structure, const struct structure_difference *found,
                    const char *text, struct arena *arena)
{
    for (uint32_t i = 0; i < found->count; i++)
        if (strcmp(row_text(structure, &found->rows[i], true, arena), text) == 0)
            return true;
    return false;
}

Test(structure, all_time_is_in_one_row_and_swapping_changes_signs)
{
    for (uint64_t seed = 1; seed < 60; seed++) {
        struct structure here = {0}, back = {0};
        struct structure_difference found, turned;
        struct arena arena = {0};
        int64_t rows[DIFF_ENDS] = {0}, leaves[DIFF_ENDS] = {0};

        add_program(&here, DIFF_BEFORE, seed, 2 * seed, false);
        add_program(&here, DIFF_AFTER, seed, 3 * seed, true);
        add_program(&back, DIFF_BEFORE, seed, 3 * seed, true);
        add_program(&back, DIFF_AFTER, seed, 2 * seed, false);
        compare(&here, &arena, &found);
        compare(&back, &arena, &turned);
        for (int end = 0; end < DIFF_ENDS; end++) {
            for (uint32_t i = 0; i < found.count; i++)
                rows[end] += found.rows[i].time[end];
            for (uint32_t i = 0; i < found.leaf_count; i++)
                leaves[end] += found.leaves[i].time[end];
            cr_expect_eq(rows[end], found.total[end], "seed %" PRIu64, seed);
            cr_expect_eq(leaves[end], found.total[end], "seed %" PRIu64, seed);
            cr_expect_eq(turned.total[1 - end], found.total[end]);
        }
        cr_expect_eq(found.count, turned.count, "seed %" PRIu64, seed);
        for (uint32_t i = 0; i < found.count; i++) {
            const char *text = row_text(&here, &found.rows[i], false, &arena);

            cr_expect(has_row(&back, &turned, text, &arena), "seed %" PRIu64 ": %s", seed, text);
        }
        structure_difference_free(&found);
        structure_difference_free(&turned);
        structure_free(&here);
        structure_free(&back);
        arena_free(&arena);
    }
}

Test(structure, other_times_and_names_of_kernels_leave_everything_matched)
{
    for (uint64_t seed = 1; seed < 60; seed++) {
        struct structure structure = {0};
        struct structure_difference found;
        struct arena arena = {0};

        add_program(&structure, DIFF_BEFORE, seed, 2 * seed, false);
        add_program(&structure, DIFF_AFTER, seed, 5 * seed, false);
        compare(&structure, &arena, &found);
        cr_expect(found.has_steps && found.has_modules);
        for (uint32_t i = 0; i < found.count; i++) {
            cr_expect_eq(found.rows[i].match, MATCH_SHAPES, "seed %" PRIu64, seed);
            cr_expect_eq(found.rows[i].samples[DIFF_AFTER], 4);
        }
        cr_expect_float_eq(found.matched, 1, 1e-9);
        structure_difference_free(&found);
        structure_free(&structure);
        arena_free(&arena);
    }
}

Test(structure, a_run_and_itself_differ_in_nothing)
{
    struct structure structure = {0};
    struct structure_difference found;
    struct arena arena = {0};

    add_program(&structure, DIFF_BEFORE, 4, 4, true);
    add_program(&structure, DIFF_AFTER, 4, 4, true);
    structure_compare(&structure, &(const struct structure_options){.limit = 20, .fail_percent = 0},
                      &arena, &found);
    cr_expect_eq(found.count, 0);
    cr_expect_eq(found.failed, 0);
    cr_expect_eq(found.up + found.down, 0);
    structure_difference_free(&found);
    structure_free(&structure);
    arena_free(&arena);
}
