/* SPDX-License-Identifier: Apache-2.0 */
/* Which binary an address is in, where on this machine that binary is, and whether it is the
 * right one. */
#include "base/symbols/symbols.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/checked.h"
#include "base/io/io.h"
#include "base/memory/memory.h"
#include "base/symbols/unwind.h"

void code_map_add(struct code_map *map, uint64_t low, uint64_t high, uint64_t item, uint32_t depth)
{
    if (low >= high || map->count == CODE_NONE)
        return;
    vector_add(map, (struct code_range){low, high, item, depth, CODE_NONE});
}

/* Outer ranges come before those inside. */
static bool is_before(const void *context, uint32_t a, uint32_t b)
{
    const struct code_range *list = context, *x = &list[a], *y = &list[b];

    if (x->low != y->low)
        return x->low < y->low;
    if (x->high != y->high)
        return x->high > y->high;
    return x->depth < y->depth;
}

void code_map_seal(struct code_map *map)
{
    struct code_range *sorted = grow_to(NULL, (size_t)map->count + 1, sizeof(*sorted));
    uint32_t *order = grow_to(NULL, (size_t)map->count + 1, sizeof(*order));

    for (uint32_t i = 0; i < map->count; i++)
        order[i] = i;
    sort_stable(order, map->count, is_before, map->list);
    for (uint32_t i = 0; i < map->count; i++) {
        uint32_t outer = i ? i - 1 : CODE_NONE;

        sorted[i] = map->list[order[i]];
        while (outer != CODE_NONE && sorted[outer].high <= sorted[i].low)
            outer = sorted[outer].outer;
        sorted[i].outer = outer;
    }
    free(order);
    free(map->list);
    map->list = sorted;
}

uint32_t code_map_find(const struct code_map *map, uint64_t address)
{
    SEARCH(uint32_t, past, map->count, map->list[past].low <= address);
    uint32_t at = past ? past - 1 : CODE_NONE;

    while (at != CODE_NONE && map->list[at].high <= address)
        at = map->list[at].outer;
    return at;
}

void code_map_free(struct code_map *map)
{
    free(map->list);
    *map = (struct code_map){0};
}

enum { PATH_ROOM = 4096 };

struct symbols *symbols_new(void)
{
    return grow_zeroed(1, sizeof(struct symbols));
}

void symbols_add_folders(struct symbols *symbols, const char *folders)
{
    struct span rest = span_of(folders ? folders : "");

    while (rest.len) {
        struct span folder = span_split(&rest, ':');

        if (folder.len == 0)
            continue;
        vector_add(&symbols->folders, folder);
    }
}

