/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a job's steps again with other lengths and delays, and says what lengths are typical. */
#include <stdlib.h>

#include "analysis/ranks/job_replay.h"
#include "base/checked.h"
#include "base/memory/memory.h"

/* `begins`: of units, by their first operation, or NULL. */
static double replay(const struct job_model *model, const struct job_run *run, int64_t *begins,
                     int64_t *ends, int64_t *steps)
{
    double sum = 0;

    for (uint32_t s = 0, op = 0; s < model->step_count; s++) {
        uint32_t end = job_step_end(model, s);
        int64_t last = 0;

        while (op < end) {
            uint32_t unit_end = model->unit_end[op];
            int64_t begin = 0;

            for (uint32_t i = op; i < unit_end; i++) {
                int64_t ready = job_ready_at(model, run, ends, i);

                begin = ready > begin ? ready : begin;
            }
            if (run->release && run->release[op] > begin)
                begin = run->release[op];
            if (begins)
                begins[op] = begin;
            for (; op < unit_end; op++) {
                ends[op] = checked_add(begin, run->length[op]);
                last = ends[op] > last ? ends[op] : last;
            }
        }
        if (steps)
            steps[s] = last;
        sum += (double)last;
    }
    return sum / model->step_count;
}

double job_replay(const struct job_model *model, const struct job_run *run, int64_t *ends,
                  int64_t *steps)
{
    return replay(model, run, NULL, ends, steps);
}

void job_base_make(const struct job_model *model, struct job_run run, struct arena *arena,
                   struct job_base *base)
{
    size_t count = (size_t)model->op_count + 1;

    *base = (struct job_base){
        .model = model,
        .run = run,
        .begin = arena_array(arena, count, sizeof(*base->begin)),
        .ends = arena_array(arena, count, sizeof(*base->ends)),
        .steps = arena_array(arena, (size_t)model->step_count + 1, sizeof(*base->steps))};
    base->step = replay(model, &base->run, base->begin, base->ends, base->steps);
}

/* ---- typical lengths ---- */

static int by_length(const void *a, const void *b)
{
    const int64_t *first = a, *second = b;

    return (*first > *second) - (*first < *second);
}

static int64_t mean_of(const int64_t *list, uint32_t count)
{
    __extension__ __int128 sum = 0;

    for (uint32_t i = 0; i < count; i++)
        sum += list[i];
    return (int64_t)((sum + count / 2) / count);
}

static int64_t typical(int64_t *list, uint32_t count, enum job_ideal ideal,
                       enum operation_kind kind)
{
    if (ideal == IDEAL_MEAN && kind == OPERATION_COMPUTE)
        return mean_of(list, count);
    qsort(list, count, sizeof(*list), by_length);
    if (ideal == IDEAL_MIN)
        return list[0];
    return count % 2 ? list[count / 2] : mean_of(list + count / 2 - 1, 2);
}

int64_t *job_typical(const struct job_model *model, const int64_t *values, enum job_ideal ideal,
                     const uint32_t *key, struct arena *arena)
{
    size_t count = model->op_count;
    int64_t *ideals = arena_array(arena, count + 1, sizeof(*ideals));
    struct arena scratch = {0};
    uint32_t *class = arena_array(&scratch, count + 1, sizeof(*class)), classes = 0;
    struct idmap known = {0};
    int64_t *sorted, *of_class;
    uint32_t *first, *kind;

    for (size_t op = 0; op < count; op++) {
        uint32_t *at = idmap_at(&known, idmap_pair(model->type[op], key ? key[op] : 0));

        if (*at == IDMAP_NONE)
            *at = classes++;
        class[op] = *at;
    }
    first = arena_array(&scratch, (size_t)classes + 2, sizeof(*first));
    kind = arena_array(&scratch, (size_t)classes + 1, sizeof(*kind));
    sorted = arena_array(&scratch, count + 1, sizeof(*sorted));
    of_class = arena_array(&scratch, (size_t)classes + 1, sizeof(*of_class));
    for (size_t op = 0; op < count; op++) {
        first[class[op] + 2]++;
        kind[class[op]] = model->type_kind[model->type[op]];
    }
    for (uint32_t c = 0; c < classes; c++)
        first[c + 2] += first[c + 1];
    for (size_t op = 0; op < count; op++)
        sorted[first[class[op] + 1]++] = values[op];
    for (uint32_t c = 0; c < classes; c++)
        of_class[c] = typical(sorted + first[c], first[c + 1] - first[c], ideal,
                              (enum operation_kind)kind[c]);
    for (size_t op = 0; op < count; op++)
        ideals[op] = of_class[class[op]];
    idmap_free(&known);
    arena_free(&scratch);
    return ideals;
}
