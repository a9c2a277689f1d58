/* SPDX-License-Identifier: Apache-2.0 */
/* symbols_libdw.c — symbols out of ELF files and their DWARF, through elfutils */
#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/symbols/elfutils.h"

/* What of a file is loaded into memory, and where to: a PT_LOAD header. */
struct binary_segment {
    uint64_t offset, address, size;
    bool is_code;
};

/* One binary. */
struct opened {
    struct symbol_binary *binary;
    Dwfl_Module *module;
    struct binary_segment *segments;
    size_t segment_count;
    GElf_Addr main_bias;        /* the module's addresses less those of the segments */
    struct dwarf_units *units;  /* NULL: it has no DWARF */
    struct symbol_table *table; /* NULL: not read yet */
    Dwarf_Addr bias;            /* the module's addresses less those in the DWARF */
};

static int find_elf(Dwfl_Module *module, void **user_data, const char *name, Dwarf_Addr base,
                    char **found, Elf **elf)
{
    return libdw()->dwfl_build_id_find_elf(module, user_data, name, base, found, elf);
}

static int section_address(Dwfl_Module *module, void **user_data, const char *name, Dwarf_Addr base,
                           const char *section, GElf_Word index, const GElf_Shdr *header,
                           Dwarf_Addr *address)
{
    return libdw()->dwfl_offline_section_address(module, user_data, name, base, section, index,
                                                 header, address);
}

static const Dwfl_Callbacks callbacks = {
    .find_elf = find_elf,
    .find_debuginfo = dwarf_files_find,
    .section_address = section_address,
};

/* ---- opening ---- */

static bool has_build_id(Dwfl_Module *module, struct span wanted)
{
    const unsigned char *bits;
    GElf_Addr address;
    int len = libdw()->dwfl_module_build_id(module, &bits, &address);
    char text[3];

    if (wanted.len == 0)
        return true;
    if (len <= 0 || wanted.len != (size_t)len * 2)
        return false;
    for (int i = 0; i < len; i++) {
        snprintf(text, sizeof(text), "%02x", bits[i]);
        if (memcmp(wanted.at + (size_t)i * 2, text, 2) != 0)
            return false;
    }
    return true;
}

/* False where none is of code: files of debug information alone have the headers, but not where they
 * were. */
static bool read_segments(struct opened *opened, struct arena *arena)
{
    Elf *elf = libdw()->dwfl_module_getelf(opened->module, &opened->main_bias);
    bool has_code = false;
    GElf_Phdr header;
    size_t count;

    if (!elf || libdw()->elf_getphdrnum(elf, &count) != 0)
        return false;
    opened->segments = arena_array(arena, count, sizeof(*opened->segments));
    for (size_t i = 0; i < count; i++)
        if (libdw()->gelf_getphdr(elf, (int)i, &header) && header.p_type == PT_LOAD &&
            header.p_filesz) {
            bool is_code = (header.p_flags & PF_X) != 0;

            opened->segments[opened->segment_count++] =
                (struct binary_segment){header.p_offset, header.p_vaddr, header.p_filesz, is_code};
            has_code |= is_code;
        }
    return has_code;
}

static bool has_symbol_table(Dwfl_Module *module)
{
    GElf_Addr bias;
    Elf *elf = libdw()->dwfl_module_getelf(module, &bias);
    Elf_Scn *section = NULL;
    GElf_Shdr header;

    while ((section = libdw()->elf_nextscn(elf, section)))
        if (libdw()->gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB)
            return true;
    return false;
}

bool symbol_library_open(struct symbols *symbols, struct symbol_binary *binary, const char *path,
                         struct span build_id)
{
    struct opened *opened;
    Dwfl_Module *module;
    Dwarf *dwarf;
    GElf_Addr bias;
    void **user_data;

    if (!libdw()) {
        binary->trouble = "libdw cannot be loaded";
        return false;
    }
    if (!symbols->session)
        symbols->session = libdw()->dwfl_begin(&callbacks);
    if (!symbols->session)
        return false;
    libdw()->dwfl_report_begin_add(symbols->session);
    module = libdw()->dwfl_report_offline(symbols->session, path, path, -1);
    libdw()->dwfl_report_end(symbols->session, NULL, NULL);
    if (!module || !libdw()->dwfl_module_getelf(module, &bias)) {
        binary->trouble = "the file is not an ELF binary";
        return false;
    }
    if (!has_build_id(module, build_id)) {
        binary->trouble = "the file has another build id";
        return false;
    }
    opened = arena_alloc(&symbols->arena, sizeof(*opened));
    opened->binary = binary;
    opened->module = module;
    if (!read_segments(opened, &symbols->arena)) {
        binary->trouble = "the file holds debug information alone; the binary is needed, too";
        return false;
    }
    libdw()->dwfl_module_info(module, &user_data, NULL, NULL, NULL, NULL, NULL, NULL);
    *user_data = symbols; /* for dwarf_files_find() */
    dwarf = libdw()->dwfl_module_getdwarf(module, &opened->bias);
    opened->units = dwarf ? dwarf_units_new(dwarf) : NULL;
    binary->module = opened;
    if (!opened->units)
        binary->remark = has_symbol_table(module) ? "without debug information" : "stripped";
    return true;
}

