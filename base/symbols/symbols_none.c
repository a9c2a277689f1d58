/* SPDX-License-Identifier: Apache-2.0 */
/* symbols_none.c — where the build found no libdw: no binary is read */
#include "base/symbols/unwind.h"

bool symbol_library_open(struct symbols *symbols, struct symbol_binary *binary, const char *path,
                         struct span build_id)
{
    (void)symbols, (void)path, (void)build_id;
    binary->trouble = "this ptk was built without libdw";
    return false;
}

bool symbol_library_fits(const struct symbol_binary *binary, const struct symbol_map *map)
{
    (void)binary, (void)map;
    return false;
}

bool symbol_library_address(const struct symbol_binary *binary, uint64_t offset, uint64_t *address)
{
    (void)binary, (void)offset, (void)address;
    return false;
}

bool symbol_library_image_address(const struct symbol_binary *binary, uint64_t from_begin,
                                  uint64_t *address)
{
    (void)binary, (void)from_begin, (void)address;
    return false;
}

uint32_t symbol_library_find(struct symbols *symbols, const struct symbol_binary *binary,
                             uint64_t address, struct symbol_place *places, uint32_t room)
{
    (void)symbols, (void)binary, (void)address, (void)places, (void)room;
    return 0;
}

bool symbol_library_function(struct symbols *symbols, const struct symbol_binary *binary,
                             uint64_t address, struct symbol_function *function)
{
    (void)symbols, (void)binary, (void)address, (void)function;
    return false;
}

struct symbol_code symbol_library_code(const struct symbol_binary *binary,
                                       const struct symbol_function *function)
{
    (void)binary, (void)function;
    return (struct symbol_code){0};
}

bool symbol_library_frame(const struct symbol_binary *binary, uint64_t address,
                          struct frame_rules *rules, uint64_t *begin)
{
    (void)binary, (void)address, (void)rules, (void)begin;
    return false;
}

bool symbol_library_named(const struct symbol_binary *binary, struct span name, uint64_t *address)
{
    (void)binary, (void)name, (void)address;
    return false;
}

void symbol_library_end(struct symbols *symbols)
{
    (void)symbols;
}
