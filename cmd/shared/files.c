/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/shared/load.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/io/io.h"
#include "base/io/source_text.h"
#include "base/memory/memory.h"
#include "base/memory/span.h"
#include "cmd/shared/command.h"
#include "cmd/shared/shared_options.h"

static void add_file(struct files *files, const char *path, bool is_found)
{
    size_t cap = files->cap;

    files->list = grow_one(files->list, files->count, &cap, sizeof(*files->list));
    cap = files->cap;
    files->is_found = grow_one(files->is_found, files->count, &cap, sizeof(*files->is_found));
    files->cap = cap;
    files->list[files->count] = path;
    files->is_found[files->count++] = is_found;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Adds the regular files and directories in a directory, and takes it out: a pipe or a device could
 * keep us for ever, and a symbolic link to a directory could lead back. */
static bool replace_directory(struct files *files, size_t at, struct error *err)
{
    const char *path = files->list[at];
    size_t first = files->count;
    DIR *directory = opendir(path);
    struct dirent *entry;

    if (!directory && errno == ENOMEM)
        oom();
    if (!directory) {
        error_set(err, ERROR_INPUT, "cannot be opened: %s", strerror(errno));
        return error_file(err, path);
    }
    while ((entry = readdir(directory))) {
        const char *whole = arena_printf(&files->arena, "%s/%s", path, entry->d_name);
        struct stat link, file;

        if (entry->d_name[0] != '.' && lstat(whole, &link) == 0 && stat(whole, &file) == 0 &&
            (S_ISREG(file.st_mode) || S_ISDIR(link.st_mode)))
            add_file(files, whole, true);
    }
    closedir(directory);
    qsort(files->list + first, files->count - first, sizeof(*files->list), by_name);
    files->list[at] = NULL;
    return true;
}

bool files_expand(struct files *files, char **operands, size_t count, struct error *err)
{
    struct stat info;
    size_t kept = 0;

    *files = (struct files){0};
    for (size_t i = 0; i < count; i++)
        add_file(files, operands[i], false);
    for (size_t i = 0; i < files->count; i++)
        if (stat(files->list[i], &info) == 0 && S_ISDIR(info.st_mode) &&
            !replace_directory(files, i, err))
            return false;
    for (size_t i = 0; i < files->count; i++)
        if (files->list[i]) {
            files->is_found[kept] = files->is_found[i];
            files->list[kept++] = files->list[i];
        }
    files->count = kept;
    return true;
}

void files_free(struct files *files)
{
    free(files->list);
    free(files->is_found);
    arena_free(&files->arena);
}

/* What engines call a task's number and how many there are. */
static const struct {
    const char *number, *count, *first;
} engines[] = {
    {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN"},
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", NULL},
    {"PMI_RANK", "PMI_SIZE", NULL},
    {"SLURM_PROCID", "SLURM_NTASKS", NULL},
};

static bool number_in(const char *name, uint64_t *value)
{
    const char *text = name ? getenv(name) : NULL;

    return text && span_to_u64(span_of(text), value);
}

static bool ask_engine(uint64_t *number, uint64_t *count, struct error *err)
{
    for (size_t i = 0; i < sizeof(engines) / sizeof(engines[0]); i++) {
        uint64_t first = 0;

        if (!number_in(engines[i].number, number) || !number_in(engines[i].count, count))
            continue;
        number_in(engines[i].first, &first);
        *number -= first <= *number ? first : 0;
        return true;
    }
    error_set(err, ERROR_USAGE, "--share auto: no engine says which task this is");
    return error_hint(err,
                      "SLURM_ARRAY_TASK_ID, OMPI_COMM_WORLD_RANK, PMI_RANK and SLURM_PROCID are "
                      "asked, each with its count; or name it: --share 0/4");
}

bool share_take(const char *text, size_t count, size_t *first, size_t *end, struct error *err)
{
    struct span rest = span_of(text ? text : "0/1");
    uint64_t number, shares;

    if (span_eq(rest, SPAN("auto"))) {
        if (!ask_engine(&number, &shares, err))
            return false;
    } else if (!span_to_u64(span_split(&rest, '/'), &number) || !span_to_u64(rest, &shares)) {
        return error_set(err, ERROR_USAGE, "--share %s: I/N or auto is meant", text);
    }
    if (shares == 0 || number >= shares || shares > UINT32_MAX) {
        error_set(err, ERROR_USAGE, "--share: task %llu of %llu is not one",
                  (unsigned long long)number, (unsigned long long)shares);
        return error_hint(err, "tasks are counted from 0");
    }
    *first = (size_t)(count * number / shares);
    *end = (size_t)(count * (number + 1) / shares);
    return true;
}

/* More than a page can show: a profile may name one large file in many ways. */
enum { SOURCES_MAX = 64 << 20 };

static const char *const reach_names[] = {"below", "any", NULL};

const struct option source_options[] = {
    OPT_EACH(0, "source-path", struct source_choice, directories, "DIR",
             "look for source files here as well, below any part of their path", 0),
    OPT_CHOICE(0, "source", struct source_choice, reach, "WHERE",
               "read source files below the working directory and --source-path, or any that the "
               "profile names [below]",
               reach_names),
    OPT_FLAG(0, "no-source", struct source_choice, is_none, "do not read source files"),
    OPT_END,
};

struct code_text *sources_read(const struct span *paths, uint32_t count,
                               const struct source_choice *choice, struct arena *arena)
{
    struct code_text *sources = arena_array(arena, count, sizeof(*sources));
    const char *directories[OPTION_VALUES_MAX + 1] = {0};
    const struct source_places places = {directories, choice->reach != 0};
    uint32_t *first_of =
        arena_array(arena, (size_t)count + 1, sizeof(*first_of)); /* by id, from 1 */
    struct strings known = {0};
    size_t size = 0;

    if (choice->is_none)
        return NULL;
    for (uint32_t i = 0; i < choice->directories.count; i++)
        directories[i] = choice->directories.list[i].text;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *first = &first_of[strings_intern(&known, paths[i])];

        if (*first == 0) {
            *first = i + 1;
            if (size < SOURCES_MAX && code_text_find(&sources[i], paths[i], &places, arena))
                size += sources[i].size;
        }
        sources[i] = sources[*first - 1];
    }
    strings_free(&known);
    return sources;
}

struct code_text *sources_of_lines(const struct lines *lines, const struct graph *graph,
                                   const struct source_choice *choice, struct arena *arena)
{
    struct span *paths = arena_array(arena, (size_t)lines->count + 1, sizeof(*paths));

    for (uint32_t i = 0; i < lines->count; i++)
        paths[i] = graph_text(graph, graph_frame(graph, lines->functions[i].frame)->file);
    return sources_read(paths, lines->count, choice, arena);
}

void sources_tell(const struct code_text *sources, uint32_t count, bool is_quiet,
                  struct arena *arena, struct report *report)
{
    struct strings told = {0};
    char *all;
    size_t size, told_count = 0;
    FILE *out = memory_stream_open(&all, &size);

    for (uint32_t i = 0; sources && i < count; i++) {
        size_t known = told.count;

        if (sources[i].path)
            strings_intern(&told, span_of(sources[i].path));
        if (told.count == known)
            continue;
        fprintf(out, "%s%s", told_count++ ? ", " : "this page holds text of ", sources[i].path);
        if (!is_quiet)
            message_note("the page holds text of %s", sources[i].path);
    }
    memory_stream_close(out, &all);
    strings_free(&told);
    if (told_count)
        report_after(report, arena_copy(arena, (struct span){all, size}));
    free(all);
}
