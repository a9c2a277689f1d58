/* SPDX-License-Identifier: Apache-2.0 */
/* perf_names.c — what an address of perf.data is called: functions of binaries, of the kernel, and of
 * code that was made while the program ran
 *
 * The file has no names. Those of binaries are looked up by base/symbols, the kernel's by perf_kernel.c; those of compilers at run time in their perf-PID.map or
 * jit-PID.dump, only where the user says to look: the ones of this machine are another process's. */
#include <stdio.h>
#include <stdlib.h>

#include "parsers/perf/perf_code_names.h"
#include "parsers/perf/perf_data.h"

struct perf_names {
    struct perf_data *perf;
    bool tells_addresses;
    struct kernel_names *kernel;
    struct VECTOR_OF(struct code_names) jits;
    struct idmap jit_of_process;
    struct VECTOR_OF(frame_id) frames; /* of all places, the innermost first */
    struct VECTOR_OF(uint64_t) found;  /* first and count in `frames` */
    struct idmap found_of;             /* by mapping and place */
    struct idmap found_in_file;        /* by path and offset */
};

static struct span keep_text(struct perf_names *names, struct span text)
{
    return (struct span){arena_copy(&names->perf->arena, text), text.len};
}

/* "3ef414c0 398 LazyCompile:~next /srv/app.js:12" */
static bool read_jit_line(struct perf_names *names, struct span line, struct named_code *code)
{
    struct span address = span_word(&line), size = span_word(&line), name = span_trim(line);

    if (!span_hex_to_u64(address, &code->start) || !span_hex_to_u64(size, &code->end) ||
        name.len == 0)
        return false;
    code->end = code->end > UINT64_MAX - code->start ? UINT64_MAX : code->start + code->end;
    code->name = keep_text(names, name);
    return true;
}

static bool starts_before(const void *list, uint32_t a, uint32_t b)
{
    return ((const struct named_code *)list)[a].start < ((const struct named_code *)list)[b].start;
}

void code_names_sort(struct code_names *table)
{
    uint32_t *order = sorted_order(table->count, starts_before, table->list);
    void *scratch = grow_to(NULL, table->count + 1, sizeof(*table->list));

    permute(table->list, sizeof(*table->list), order, table->count, scratch);
    free(scratch);
    free(order);
}

const struct named_code *code_names_find(const struct code_names *table, uint64_t address)
{
    SEARCH(size_t, past, table->count, table->list[past].start <= address);

    return past && (table->list[past - 1].end == 0 || address < table->list[past - 1].end)
               ? &table->list[past - 1]
               : NULL;
}

static void read_map(struct perf_names *names, struct input *in, struct code_names *table)
{
    struct named_code code = {0};
    struct span line;

    while (input_line(in, &line))
        if (read_jit_line(names, line, &code))
            vector_add(table, code);
}

/* A jitdump: a header that says how long it is, and records {kind, size, time}. Of those that load code,
 * {process, thread, address twice, size, number, name, the code itself}, the last at a place counts, whenever
 * it came: code that was there before and had another name is called as it. */
static void read_dump(struct perf_names *names, struct input *in, struct code_names *table)
{
    enum { HEADER = 16, RECORD = 16, LOAD = 0, NAME_AT = 40, LOOKED_AT = RECORD + NAME_AT + 4096 };
    static const char big_endian[] = {'J', 'i', 'T', 'D'}, little_endian[] = {'D', 'T', 'i', 'J'};
    struct span head = input_peek(in, HEADER);
    bool is_big = head.len >= HEADER && memcmp(head.at, big_endian, 4) == 0;
    struct bytes bytes = {head.at, head.len, is_big, false};
    uint64_t size;

    if (head.len < HEADER || (!is_big && memcmp(head.at, little_endian, 4) != 0))
        return;
    bytes_u64(&bytes);
    size = bytes_u32(&bytes);
    while (perf_skip(in, size) && (head = input_peek(in, LOOKED_AT)).len >= RECORD) {
        struct named_code code = {0};
        uint32_t kind;

        bytes = (struct bytes){head.at, head.len, is_big, false};
        kind = bytes_u32(&bytes);
        size = bytes_u32(&bytes);
        if (size < RECORD)
            return;
        bytes.left = (size < head.len ? (size_t)size : head.len) - 8;
        bytes_take(&bytes, 8 + 16); /* when, who, */
        code.start = bytes_u64(&bytes);
        code.end = bytes_u64(&bytes);
        bytes_u64(&bytes);
        if (kind != LOAD || bytes.is_cut || bytes.left == 0)
            continue;
        code.end = code.end > UINT64_MAX - code.start ? UINT64_MAX : code.start + code.end;
        code.name = keep_text(names, bytes_text(&bytes));
        vector_add(table, code);
    }
}