void symbol_library_end(struct symbols *symbols)
{
    for (size_t i = 0; i < symbols->binaries.count; i++) {
        struct opened *opened = symbols->binaries.list[i]->module;

        if (opened) {
            dwarf_units_free(opened->units);
            symbol_table_free(opened->table);
        }
    }
    if (symbols->session)
        libdw()->dwfl_end(symbols->session);
}

Dwfl_Module *opened_module(const struct symbol_binary *binary, uint64_t *address)
{
    const struct opened *opened = binary->module;

    *address += opened->main_bias;
    return opened->module;
}

/* ---- finding ---- */

/* A loader maps whole pages, each segment by itself; writers of profiles join neighbours of which
 * one goes on where the other ends, in the file as in memory. */
static bool fits_pages(const struct opened *opened, const struct symbol_map *map, uint64_t page)
{
    for (size_t first = 0; first < opened->segment_count; first++) {
        const struct binary_segment *begin = &opened->segments[first];

        for (size_t last = first; last < opened->segment_count; last++) {
            const struct binary_segment *end = &opened->segments[last];
            uint64_t low = begin->address & ~(page - 1);
            uint64_t high = (end->address + end->size + page - 1) & ~(page - 1);

            if (end->address - end->offset != begin->address - begin->offset)
                break;
            if ((begin->offset & ~(page - 1)) == map->offset && high - low == map->end - map->start)
                return true;
        }
    }
    return false;
}

bool symbol_library_fits(const struct symbol_binary *binary, const struct symbol_map *map)
{
    for (uint64_t page = 4 << 10; page <= 64 << 10; page *= 4) /* that machine's pages */
        if (fits_pages(binary->module, map, page))
            return true;
    return false;
}

bool symbol_library_address(const struct symbol_binary *binary, uint64_t offset, uint64_t *address)
{
    const struct opened *opened = binary->module;

    for (size_t i = 0; i < opened->segment_count; i++) {
        const struct binary_segment *segment = &opened->segments[i];

        if (segment->is_code && offset >= segment->offset &&
            offset - segment->offset < segment->size) {
            *address = offset - segment->offset + segment->address;
            return true;
        }
    }
    return false;
}

static int64_t number_of(Dwarf_Die *die, unsigned attribute)
{
    Dwarf_Attribute room;
    Dwarf_Word number;

    return libdw()->dwarf_formudata(libdw()->dwarf_attr_integrate(die, attribute, &room),
                                    &number) == 0
               ? (int64_t)number
               : 0;
}

static struct span text_of(const char *text)
{
    return text ? span_of(text) : SPAN("");
}

/* Where an inlined function was called from. */
static void fill_call_site(Dwarf_Die *unit, Dwarf_Die *inlined, struct symbol_place *place)
{
    Dwarf_Files *files;
    size_t count;
    int64_t file = number_of(inlined, DW_AT_call_file);

    place->line = number_of(inlined, DW_AT_call_line);
    if (libdw()->dwarf_getsrcfiles(unit, &files, &count) == 0 && file > 0 && (size_t)file < count)
        place->file = text_of(libdw()->dwarf_filesrc(files, (size_t)file, NULL, NULL));
}

static void fill_function(struct symbols *symbols, Dwarf_Die *die, struct symbol_place *place)
{
    Dwarf_Attribute room;
    Dwarf_Attribute *attr = libdw()->dwarf_attr_integrate(die, DW_AT_linkage_name, &room);
    const char *name = libdw()->dwarf_diename(die), *linkage;

    if (!attr)
        attr = libdw()->dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &room);
    linkage = attr ? libdw()->dwarf_formstring(attr) : NULL;
    /* those that are not mangled are what a library calls its functions inside */
    if (!linkage || strncmp(linkage, "_Z", 2) != 0)
        linkage = name ? name : "";
    place->name = demangle(&symbols->arena, linkage);
    place->start_line = number_of(die, DW_AT_decl_line);
}

/* Names the functions around an address; lines are those that each of them is at. */
static uint32_t find_in_dwarf(struct symbols *symbols, struct opened *opened, Dwarf_Addr address,
                              struct symbol_place *places, uint32_t room)
{
    Dwarf_Die functions[SYMBOL_PLACES_MAX], unit;
    Dwarf_Line *line;
    uint32_t count;
    int number;

