/* SPDX-License-Identifier: Apache-2.0 */
/* perf_kernel.c — names of the kernel's functions, and of its modules', in perf.data
 *
 * A table like /proc/kallsyms that the kernel's build id leads to has them, else its binary, vmlinux. */
#include <stdlib.h>
#include <string.h>

#include "base/memory/memory.h"
#include "parsers/perf/perf_code_names.h"

struct kernel_names {
    struct perf_data *perf;
    struct code_names table;
    bool is_read;   /* the names were looked for */
    uint64_t moved; /* addresses of the recording less those of the table, or of the binary */
    struct symbol_binary *vmlinux; /* NULL: not found, or not needed */
};

struct kernel_names *kernel_names_new(struct perf_data *perf)
{
    struct kernel_names *kernel = grow_zeroed(1, sizeof(*kernel));

    kernel->perf = perf;
    return kernel;
}

void kernel_names_free(struct kernel_names *kernel)
{
    free(kernel->table.list);
    free(kernel);
}

/* "ffffffff81000000 T _stext [module]": text only. A kernel that hides addresses writes 0. */
static bool read_kernel_line(struct kernel_names *kernel, struct span line, struct named_code *code)
{
    struct span address = span_word(&line), kind = span_word(&line), name = span_word(&line);

    if (!span_hex_to_u64(address, &code->start) || kind.len != 1 || !strchr("tTwW", kind.at[0]) ||
        name.len == 0 || code->start == 0)
        return false;
    code->end = 0;
    code->name = (struct span){arena_copy(&kernel->perf->arena, name), name.len};
    code->module = builder_intern(kernel->perf->builder, span_trim(line));
    return true;
}

static void read_kernel(struct kernel_names *kernel, struct input *in)
{
    struct named_code code = {0};
    struct span line;

    while (input_line(in, &line))
        if (read_kernel_line(kernel, line, &code))
            vector_add(&kernel->table, code);
}

/* "[kernel.kallsyms]_text": the mapping that says where the kernel's text was, or NULL. */
static const struct perf_mapping *kernel_text(const struct perf_data *perf, struct span *symbol)
{
    const struct span module = SPAN("[kernel.kallsyms]");

    for (size_t i = 0; i < perf->mappings.count; i++) {
        const struct perf_mapping *map = &perf->mappings.list[i];
        struct span path = builder_text(perf->builder, map->path);

        if (map->is_kernel && path.len > module.len && span_starts(path, module)) {
            *symbol = span_after(path, module.len);
            return map;
        }
    }
    return NULL;
}

/* Where no table has names: the kernel's binary, which has the symbol that says where its text was. */
static void find_vmlinux(struct kernel_names *kernel, const struct perf_mapping *text,
                         struct span symbol, struct span build_id)
{
    struct perf_data *perf = kernel->perf;
    struct symbol_binary *binary = symbols_kernel_binary(
        builder_symbols(perf->builder), build_id, builder_text(perf->builder, perf->release));
    uint64_t begin;

    if (!binary || !symbols_named(binary, symbol, &begin))
        return;
    kernel->vmlinux = binary;
    kernel->moved = text->offset - begin;
}

/* Each boot may put the kernel elsewhere: `moved` is how far its text was from where the table has
 * it. */
static void read_kernel_table(struct kernel_names *kernel)
{
    struct perf_data *perf = kernel->perf;
    struct symbols *symbols = builder_symbols(perf->builder);
    struct span symbol = {0};
    const struct perf_mapping *text = kernel_text(perf, &symbol);
    uint32_t id = idmap_find(&perf->build_id_of_path,
                             builder_intern(perf->builder, SPAN("[kernel.kallsyms]")));
    const char *path;
    struct input in;

    if (!text || text->offset == 0)
        id = 0;
    else if (id == IDMAP_NONE)
        id = text->build_id;
    path = symbols ? symbols_kernel_table(symbols, builder_text(perf->builder, id)) : NULL;
    if (path && input_open_beside(&in, path)) {
        read_kernel(kernel, &in);
        input_close(&in);
        code_names_sort(&kernel->table);
    }
    if (symbols && kernel->table.count == 0 && text && text->offset)
        find_vmlinux(kernel, text, symbol, builder_text(perf->builder, id));
    if (path && kernel->table.count == 0 && !kernel->vmlinux)
        warning_say(builder_warnings(perf->builder), WARNING_NOTE,
                    "the kernel hides the addresses of its functions (kernel.kptr_restrict): they "
                    "are shown without names");
    for (size_t i = 0; text && text->offset && i < kernel->table.count; i++)
        if (span_eq(kernel->table.list[i].name, symbol))
            kernel->moved = text->offset - kernel->table.list[i].start;
}

str_id kernel_name(struct kernel_names *kernel, uint64_t address)
{
    const struct named_code *code;

    if (!kernel->is_read)
        read_kernel_table(kernel);
    kernel->is_read = true;
    if (kernel->vmlinux) {
        struct symbol_function function;
        bool is_found = symbols_function(builder_symbols(kernel->perf->builder), kernel->vmlinux,
                                         address - kernel->moved, &function);

        kernel->vmlinux->asked++;
        kernel->vmlinux->named += is_found;
        return is_found ? builder_intern(kernel->perf->builder, function.name) : 0;
    }
    code = code_names_find(&kernel->table, address - kernel->moved);
    return code ? builder_intern(kernel->perf->builder, code->name) : 0;
}

/* Of a module where the table has that module at the place where the recording had it: each boot, and each time
 * that it is loaded, puts it elsewhere. */
str_id kernel_module_name(struct kernel_names *kernel, const struct perf_mapping *map,
                          str_id module, uint64_t address)
{
    const struct named_code *code;

    if (!kernel->is_read)
        read_kernel_table(kernel);
    kernel->is_read = true;
    code = kernel->moved == 0 ? code_names_find(&kernel->table, address) : NULL;
    return code && code->module == module && code->start >= map->start
               ? builder_intern(kernel->perf->builder, code->name)
               : 0;
}
