/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the traces of several ranks at once, as many as memory allows, and keeps a digest of
 * each. */
#include "cmd/load/rank_files.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory/memory.h"
#include "base/parallel/parallel.h"
#include "cmd/load/profile_load.h"
#include "cmd/options/common_options.h"
#include "graph/derive/derive.h"

enum { PACKED_GROWTH = 8 };

/* Files are read at once as far as there is room. All below `lock` is guarded by it. */
struct loading_queue {
    const struct rank_reading *reading;
    struct rank_file *files;
    char **paths;
    size_t count;
    uint64_t memory;

    pthread_mutex_t lock;
    pthread_cond_t room;
    uint64_t in_use;   /* bytes that the files being read may need */
    struct error *err; /* of the first file, in the order of operands, that failed */
    size_t failed;     /* which one */
};

/* ---- one file ---- */

/* Events take less room than their text; how much text a packed file holds is a guess. */
static uint64_t memory_for(const char *path)
{
    struct span name = span_of(path);
    bool is_packed = span_ends(name, SPAN(".gz")) || span_ends(name, SPAN(".zst"));
    struct stat info;

    if (stat(path, &info) != 0 || info.st_size < 0)
        return 0;
    return (uint64_t)info.st_size * (is_packed ? PACKED_GROWTH : 1);
}

static bool read_one(struct loading_queue *job, size_t at, struct error *err)
{
    const struct rank_reading *reading = job->reading;
    struct rank_file *file = &job->files[at];
    struct graph *graph = &file->profile.graph;
    struct common common = *reading->common;
    int64_t origin;

    common.is_quiet = true; /* threads do not speak; losses are printed at the end */
    if (!profile_load(&file->profile, job->paths[at], reading->wanted, &common, err))
        return false;
    if (!graph_need(graph, LEVEL_TIMELINE, reading->what, err) ||
        !profile_select(&file->profile, &common.selection, err))
        return error_file(err, job->paths[at]);
    file->digest = reading->digest(graph, reading->context, at, &file->arena, err);
    origin = graph->timeline.origin;
    timeline_free(&graph->timeline);
    graph->timeline.origin = origin;
    graph->has[LEVEL_TIMELINE] = false;
    return file->digest || error_file(err, job->paths[at]);
}

/* Waits until the file fits, or nothing else is being read. False when an earlier one has
 * failed. */
static bool take_memory(struct loading_queue *job, size_t at, uint64_t need)
{
    bool is_wanted;

    pthread_mutex_lock(&job->lock);
    while (at < job->failed && job->in_use != 0 && need > job->memory - job->in_use)
        pthread_cond_wait(&job->room, &job->lock);
    is_wanted = at < job->failed;
    if (is_wanted)
        job->in_use += need;
    pthread_mutex_unlock(&job->lock);
    return is_wanted;
}

static void give_back(struct loading_queue *job, size_t at, uint64_t need, const struct error *err)
{
    pthread_mutex_lock(&job->lock);
    job->in_use -= need;
    if (err->kind && at < job->failed) {
        job->failed = at;
        *job->err = *err;
    }
    pthread_cond_broadcast(&job->room);
    pthread_mutex_unlock(&job->lock);
}

static void read_in_turn(void *context, size_t at)
{
    struct loading_queue *job = context;
    struct error err = {0};
    uint64_t need = memory_for(job->paths[at]);

    need = need < job->memory ? need : job->memory;
    need += need == 0;
    if (!take_memory(job, at, need))
        return;
    if (read_one(job, at, &err)) {
        err.kind = ERROR_NONE;
    } else if (job->reading->may_be_other && job->reading->may_be_other[at]) {
        job->files[at].refused = err;
        err.kind = ERROR_NONE;
    }
    give_back(job, at, need, &err);
}

/* ---- all files ---- */

bool rank_files_read(struct rank_file *files, char **paths, size_t count,
                     const struct rank_reading *reading, struct error *err)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    struct loading_queue job = {.reading = reading,
                                .files = files,
                                .paths = paths,
                                .count = count,
                                .memory = reading->memory         ? reading->memory
                                          : pages > 0 && size > 0 ? (uint64_t)pages * size / 2
                                                                  : UINT64_MAX,
                                .err = err,
                                .failed = SIZE_MAX};

    pthread_mutex_init(&job.lock, NULL);
    pthread_cond_init(&job.room, NULL);
    parallel_for(thread_budget(), count, read_in_turn, &job);
    pthread_cond_destroy(&job.room);
    pthread_mutex_destroy(&job.lock);
    if (job.failed != SIZE_MAX)
        return false;
    for (size_t i = 0; i < count && !reading->common->is_quiet; i++)
        profile_write_losses(&files[i].profile);
    return true;
}

/* ---- which rank is which ---- */

static int compare_ranks(const void *a, const void *b)
{
    const struct rank_file *first = a, *second = b;

    return (first->rank > second->rank) - (first->rank < second->rank);
}

bool is_of_one_job(const struct graph *first, const struct graph *second)
{
    int64_t rank, other, world, other_world;

    return graph_fact(first, FACT_RANK, &rank) && graph_fact(second, FACT_RANK, &other) &&
           rank != other &&
           (!graph_fact(first, FACT_WORLD_SIZE, &world) ||
            !graph_fact(second, FACT_WORLD_SIZE, &other_world) || world == other_world);
}

const char *rank_files_order(struct rank_file *files, size_t count)
{
    bool ok = true, is_one_job = true;

    for (size_t i = 0; ok && i < count; i++)
        ok = graph_fact(&files[i].profile.graph, FACT_RANK, &files[i].rank);
    if (ok)
        qsort(files, count, sizeof(*files), compare_ranks);
    for (size_t i = 1; ok && i < count; i++) {
        ok = files[i].rank != files[i - 1].rank;
        is_one_job &= is_of_one_job(&files[0].profile.graph, &files[i].profile.graph);
    }
    for (size_t i = 0; !ok && i < count; i++)
        files[i].rank = (int64_t)i;
    if (!ok)
        return "the files do not distinguish their ranks: they are numbered as listed";
    return is_one_job ? NULL
                      : "the files are of jobs of different sizes, and are compared as one job";
}

void rank_files_free(struct rank_file *files, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        profile_free(&files[i].profile);
        arena_free(&files[i].arena);
    }
}
