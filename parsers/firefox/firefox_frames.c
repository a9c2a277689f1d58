/* SPDX-License-Identifier: Apache-2.0 */
/* firefox_frames.c — what the frames of a Firefox profile are, and which stacks they make */
#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "parsers/firefox/firefox.h"
#include "parsers/stacks/language_names.h"
#include "parsers/stacks/v8_names.h"

enum { RESOURCE_IS_LIBRARY = 1 };

/* Tables of a thread, with those that it shares: each table is in one of the two. */
struct frame_source {
    struct firefox *firefox;
    const struct firefox_tables *own, *shared;
};

static const struct firefox_tables *holder(const struct frame_source *source,
                                           enum firefox_column column)
{
    return source->own->columns[column].count ? source->own : source->shared;
}

static int64_t cell(const struct frame_source *source, enum firefox_column column, int64_t row)
{
    return firefox_cell(holder(source, column), column, row);
}

/* 0 where the file has none with that number. */
static str_id string(const struct frame_source *source, int64_t at)
{
    const struct firefox_tables *tables = source->own->strings.count ? source->own : source->shared;

    return at >= 0 && (uint64_t)at < tables->strings.count ? tables->strings.list[at] : 0;
}

static const struct firefox_lib *lib_at(const struct frame_source *source, int64_t at)
{
    const struct firefox_tables *tables = source->own->libs.count ? source->own : source->shared;

    return at >= 0 && (uint64_t)at < tables->libs.count ? &tables->libs.list[at] : NULL;
}