/* From the first of the folders for binaries that has the file. */
static bool read_table(struct perf_names *names, const char *file_name, struct code_names *table,
                       void (*read)(struct perf_names *, struct input *, struct code_names *))
{
    const struct symbols *symbols = builder_symbols(names->perf->builder);
    bool is_found = false;

    for (size_t i = 0; symbols && !is_found && i < symbols->folders.count; i++) {
        struct span folder = symbols->folders.list[i];
        struct input in;
        char path[4096];

        snprintf(path, sizeof(path), "%.*s/%s", (int)folder.len, folder.at, file_name);
        is_found = input_open_beside(&in, path);
        if (is_found) {
            read(names, &in, table);
            input_close(&in);
        }
    }
    code_names_sort(table);
    return is_found;
}

/* By the process that the code was made in. */
static str_id jit_name(struct perf_names *names, uint32_t process, uint64_t address, str_id *module)
{
    uint32_t *at = idmap_at(&names->jit_of_process, process);
    const struct code_names *jit;
    const struct named_code *code;

    if (*at == IDMAP_NONE) {
        struct code_names table = {0};
        char file[40];

        snprintf(file, sizeof(file), "perf-%u.map", process);
        if (!read_table(names, file, &table, read_map)) {
            snprintf(file, sizeof(file), "jit-%u.dump", process);
            read_table(names, file, &table, read_dump);
        }
        table.module = builder_intern(names->perf->builder, span_of(file));
        *at = (uint32_t)names->jits.count;
        vector_add(&names->jits, table);
    }
    jit = &names->jits.list[*at];
    code = code_names_find(jit, address);
    if (!code)
        return 0;
    *module = jit->module;
    return builder_intern(names->perf->builder, code->name);
}

/* ---- modules ---- */

static bool is_anonymous(struct span path)
{
    static const char *const starts[] = {"//anon",      "/anon",     "[anon",     "[heap]",
                                         "[stack]",     "/memfd:",   "/dev/zero", "/SYSV",
                                         "anon_inode:", "//toolong", NULL};

    return span_starts_any(path, starts);
}

/* "/lib/modules/6.1/kernel/fs/ext-four.ko.xz" → "[ext_four]", "/usr/lib/libc.so.6 (deleted)" →
 * "libc.so.6" */
static str_id module_of(struct perf_names *names, const struct perf_mapping *map)
{
    struct span path = builder_text(names->perf->builder, map->path), file = perf_module(path);
    size_t ko = map->is_kernel ? span_find(file, SPAN(".ko")) : SIZE_MAX;
    char room[256];
    int len;

    if (map->is_kernel &&
        (span_starts(path, SPAN("[kernel")) || span_starts(path, SPAN("[guest.kernel"))))
        file = SPAN("[kernel.kallsyms]");
    else if (ko != SIZE_MAX && ko < sizeof(room) - 2) {
        len = snprintf(room, sizeof(room), "[%.*s]", (int)ko, file.at);
        for (int i = 0; i < len; i++)
            room[i] = room[i] == '-' ? '_' : room[i];
        file = (struct span){room, (size_t)len};
    }
    return builder_intern(names->perf->builder, file);
}