    if (!opened->units || !dwarf_units_unit(opened->units, address - opened->bias, &unit))
        return 0;
    address -= opened->bias;
    line = libdw()->dwarf_getsrc_die(&unit, address);
    if (line && libdw()->dwarf_lineno(line, &number) == 0) {
        places[0].file = text_of(libdw()->dwarf_linesrc(line, NULL, NULL));
        places[0].line = number;
    }
    count = dwarf_units_find(opened->units, address, functions,
                             room < SYMBOL_PLACES_MAX ? room : SYMBOL_PLACES_MAX);
    for (uint32_t i = 0; i < count; i++) {
        fill_function(symbols, &functions[i], &places[i]);
        if (i + 1 < count)
            fill_call_site(&unit, &functions[i], &places[i + 1]);
    }
    return count;
}

/* The symbol of code at an address of the module, or NULL. */
static const struct table_symbol *symbol_at(struct opened *opened, Dwarf_Addr address)
{
    const struct table_symbol *symbol;

    if (!opened->table)
        opened->table = symbol_table_new(opened->module);
    symbol = symbol_table_find(opened->table, address);
    return symbol && !symbol->is_object ? symbol : NULL;
}

uint32_t symbol_library_find(struct symbols *symbols, const struct symbol_binary *binary,
                             uint64_t address, struct symbol_place *places, uint32_t room)
{
    struct opened *opened = binary->module;
    const struct table_symbol *symbol;
    uint32_t count;

    if (room == 0)
        return 0;
    memset(places, 0, room * sizeof(*places));
    address += opened->main_bias;
    count = find_in_dwarf(symbols, opened, address, places, room);
    if (opened->units && dwarf_units_are_cut(opened->units))
        opened->binary->remark = "read in part: many of its functions share one list of ranges";
    if (count || !(symbol = symbol_at(opened, address)))
        return count;
    places[0].name = demangle(&symbols->arena, symbol->name);
    return 1;
}

/* ---- code ---- */

/* The segment of code that an address is in, or NULL. */
static const struct binary_segment *segment_at(const struct opened *opened, uint64_t address)
{
    for (size_t i = 0; i < opened->segment_count; i++)
        if (opened->segments[i].is_code && address >= opened->segments[i].address &&
            address - opened->segments[i].address < opened->segments[i].size)
            return &opened->segments[i];
    return NULL;
}

bool symbol_library_image_address(const struct symbol_binary *binary, uint64_t from_begin,
                                  uint64_t *address)
{
    const uint64_t page = 4 << 10;
    const struct opened *opened = binary->module;
    uint64_t begin = UINT64_MAX;

    for (size_t i = 0; i < opened->segment_count; i++)
        if (opened->segments[i].address < begin)
            begin = opened->segments[i].address;
    *address = (begin & ~(page - 1)) + from_begin;
    return segment_at(opened, *address) != NULL;
}

bool symbol_library_function(struct symbols *symbols, const struct symbol_binary *binary,
                             uint64_t address, struct symbol_function *function)
{
    struct opened *opened = binary->module;
    const struct binary_segment *segment = segment_at(opened, address);
    const struct table_symbol *symbol = symbol_at(opened, address + opened->main_bias);
    uint64_t offset = symbol ? address + opened->main_bias - symbol->low : 0;

    if (!segment || !symbol || symbol->low == symbol->high || offset > address - segment->address)
        return false;
    function->name = demangle(&symbols->arena, symbol->name);
    function->low = address - offset;
    function->high = segment->address + segment->size; /* a file may say any size */
    if (symbol->high - symbol->low < function->high - function->low)
        function->high = function->low + (symbol->high - symbol->low);
    return true;
}

bool symbol_library_named(const struct symbol_binary *binary, struct span name, uint64_t *address)
{
    const struct opened *opened = binary->module;
    int count = libdw()->dwfl_module_getsymtab(opened->module);
    GElf_Word section;
    GElf_Sym symbol;
    GElf_Addr at;

    for (int i = 1; i < count; i++) {
        const char *known = libdw()->dwfl_module_getsym_info(opened->module, i, &symbol, &at,
                                                             &section, NULL, NULL);

        if (known && symbol.st_shndx != SHN_UNDEF && span_eq(span_of(known), name)) {
            *address = at - opened->main_bias;
            return true;
        }
    }
    return false;
}

struct symbol_code symbol_library_code(const struct symbol_binary *binary,
                                       const struct symbol_function *function)
{
    const struct opened *opened = binary->module;
    const struct binary_segment *segment = segment_at(opened, function->low);
    struct symbol_code code = {0};
    GElf_Addr bias;
    GElf_Ehdr header;
    Elf *elf = libdw()->dwfl_module_getelf(opened->module, &bias);
    Elf_Data *data;

    if (!segment || !elf || !libdw()->gelf_getehdr(elf, &header))
        return code;
    data = libdw()->elf_getdata_rawchunk(
        elf, (int64_t)(function->low - segment->address + segment->offset),
        function->high - function->low, ELF_T_BYTE);
    if (!data)
        return code;
    return (struct symbol_code){.bytes = data->d_buf,
                                .size = data->d_size,
                                .machine = header.e_machine,
                                .is_64_bit = header.e_ident[EI_CLASS] == ELFCLASS64,
                                .is_big_endian = header.e_ident[EI_DATA] == ELFDATA2MSB};
}
