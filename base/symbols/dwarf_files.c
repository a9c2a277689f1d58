/* SPDX-License-Identifier: Apache-2.0 */
#include "base/symbols/dwarf_files.h"
#include "base/symbols/libdw.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/symbols/symbol_list.h"

enum { PATH_ROOM = 4096, ID_MAX = 64 };

struct search {
    const unsigned char *id; /* the binary's */
    int id_len;
    char **found;
};

static bool has_id(int fd, const struct search *search)
{
    Elf *elf = libdw()->elf_begin(fd, ELF_C_READ_MMAP, NULL);
    const void *bits = NULL;
    ssize_t len = elf ? libdw()->dwelf_elf_gnu_build_id(elf, &bits) : 0;
    bool is_same = len == search->id_len && memcmp(bits, search->id, (size_t)len) == 0;

    libdw()->elf_end(elf);
    return is_same;
}

/* The open file, or -1. */
static int try_file(struct search *search, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return -1;
    if (!has_id(fd, search)) {
        close(fd);
        return -1;
    }
    *search->found = strdup(path); /* libdwfl frees it */
    return fd;
}

static int try_id(struct search *search, struct span folder)
{
    char path[PATH_ROOM];
    int len = snprintf(path, sizeof(path), "%.*s/.build-id/%02x/", (int)folder.len, folder.at,
                       search->id[0]);

    if (len < 0 || len + 2 * ID_MAX + 8 > PATH_ROOM)
        return -1;
    for (int i = 1; i < search->id_len; i++)
        len += snprintf(path + len, 3, "%02x", search->id[i]);
    snprintf(path + len, 8, ".debug");
    return try_file(search, path);
}

static int try_link(struct search *search, struct span folder, const char *below, const char *link)
{
    char path[PATH_ROOM];

    if (strchr(link, '/') || (size_t)snprintf(path, sizeof(path), "%.*s%s/%s", (int)folder.len,
                                              folder.at, below, link) >= sizeof(path))
        return -1;
    return try_file(search, path);
}

static int try_links(struct search *search, const struct symbols *symbols, const char *binary,
                     const char *link)
{
    struct span path = span_of(binary);
    size_t slash = span_rfind(path, '/');
    struct span folder = slash == SIZE_MAX ? SPAN(".") : (struct span){path.at, slash};
    int fd = try_link(search, folder, "", link);

    if (fd < 0)
        fd = try_link(search, folder, "/.debug", link);
    for (size_t i = 0; fd < 0 && i < symbols->folder_count; i++)
        fd = try_link(search, symbols->folders[i], "", link);
    return fd;
}

int dwarf_files_find(Dwfl_Module *module, void **user_data, const char *name, Dwarf_Addr base,
                     const char *path, const char *link, GElf_Word link_sum, char **found)
{
    const struct symbols *symbols = *user_data;
    struct search search = {.found = found};
    GElf_Addr address;
    int fd = -1;

    search.id_len = libdw()->dwfl_module_build_id(module, &search.id, &address);
    if (search.id_len <= 0 || search.id_len > ID_MAX)
        return -1;
    for (size_t i = 0; fd < 0 && i < symbols->folder_count; i++)
        fd = try_id(&search, symbols->folders[i]);
    if (fd < 0)
        fd = libdw()->dwfl_build_id_find_debuginfo(module, user_data, name, base, path, link,
                                                   link_sum, found);
    if (fd < 0 && link && path)
        fd = try_links(&search, symbols, path, link);
    return fd;
}
