/* SPDX-License-Identifier: Apache-2.0 */
/* pprof_frames.c — from ids to frames: what each location stands for */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory/memory.h"
#include "base/text/pattern.h"
#include "parsers/pprof/pprof_profile.h"
#include "parsers/stacks/language_names.h"

/* ---- drop_frames and keep_frames: what a profile's writer does not want to be seen ---- */

struct prune_patterns {
    struct pattern drop, keep;
    bool has_drop, has_keep;
    uint64_t steps_left, unasked; /* names that came too late to be matched */
};

/* What patterns may cost: a thousand steps a byte of the file, and more than that for a small one. */
enum { STEPS_MIN = 1000000000, STEPS_OF_BYTE = 1000 };

/* Patterns are RE2's, and a few of those are nothing here: they are left out, as pprof does with
 * what it cannot compile. */
static bool compile(struct pprof *pprof, enum profile_field field, struct pattern *pattern)
{
    uint64_t index = (uint64_t)pprof->plain[field];
    struct span text = {0};
    char whole[4096];
    struct error err = {0};

    if (index && index < pprof->strings.count)
        text = builder_text(pprof->builder, pprof->strings.list[index]);
    if (text.len == 0)
        return false;
    if ((size_t)snprintf(whole, sizeof(whole), "^(%.*s)$", (int)text.len, text.at) <
            sizeof(whole) &&
        pattern_compile(pattern, whole, &err))
        return true;
    warning_say(builder_warnings(pprof->builder), WARNING_NOTE,
                "%s is not a regular expression that ptk knows: left out",
                field == PROFILE_DROP_FRAMES ? "drop_frames" : "keep_frames");
    return false;
}

/* Where "(anonymous namespace)" and "operator()" are passed over, the first bracket begins the
 * arguments. */
static size_t name_end(struct span name)
{
    static const struct span hidden[] = {LITERAL("(anonymous namespace)"), LITERAL("operator()")};
    size_t at = 0;

    while (at < name.len && name.at[at] != '(') {
        struct span rest = span_after(name, at);

        at += span_starts(rest, hidden[1]) ? hidden[1].len : 1;
        if (span_starts(span_after(name, at), hidden[0]))
            at += hidden[0].len;
    }
    return at;
}

static bool is_dropped(struct prune_patterns *patterns, struct span name)
{
    uint64_t steps;
    struct span bare = span_starts(name, SPAN(".")) ? span_after(name, 1) : name;
    size_t len = name_end(bare);

    if (len == 0)
        return false;
    steps = len * (patterns->drop.size + (patterns->has_keep ? patterns->keep.size : 0));
    if (steps > patterns->steps_left) {
        patterns->unasked++;
        return false;
    }
    patterns->steps_left -= steps;
    bare.len = len;
    return pattern_matches(&patterns->drop, bare) &&
           !(patterns->has_keep && pattern_matches(&patterns->keep, bare));
}

/* Cuts the inlined functions at and below a match off; marks what stacks are to be cut at. */
static enum prune_mark prune_location(struct pprof *pprof, struct prune_patterns *patterns,
                                      struct expansion *expansion)
{
    uint32_t at = expansion->count;

    while (at > 0 &&
           !is_dropped(patterns, builder_frame_name(pprof->builder,
                                                    pprof->frames.list[expansion->first + at - 1])))
        at--;
    if (at == 0)
        return PRUNE_NOTHING;
    if (at == expansion->count)
        return PRUNE_IT;
    expansion->first += at;
    expansion->count -= at;
    return PRUNE_BELOW;
}

static void pprof_prune_locations(struct pprof *pprof)
{
    struct prune_patterns patterns = {.steps_left =
                                          STEPS_MIN + STEPS_OF_BYTE * input_bytes_read(pprof->in)};

    patterns.has_drop = compile(pprof, PROFILE_DROP_FRAMES, &patterns.drop);
    if (!patterns.has_drop)
        return;
    patterns.has_keep = compile(pprof, PROFILE_KEEP_FRAMES, &patterns.keep);
    pprof->marks = grow_zeroed(pprof->locations.count + 1, sizeof(*pprof->marks));
    for (size_t i = 0; i < pprof->locations.count; i++)
        pprof->marks[i] = (uint8_t)prune_location(pprof, &patterns, &pprof->expansions[i]);
    warning_count_many(builder_warnings(pprof->builder), WARNING_LOSS,
                       "names kept unlooked at: what drop_frames asks of so many takes too long",
                       patterns.unasked);
    pattern_free(&patterns.drop);
    if (patterns.has_keep)
        pattern_free(&patterns.keep);
}