static bool is_file(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

/* False when there is no such file; when it is not the right one `trouble` says so. */
static bool try_path(struct symbols *symbols, struct symbol_binary *binary, const char *path,
                     struct span build_id)
{
    if (!is_file(path) || !symbol_library_open(symbols, binary, path, build_id))
        return false;
    binary->found = arena_copy(&symbols->arena, span_of(path));
    binary->trouble = NULL;
    return true;
}

/* FOLDER/.build-id/ab/cdef.debug, FOLDER/abcdef/prog, FOLDER/usr/bin/prog, FOLDER/prog */
static bool try_folder(struct symbols *symbols, struct symbol_binary *binary, struct span folder,
                       struct span id)
{
    struct span path = binary->path;
    struct span base = span_file_name(path);
    char room[PATH_ROOM];

    if (id.len > 2) {
        snprintf(room, sizeof(room), "%.*s/.build-id/%.2s/%.*s.debug", (int)folder.len, folder.at,
                 id.at, (int)id.len - 2, id.at + 2);
        if (try_path(symbols, binary, room, id))
            return true;
        snprintf(room, sizeof(room), "%.*s/%.*s/%.*s", (int)folder.len, folder.at, (int)id.len,
                 id.at, (int)base.len, base.at);
        if (try_path(symbols, binary, room, id))
            return true;
    }
    snprintf(room, sizeof(room), "%.*s/%.*s", (int)folder.len, folder.at, (int)path.len, path.at);
    if (span_find(path, SPAN("../")) == SIZE_MAX && try_path(symbols, binary, room, id))
        return true;
    snprintf(room, sizeof(room), "%.*s/%.*s", (int)folder.len, folder.at, (int)base.len, base.at);
    return try_path(symbols, binary, room, id);
}

/* What everybody has, and the user's own. */
static bool is_readable(const char *path)
{
    static const char *const systems[] = {"/usr", "/lib", "/lib64", "/bin", "/sbin", "/opt"};
    bool is_in = path_is_local(path);

    for (size_t i = 0; !is_in && i < COUNT_OF(systems); i++)
        is_in = path_is_below(path, systems[i]);
    return is_in;
}

static void find_file(struct symbols *symbols, struct symbol_binary *binary, struct span build_id)
{
    char room[PATH_ROOM];

    if (binary->path.len == 0 || binary->path.len >= sizeof(room) || build_id.len > 256) {
        binary->trouble = "it has no path";
        return;
    }
    binary->trouble = "no such file";
    for (size_t i = 0; i < symbols->folders.count; i++)
        if (try_folder(symbols, binary, symbols->folders.list[i], build_id))
            return;
    snprintf(room, sizeof(room), "%.*s", (int)binary->path.len, binary->path.at);
    if (room[0] != '/' || !is_file(room))
        return;
    if (build_id.len || is_readable(room)) /* who knows the id has seen the file */
        try_path(symbols, binary, room, build_id);
    else
        binary->trouble = "it is outside the working directory; --binary-path DIR allows a folder";
}

struct symbol_binary *symbols_binary(struct symbols *symbols, struct span path,
                                     struct span build_id)
{
    struct symbol_binary *binary;
    uint32_t *known = idmap_at(&symbols->binary_of, strings_intern(&symbols->paths, path));

    if (*known != IDMAP_NONE)
        return symbols->binaries.list[*known];
    *known = (uint32_t)symbols->binaries.count;
    binary = arena_alloc(&symbols->arena, sizeof(*binary));
    *binary = (struct symbol_binary){.path = {arena_copy(&symbols->arena, path), path.len}};
    vector_add(&symbols->binaries, binary);
    find_file(symbols, binary, build_id);
    binary->is_trusted = binary->found && build_id.len == 0;
    return binary;
}

bool symbols_file_address(struct symbol_binary *binary, const struct symbol_map *map,
                          uint64_t address, uint64_t *found)
{
    if (!binary->found)
        return false;
    if (!binary->is_trusted || symbol_library_fits(binary, map))
        return symbol_library_address(binary, address - map->start + map->offset, found);
    binary->trouble =
        "the file is another than the one that ran: its code has another place or size";
    return false;
}

bool symbols_function(struct symbols *symbols, const struct symbol_binary *binary, uint64_t address,
                      struct symbol_function *function)
{
    return binary->found && symbol_library_function(symbols, binary, address, function);
}

bool symbols_named(const struct symbol_binary *binary, struct span name, uint64_t *address)
{
    return binary->found && symbol_library_named(binary, name, address);
}

uint32_t symbols_find(struct symbols *symbols, struct symbol_binary *binary,
                      const struct symbol_map *map, uint64_t address, struct symbol_place *places,
                      uint32_t room)
{
    uint32_t count = 0;
    uint64_t at;

    if (symbols_file_address(binary, map, address, &at))
        count = symbol_library_find(symbols, binary, at, places, room);
    binary->asked++;
    binary->named += count != 0;
    return count;
}

uint32_t symbols_find_in_image(struct symbols *symbols, struct symbol_binary *binary,
                               uint64_t address, struct symbol_place *places, uint32_t room)
{
    uint32_t count = 0;
    uint64_t at;

    if (binary->found && binary->is_trusted)
        binary->trouble = "no build id proves that it is the file that ran";
    else if (binary->found && symbol_library_image_address(binary, address, &at))
        count = symbol_library_find(symbols, binary, at, places, room);
    binary->asked++;
    binary->named += count != 0;
    return count;
}

uint32_t symbols_binary_count(const struct symbols *symbols)
{
    return (uint32_t)symbols->binaries.count;
}

const struct symbol_binary *symbols_binary_at(const struct symbols *symbols, uint32_t at)
{
    return symbols->binaries.list[at];
}

void symbols_free(struct symbols *symbols)
{
    if (!symbols)
        return;
    symbol_library_end(symbols);
    for (size_t i = 0; i < symbols->binaries.count; i++)
        frame_rules_free(symbols->binaries.list[i]->frames);
    arena_free(&symbols->arena);
    free(symbols->folders.list);
    free(symbols->binaries.list);
    strings_free(&symbols->paths);
    idmap_free(&symbols->binary_of);
    free(symbols);
}
