/* SPDX-License-Identifier: Apache-2.0 */
/* The functions around an address of a binary, inlined ones too, from its DWARF, and the file
 * that holds it. */
#include "base/symbols/elfutils.h"

#include <dwarf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory/memory.h"

/* ---- the functions of elfutils that we call, loaded when first needed ---- */

LIBRARY(libdw, LIBDW)

/* ---- debug information that lies beside a binary, in a file of its own ---- */

enum { PATH_ROOM = 4096, ID_MAX = 64 };

struct debug_file_search {
    const unsigned char *id; /* the binary's */
    int id_len;
    char **found;
};

/* The open file, or -1 where it is none of the binary's. */
static int try_file(struct debug_file_search *search, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    const void *bits = NULL;
    Elf *elf;
    ssize_t len;

    if (fd < 0)
        return -1;
    elf = libdw()->elf_begin(fd, ELF_C_READ_MMAP, NULL);
    len = elf ? libdw()->dwelf_elf_gnu_build_id(elf, &bits) : 0;
    if (len == search->id_len && memcmp(bits, search->id, (size_t)len) == 0) {
        *search->found = strdup(path); /* libdwfl frees it */
    } else {
        close(fd);
        fd = -1;
    }
    libdw()->elf_end(elf);
    return fd;
}

static int try_id(struct debug_file_search *search, struct span folder)
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

static int try_link(struct debug_file_search *search, struct span folder, const char *below,
                    const char *link)
{
    char path[PATH_ROOM];

    if (strchr(link, '/') || (size_t)snprintf(path, sizeof(path), "%.*s%s/%s", (int)folder.len,
                                              folder.at, below, link) >= sizeof(path))
        return -1;
    return try_file(search, path);
}

static int try_links(struct debug_file_search *search, const struct symbols *symbols,
                     const char *binary, const char *link)
{
    struct span path = span_of(binary);
    size_t slash = span_rfind(path, '/');
    struct span folder = slash == SIZE_MAX ? SPAN(".") : (struct span){path.at, slash};
    int fd = try_link(search, folder, "", link);

    if (fd < 0)
        fd = try_link(search, folder, "/.debug", link);
    for (size_t i = 0; fd < 0 && i < symbols->folders.count; i++)
        fd = try_link(search, symbols->folders.list[i], "", link);
    return fd;
}

int dwarf_files_find(Dwfl_Module *module, void **user_data, const char *name, Dwarf_Addr base,
                     const char *path, const char *link, GElf_Word link_sum, char **found)
{
    const struct symbols *symbols = *user_data;
    struct debug_file_search search = {.found = found};
    GElf_Addr address;
    int fd = -1;

    search.id_len = libdw()->dwfl_module_build_id(module, &search.id, &address);
    if (search.id_len <= 0 || search.id_len > ID_MAX)
        return -1;
    for (size_t i = 0; fd < 0 && i < symbols->folders.count; i++)
        fd = try_id(&search, symbols->folders.list[i]);
    if (fd < 0)
        fd = libdw()->dwfl_build_id_find_debuginfo(module, user_data, name, base, path, link,
                                                   link_sum, found);
    if (fd < 0 && link && path)
        fd = try_links(&search, symbols, path, link);
    return fd;
}

/* ---- the functions around an address, from a binary's DWARF ---- */

enum { DEPTH_MAX = 128 }; /* more scopes in one another than compilers make */

struct dwarf_unit {
    Dwarf_Die die;
    struct code_map functions; /* items: offsets of their DIEs */
    bool is_read;
};

struct dwarf_units {
    Dwarf *dwarf;
    VECTOR(struct dwarf_unit);
    struct code_map map;  /* items: places in the list */
    uint64_t pieces_left; /* that entries may have besides the first of each */
    bool is_cut;
};

/* The bytes of the longer of both kinds of lists. A piece takes three and more, so entries that share no
 * list have fewer pieces than that. */
static uint64_t range_bytes(Dwarf *dwarf)
{
    Elf *elf = libdw()->dwarf_getelf(dwarf);
    Elf_Scn *section = NULL;
    GElf_Shdr header;
    uint64_t bytes = 0;
    size_t names;

    if (!elf || libdw()->elf_getshdrstrndx(elf, &names) != 0)
        return 0;
    while ((section = libdw()->elf_nextscn(elf, section))) {
        const char *name = libdw()->gelf_getshdr(section, &header)
                               ? libdw()->elf_strptr(elf, names, header.sh_name)
                               : NULL;
        const Elf_Data *data =
            name && (strstr(name, "debug_ranges") || strstr(name, "debug_rnglists"))
                ? libdw()->elf_getdata(section, NULL)
                : NULL;

        if (data && data->d_buf && data->d_size > bytes)
            bytes = data->d_size;
    }
    return bytes;
}

