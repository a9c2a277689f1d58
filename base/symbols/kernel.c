/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.c — where the names of a kernel's functions are, by build id: tables like /proc/kallsyms, vmlinux */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io/io.h"
#include "base/symbols/symbols.h"

enum { PATH_ROOM = 4096, NOTES_ROOM = 4096, NOTE_BUILD_ID = 3 };

/* ---- the kernel that runs here ---- */

static uint32_t aligned(uint32_t size)
{
    return (size + 3) & ~UINT32_C(3);
}

/* Its build id is one of the notes, each {size of the owner's name, size, type, name, bytes}, in this
 * machine's byte order. */
static bool is_running(struct span build_id)
{
    unsigned char notes[NOTES_ROOM];
    FILE *file = fopen("/sys/kernel/notes", "rb");
    size_t size = file ? fread(notes, 1, sizeof(notes), file) : 0;

    if (file)
        fclose(file);
    for (size_t at = 0; at + 12 <= size;) {
        uint32_t head[3];
        size_t name = at + 12, bytes, end;

        memcpy(head, notes + at, sizeof(head));
        bytes = name + aligned(head[0]);
        end = bytes + head[1];
        if (head[0] > size || head[1] > size || end > size)
            return false;
        if (head[2] == NOTE_BUILD_ID && head[0] == 4 && memcmp(notes + name, "GNU", 4) == 0) {
            char text[2 * NOTES_ROOM + 1];

            for (size_t i = 0; i < head[1]; i++)
                snprintf(text + 2 * i, 3, "%02x", notes[bytes + i]);
            return span_eq(build_id, (struct span){text, 2 * (size_t)head[1]});
        }
        at = bytes + aligned(head[1]);
    }
    return false;
}

/* ---- files ---- */

static bool try_table(char *path, const char *folder, const char *end)
{
    int len = snprintf(path, PATH_ROOM, "%s%s", folder, end);

    return len > 0 && len < PATH_ROOM && access(path, R_OK) == 0;
}

/* In perf's cache of binaries: FOLDER/.build-id/ab/cdef/kallsyms, FOLDER/[kernel.kallsyms]/abcdef/kallsyms */
static bool try_cache(char *path, const char *folder, struct span id)
{
    char end[PATH_ROOM];

    snprintf(end, sizeof(end), "/.build-id/%.2s/%.*s/kallsyms", id.at, (int)id.len - 2, id.at + 2);
    if (try_table(path, folder, end))
        return true;
    snprintf(end, sizeof(end), "/[kernel.kallsyms]/%.*s/kallsyms", (int)id.len, id.at);
    return try_table(path, folder, end);
}

const char *symbols_kernel_table(struct symbols *symbols, struct span build_id)
{
    const char *home = getenv("HOME");
    bool has_id = build_id.len > 2 && build_id.len <= 256, is_found = false;
    char path[PATH_ROOM], folder[PATH_ROOM];

    for (size_t i = 0; !is_found && i < symbols->folders.count; i++) {
        snprintf(folder, sizeof(folder), "%.*s", (int)symbols->folders.list[i].len,
                 symbols->folders.list[i].at);
        is_found =
            (has_id && try_cache(path, folder, build_id)) || try_table(path, folder, "/kallsyms");
    }
    if (!is_found && has_id && home) {
        snprintf(folder, sizeof(folder), "%s/.debug", home);
        is_found = try_cache(path, folder, build_id);
    }
    if (!is_found && has_id && is_running(build_id))
        is_found = try_table(path, "/proc", "/kallsyms");
    return is_found ? arena_copy(&symbols->arena, span_of(path)) : NULL;
}

/* ---- vmlinux ---- */

/* A file that exists, if it has the build id. */
static struct symbol_binary *try_vmlinux(struct symbols *symbols, struct span build_id,
                                         const char *path)
{
    struct symbol_binary *binary =
        access(path, R_OK) == 0 ? symbols_binary(symbols, span_of(path), build_id) : NULL;

    return binary && binary->found ? binary : NULL;
}

/* Below a folder, as perf and distributions order such files. */
static struct symbol_binary *try_in_folder(struct symbols *symbols, struct span id,
                                           struct span release, struct span folder)
{
    static const char *const by_id[] = {".debug", "/vmlinux", "/elf"};
    static const struct {
        const char *before, *after;
    } by_release[] = {{"vmlinux-", ""},
                      {"boot/vmlinux-", ""},
                      {"lib/modules/", "/vmlinux"},
                      {"lib/modules/", "/build/vmlinux"}};
    struct symbol_binary *binary = NULL;
    char path[PATH_ROOM];

    for (size_t i = 0; !binary && i < COUNT_OF(by_id); i++) {
        snprintf(path, sizeof(path), "%.*s/.build-id/%.2s/%.*s%s", (int)folder.len, folder.at,
                 id.at, (int)id.len - 2, id.at + 2, by_id[i]);
        binary = try_vmlinux(symbols, id, path);
    }
    for (size_t i = 0; !binary && release.len && i < COUNT_OF(by_release); i++) {
        snprintf(path, sizeof(path), "%.*s/%s%.*s%s", (int)folder.len, folder.at,
                 by_release[i].before, (int)release.len, release.at, by_release[i].after);
        binary = try_vmlinux(symbols, id, path);
    }
    if (!binary) {
        snprintf(path, sizeof(path), "%.*s/vmlinux", (int)folder.len, folder.at);
        binary = try_vmlinux(symbols, id, path);
    }
    return binary;
}

struct symbol_binary *symbols_kernel_binary(struct symbols *symbols, struct span build_id,
                                            struct span release)
{
    static const char *const systems[] = {"/usr/lib/debug", ""};
    const char *home = getenv("HOME");
    struct symbol_binary *binary = NULL;
    char folder[PATH_ROOM];

    if (build_id.len <= 2 || build_id.len > 256)
        return NULL;
    if (release.len > 128 || span_find(release, SPAN("/")) != SIZE_MAX)
        release.len = 0;
    for (size_t i = 0; !binary && i < symbols->folders.count; i++)
        binary = try_in_folder(symbols, build_id, release, symbols->folders.list[i]);
    if (!binary && home && snprintf(folder, sizeof(folder), "%s/.debug", home) < PATH_ROOM)
        binary = try_in_folder(symbols, build_id, (struct span){0}, span_of(folder));
    for (size_t i = 0; !binary && i < COUNT_OF(systems); i++)
        binary = try_in_folder(symbols, build_id, release, span_of(systems[i]));
    return binary;
}
