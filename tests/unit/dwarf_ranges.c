/* SPDX-License-Identifier: Apache-2.0 */
/* dwarf_ranges.c — functions whose code is in many pieces, and entries that share one list of pieces */
#include <criterion/criterion.h>

#include "base/io/io.h"

#ifdef PTK_LIBDW_SYMBOL
#include <dwarf.h>
#include <string.h>
#include <unistd.h>

#include "base/symbols/elfutils.h"

enum {
    CODE = 0x1000,
    PIECE = 16, /* bytes from one to the next; the first half of them is the function's */
    PIECES = 3000,
    ENTRIES = 20000,
};

enum section {
    SECTION_NONE,
    SECTION_CODE,
    SECTION_INFO,
    SECTION_ABBREVIATIONS,
    SECTION_RANGES,
    SECTION_NAMES,
    SECTIONS
};

static const char section_names[] = "\0.text\0.debug_info\0.debug_abbrev\0.debug_ranges\0.shstrtab";

/* A unit, and what is in it: a function's name and its list. */
static const unsigned char abbreviations[] = {1,
                                              DW_TAG_compile_unit,
                                              DW_CHILDREN_yes,
                                              DW_AT_ranges,
                                              DW_FORM_sec_offset,
                                              0,
                                              0, /* */
                                              2,
                                              DW_TAG_subprogram,
                                              DW_CHILDREN_no,
                                              DW_AT_name,
                                              DW_FORM_string,
                                              DW_AT_ranges,
                                              DW_FORM_sec_offset,
                                              0,
                                              0,
                                              0};

struct image {
    Elf64_Ehdr header;
    Elf64_Phdr segment;
    Elf64_Shdr sections[SECTIONS];
    uint64_t ranges[PIECES + 1][2];
    char names[sizeof(section_names)];
    unsigned char abbreviations[sizeof(abbreviations)];
    unsigned char info[16 + 8 * ENTRIES];
    char code[PIECE * PIECES];
};

static unsigned char *put_u32(unsigned char *at, uint32_t number)
{
    for (unsigned i = 0; i < 4; i++)
        *at++ = (unsigned char)(number >> 8 * i);
    return at;
}

/* All entries are called "f" and have the list at the section's begin. */
static size_t fill_info(unsigned char *info, size_t entries)
{
    unsigned char *at = put_u32(info, 0);

    *at++ = 4; /* version */
    *at++ = 0;
    at = put_u32(at, 0);
    *at++ = 8; /* bytes an address */
    *at++ = 1;
    at = put_u32(at, 0);
    for (size_t i = 0; i < entries; i++) {
        *at++ = 2;
        *at++ = 'f';
        *at++ = 0;
        at = put_u32(at, 0);
    }
    *at++ = 0;
    put_u32(info, (uint32_t)(at - info - 4));
    return (size_t)(at - info);
}

static void add_section(struct image *image, enum section which, const char *name, size_t offset,
                        size_t size)
{
    size_t at = 1;

    while (strcmp(section_names + at, name) != 0)
        at += strlen(section_names + at) + 1;
    image->sections[which] = (Elf64_Shdr){.sh_name = (Elf64_Word)at,
                                          .sh_type = SHT_PROGBITS,
                                          .sh_offset = offset,
                                          .sh_size = size,
                                          .sh_addralign = 1};
}

static void write_binary(const char *path, size_t entries)
{
    static struct image image;
    FILE *file = fopen(path, "w");

    image.header = (Elf64_Ehdr){
        .e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
        .e_type = ET_EXEC,
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
    add_section(&image, SECTION_CODE, ".text", offsetof(struct image, code), sizeof(image.code));
    image.sections[SECTION_CODE].sh_addr = CODE;
    image.sections[SECTION_CODE].sh_flags = SHF_ALLOC | SHF_EXECINSTR;
    add_section(&image, SECTION_INFO, ".debug_info", offsetof(struct image, info),
                fill_info(image.info, entries));
    add_section(&image, SECTION_ABBREVIATIONS, ".debug_abbrev",
                offsetof(struct image, abbreviations), sizeof(abbreviations));
    add_section(&image, SECTION_RANGES, ".debug_ranges", offsetof(struct image, ranges),
                sizeof(image.ranges));
    add_section(&image, SECTION_NAMES, ".shstrtab", offsetof(struct image, names),
                sizeof(section_names));
    image.sections[SECTION_NAMES].sh_type = SHT_STRTAB;
    memcpy(image.names, section_names, sizeof(section_names));
    memcpy(image.abbreviations, abbreviations, sizeof(abbreviations));
    for (uint64_t i = 0; i < PIECES; i++) {
        image.ranges[i][0] = CODE + PIECE * i;
        image.ranges[i][1] = CODE + PIECE * i + PIECE / 2;
    }
    cr_assert(file && fwrite(&image, sizeof(image), 1, file) == 1);
    cr_assert(fclose(file) == 0);
}

/* How many pieces are the function's, at the end of a file with so many entries. */
static size_t count_named(size_t entries, const char **remark)
{
    const struct symbol_map map = {CODE, CODE + PIECE * PIECES, offsetof(struct image, code)};
    char path[] = "/tmp/ptk-unit-XXXXXX";
    int fd = mkstemp(path);
    struct symbols *symbols = symbols_new();
    struct symbol_binary *binary;
    struct symbol_place places[SYMBOL_PLACES_MAX];
    size_t named = 0;

    cr_assert(fd >= 0);
    close(fd);
    write_binary(path, entries);
    symbols_add_folders(symbols, "/");
    binary = symbols_binary(symbols, span_of(path), SPAN(""));
    cr_assert(binary->found, "%s", binary->trouble);
    binary->is_trusted = false;
    for (uint64_t at = CODE; at < CODE + PIECE * PIECES; at += PIECE) {
        named += symbols_find(symbols, binary, &map, at, places, SYMBOL_PLACES_MAX) == 1 &&
                 span_eq(places[0].name, SPAN("f"));
        cr_assert_eq(symbols_find(symbols, binary, &map, at + PIECE / 2, places, 1), 0);
    }
    *remark = binary->remark;
    symbols_free(symbols);
    remove(path);
    return named;
}

Test(dwarf_ranges, knows_all_pieces_of_a_function)
{
    const char *remark;

    cr_assert_eq(count_named(1, &remark), PIECES);
    cr_assert_null(remark);
}

/* 20,000 entries of 3,000 pieces would be 60,000,000. */
Test(dwarf_ranges, does_not_multiply_a_list_that_entries_share)
{
    const char *remark;

    cr_assert_eq(count_named(ENTRIES, &remark), PIECES);
    cr_assert_not_null(remark);
}

#else
Test(dwarf_ranges, needs_elfutils, .disabled = true)
{
}
#endif
