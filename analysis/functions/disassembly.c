/* SPDX-License-Identifier: Apache-2.0 */
/* The instructions of functions with what each costs, from samples by address and the code in
 * binaries. */
#include "analysis/functions/hotspots.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory/memory.h"
#include "graph/derive/derive.h"

/* A mapping with its binary, which is opened for the code that is wanted. */
struct mapped {
    const struct code_mapping *mapping;
    struct symbol_binary *binary; /* NULL: not opened */
};

enum { OVERLAPPING = 64 }; /* mappings that are looked at for one address */

struct code_search {
    const struct graph *graph;
    struct symbols *symbols;
    struct mapped *maps; /* by start */
    size_t map_count;
    struct VECTOR_OF(struct code_function) found;
    struct disassembly *result;
};

static bool starts_before(const void *context, uint32_t a, uint32_t b)
{
    const struct code_mapping *maps = context;

    return maps[a].at.start < maps[b].at.start;
}

static void sort_maps(struct code_search *search, struct arena *arena)
{
    size_t count = search->graph->source.mappings.count;
    const struct code_mapping *list = search->graph->source.mappings.list;
    uint32_t *order = sorted_order(count, starts_before, list);

    search->maps = arena_array(arena, count + 1, sizeof(*search->maps));
    for (search->map_count = 0; search->map_count < count; search->map_count++)
        search->maps[search->map_count].mapping = &list[order[search->map_count]];
    free(order);
}

/* The mapping that a frame's address is in, or NULL. In profiles of several processes others may have
 * had another library there. */
static struct mapped *mapping_of(const struct code_search *search, frame_id frame)
{
    const struct frame *wanted = graph_frame(search->graph, frame);
    SEARCH(size_t, past, search->map_count,
           search->maps[past].mapping->at.start <= wanted->address);

    for (size_t i = past; i-- > 0 && past - i <= OVERLAPPING && wanted->address;)
        if (wanted->address < search->maps[i].mapping->at.end &&
            (!wanted->module ||
             span_eq(graph_text(search->graph, wanted->module),
                     span_file_name(graph_text(search->graph, search->maps[i].mapping->path)))))
            return &search->maps[i];
    return NULL;
}

static void note_lost(struct disassembly *result, const struct symbol_binary *binary,
                      const char *why)
{
    if (result->why)
        return;
    result->lost = binary;
    result->why = why;
}

static bool holds(const struct code_function *function, const struct symbol_binary *binary,
                  uint64_t address)
{
    return function->binary == binary && address >= function->symbol.low &&
           address < function->symbol.high;
}

/* The function that a wanted frame is in. */
static void find_function(struct code_search *search, frame_id frame)
{
    const struct graph *graph = search->graph;
    struct mapped *in = mapping_of(search, frame);
    struct code_function function = {0};
    uint64_t address;

    if (!in) {
        note_lost(search->result, NULL, "the profile does not say which binary its address was in");
        return;
    }
    if (!in->binary)
        in->binary = symbols_binary(search->symbols, graph_text(graph, in->mapping->path),
                                    graph_text(graph, in->mapping->build_id));
    function.binary = in->binary;
    if (!symbols_file_address(in->binary, &in->mapping->at, graph_frame(graph, frame)->address,
                              &address))
        note_lost(search->result, in->binary,
                  in->binary->trouble ? in->binary->trouble : "its code ends before the address");
    else if (search->found.count &&
             holds(&search->found.list[search->found.count - 1], in->binary, address))
        return;
    else if (symbols_function(search->symbols, in->binary, address, &function.symbol))
        vector_add(&search->found, function);
    else
        note_lost(search->result, in->binary, "no symbol says where the function begins and ends");
}

/* A binary is known by its path, since where it lies in memory changes from run to run. */
static int by_place(const void *a, const void *b)
{
    const struct code_function *x = a, *y = b;
    int order = x->binary == y->binary ? 0 : span_cmp(x->binary->path, y->binary->path);

    if (order)
        return order;
    return x->symbol.low < y->symbol.low ? -1 : x->symbol.low > y->symbol.low;
}