size_t pprof_prune_stack(const struct pprof *pprof, const struct stack_place *places, size_t count)
{
    bool has_user = false;

    for (size_t i = count; i-- > 0;) {
        enum prune_mark mark = (enum prune_mark)pprof->marks[places[i].location];

        if (mark == PRUNE_NOTHING)
            has_user = true;
        else if (has_user)
            return mark == PRUNE_BELOW ? places[i].first : places[i].end;
    }
    return 0;
}

/* ---- from ids to frames: what each location stands for ---- */

bool pprof_string(const struct pprof *pprof, string_index index, const char *what, uint64_t offset,
                  str_id *id, struct error *err)
{
    *id = 0;
    if (index == 0)
        return true;
    if (index >= pprof->strings.count)
        return error_set_at(err, offset, 0, "%s: string %" PRId64 " is not among the %zu that are",
                            what, (int64_t)index, pprof->strings.count);
    *id = pprof->strings.list[index];
    return true;
}

static bool module_of(struct pprof *pprof, const struct mapping_row *mapping, str_id *module,
                      struct error *err)
{
    str_id file = 0;

    *module = 0;
    if (mapping &&
        !pprof_string(pprof, mapping->file, "a mapping's file", mapping->offset, &file, err))
        return false;
    if (file)
        *module =
            builder_intern(pprof->builder, span_file_name(builder_text(pprof->builder, file)));
    return true;
}

/* Where the code was in memory, for who asks for addresses. */
static void note_mappings(struct pprof *pprof)
{
    const struct mapping_row *rows = pprof->mappings.list;

    for (size_t i = 0; i < pprof->mappings.count; i++) {
        struct code_mapping told = {.at = {rows[i].start, rows[i].limit, rows[i].file_offset}};

        if (!rows[i].file || rows[i].file >= pprof->strings.count ||
            rows[i].build_id >= pprof->strings.count)
            continue;
        told.path = pprof->strings.list[rows[i].file];
        told.build_id = rows[i].build_id ? pprof->strings.list[rows[i].build_id] : 0;
        builder_mapping(pprof->builder, &told);
    }
}

static uint64_t known_address(const struct pprof *pprof, const struct location_row *location)
{
    return pprof->detail == DETAIL_ADDRESS ? location->address : 0;
}

/* [libm.so.6]+0x1234, where the number is the place in the file; 0x7f0012 outside of all. */
static frame_id nameless_frame(struct pprof *pprof, const struct location_row *location,
                               const struct mapping_row *mapping, str_id module)
{
    struct span base = builder_text(pprof->builder, module);
    char room[320];
    int len;

    if (module)
        len =
            snprintf(room, sizeof(room), "[%.*s]+0x%" PRIx64, base.len < 256 ? (int)base.len : 256,
                     base.at, location->address - mapping->start + mapping->file_offset);
    else
        len = snprintf(room, sizeof(room), "0x%" PRIx64, location->address);

    struct frame frame = {.name = builder_intern(pprof->builder, (struct span){room, (size_t)len}),
                          .module = module,
                          .kind = KIND_HOST,
                          .is_nameless = true,
                          .address = known_address(pprof, location)};

    warning_count(builder_warnings(pprof->builder), WARNING_NOTE,
                  "addresses without a function, shown by their place in the file",
                  location->offset);
    return builder_frame(pprof->builder, &frame);
}

static bool line_frame(struct pprof *pprof, const struct line_row *line, struct frame frame,
                       frame_id *id, struct error *err)
{
    uint32_t row = ids_find(&pprof->function_ids, line->function_id);
    const struct function_row *function;
    str_id system;

    if (row == ID_UNKNOWN)
        return error_set_at(err, line->offset, 0,
                            "a location's line: there is no function %" PRIu64, line->function_id);
    function = &pprof->functions.list[row];
    if (!pprof_string(pprof, function->name, "a function's name", function->offset, &frame.name,
                      err) ||
        !pprof_string(pprof, function->system_name, "a function's system name", function->offset,
                      &system, err) ||
        !pprof_string(pprof, function->file, "a function's file", function->offset, &frame.file,
                      err))
        return false;
    if (!frame.name)
        frame.name = system;
    if (python_is_file(builder_text(pprof->builder, frame.file)))
        frame.kind = KIND_PYTHON;
    frame.line = pprof->detail == DETAIL_FUNCTION ? function->line : line->line;
    if (frame.line < 0)
        frame.line = 0;
    *id = builder_frame_in(pprof->builder, &frame,
                           pprof->detail != DETAIL_FUNCTION && function->line > 0 ? function->line
                                                                                  : 0);
    return true;
}

