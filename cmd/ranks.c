#include "cmd/ranks.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "graph/need.h"

enum { THREADS_MAX = 64, PACKED_GROWTH = 8 };

/* Threads take the next file when there is room for it. All below `lock` is guarded by it. */
struct crew {
    const struct rank_reading *reading;
    struct rank_file *files;
    char **paths;
    size_t count;
    uint64_t memory;

    pthread_mutex_t lock;
    pthread_cond_t room;
    size_t next;
    uint64_t in_use;   /* bytes that the files being read may need */
    struct error *err; /* of the first file, in the order of operands, that failed */
    size_t failed;     /* which one */
};

/* ---- memory ---- */

static uint64_t half_of_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);

    return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size / 2 : UINT64_MAX;
}

static bool is_packed(const char *path)
{
    struct span name = span_of(path);

    return span_ends(name, SPAN(".gz")) || span_ends(name, SPAN(".zst"));
}

/* Events take less room than their text; how much text a packed file holds is a guess. */
static uint64_t memory_for(const char *path)
{
    struct stat info;

    if (stat(path, &info) != 0 || info.st_size < 0)
        return 0;
    return (uint64_t)info.st_size * (is_packed(path) ? PACKED_GROWTH : 1);
}

/* ---- one file ---- */

static void drop_events(struct graph *graph)
{
    int64_t origin = graph->timeline.origin;

    timeline_free(&graph->timeline);
    graph->timeline.origin = origin;
    graph->has[LEVEL_TIMELINE] = false;
}

static bool read_one(struct crew *crew, size_t at, struct error *err)
{
    const struct rank_reading *reading = crew->reading;
    struct rank_file *file = &crew->files[at];
    struct graph *graph = &file->profile.graph;
    struct common common = *reading->common;

    common.is_quiet = true; /* threads do not speak; what was lost is told at the end */
    if (!profile_load(&file->profile, crew->paths[at], reading->wanted, &common, err))
        return false;
    if (!graph_need(graph, LEVEL_TIMELINE, reading->what, err))
        return error_file(err, crew->paths[at]);
    file->digest = reading->digest(graph, reading->context, &file->arena);
    drop_events(graph);
    return true;
}

/* Waits until the next file fits, or nothing else is being read. False when there is none. */
static bool take_file(struct crew *crew, size_t *at, uint64_t *need)
{
    bool has_file;

    pthread_mutex_lock(&crew->lock);
    for (;;) {
        has_file = crew->next < crew->count && crew->failed == SIZE_MAX;
        if (!has_file)
            break;
        *need = memory_for(crew->paths[crew->next]);
        if (crew->in_use == 0 || *need <= crew->memory - crew->in_use)
            break;
        pthread_cond_wait(&crew->room, &crew->lock);
    }
    if (has_file) {
        *need = *need < crew->memory ? *need : crew->memory;
        *need += *need == 0;
        crew->in_use += *need;
        *at = crew->next++;
    }
    pthread_mutex_unlock(&crew->lock);
    return has_file;
}

static void give_back(struct crew *crew, size_t at, uint64_t need, const struct error *err)
{
    pthread_mutex_lock(&crew->lock);
    crew->in_use -= need;
    if (err->kind && at < crew->failed) {
        crew->failed = at;
        *crew->err = *err;
    }
    pthread_cond_broadcast(&crew->room);
    pthread_mutex_unlock(&crew->lock);
}

static void *work(void *context)
{
    struct crew *crew = context;
    uint64_t need;
    size_t at;

    while (take_file(crew, &at, &need)) {
        struct error err = {0};

        if (read_one(crew, at, &err))
            err.kind = ERROR_NONE;
        give_back(crew, at, need, &err);
    }
    return NULL;
}

/* ---- all files ---- */

static size_t thread_count(size_t files)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t most = cores > 0 ? (size_t)cores : 1;

    most = most < THREADS_MAX ? most : THREADS_MAX;
    return files < most ? files : most;
}

/* This thread is one of the crew, so there is always one. */
static void work_together(struct crew *crew)
{
    pthread_t threads[THREADS_MAX];
    size_t started = 0, wanted = thread_count(crew->count) - 1;

    while (started < wanted && pthread_create(&threads[started], NULL, work, crew) == 0)
        started++;
    work(crew);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}

bool rank_files_read(struct rank_file *files, char **paths, size_t count,
                     const struct rank_reading *reading, struct error *err)
{
    struct crew crew = {.reading = reading,
                        .files = files,
                        .paths = paths,
                        .count = count,
                        .memory = reading->memory ? reading->memory : half_of_memory(),
                        .err = err,
                        .failed = SIZE_MAX};

    pthread_mutex_init(&crew.lock, NULL);
    pthread_cond_init(&crew.room, NULL);
    work_together(&crew);
    pthread_cond_destroy(&crew.room);
    pthread_mutex_destroy(&crew.lock);
    if (crew.failed != SIZE_MAX)
        return false;
    for (size_t i = 0; i < count && !reading->common->is_quiet; i++)
        profile_tell_losses(&files[i].profile);
    return true;
}

/* ---- which rank is which ---- */

bool rank_of_graph(const struct graph *graph, int64_t *rank)
{
    for (size_t i = 0; i < graph->fact_count; i++)
        if (strcmp(graph->facts[i].key, "rank") == 0 && !graph->facts[i].text) {
            *rank = graph->facts[i].figure;
            return true;
        }
    return false;
}

static int compare_ranks(const void *a, const void *b)
{
    const struct rank_file *first = a, *second = b;

    return (first->rank > second->rank) - (first->rank < second->rank);
}

static bool are_all_numbered(struct rank_file *files, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!rank_of_graph(&files[i].profile.graph, &files[i].rank))
            return false;
    return true;
}

static bool are_different(const struct rank_file *files, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (files[i].rank == files[i - 1].rank)
            return false;
    return true;
}

static void number_by_place(struct rank_file *files, size_t count)
{
    for (size_t i = 0; i < count; i++)
        files[i].rank = (int64_t)i;
}

const char rank_files_unnumbered[] =
    "the files do not tell their ranks apart: they are numbered as listed";

bool rank_files_order(struct rank_file *files, size_t count)
{
    bool are_known = are_all_numbered(files, count);

    if (are_known)
        qsort(files, count, sizeof(*files), compare_ranks);
    if (are_known && are_different(files, count))
        return true;
    number_by_place(files, count);
    return false;
}

void rank_files_free(struct rank_file *files, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        profile_free(&files[i].profile);
        arena_free(&files[i].arena);
    }
}