static void find_functions(struct code_search *search, const bool *is_wanted)
{
    const struct frames *frames = &search->graph->frames;
    bool has_own_code = false;
    size_t kept = 0;

    for (frame_id f = 1; f < frames->count; f++)
        has_own_code |= is_wanted[f] && !frames->list[f].is_inlined;
    for (frame_id f = 1; f < frames->count; f++)
        if (is_wanted[f] && (!has_own_code || !frames->list[f].is_inlined))
            find_function(search, f);
    if (search->found.count)
        qsort(search->found.list, search->found.count, sizeof(*search->found.list), by_place);
    for (size_t i = 0; i < search->found.count; i++)
        if (!kept || by_place(&search->found.list[kept - 1], &search->found.list[i]) != 0)
            search->found.list[kept++] = search->found.list[i];
    search->found.count = kept;
}

/* Of each frame the function that its address is in, counted from 1, and the file's address. */
struct frame_places {
    uint32_t *function;
    uint64_t *address;
};

static void place_frames(const struct code_search *search, struct frame_places *places)
{
    const struct code_function *list = search->found.list;

    for (frame_id f = 1; f < search->graph->frames.count; f++) {
        struct mapped *in = mapping_of(search, f);
        struct code_function here = {.binary = in ? in->binary : NULL};

        if (!here.binary ||
            !symbols_file_address(here.binary, &in->mapping->at,
                                  graph_frame(search->graph, f)->address, &here.symbol.low))
            continue;

        SEARCH(size_t, past, search->found.count, by_place(&list[past], &here) <= 0);
        if (past == 0 || !holds(&list[past - 1], here.binary, here.symbol.low))
            continue;
        places->function[f] = (uint32_t)past;
        places->address[f] = here.symbol.low;
    }
}

static void sum_functions(struct code_search *search, const struct frame_places *places,
                          struct arena *arena)
{
    uint32_t count = (uint32_t)search->found.count;
    int64_t *flat = arena_array(arena, (size_t)count + 1, sizeof(*flat));
    int64_t *cum = arena_array(arena, (size_t)count + 1, sizeof(*cum));

    stack_parts_sum(search->graph, places->function, count, flat, cum, arena);
    for (uint32_t i = 0; i < count; i++) {
        search->found.list[i].flat = flat[i];
        search->found.list[i].cum = cum[i];
    }
}

static bool costs_more(const void *context, uint32_t a, uint32_t b)
{
    const struct code_function *list = context;

    return list[a].flat != list[b].flat ? list[a].flat > list[b].flat : list[a].cum > list[b].cum;
}

static void disassemble(struct code_search *search, struct code_function *function,
                        enum assembly_syntax syntax, struct arena *arena)
{
    struct instructions list = {0};

    function->trouble =
        symbols_disassemble(search->symbols, function->binary, &function->symbol, syntax, &list);
    function->count = (uint32_t)list.count;
    function->list = arena_array(arena, list.count + 1, sizeof(*function->list));
    if (list.count)
        memcpy(function->list, list.list, list.count * sizeof(*list.list));
    free(list.list);
}

/* The places of frames become those of instructions: `first` is the number before that of the first
 * one of each function, or CODE_NONE where that is not shown. */
static void place_in_instructions(const struct code_search *search, struct frame_places *places,
                                  const uint32_t *first)
{
    for (frame_id f = 1; f < search->graph->frames.count; f++) {
        const struct code_function *function = &search->found.list[places->function[f] - 1];

        if (!places->function[f])
            continue;
        places->function[f] = 0;
        if (first[function - search->found.list] == CODE_NONE)
            continue;

        SEARCH(uint32_t, past, function->count, function->list[past].address <= places->address[f]);
        places->function[f] = past ? first[function - search->found.list] + past : 0;
    }
}

static void find_hottest(struct disassembly *disassembly)
{
    int64_t most = 0;

    for (uint32_t i = 0; i < disassembly->count; i++)
        for (uint32_t at = 0; at < disassembly->functions[i].count; at++)
            if (disassembly->functions[i].flat_at[at] > most) {
                most = disassembly->functions[i].flat_at[at];
                disassembly->hottest = &disassembly->functions[i];
                disassembly->hottest_at = at;
            }
}

void disassembly_compute(const struct graph *graph, const bool *is_wanted, struct symbols *symbols,
                         enum assembly_syntax syntax, uint32_t limit, struct arena *arena,
                         struct disassembly *disassembly)
{
    struct code_search search = {.graph = graph, .symbols = symbols, .result = disassembly};
    struct frame_places places = {arena_array(arena, graph->frames.count, sizeof(uint32_t)),
                                  arena_array(arena, graph->frames.count, sizeof(uint64_t))};
    uint32_t *order, *first, count = 0;
    int64_t *flat, *cum;