/* What the binary says of a place that the profile has no name for. */
static bool look_up(struct pprof *pprof, const struct location_row *location,
                    const struct mapping_row *mapping, str_id module)
{
    struct symbols *symbols = builder_symbols(pprof->builder);
    struct symbol_place places[SYMBOL_PLACES_MAX];
    struct symbol_binary *binary;
    struct symbol_map map;
    uint32_t count;

    if (!symbols || !mapping || mapping->file >= pprof->strings.count ||
        mapping->build_id >= pprof->strings.count)
        return false;
    binary = symbols_binary(
        symbols, builder_text(pprof->builder, pprof->strings.list[mapping->file]),
        builder_text(pprof->builder,
                     mapping->build_id ? pprof->strings.list[mapping->build_id] : 0));
    map = (struct symbol_map){mapping->start, mapping->limit, mapping->file_offset};
    count = symbols_find(symbols, binary, &map, location->address, places, SYMBOL_PLACES_MAX);
    for (uint32_t i = 0; i < count; i++) {
        struct frame frame = builder_place(pprof->builder, &places[i], module);

        frame.address = known_address(pprof, location);
        frame.is_inlined = frame.address && i + 1 < count;
        vector_add(&pprof->frames, builder_frame(pprof->builder, &frame));
        builder_inlining(pprof->builder, pprof->frames.list[pprof->frames.count - 1],
                         i + 1 < count);
    }
    return count > 0;
}

static bool expand(struct pprof *pprof, const struct location_row *location, struct error *err)
{
    uint32_t row = ids_find(&pprof->mapping_ids, location->mapping_id);
    const struct mapping_row *mapping = NULL;
    frame_id id = 0;
    str_id module;

    if (location->mapping_id && row != ID_UNKNOWN) /* one that the file does not have is none */
        mapping = &pprof->mappings.list[row];
    if (!module_of(pprof, mapping, &module, err))
        return false;
    if (location->line_count == 0 && !look_up(pprof, location, mapping, module))
        vector_add(&pprof->frames, nameless_frame(pprof, location, mapping, module));
    for (uint32_t i = 0; i < location->line_count; i++) {
        const struct line_row *line = &pprof->lines.list[location->first_line + i];
        struct frame frame = {
            .module = module, .kind = KIND_HOST, .address = known_address(pprof, location)};

        if (line->function_id == 0 && ids_find(&pprof->function_ids, 0) == ID_UNKNOWN) {
            vector_add(&pprof->frames, nameless_frame(pprof, location, mapping, module));
            continue;
        }
        frame.is_inlined = pprof->detail == DETAIL_ADDRESS && i + 1 < location->line_count;
        if (!line_frame(pprof, line, frame, &id, err))
            return false;
        vector_add(&pprof->frames, id);
        builder_inlining(pprof->builder, id, i + 1 < location->line_count);
    }
    return true;
}

/* What drop_frames marks needs each location's row, and takes the long way. */
static void make_briefs(struct pprof *pprof)
{
    const struct ids *ids = &pprof->location_ids;

    if (pprof->marks)
        return;
    pprof->briefs = grow_zeroed((size_t)ids->dense_count + 1, sizeof(*pprof->briefs));
    pprof->brief_count = ids->dense_count;
    for (uint64_t id = 0; id < ids->dense_count; id++) {
        uint32_t row = ids->dense[id];
        struct expansion expansion = {0};

        if (row != ID_UNKNOWN)
            expansion = pprof->expansions[row];
        if (expansion.count <= BRIEF)
            for (uint32_t i = 0; i < expansion.count; i++)
                pprof->briefs[id].frames[i] = pprof->frames.list[expansion.first + i];
    }
}

bool pprof_resolve(struct pprof *pprof, struct error *err)
{
    pprof->detail = builder_detail(pprof->builder, DETAIL_ADDRESS);
    note_mappings(pprof);
    pprof->expansions = grow_to(NULL, pprof->locations.count + 1, sizeof(*pprof->expansions));
    for (size_t i = 0; i < pprof->locations.count; i++) {
        size_t first = pprof->frames.count;

        if (!expand(pprof, &pprof->locations.list[i], err))
            return false;
        pprof->expansions[i] =
            (struct expansion){(uint32_t)first, (uint32_t)(pprof->frames.count - first)};
    }
    if (builder_drops_frames(pprof->builder))
        pprof_prune_locations(pprof);
    make_briefs(pprof);
    return true;
}