/* ---- names that texts of perf have, too ---- */

struct span perf_module(struct span path)
{
    if (span_ends(path, SPAN(" (deleted)")))
        path.len -= strlen(" (deleted)");
    return span_starts(path, SPAN("[")) ? path : span_file_name(path);
}

bool perf_python_frame(struct builder *builder, struct span name, struct frame *frame)
{
    struct span file;

    if (!span_starts(name, SPAN("py::")))
        return false;
    file = span_after(name, 4);
    name = span_split(&file, ':');
    frame->name = builder_intern(builder, name);
    frame->file = builder_intern(builder, file);
    frame->kind = KIND_PYTHON;
    frame->lacks_line = true;
    return true;
}

enum unit perf_event_unit(struct span event)
{
    struct span name = span_split(&event, ':');

    return span_eq(name, SPAN("cpu-clock")) || span_eq(name, SPAN("task-clock")) ? UNIT_NS
                                                                                 : UNIT_COUNT;
}

/* ---- addresses ---- */

/* What is in no binary that could be read: without a name it is shown by its module. */
static void add_named(struct perf_names *names, str_id name, str_id module, uint64_t address)
{
    struct builder *builder = names->perf->builder;
    struct frame frame = {.name = name,
                          .module = module,
                          .kind = KIND_HOST,
                          .address = names->tells_addresses ? address : 0};
    char room[300];

    if (name && !perf_python_frame(builder, builder_text(builder, name), &frame))
        frame.name = name;
    frame.is_nameless = !name;
    if (!name) {
        struct span text = builder_text(builder, module);
        int len = snprintf(room, sizeof(room), text.len && text.at[0] == '[' ? "%.*s" : "[%.*s]",
                           text.len < 256 ? (int)text.len : 256, text.at);

        frame.name = builder_intern(builder, (struct span){room, (size_t)len});
    }
    vector_add(&names->frames, builder_frame(builder, &frame));
}

static str_id build_id_of(const struct perf_data *perf, const struct perf_mapping *map)
{
    uint32_t recorded = idmap_find(&perf->build_id_of_path, map->path);

    return map->build_id ? map->build_id : recorded == IDMAP_NONE ? 0 : recorded;
}

struct symbol_binary *perf_binary(struct perf_data *perf, const struct perf_mapping *map)
{
    struct symbols *symbols = builder_symbols(perf->builder);
    struct span path = builder_text(perf->builder, map->path);

    if (!symbols || map->is_kernel || path.len == 0 || path.at[0] == '[' || is_anonymous(path))
        return NULL;
    return symbols_binary(symbols, path, builder_text(perf->builder, build_id_of(perf, map)));
}

/* What a binary says of an address: the inlined functions there, the innermost first. */
static bool add_places(struct perf_names *names, const struct perf_mapping *map, uint64_t address,
                       str_id module)
{
    struct perf_data *perf = names->perf;
    struct symbol_place places[SYMBOL_PLACES_MAX];
    struct symbol_map segment = {map->start, map->end, map->offset};
    struct symbol_binary *binary = perf_binary(perf, map);
    uint32_t count;

    if (!binary)
        return false;
    count = symbols_find(builder_symbols(perf->builder), binary, &segment, address, places,
                         SYMBOL_PLACES_MAX);
    for (uint32_t i = 0; i < count; i++) {
        struct frame frame = builder_place(perf->builder, &places[i], module);
        frame_id id_of_frame;

        frame.address = names->tells_addresses ? address : 0;
        frame.is_inlined = names->tells_addresses && i + 1 < count;
        id_of_frame = builder_frame(perf->builder, &frame);

        builder_inlining(perf->builder, id_of_frame, i + 1 < count);
        vector_add(&names->frames, id_of_frame);
    }
    return count > 0;
}

