/* SPDX-License-Identifier: Apache-2.0 */
/* gperf_stacks.c — stacks of addresses: their mappings, signal handlers and symbols, and the call tree */
#include "parsers/gperftools/gperftools.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory/memory.h"
#include "parsers/stacks/language_names.h"

/* ---- the list of mapped programs and libraries that ends a gperftools profile ---- */

/* "/bin/prog (deleted)" and "/bin/prog (@1000)" are both /bin/prog. */
static struct span read_path(struct span rest, uint64_t *offset)
{
    struct span path = span_trim(rest), tail;
    size_t at = span_find(path, SPAN(" (@"));

    if (at != SIZE_MAX) {
        tail = span_after(path, at + 3);
        if (!hex_take(&tail, offset))
            *offset = 0;
        path.len = at;
    }
    if (span_ends(path, SPAN(" (deleted)")))
        path.len -= sizeof(" (deleted)") - 1;
    return span_trim(path);
}

/* Adds what the line says. False when it is no mapping; one that holds no code is passed over.
 * `path` gets the path, which is part of the line; its id is for the caller to fill in. */
static bool maps_add(struct maps *maps, struct span line, struct span *path)
{
    struct span rest = line, word = span_word(&rest), after;
    struct map map = {0};
    bool is_code = true;

    *path = (struct span){line.at, 0};
    if (span_ends(word, SPAN(":"))) /* "00400000-00500000:", in the short form */
        word.len--;
    if (!hex_take(&word, &map.at.start) || !span_starts(word, SPAN("-")))
        return false;
    word = span_after(word, 1);
    if (!hex_take(&word, &map.at.end) || word.len || map.at.start >= map.at.end)
        return false;
    after = rest;
    word = span_word(&after);
    if (word.len >= 3 && strchr("r-", word.at[0]) && strchr("w-", word.at[1]) &&
        strchr("x-", word.at[2])) {
        is_code = word.at[2] == 'x';
        rest = after;
        word = span_word(&rest);
        if (!hex_take(&word, &map.at.offset))
            return false;
        span_word(&rest); /* device */
        span_word(&rest); /* inode */
    }
    *path = read_path(rest, &map.at.offset);
    if (is_code)
        vector_add(maps, map);
    return true;
}

static int by_start(const void *a, const void *b)
{
    const struct map *x = a, *y = b;

    return x->at.start < y->at.start ? -1 : x->at.start > y->at.start;
}

/* ---- what old profilers' signal handlers leave in their stacks, behind the leaf ---- */

static bool has_second(const struct stack_row *row)
{
    return row->count > 1;
}

/* What takes the place of the second is the leaf. */
static void drop_second(struct gperf_stacks *stacks, struct stack_row *row)
{
    stacks->addresses.list[row->first + 1] = stacks->addresses.list[row->first];
    row->first++;
    row->count--;
}

/* The address that is second in most stacks, if there is one: Boyer and Moore's vote. */
static uint64_t second_of_most(const struct gperf_stacks *stacks)
{
    uint64_t leader = 0;
    size_t lead = 0;

    for (size_t i = 0; i < stacks->rows.count; i++) {
        const struct stack_row *row = &stacks->rows.list[i];

        if (!has_second(row))
            continue;
        if (lead == 0)
            leader = stacks->addresses.list[row->first + 1];
        lead = stacks->addresses.list[row->first + 1] == leader ? lead + 1 : lead - 1;
    }
    return leader;
}

/* A handler's frame is in nearly all stacks. False when there is none such. */
static bool drop_handler(struct gperf_stacks *stacks)
{
    uint64_t handler = second_of_most(stacks);
    size_t count = 0;

    for (size_t i = 0; i < stacks->rows.count; i++)
        count += has_second(&stacks->rows.list[i]) &&
                 stacks->addresses.list[stacks->rows.list[i].first + 1] == handler;
    if (count == 0 || count < stacks->rows.count - stacks->rows.count / 32)
        return false;
    for (size_t i = 0; i < stacks->rows.count; i++) {
        struct stack_row *row = &stacks->rows.list[i];

        if (has_second(row) && stacks->addresses.list[row->first + 1] == handler)
            drop_second(stacks, row);
    }
    return true;
}

/* Callers' addresses are one less than they were recorded, the leaf's is not. */
void stacks_drop_handlers(struct gperf_stacks *stacks)
{
    if (drop_handler(stacks))
        drop_handler(stacks);
    for (size_t i = 0; i < stacks->rows.count; i++) {
        struct stack_row *row = &stacks->rows.list[i];

        if (has_second(row) &&
            stacks->addresses.list[row->first] == stacks->addresses.list[row->first + 1] + 1)
            drop_second(stacks, row);
    }
}

