/* SPDX-License-Identifier: Apache-2.0 */
/* symbol_table.c — each address has the symbol that elfutils chooses for it, however symbols lie in one
 * another: binaries whose tables are drawn by lot, and this test's own */
#include <criterion/criterion.h>

#include "base/io/io.h"

#ifdef PTK_LIBDW_SYMBOL
#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

#include "base/symbols/elfutils.h"

enum {
    CODE = 0x1000,
    CODE_SIZE = 0x80, /* of each of the two sections of code */
    SYMBOLS = 40,
    ROUNDS = 300,
};

enum section { SECTION_NONE, SECTION_CODE, SECTION_COLD, SECTION_SYMBOLS, SECTION_NAMES, SECTIONS };

struct image {
    Elf64_Ehdr header;
    Elf64_Phdr segment;
    Elf64_Shdr sections[SECTIONS];
    Elf64_Sym symbols[1 + SYMBOLS];
    char names[1 + 8 * SYMBOLS];
    char code[2 * CODE_SIZE];
};

static uint64_t draw(uint64_t *dice, uint64_t below)
{
    *dice = *dice * 6364136223846793005 + 1442695040888963407;
    return (*dice >> 33) % below;
}

/* Many of the same place and size, some without either a size, a section or a name. */
static Elf64_Sym draw_symbol(uint64_t *dice, bool is_local, int number)
{
    static const unsigned char types[] = {STT_FUNC, STT_FUNC,    STT_FUNC,  STT_NOTYPE,
                                          STT_FUNC, STT_SECTION, STT_OBJECT};
    static const unsigned char global[] = {STB_GLOBAL, STB_WEAK, STB_GNU_UNIQUE};
    uint64_t at = 4 * draw(dice, 2 * CODE_SIZE / 4);
    Elf64_Sym symbol = {.st_name = draw(dice, 20) ? 1 + 8 * (Elf64_Word)number : 0,
                        .st_value = CODE + at,
                        .st_size = draw(dice, 3) ? 4 * draw(dice, 12) : 0,
                        .st_shndx = at < CODE_SIZE ? SECTION_CODE : SECTION_COLD};

    if (draw(dice, 12) == 0)
        symbol.st_shndx = SHN_ABS;
    if (draw(dice, 40) == 0)
        symbol.st_size = UINT64_MAX;
    symbol.st_info =
        (unsigned char)ELF64_ST_INFO(is_local ? STB_LOCAL : global[draw(dice, sizeof(global))],
                                     types[draw(dice, sizeof(types))]);
    return symbol;
}

static void write_binary(const char *path, uint64_t seed)
{
    static struct image image;
    uint64_t dice = seed;
    Elf64_Word locals = 1 + (Elf64_Word)draw(&dice, SYMBOLS);
    FILE *file = fopen(path, "w");

    image.header = (Elf64_Ehdr){
        .e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
        .e_type = seed % 2 ? ET_EXEC : ET_DYN,
        .e_machine = EM_X86_64,
        .e_version = EV_CURRENT,
        .e_phoff = offsetof(struct image, segment),
        .e_shoff = offsetof(struct image, sections),
        .e_ehsize = sizeof(Elf64_Ehdr),
        .e_phentsize = sizeof(Elf64_Phdr),
        .e_phnum = 1,
        .e_shentsize = sizeof(Elf64_Shdr),
        .e_shnum = SECTIONS,
        .e_shstrndx = SECTION_NAMES,
    };
    image.segment = (Elf64_Phdr){.p_type = PT_LOAD,
                                 .p_flags = PF_R | PF_X,
                                 .p_offset = offsetof(struct image, code),
                                 .p_vaddr = CODE,
                                 .p_filesz = sizeof(image.code),
                                 .p_memsz = sizeof(image.code),
                                 .p_align = 1};
    for (enum section i = SECTION_CODE; i <= SECTION_COLD; i++)
        image.sections[i] = (Elf64_Shdr){.sh_type = SHT_PROGBITS,
                                         .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
                                         .sh_addr = CODE + (i == SECTION_COLD ? CODE_SIZE : 0),
                                         .sh_offset = offsetof(struct image, code) +
                                                      (i == SECTION_COLD ? CODE_SIZE : 0),
                                         .sh_size = CODE_SIZE,
                                         .sh_addralign = 1};
    image.sections[SECTION_SYMBOLS] = (Elf64_Shdr){.sh_type = SHT_SYMTAB,
                                                   .sh_offset = offsetof(struct image, symbols),
                                                   .sh_size = sizeof(image.symbols),
                                                   .sh_link = SECTION_NAMES,
                                                   .sh_info = locals,
                                                   .sh_addralign = 8,
                                                   .sh_entsize = sizeof(Elf64_Sym)};
    image.sections[SECTION_NAMES] = (Elf64_Shdr){.sh_type = SHT_STRTAB,
                                                 .sh_offset = offsetof(struct image, names),
                                                 .sh_size = sizeof(image.names),
                                                 .sh_addralign = 1};
    for (int i = 0; i < SYMBOLS; i++) {
        snprintf(image.names + 1 + 8 * i, 8, "name%d", i);
        image.symbols[1 + i] = draw_symbol(&dice, (Elf64_Word)i + 1 < locals, i);
    }
    cr_assert(file && fwrite(&image, sizeof(image), 1, file) == 1);
    cr_assert(fclose(file) == 0);
}

