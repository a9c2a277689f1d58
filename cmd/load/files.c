/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/load/files.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/io/io.h"
#include "base/io/source_text.h"
#include "base/memory/memory.h"
#include "base/memory/span.h"

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

bool is_folder_among(char **operands, size_t count)
{
    struct stat info;

    for (size_t i = 0; i < count; i++)
        if (stat(operands[i], &info) == 0 && S_ISDIR(info.st_mode))
            return true;
    return false;
}

void files_free(struct files *files)
{
    free(files->list);
    free(files->is_found);
    arena_free(&files->arena);
}