    *disassembly = (struct disassembly){.total = graph_total(graph)};
    sort_maps(&search, arena);
    find_functions(&search, is_wanted);
    place_frames(&search, &places);
    sum_functions(&search, &places, arena);
    order = sorted_order(search.found.count, costs_more, search.found.list);
    first = arena_array(arena, search.found.count + 1, sizeof(*first));
    disassembly->count = limit_rows((uint32_t)search.found.count, limit);
    disassembly->left_out = (uint32_t)search.found.count - disassembly->count;
    for (size_t i = 0; i < search.found.count; i++) {
        struct code_function *function = &search.found.list[order[i]];

        first[order[i]] = i < disassembly->count ? count : CODE_NONE;
        if (i < disassembly->count)
            disassemble(&search, function, syntax, arena);
        count += function->count;
    }
    place_in_instructions(&search, &places, first);
    flat = arena_array(arena, (size_t)count + 1, sizeof(*flat));
    cum = arena_array(arena, (size_t)count + 1, sizeof(*cum));
    stack_parts_sum(graph, places.function, count, flat, cum, arena);
    disassembly->instruction_of = places.function;
    disassembly->instruction_count = count;
    disassembly->functions =
        arena_array(arena, (size_t)disassembly->count + 1, sizeof(*disassembly->functions));
    for (uint32_t i = 0; i < disassembly->count; i++) {
        disassembly->functions[i] = search.found.list[order[i]];
        disassembly->functions[i].flat_at = flat + first[order[i]];
        disassembly->functions[i].cum_at = cum + first[order[i]];
    }
    find_hottest(disassembly);
    free(search.found.list);
    free(order);
}

static bool is_before_in_source(const void *context, uint32_t a, uint32_t b)
{
    const struct instruction *list = context, *x = &list[a], *y = &list[b];
    bool is_x_main = span_eq(x->own.file, list[0].own.file);
    bool is_y_main = span_eq(y->own.file, list[0].own.file);
    int order = span_cmp(x->own.file, y->own.file);

    if (is_x_main != is_y_main)
        return is_x_main;
    return order ? order < 0 : x->own.line < y->own.line;
}

void disassembly_by_line(const struct graph *graph, const struct disassembly *disassembly,
                         struct arena *arena, struct code_lines *lines)
{
    uint32_t all = disassembly->instruction_count, count = 0, base = 0;
    uint32_t *line_of = arena_array(arena, (size_t)all + 1, sizeof(*line_of)); /* both from 1 */
    uint32_t *part_of = arena_array(arena, graph->frames.count, sizeof(*part_of));
    int64_t *flat, *cum;

    lines->list = arena_array(arena, (size_t)all + 1, sizeof(*lines->list));
    lines->order = arena_array(arena, (size_t)all + 1, sizeof(*lines->order));
    lines->first = arena_array(arena, (size_t)disassembly->count + 1, sizeof(*lines->first));
    for (uint32_t f = 0; f < disassembly->count; base += disassembly->functions[f++].count) {
        const struct code_function *function = &disassembly->functions[f];
        uint32_t *order = sorted_order(function->count, is_before_in_source, function->list);

        for (uint32_t i = 0; i < function->count; i++) {
            const struct symbol_place *own = &function->list[order[i]].own;
            const struct code_line *last = count ? &lines->list[count - 1] : NULL;

            if (i == 0 || last->line != own->line || !span_eq(last->file, own->file))
                lines->list[count++] =
                    (struct code_line){.file = own->file, .line = own->line, .first = base + i};
            lines->list[count - 1].count++;
            lines->order[base + i] = order[i];
            line_of[base + order[i] + 1] = count;
        }
        free(order);
        lines->first[f + 1] = count;
    }
    for (frame_id f = 1; f < graph->frames.count; f++)
        part_of[f] = line_of[disassembly->instruction_of[f]];
    flat = arena_array(arena, (size_t)count + 1, sizeof(*flat));
    cum = arena_array(arena, (size_t)count + 1, sizeof(*cum));
    stack_parts_sum(graph, part_of, count, flat, cum, arena);
    for (uint32_t i = 0; i < count; i++) {
        lines->list[i].flat = flat[i];
        lines->list[i].cum = cum[i];
    }
}