static Dwfl_Module *open_module(struct symbols *symbols, const char *path)
{
    struct symbol_binary *binary = symbols_binary(symbols, span_of(path), SPAN(""));
    uint64_t address = 0;

    cr_assert(binary->found, "%s", binary->trouble);
    return opened_module(binary, &address);
}

/* That of elfutils at each address from `low` on; only those at a whole multiple of `step`. */
static void compare_symbols(Dwfl_Module *module, uint64_t low, uint64_t high, uint64_t step)
{
    void *library = dlopen(PTK_LIBDW, RTLD_NOW);
    const char *(*reference)(Dwfl_Module *, GElf_Addr, GElf_Off *, GElf_Sym *, GElf_Word *, Elf **,
                             Dwarf_Addr *);
    struct symbol_table *table = symbol_table_new(module);

    cr_assert(library);
    *(void **)&reference = dlsym(library, "dwfl_module_addrinfo");
    for (uint64_t at = low; at < high; at += step) {
        const struct table_symbol *found = symbol_table_find(table, at);
        GElf_Off offset;
        GElf_Sym symbol;
        const char *name = reference(module, at, &offset, &symbol, NULL, NULL, NULL);

        cr_assert_eq(!name, !found, "%#jx: %s", (uintmax_t)at, name ? name : found->name);
        if (!name)
            continue;
        cr_assert_eq(name, found->name, "%#jx: %s, not %s", (uintmax_t)at, name, found->name);
        cr_assert_eq(found->low, at - offset);
        cr_assert(found->high - found->low == symbol.st_size || found->high == UINT64_MAX);
    }
    symbol_table_free(table);
    dlclose(library);
}

Test(symbol_table, finds_what_elfutils_finds_in_tables_drawn_by_lot)
{
    char path[] = "/tmp/ptk-unit-XXXXXX";
    int fd = mkstemp(path);

    cr_assert(fd >= 0);
    close(fd);
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        struct symbols *symbols = symbols_new();
        Dwfl_Module *module;
        GElf_Addr low, high;

        write_binary(path, seed);
        symbols_add_folders(symbols, "/");
        module = open_module(symbols, path);
        libdw()->dwfl_module_info(module, NULL, &low, &high, NULL, NULL, NULL, NULL);
        compare_symbols(module, low, high + 8, 1);
        symbols_free(symbols);
    }
    remove(path);
}

Test(symbol_table, finds_what_elfutils_finds_in_a_whole_program)
{
    char path[4096] = {0};
    struct symbols *symbols = symbols_new();
    Dwfl_Module *module;
    GElf_Addr low, high;

    cr_assert(readlink("/proc/self/exe", path, sizeof(path) - 1) > 0);
    symbols_add_folders(symbols, "/");
    module = open_module(symbols, path);
    libdw()->dwfl_module_info(module, NULL, &low, &high, NULL, NULL, NULL, NULL);
    compare_symbols(module, low, high, (high - low) / 500 + 1);
    symbols_free(symbols);
}

#else
Test(symbol_table, needs_elfutils, .disabled = true)
{
}
#endif