/* ---- samples by address, and the frames that the addresses stand for ---- */

void stacks_begin_row(struct gperf_stacks *stacks, const int64_t *values)
{
    struct stack_row *row;

    vector_reserve(&stacks->rows);
    row = &stacks->rows.list[stacks->rows.count++];
    *row = (struct stack_row){.first = stacks->addresses.count};
    memcpy(row->values, values, sizeof(row->values));
}

void stacks_label_block(struct gperf_stacks *stacks, int64_t bytes)
{
    stacks->rows.list[stacks->rows.count - 1].block = bytes;
}

void stacks_push(struct gperf_stacks *stacks, uint64_t address)
{
    vector_add(&stacks->addresses, address);
    stacks->rows.list[stacks->rows.count - 1].count++;
}

bool stacks_begin_symbol(struct gperf_stacks *stacks, uint64_t address)
{
    uint32_t *known = idmap_at(&stacks->symbol_of, address);

    if (*known != IDMAP_NONE)
        return false;
    stacks->described = address;
    *known = (uint32_t)stacks->symbols.count;
    vector_add(&stacks->symbols, (struct symbol){.first = (uint32_t)stacks->names.count});
    return true;
}

void stacks_add_name(struct gperf_stacks *stacks, struct frame frame)
{
    if (stacks->detail == DETAIL_ADDRESS)
        frame.address = stacks->described;
    vector_add(&stacks->names, builder_frame(stacks->builder, &frame));
    stacks->symbols.list[stacks->symbols.count - 1].count++;
}

void stacks_map(struct gperf_stacks *stacks, struct span line)
{
    struct span path;
    size_t before = stacks->maps.count;

    if (!maps_add(&stacks->maps, line, &path) || stacks->maps.count == before)
        return;
    stacks->maps.list[before].path = builder_intern(stacks->builder, path);
    builder_mapping(stacks->builder,
                    &(struct code_mapping){.at = stacks->maps.list[before].at,
                                           .path = stacks->maps.list[before].path});
}

/* ---- the call tree ---- */

static str_id library_of(struct gperf_stacks *stacks, const struct map *map)
{
    struct span path = builder_text(stacks->builder, map ? map->path : 0);

    return builder_intern(stacks->builder, span_file_name(path));
}

static struct span printed(char *room, size_t size, struct span library, const char *rest)
{
    int len = snprintf(room, size, "[%.*s]%s", library.len < 256 ? (int)library.len : 256,
                       library.at, rest);

    return (struct span){room, (size_t)len};
}

/* [libm.so.6]: what folding Python leaves of a library; or the interpreter. */
static void name_by_library(struct gperf_stacks *stacks, struct frame frame, struct span library)
{
    char room[320];

    if (python_is_interpreter(library)) {
        frame.name = builder_intern(stacks->builder, SPAN(PYTHON_INTERPRETER));
        frame.module = stacks->interpreter;
        frame.kind = KIND_PYTHON;
        frame.is_nameless = false;
    } else {
        frame.name = builder_intern(stacks->builder, printed(room, sizeof(room), library, ""));
    }
    stacks_add_name(stacks, frame);
    stacks->symbols.list[stacks->symbols.count - 1].is_folded = true;
}

/* The functions around a place as the binary knows them. Of the interpreter only those count that
 * do some work. */
static bool name_by_symbol(struct gperf_stacks *stacks, const struct map *map, uint64_t address)
{
    struct symbols *symbols = builder_symbols(stacks->builder);
    struct span path = builder_text(stacks->builder, map->path);
    struct symbol_place places[SYMBOL_PLACES_MAX];
    str_id library = library_of(stacks, map);
    bool is_python = stacks->interpreter && library == stacks->interpreter;
    uint32_t count = symbols_find(symbols, symbols_binary(symbols, path, SPAN("")), &map->at,
                                  address, places, SYMBOL_PLACES_MAX);
    uint32_t added = 0;

    for (uint32_t i = 0; i < count; i++) {
        struct frame frame = builder_place(stacks->builder, &places[i], library);

        if (is_python && python_is_plumbing(places[i].name))
            continue;
        frame.is_inlined = stacks->detail == DETAIL_ADDRESS && i + 1 < count;
        stacks_add_name(stacks, frame);
        added++;
    }
    return added > 0;
}