static void resolve(struct perf_names *names, uint32_t mapping, const struct code_place *place)
{
    struct perf_data *perf = names->perf;
    const struct perf_mapping *map = mapping == NO_MAPPING ? NULL : &perf->mappings.list[mapping];
    struct span path = map ? builder_text(perf->builder, map->path) : (struct span){0};
    str_id module, name = 0;

    if (place->is_kernel) {
        module =
            map ? module_of(names, map) : builder_intern(perf->builder, SPAN("[kernel.kallsyms]"));
        if (map && map->is_function) {
            name = map->path;
            module = builder_intern(perf->builder, SPAN("[bpf]"));
        } else if (span_eq(builder_text(perf->builder, module), SPAN("[kernel.kallsyms]"))) {
            name = kernel_name(names->kernel, place->address);
        } else if (map) {
            name = kernel_module_name(names->kernel, map, module, place->address);
        }
        add_named(names, name, module, place->address);
        return;
    }
    module = map ? module_of(names, map) : builder_intern(perf->builder, SPAN("[unknown]"));
    if (map && is_anonymous(path))
        name = jit_name(names, map->process, place->address, &module);
    else if (map && add_places(names, map, place->address, module))
        return;
    add_named(names, name, module, place->address);
}

/* The same place of a binary, wherever processes have it; 0: not of a binary. */
static uint64_t key_in_file(const struct perf_names *names, uint32_t mapping,
                            const struct code_place *place)
{
    enum { OFFSET_BITS = 40 };
    const struct perf_mapping *map =
        mapping == NO_MAPPING ? NULL : &names->perf->mappings.list[mapping];
    struct span path = map ? builder_text(names->perf->builder, map->path) : (struct span){0};
    uint64_t offset = map ? place->address - map->start + map->offset : 0;

    if (names->tells_addresses || place->is_kernel || path.len == 0 || path.at[0] == '[' ||
        is_anonymous(path) || offset >> OFFSET_BITS || map->path >> (64 - OFFSET_BITS))
        return 0;
    return (uint64_t)map->path << OFFSET_BITS | offset;
}

const frame_id *perf_names_find(struct perf_names *names, uint32_t mapping, uint32_t place,
                                uint32_t *count)
{
    uint64_t key = idmap_pair(mapping + 1, place);
    const struct code_place *code = &names->perf->chains.places.list[place];
    uint32_t *at = idmap_at(&names->found_of, key);

    if (*at == IDMAP_NONE) {
        uint64_t in_file = key_in_file(names, mapping, code);
        uint32_t *known = in_file ? idmap_at(&names->found_in_file, in_file) : at;

        if (*known == IDMAP_NONE) {
            size_t first = names->frames.count;

            *known = (uint32_t)names->found.count;
            resolve(names, mapping, code);
            vector_add(&names->found,
                       idmap_pair((uint32_t)first, (uint32_t)(names->frames.count - first)));
        }
        *at = *known;
    }
    *count = (uint32_t)names->found.list[*at];
    return names->frames.list + (names->found.list[*at] >> 32);
}

struct perf_names *perf_names_new(struct perf_data *perf)
{
    struct perf_names *names = grow_zeroed(1, sizeof(*names));

    names->perf = perf;
    names->kernel = kernel_names_new(perf);
    names->tells_addresses = builder_detail(perf->builder, DETAIL_ADDRESS) == DETAIL_ADDRESS;
    for (size_t i = 0; i < perf->mappings.count; i++) {
        const struct perf_mapping *map = &perf->mappings.list[i];

        if (!map->is_kernel)
            builder_mapping(perf->builder,
                            &(struct code_mapping){.at = {map->start, map->end, map->offset},
                                                   .path = map->path,
                                                   .build_id = build_id_of(perf, map)});
    }
    return names;
}

void perf_names_free(struct perf_names *names)
{
    for (size_t i = 0; i < names->jits.count; i++)
        free(names->jits.list[i].list);
    free(names->jits.list);
    kernel_names_free(names->kernel);
    free(names->frames.list);
    free(names->found.list);
    idmap_free(&names->jit_of_process);
    idmap_free(&names->found_of);
    idmap_free(&names->found_in_file);
    free(names);
}
