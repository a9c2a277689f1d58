/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* sched_getaffinity */
#include "base/parallel/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

enum { THREADS_MAX = 64 };

struct shared_work {
    void (*work)(void *context, size_t piece);
    void *context;
    size_t pieces;
    atomic_size_t next;
    size_t budget; /* of each thread */
};

static _Thread_local size_t budget;

/* A batch system gives a job some of the machine's processors only. */
size_t processor_count(void)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);
#ifdef CPU_COUNT
    cpu_set_t ours;

    if (sched_getaffinity(0, sizeof(ours), &ours) == 0)
        return (size_t)CPU_COUNT(&ours);
#endif
    return online > 1 ? (size_t)online : 1;
}

size_t thread_budget(void)
{
    return budget ? budget : processor_count();
}

void thread_budget_set(size_t threads)
{
    budget = threads;
}

static void *take_pieces(void *state)
{
    struct shared_work *shared = state;
    size_t piece, mine = budget;

    budget = shared->budget;
    while ((piece = atomic_fetch_add(&shared->next, 1)) < shared->pieces)
        shared->work(shared->context, piece);
    budget = mine;
    return NULL;
}

void parallel_for(size_t threads, size_t pieces, void (*work)(void *context, size_t piece),
                  void *context)
{
    struct shared_work shared = {work, context, pieces, 0, 1};
    pthread_t others[THREADS_MAX];
    size_t wanted = threads < pieces ? threads : pieces, started = 0;

    shared.budget = wanted > 1 ? (thread_budget() + wanted - 1) / wanted : budget;
    while (started + 1 < wanted && started < THREADS_MAX &&
           pthread_create(&others[started], NULL, take_pieces, &shared) == 0)
        started++;
    take_pieces(&shared);
    for (size_t i = 0; i < started; i++)
        pthread_join(others[i], NULL);
}
