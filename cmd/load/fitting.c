/* SPDX-License-Identifier: Apache-2.0 */
/* Where the user names no command, or no file: what fits the file, and which profiles are there. */
#include "cmd/load/fitting.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/io/io.h"
#include "base/memory/memory.h"
#include "cmd/help/command.h"
#include "cmd/load/files.h"
#include "cmd/options/common_options.h"
#include "parsers/foreign.h"
#include "parsers/parser.h"

/* Formats whose level does not say what people want of them: samples over time are a list of functions. */
static const struct {
    const char *format, *command;
} fitting[] = {
    {"cpuprofile", "hotspots"},
    {"speedscope", "hotspots"},
    {"firefox", "hotspots"},
    {"torch-memory", "advise"},
    {"part", "job"},
    {"flight-recorder", "job"},
    {"nccl-inspector", "job"},
    {"time", "bound"},
};

/* A text that merely could be a profile: two words and a number at the end of each line. */
static bool is_doubtful(const struct parser *parser, struct input *in)
{
    struct span head = input_peek(in, 4096);

    for (size_t i = 0; i < head.len; i++)
        if ((unsigned char)head.at[i] < '\t')
            return false;
    return parser->sniff(head, head.len < 4096) == SNIFF_MAYBE;
}

static const struct parser *format_of(const char *path, bool *may_be_other, struct error *err)
{
    const struct input_options options = {0};
    const struct parser *parser = NULL;
    struct input in;

    if (input_open(&in, path, &options, err)) {
        parser = parser_sniff(&in, err);
        *may_be_other = parser && is_doubtful(parser, &in);
        input_close(&in);
    }
    if (!parser)
        error_file(err, path);
    return parser;
}

const struct command *command_for_file(const char *path, struct error *err)
{
    const struct parser *parser;
    struct stat info;
    bool may_be_other;

    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
        if (foreign_refuse_folder(path, err))
            return command_find("job");
        error_file(err, path);
        return NULL;
    }
    if (strcmp(path, "-") == 0 || (stat(path, &info) == 0 && !S_ISREG(info.st_mode)))
        return command_find("hotspots"); /* a pipe can be read but once */
    parser = format_of(path, &may_be_other, err);
    if (!parser)
        return NULL;
    for (size_t i = 0; i < COUNT_OF(fitting); i++)
        if (strcmp(fitting[i].format, parser->name) == 0)
            return command_find(fitting[i].command);
    return command_find(parser->level == LEVEL_TIMELINE ? "advise" : "hotspots");
}

/* ---- what lies in the working directory ---- */

enum { LOOKED_AT_MAX = 200, NAMED_MAX = 4 };

struct found_file {
    const char *name;
    struct timespec changed;
};

struct found_files {
    VECTOR(struct found_file);
    struct arena arena;
};

static int newest_first(const void *a, const void *b)
{
    const struct found_file *x = a, *y = b;

    if (x->changed.tv_sec != y->changed.tv_sec)
        return x->changed.tv_sec < y->changed.tv_sec ? 1 : -1;
    if (x->changed.tv_nsec != y->changed.tv_nsec)
        return x->changed.tv_nsec < y->changed.tv_nsec ? 1 : -1;
    return strcmp(x->name, y->name);
}

/* Regular files that are not hidden, the newest first. */
static void list_files(struct found_files *files)
{
    DIR *directory = opendir(".");
    struct dirent *entry;

    while (directory && (entry = readdir(directory))) {
        struct stat info;

        if (entry->d_name[0] == '.' || stat(entry->d_name, &info) != 0 || !S_ISREG(info.st_mode))
            continue;
        vector_reserve(files);
        files->list[files->count++] =
            (struct found_file){arena_copy(&files->arena, span_of(entry->d_name)), info.st_mtim};
    }
    if (directory)
        closedir(directory);
    if (files->count)
        qsort(files->list, files->count, sizeof(*files->list), newest_first);
}

bool hint_profiles_here(struct error *err)
{
    struct found_files files = {0};
    char names[160] = "";
    size_t profiles = 0, named = 0;

    list_files(&files);
    for (size_t i = 0; i < files.count && i < LOOKED_AT_MAX; i++) {
        struct error none = {0};
        size_t used = strlen(names);
        const char *name = files.list[i].name;
        bool may_be_other;

        if (!format_of(name, &may_be_other, &none) || may_be_other)
            continue;
        profiles++;
        if (named == NAMED_MAX || used + strlen(name) + 3 > sizeof(names))
            continue;
        snprintf(names + used, sizeof(names) - used, "%s%s", used ? ", " : "", name);
        named++;
    }
    arena_free(&files.arena);
    free(files.list);
    if (named == 0)
        return error_hint(err, "'ptk guide recording' says how to record a profile");
    if (profiles > named)
        return error_hint(err, "this folder has %s and %zu more", names, profiles - named);
    return error_hint(err, "this folder has %s", names);
}