static void add_code(struct dwarf_units *units, struct code_map *map, Dwarf_Die *die, uint64_t item,
                     uint32_t depth)
{
    Dwarf_Addr base, low, high;
    ptrdiff_t next = libdw()->dwarf_ranges(die, 0, &base, &low, &high);

    while (next > 0) {
        code_map_add(map, low, high, item, depth);
        next = libdw()->dwarf_ranges(die, next, &base, &low, &high);
        if (next > 0 && units->pieces_left-- == 0) {
            units->pieces_left = 0;
            units->is_cut = true;
            return;
        }
    }
}

/* ---- the units of a binary ---- */

struct dwarf_units *dwarf_units_new(Dwarf *dwarf)
{
    struct dwarf_units *units = grow_zeroed(1, sizeof(*units));
    Dwarf_Off at = 0, next;
    size_t head;

    units->dwarf = dwarf;
    units->pieces_left = range_bytes(dwarf);
    while (libdw()->dwarf_nextcu(dwarf, at, &next, &head, NULL, NULL, NULL) == 0 && next > at) {
        struct dwarf_unit unit = {.is_read = false};

        if (libdw()->dwarf_offdie(dwarf, at + head, &unit.die)) {
            add_code(units, &units->map, &unit.die, units->count, 0);
            vector_add(units, unit);
        }
        at = next;
    }
    code_map_seal(&units->map);
    return units;
}

static struct dwarf_unit *unit_at(struct dwarf_units *units, Dwarf_Addr address)
{
    uint32_t at = code_map_find(&units->map, address);

    return at == CODE_NONE ? NULL : &units->list[units->map.list[at].item];
}

/* ---- the functions of a unit ---- */

/* Depth first. What is not further on in the file than all before is a loop that a hostile one
 * made. */
static void read_functions(struct dwarf_units *units, struct dwarf_unit *unit)
{
    Dwarf_Die open[DEPTH_MAX];
    Dwarf_Off last = libdw()->dwarf_dieoffset(&unit->die);
    uint32_t depth = libdw()->dwarf_child(&unit->die, &open[0]) == 0 ? 1 : 0;

    while (depth) {
        Dwarf_Die *die = &open[depth - 1];
        Dwarf_Off at = libdw()->dwarf_dieoffset(die);
        int tag = libdw()->dwarf_tag(die);

        if (at <= last)
            break;
        last = at;
        if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine)
            add_code(units, &unit->functions, die, at, depth);
        if (depth < DEPTH_MAX && libdw()->dwarf_child(die, &open[depth]) == 0) {
            depth++;
            continue;
        }
        while (depth && libdw()->dwarf_siblingof(&open[depth - 1], &open[depth - 1]) != 0)
            depth--;
    }
    code_map_seal(&unit->functions);
    unit->is_read = true;
}

bool dwarf_units_unit(struct dwarf_units *units, Dwarf_Addr address, Dwarf_Die *unit)
{
    struct dwarf_unit *found = unit_at(units, address);

    if (found)
        *unit = found->die;
    return found != NULL;
}

uint32_t dwarf_units_find(struct dwarf_units *units, Dwarf_Addr address, Dwarf_Die *functions,
                          uint32_t room)
{
    struct dwarf_unit *found = unit_at(units, address);
    uint32_t count = 0;

    if (!found)
        return 0;
    if (!found->is_read)
        read_functions(units, found);
    for (uint32_t at = code_map_find(&found->functions, address); at != CODE_NONE && count < room;
         at = found->functions.list[at].outer) {
        if (!libdw()->dwarf_offdie(units->dwarf, found->functions.list[at].item, &functions[count]))
            break;
        if (libdw()->dwarf_tag(&functions[count++]) == DW_TAG_subprogram)
            break;
    }
    return count;
}

bool dwarf_units_are_cut(const struct dwarf_units *units)
{
    return units->is_cut;
}

void dwarf_units_free(struct dwarf_units *units)
{
    if (!units)
        return;
    for (size_t i = 0; i < units->count; i++)
        code_map_free(&units->list[i].functions);
    code_map_free(&units->map);
    free(units->list);
    free(units);
}
