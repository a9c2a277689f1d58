/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/shared/load.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory/vector.h"

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

static bool is_directory(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* Regular files and directories: a pipe or a device could keep us for ever. A symbolic link to a
 * directory could lead back: it is passed over. */
static bool is_wanted(const char *path)
{
    struct stat link, file;

    return lstat(path, &link) == 0 && stat(path, &file) == 0 &&
           (S_ISREG(file.st_mode) || S_ISDIR(link.st_mode));
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Puts what is in a directory where the directory stood in the list. */
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

        if (entry->d_name[0] != '.' && is_wanted(whole))
            add_file(files, whole, true);
    }
    closedir(directory);
    qsort(files->list + first, files->count - first, sizeof(*files->list), by_name);
    files->list[at] = NULL;
    return true;
}

static void drop_directories(struct files *files)
{
    size_t kept = 0;

    for (size_t i = 0; i < files->count; i++)
        if (files->list[i]) {
            files->is_found[kept] = files->is_found[i];
            files->list[kept++] = files->list[i];
        }
    files->count = kept;
}

bool files_expand(struct files *files, char **operands, size_t count, struct error *err)
{
    *files = (struct files){0};
    for (size_t i = 0; i < count; i++)
        add_file(files, operands[i], false);
    for (size_t i = 0; i < files->count; i++)
        if (is_directory(files->list[i]) && !replace_directory(files, i, err))
            return false;
    drop_directories(files);
    return true;
}

void files_free(struct files *files)
{
    free(files->list);
    free(files->is_found);
    arena_free(&files->arena);
}
