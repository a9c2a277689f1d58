/* SPDX-License-Identifier: Apache-2.0 */
/* Finds ranks whose hosts launch work late again and again, where those of the others do not. */
#include <math.h>
#include <stdlib.h>

#include "analysis/ranks/job_slowness.h"
#include "base/memory/memory.h"

static int by_size(const void *a, const void *b)
{
    const double *first = a, *second = b;

    return (*first > *second) - (*first < *second);
}

static void add_up_delays(const struct job_model *model, const int64_t *delay, double *sum)
{
    for (uint32_t s = 0, op = 0; s < model->step_count; s++)
        for (uint32_t end = job_step_end(model, s); op < end; op++)
            sum[model->worker[op] * (size_t)model->step_count + s] += (double)delay[op];
}

static double middle_of_step(const struct job_model *model, const double *delay, uint32_t step)
{
    double *list = grow_zeroed((size_t)model->worker_count + 1, sizeof(*list)), middle;

    for (uint32_t w = 0; w < model->worker_count; w++)
        list[w] = delay[w * (size_t)model->step_count + step];
    qsort(list, model->worker_count, sizeof(*list), by_size);
    middle = list[(model->worker_count - 1) / 2];
    free(list);
    return middle;
}

/* The chance that of `all` steps `some` or more are late, if each is with `chance`. */
static double chance_of(uint32_t some, uint32_t all, double chance)
{
    double sum = 0;

    for (uint32_t k = some; k <= all; k++)
        sum += exp(lgamma(all + 1.0) - lgamma(k + 1.0) - lgamma(all - k + 1.0) + k * log(chance) +
                   (all - k) * log1p(-chance));
    return sum;
}

static double lateness_in(const struct job_model *model, const struct late_hosts *found,
                          uint32_t worker, uint32_t step)
{
    size_t at = worker * (size_t)model->step_count + step;

    return found->is_late[at] ? found->delay[at] - found->usual[step] : 0;
}

/* How often others are at least half as late as this worker is where it is late, without those that are late in half of
 * their steps. */
static double usual_chance(const struct job_model *model, const struct late_hosts *found,
                           const uint32_t *times, uint32_t worker)
{
    double late = 0.5, steps = 1, least = INFINITY;

    for (uint32_t s = 0; s < model->step_count; s++)
        if (lateness_in(model, found, worker, s) > 0)
            least = fmin(least, lateness_in(model, found, worker, s) / 2);

    for (uint32_t w = 0; w < model->worker_count; w++) {
        if (w == worker || (times[w] > 1 && times[w] * 2 >= model->step_count))
            continue;
        for (uint32_t s = 0; s < model->step_count; s++)
            late += lateness_in(model, found, w, s) >= least;
        steps += model->step_count;
    }
    return late / steps;
}

static bool is_late_again(const struct job_model *model, const struct late_hosts *found,
                          const uint32_t *times, uint32_t worker)
{
    size_t first = worker * (size_t)model->step_count;

    if (model->step_count == 1)
        return found->delay[first] - found->usual[0] >=
               model->limits.late_once * (double)(model->steps[0].end - model->steps[0].begin);
    return times[worker] > 1 &&
           chance_of(times[worker], model->step_count, usual_chance(model, found, times, worker)) *
                   model->worker_count <=
               model->limits.late_chance;
}

static double lateness(const struct job_model *model, const struct late_hosts *found,
                       uint32_t worker)
{
    double sum = 0;

    for (uint32_t s = 0; s < model->step_count; s++)
        sum += lateness_in(model, found, worker, s);
    return sum;
}

void late_hosts_find(const struct job_model *model, const int64_t *delay, struct arena *arena,
                     struct late_hosts *found)
{
    size_t places = (size_t)model->worker_count * model->step_count + 1;
    uint32_t *times = grow_zeroed((size_t)model->worker_count + 1, sizeof(*times));

    *found = (struct late_hosts){
        .delay = arena_array(arena, places, sizeof(*found->delay)),
        .usual = arena_array(arena, (size_t)model->step_count + 1, sizeof(*found->usual)),
        .is_late = arena_array(arena, places, sizeof(*found->is_late)),
        .list = arena_array(arena, (size_t)model->worker_count + 1, sizeof(*found->list))};
    add_up_delays(model, delay, found->delay);
    for (uint32_t s = 0; s < model->step_count; s++) {
        double least = model->limits.late * (double)(model->steps[s].end - model->steps[s].begin);

        found->usual[s] = middle_of_step(model, found->delay, s);
        for (uint32_t w = 0; w < model->worker_count; w++) {
            size_t at = w * (size_t)model->step_count + s;

            found->is_late[at] =
                found->delay[at] > 0 && found->delay[at] - found->usual[s] >= least;
            times[w] += found->is_late[at];
        }
    }
    for (uint32_t w = 0; w < model->worker_count; w++) {
        uint32_t at = found->count;

        if (!is_late_again(model, found, times, w))
            continue;
        for (; at && lateness(model, found, found->list[at - 1]) < lateness(model, found, w); at--)
            found->list[at] = found->list[at - 1];
        found->list[at] = w;
        found->count++;
    }
    free(times);
}
