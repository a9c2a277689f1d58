/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/summary/summary.h"

#include <stdlib.h>

#include "base/checked.h"

/* ---- one rank ---- */

static int64_t length_of(const struct step_time *step)
{
    return checked_sub(step->span.end, step->span.start);
}

static struct rank_total total_of(const struct step_times *steps, struct arena *arena)
{
    struct rank_total total = {.steps = steps->count};
    int64_t *lengths = arena_array(arena, steps->count, sizeof(*lengths));

    for (uint32_t i = 0; i < steps->count; i++) {
        lengths[i] = length_of(&steps->rows[i]);
        total.time = checked_add(total.time, lengths[i]);
        for (int part = 0; part < PART_COUNT; part++)
            total.parts[part] = checked_add(total.parts[part], steps->rows[i].parts[part]);
    }
    if (steps->count)
        total.step = extremes_of(lengths, steps->count);
    return total;
}

/* ---- one figure of all ranks ---- */

static int64_t mean(int64_t time, uint32_t steps)
{
    return steps ? time / steps : 0;
}

static void measure_parts(struct rank_steps *out, uint32_t count, struct arena *arena)
{
    int64_t *values = arena_array(arena, count, sizeof(*values));

    for (int part = 0; part < PART_COUNT; part++) {
        for (uint32_t i = 0; i < count; i++)
            values[i] = mean(out->ranks[i].parts[part], out->ranks[i].steps);
        out->parts[part] = extremes_of(values, count);
    }
    for (uint32_t i = 0; i < count; i++)
        values[i] = mean(out->ranks[i].time, out->ranks[i].steps);
    out->time = extremes_of(values, count);
}

/* ---- one step on all ranks ---- */

/* A rank's own step. */
struct rank_step_time {
    str_id name;
    uint32_t rank;
    int64_t time;
};

static int compare_taken(const void *a, const void *b)
{
    const struct rank_step_time *first = a, *second = b;

    if (first->name != second->name)
        return first->name < second->name ? -1 : 1;
    return (first->rank > second->rank) - (first->rank < second->rank);
}

/* Names get their numbers in the order in which they are first seen. */
static uint32_t list_taken(const struct step_times *const *list, uint32_t count,
                           struct strings *names, struct rank_step_time *taken)
{
    uint32_t at = 0;

    for (uint32_t rank = 0; rank < count; rank++)
        for (uint32_t i = 0; i < list[rank]->count; i++)
            taken[at++] = (struct rank_step_time){strings_intern(names, list[rank]->rows[i].name),
                                                  rank, length_of(&list[rank]->rows[i])};
    qsort(taken, at, sizeof(*taken), compare_taken);
    return at;
}

static struct rank_step step_of(const struct rank_step_time *taken, uint32_t count,
                                struct span name, int64_t *values)
{
    struct rank_step step = {.name = name, .ranks = count};

    for (uint32_t i = 0; i < count; i++)
        values[i] = taken[i].time;
    step.time = extremes_of(values, count);
    step.time.least_at = taken[step.time.least_at].rank;
    step.time.most_at = taken[step.time.most_at].rank;
    return step;
}

static void match_steps(const struct step_times *const *list, uint32_t count, struct arena *arena,
                        struct rank_steps *out)
{
    struct strings names = {0};
    struct rank_step_time *taken;
    int64_t *values;
    size_t most = 0;
    uint32_t total;

    for (uint32_t i = 0; i < count; i++)
        most += list[i]->count;
    taken = arena_array(arena, most + 1, sizeof(*taken));
    values = arena_array(arena, most + 1, sizeof(*values));
    out->steps = arena_array(arena, most, sizeof(*out->steps));
    total = list_taken(list, count, &names, taken);
    for (uint32_t first = 0, end; first < total; first = end) {
        struct span name = strings_get(&names, taken[first].name);

        for (end = first + 1; end < total && taken[end].name == taken[first].name;)
            end++;
        name.at = arena_copy(arena, name);
        out->steps[out->step_count++] = step_of(taken + first, end - first, name, values);
    }
    strings_free(&names);
}

void rank_steps_compare(const struct step_times *const *list, uint32_t count, struct arena *arena,
                        struct rank_steps *out)
{
    *out = (struct rank_steps){.ranks = arena_array(arena, count, sizeof(*out->ranks))};
    for (uint32_t i = 0; i < count; i++)
        out->ranks[i] = total_of(list[i], arena);
    measure_parts(out, count, arena);
    match_steps(list, count, arena, out);
}