static void name_by_place(struct gperf_stacks *stacks, uint64_t address)
{
    SEARCH(size_t, at, stacks->maps.count, stacks->maps.list[at].at.start <= address);
    const struct map *map =
        at && address < stacks->maps.list[at - 1].at.end ? &stacks->maps.list[at - 1] : NULL;
    struct frame frame = {
        .kind = KIND_HOST, .module = library_of(stacks, map), .is_nameless = true};
    struct span library = builder_text(stacks->builder, frame.module), name;
    char room[320], offset[32];

    if (map && builder_symbols(stacks->builder) && name_by_symbol(stacks, map, address))
        return;
    if (stacks->interpreter && library.len) {
        name_by_library(stacks, frame, library);
        return;
    }
    /* [libm.so.6]+0x1234, where the number is the place in the file; 0x7f0012 outside of all */
    snprintf(offset, sizeof(offset), "%s0x%" PRIx64, library.len ? "+" : "",
             library.len ? address - map->at.start + map->at.offset : address);
    name = library.len ? printed(room, sizeof(room), library, offset) : span_of(offset);
    frame.name = builder_intern(stacks->builder, name);
    stacks_add_name(stacks, frame);
}

/* Some writers describe the call, and keep the address that it returns to in the stack. */
static struct symbol symbol_at(struct gperf_stacks *stacks, uint32_t told, uint64_t address)
{
    uint32_t before = idmap_find(&stacks->symbol_of, address - 1);

    if (before < told && idmap_find(&stacks->symbol_of, address) == IDMAP_NONE)
        return stacks->symbols.list[before];
    if (stacks_begin_symbol(stacks, address))
        name_by_place(stacks, address);
    return stacks->symbols.list[*idmap_at(&stacks->symbol_of, address)];
}

/* How large the blocks are that a row of a heap profile counts, as pprof has it. */
static void label_row(struct builder *builder, const struct stack_row *row,
                      struct sample_label *label)
{
    *label = (struct sample_label){.key = builder_intern(builder, SPAN("bytes"))};
    char room[32];

    if (row->block == 0)
        return;
    label->unit = label->key;
    label->is_number = true;
    label->text = builder_intern(
        builder, (struct span){room, (size_t)snprintf(room, sizeof(room), "%" PRId64, row->block)});
    builder_labels(builder_stacks(builder), label, 1);
}

/* The library that Python is in: libpython, or the program itself; 0: there is no Python. */
static str_id find_interpreter(struct gperf_stacks *stacks)
{
    str_id found = 0;

    for (size_t i = 0; i < stacks->maps.count; i++) {
        str_id library = library_of(stacks, &stacks->maps.list[i]);
        struct span name = builder_text(stacks->builder, library);

        if (python_is_interpreter(name) && (!found || span_starts(name, SPAN("lib"))))
            found = library;
    }
    return found;
}

/* The frames of a row, the leaf first. */
struct row_frames {
    VECTOR(frame_id);
};

static void plant_row(struct gperf_stacks *stacks, const struct stack_row *row, uint32_t told,
                      struct row_frames *frames)
{
    struct sample_label label;

    frames->count = 0;
    for (uint32_t i = 0; i < row->count; i++) {
        struct symbol symbol = symbol_at(stacks, told, stacks->addresses.list[row->first + i]);
        const frame_id *names = &stacks->names.list[symbol.first];

        if (symbol.is_folded && frames->count && frames->list[frames->count - 1] == names[0])
            continue;
        for (uint32_t n = 0; n < symbol.count; n++)
            vector_add(frames, names[n]);
    }
    if (frames->count == 0)
        warning_count_many(builder_warnings(stacks->builder), WARNING_NOTE,
                           "samples without a stack, in no function", 1);
    if (builder_wants_labels(builder_stacks(stacks->builder)))
        label_row(stacks->builder, row, &label);
    builder_stack(builder_stacks(stacks->builder), frames->list, (uint32_t)frames->count,
                  row->values);
}

void stacks_plant(struct gperf_stacks *stacks)
{
    uint32_t told = (uint32_t)stacks->symbols.count; /* by the file itself */
    struct row_frames frames = {0};

    if (stacks->maps.count)
        qsort(stacks->maps.list, stacks->maps.count, sizeof(*stacks->maps.list), by_start);
    if (stacks->detail == DETAIL_FUNCTION && builder_folds_python(stacks->builder))
        stacks->interpreter = find_interpreter(stacks);
    for (size_t r = 0; r < stacks->rows.count; r++)
        plant_row(stacks, &stacks->rows.list[r], told, &frames);
    free(frames.list);
}

void stacks_free(struct gperf_stacks *stacks)
{
    free(stacks->addresses.list);
    free(stacks->rows.list);
    free(stacks->symbols.list);
    free(stacks->names.list);
    idmap_free(&stacks->symbol_of);
    free(stacks->maps.list);
}