/* The library that was at an address; they are in the order of where they start. */
static const struct firefox_lib *lib_around(const struct frame_source *source, uint64_t address)
{
    const struct firefox_tables *tables = source->own->libs.count ? source->own : source->shared;
    size_t low = 0, high = tables->libs.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (tables->libs.list[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low && address < tables->libs.list[low - 1].end ? &tables->libs.list[low - 1] : NULL;
}

static bool is_address(struct span name, uint64_t *address)
{
    return span_starts(name, SPAN("0x")) && span_hex_to_u64(span_after(name, 2), address);
}

/* Of code that the file has no name for, what its binary says: the function whose code it is, with
 * the line that ran where lines are asked for. `address` counts from where the binary begins in
 * memory. False: it stays without a name. */
static bool look_up(struct firefox *firefox, const struct firefox_lib *lib, uint64_t address,
                    struct frame *frame)
{
    struct symbols *symbols = builder_symbols(firefox->builder);
    struct symbol_place places[SYMBOL_PLACES_MAX];
    uint32_t count = 0;

    frame->is_nameless = true;
    if (symbols && lib && span_starts(builder_text(firefox->builder, lib->path), SPAN("/")))
        count =
            symbols_find_in_image(symbols,
                                  symbols_binary(symbols, builder_text(firefox->builder, lib->path),
                                                 builder_text(firefox->builder, lib->build_id)),
                                  address, places, SYMBOL_PLACES_MAX);
    if (count > 0)
        *frame = builder_place(firefox->builder, &places[count - 1], frame->module);
    return count > 0;
}

/* Where a name ends that is followed by " (", at the last place where that stands. */
static size_t place_begin(struct span text, struct span opening)
{
    size_t found = SIZE_MAX, from = 0, at;

    while ((at = span_find(span_after(text, from), opening)) != SIZE_MAX) {
        found = from + at;
        from = found + 1;
    }
    return found;
}

/* "NAME (in LIB)", with " + OFFSET" or " (FILE:LINE)" behind it. */
static bool read_native_location(struct firefox *firefox, struct span text, struct frame *frame)
{
    size_t at = place_begin(text, SPAN(" (in "));
    struct span rest = span_after(text, at == SIZE_MAX ? text.len : at + 5);
    struct span lib = span_split(&rest, ')');

    if (at == SIZE_MAX || lib.at + lib.len == text.at + text.len)
        return false;
    if (span_starts(rest, SPAN(" (")) && span_ends(rest, SPAN(")")))
        frame->file = builder_intern(
            firefox->builder, place_file((struct span){rest.at + 2, rest.len - 3}, &frame->line));
    else if (rest.len && !span_starts(rest, SPAN(" + ")))
        return false;
    frame->name = builder_intern(firefox->builder, (struct span){text.at, at});
    frame->module = builder_intern(firefox->builder, lib);
    return true;
}

/* "NAME (URL:LINE:COLUMN)" or "URL:LINE:COLUMN", from some version on with "[SOURCE]" behind it. */
static bool read_js_location(struct firefox *firefox, struct span text, struct frame *frame)
{
    struct span name = LITERAL(""), url;
    int64_t last, line;
    size_t at;

    if (span_ends(text, SPAN("]")) && (at = span_rfind(text, '[')) != SIZE_MAX)
        text.len = at;
    at = span_ends(text, SPAN(")")) ? place_begin(text, SPAN(" (")) : SIZE_MAX;
    if (at != SIZE_MAX) {
        name = (struct span){text.at, at};
        text = (struct span){text.at + at + 2, text.len - at - 3};
    } else if (span_find(text, SPAN("/")) == SIZE_MAX) {
        return false;
    }
    url = place_file(text, &last);
    if (url.len == text.len)
        return false;
    text = place_file(url, &line);
    v8_name(frame, name, firefox->builder);
    v8_file(frame, text, firefox->builder);
    frame->line = text.len < url.len ? line : last;
    frame->shows_place = true;
    return true;
}

/* The gecko form has one text for all that a frame is. `has_line`: its line is the one that ran. */
static struct frame located_frame(const struct frame_source *source, str_id location,
                                  bool *has_line)
{
    struct frame frame = {.name = location, .kind = KIND_HOST};
    struct span text = builder_text(source->firefox->builder, location);
    uint64_t address;

    if (is_address(text, &address)) {
        const struct firefox_lib *lib = lib_around(source, address);

        frame.module = lib ? lib->name : 0;
        *has_line = look_up(source->firefox, lib, lib ? address - lib->start : 0, &frame);
    } else if (!read_native_location(source->firefox, text, &frame) &&
               !read_js_location(source->firefox, text, &frame)) {
        frame.kind = KIND_OTHER;
    }
    return frame;
}

/* The processed form's: by the row of its function. */
static struct frame described_frame(const struct frame_source *source, int64_t row, bool *has_line)
{
    struct builder *builder = source->firefox->builder;
    int64_t func = cell(source, FRAME_FUNC, row);
    int64_t resource = cell(source, FUNC_RESOURCE, func), line = cell(source, FUNC_LINE, func);
    int64_t lib_row = cell(source, FRAME_LIB, row), address = cell(source, FRAME_ADDRESS, row);
    const struct firefox_lib *lib =
        lib_at(source, lib_row >= 0 ? lib_row : cell(source, RESOURCE_LIB, resource));
    str_id file = string(source, cell(source, FUNC_FILE, func));
    struct frame frame = {.name = string(source, cell(source, FUNC_NAME, func)),
                          .line = line > 0 ? line : 0,
                          .kind = KIND_HOST};
    char room[PYTHON_MODULE_MAX];
    uint64_t relative;

    if (!file)
        file = string(source, cell(source, SOURCE_FILE, cell(source, FUNC_SOURCE, func)));
    frame.file = file;
    if (lib)
        frame.module = lib->name;
    else if (cell(source, RESOURCE_TYPE, resource) == RESOURCE_IS_LIBRARY)
        frame.module = string(source, cell(source, RESOURCE_NAME, resource));
    if (cell(source, FUNC_IS_JS, func) == 1 && !source->firefox->is_of_python) {
        v8_name(&frame, builder_text(builder, frame.name), builder);
        v8_file(&frame, builder_text(builder, file), builder);
        frame.shows_place = true;
    } else if (python_is_file(builder_text(builder, file))) {
        frame.kind = KIND_PYTHON;
        frame.module = builder_intern(builder, python_module(builder_text(builder, file), room));
        if (source->firefox->is_of_python)
            python_forget_line(builder, &frame);
    } else if (is_address(builder_text(builder, frame.name), &relative)) {
        *has_line =
            look_up(source->firefox, lib, address >= 0 ? (uint64_t)address : relative, &frame);
    } else if (!frame.module && !file) {
        frame.kind = KIND_OTHER; /* a label that the program gave itself */
    }
    if (!frame.name)
        frame.name = builder_intern(builder, SPAN("?"));
    return frame;
}

static frame_id give_frame(const struct frame_source *source, int64_t row, bool has_locations)
{
    str_id location = string(source, cell(source, FRAME_LOCATION, row));
    bool has_line = false;
    struct frame frame = has_locations && location ? located_frame(source, location, &has_line)
                                                   : described_frame(source, row, &has_line);
    int64_t line = cell(source, FRAME_LINE, row), depth = cell(source, FRAME_INLINE_DEPTH, row);
    int64_t begins_at = has_line ? 0 : frame.line;
    frame_id id;

    if (!frame.name)
        frame.name = location; /* "(root)" of JavaScript is a frame here */
    if (source->firefox->by_line && frame.file && !has_line)
        frame.line = line > 0 ? line : 0;
    id = builder_frame_in(source->firefox->builder, &frame, begins_at);
    if (depth != UNKNOWN)
        builder_inlining(source->firefox->builder, id, depth > 0);
    return id;
}

static void give_frames(struct firefox *firefox, struct firefox_tables *tables,
                        const struct firefox_tables *shared)
{
    struct frame_source source = {firefox, tables, shared};
    bool has_locations = tables->columns[FRAME_LOCATION].count > 0;
    size_t count = tables->columns[has_locations ? FRAME_LOCATION : FRAME_FUNC].count;

    tables->frames = grow_zeroed(count + 1, sizeof(*tables->frames));
    for (size_t i = 0; i < count; i++)
        tables->frames[i] = give_frame(&source, (int64_t)i, has_locations);
    tables->frames[count] = builder_frame(
        firefox->builder,
        &(struct frame){.name = builder_intern(firefox->builder, SPAN("?")), .kind = KIND_OTHER});
}

/* The row of the stack around this one: one before it, so that no circle can be. */
static uint32_t parent_of(struct firefox *firefox, const struct firefox_tables *tables, size_t row)
{
    bool has_offsets = tables->columns[STACK_PREFIX_OFFSET].count > 0;
    int64_t given =
        firefox_cell(tables, has_offsets ? STACK_PREFIX_OFFSET : STACK_PREFIX, (int64_t)row);
    int64_t at = has_offsets && given != UNKNOWN ? checked_sub((int64_t)row, given) : given;

    if (given == UNKNOWN || (has_offsets && given == 0))
        return NO_STACK;
    if (at >= 0 && at < (int64_t)row)
        return (uint32_t)at;
    warning_count_many(builder_warnings(firefox->builder), WARNING_LOSS,
                       "stacks whose caller is not one before them, taken as roots", 1);
    return NO_STACK;
}

void firefox_give_stacks(struct firefox *firefox, struct firefox_tables *tables,
                         struct firefox_tables *shared)
{
    size_t count = tables->columns[STACK_FRAME].count;
    struct firefox_tables *framed =
        tables->columns[FRAME_FUNC].count || tables->columns[FRAME_LOCATION].count ? tables
                                                                                   : shared;
    size_t frames;

    if (tables->stacks)
        return;
    if (!framed->frames)
        give_frames(firefox, framed, shared);
    frames = framed->columns[FRAME_LOCATION].count ? framed->columns[FRAME_LOCATION].count
                                                   : framed->columns[FRAME_FUNC].count;
    tables->stacks = grow_zeroed(count + 1, sizeof(*tables->stacks));
    for (size_t i = 0; i < count; i++) {
        int64_t frame = tables->columns[STACK_FRAME].list[i];
        bool is_known = frame >= 0 && frame < (int64_t)frames;

        if (!is_known)
            warning_count_many(builder_warnings(firefox->builder), WARNING_LOSS,
                               "stacks of frames that the file does not have", 1);
        tables->stacks[i].frame = framed->frames[is_known ? (size_t)frame : frames];
        tables->stacks[i].parent = parent_of(firefox, tables, i);
    }
}
