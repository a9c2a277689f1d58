/* SPDX-License-Identifier: Apache-2.0 */
/* Labels of functions shortened for people: as much of a path as tells them apart, in a given
 * room. */
#include "graph/classify/function_class.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/checked.h"
#include "base/text/escape.h"

/* ---- functions' labels with as much of their paths as tells them apart ---- */

/* Where the last part of a path begins that ends before `end`. */
static size_t last_part(struct span text, size_t end)
{
    while (end > 0 && text.at[end - 1] != '/')
        end--;
    return end;
}

/* Where ":12(name)" begins; SIZE_MAX where the label has no place. */
static size_t place_at(struct span label)
{
    for (size_t at = 0; at + 2 < label.len; at++) {
        size_t digits;

        if (label.at[at] != ':')
            continue;
        digits = at + 1 + span_digits(span_after(label, at + 1));
        if (digits > at + 1 && digits < label.len && label.at[digits] == '(')
            return at;
    }
    return SIZE_MAX;
}

/* Behind "…/site-packages/", "…/dist-packages/" or "…/lib/python3.11/"; 0 where it is in none. */
static size_t library_root(struct span label)
{
    static const struct span folders[] = {LITERAL("/site-packages/"), LITERAL("/dist-packages/")};
    size_t at;

    for (size_t i = 0; i < 2; i++)
        if ((at = span_find(label, folders[i])) != SIZE_MAX)
            return at + folders[i].len;
    at = span_find(label, SPAN("/lib/python"));
    if (at == SIZE_MAX)
        return 0;
    at += sizeof("/lib/python") - 1;
    while (at < label.len && label.at[at] != '/')
        at++;
    return at < label.len ? at + 1 : 0;
}

bool label_has_folder(struct span label)
{
    size_t place = place_at(label);

    return place != SIZE_MAX && last_part(label, place) > 0 && !library_root(label);
}

size_t label_common(struct span label, struct span first, size_t common)
{
    size_t same = 0, most = last_part(label, place_at(label));

    if (common != SIZE_MAX && most > common)
        most = common;
    while (same < most && same < first.len && label.at[same] == first.at[same])
        same++;
    return last_part(label, same);
}

struct span label_short(struct span label, enum label_paths paths, size_t common)
{
    size_t place = place_at(label), root = library_root(label), open = 0;

    if (paths == PATHS_FULL)
        return label;
    /* what is not a function has the name of its file: "json/__init__.py:1(<module>)" */
    if (place != SIZE_MAX && paths == PATHS_NAME && !span_ends(label, SPAN("(<module>)"))) {
        open = place + 1 + (size_t)(strchr(label.at + place, '(') - (label.at + place));
        return (struct span){label.at + open, label.len - open - span_ends(label, SPAN(")"))};
    }
    if (place != SIZE_MAX)
        return span_after(label, root                                            ? root
                                 : common != SIZE_MAX && label_has_folder(label) ? common
                                                                                 : 0);
    while (open < label.len && !strchr("([{< ", label.at[open]))
        open++;
    return span_after(label, last_part(label, open));
}

/* Where the path begins in "handle /srv/app/main.js:8"; 0: there is none behind a blank. */
static size_t path_at(struct span label)
{
    size_t blank = 0;

    for (size_t i = 0; i < label.len; i++)
        if (label.at[i] == ' ')
            blank = i + 1;
        else if (label.at[i] == '/' && blank)
            return blank;
    return 0;
}

/* Without `left` … `right`, and without the folder that begins there. */
static struct span cut_out(struct span label, size_t left, size_t right, bool is_path,
                           struct span mark, struct arena *arena)
{
    size_t slash = right;

    while (is_path && slash < label.len && label.at[slash] != '/')
        slash++;
    right = slash < label.len ? slash : right;
    char *text = arena_array(arena, left + mark.len + label.len - right, 1);

    memcpy(text, label.at, left);
    memcpy(text + left, mark.at, mark.len);
    memcpy(text + left + mark.len, label.at + right, label.len - right);
    return (struct span){text, left + mark.len + label.len - right};
}

/* The longest begin that ends between two words, with a mark; a first word that is too long is cut. */
static struct span cut_behind_word(struct span text, size_t room, struct span mark, struct arena *arena)
{
    size_t most = escape_fit(text, room), end = most;

    while (end > 1 && !span_ends_word(text, end))
        end--;
    if (end <= 1)
        end = most;
    while (end > 1 && strchr("_:., (<-$/", text.at[end - 1]))
        end--;
    return cut_out(text, end, text.len, false, mark, arena);
}

/* Where sizes of tensors begin in "aten::linear [16,559,1024]×[2816,1024]"; SIZE_MAX: nowhere. */
static size_t sizes_at(struct span label)
{
    size_t at = span_find(label, SPAN(" ["));

    return at != SIZE_MAX && at + 2 < label.len && strchr("*0123456789", label.at[at + 2]) &&
                   span_ends(label, SPAN("]"))
               ? at
               : SIZE_MAX;
}

/* Where sizes from there on begin that are whole. */
static size_t whole_size_at(struct span label, size_t at)
{
    size_t from = at;

    while (from < label.len && label.at[from] != ',' && label.at[from] != '[')
        from++;
    return from >= label.len ? at : from + (label.at[from] == ',');
}

/* Sizes tell calls of one operator apart: its library gives way, then the end of its name, then the first sizes. */
static struct span cut_before_sizes(struct span label, size_t room, struct span mark,
                                    struct arena *arena)
{
    enum { NAME_LEAST = 8 };
    size_t library = span_find(label, SPAN("::")), sizes = sizes_at(label), name, cells;

    if (library < sizes)
        label = span_after(label, library + 2);
    if (escape_cells(label) <= room)
        return label;
    sizes = sizes_at(label);
    room -= escape_cells(mark);
    cells = escape_cells(span_after(label, sizes));
    if (cells + NAME_LEAST <= room)
        return cut_out(label, escape_fit(label, room - cells), sizes, false, mark, arena);
    name = escape_fit(label, NAME_LEAST < room / 2 ? NAME_LEAST : room / 2);
    name = name < sizes ? name : sizes + 1;
    while (cells + name > room) {
        struct span rest = span_after(label, sizes);
        size_t one = escape_fit(rest, 1);

        one = one ? one : escape_fit(rest, 2); /* a wide letter */
        cells -= escape_cells(span_before(rest, one));
        sizes += one;
    }
    return cut_out(label, name, whole_size_at(label, sizes), false, mark, arena);
}

/* How long the place is in "core/scheduler.py(12): step", as Kineto writes it; 0: there is none. */
static size_t place_before(struct span label)
{
    size_t end = span_find(label, SPAN("): "));

    return end == SIZE_MAX || span_find(label, SPAN(".py(")) > end ? 0 : end + 3;
}

enum { PLACE_LEAST = 12 }; /* "…ler.py(12): " */

struct span label_fit(struct span label, size_t room, struct span mark, bool is_path,
                      struct arena *arena)
{
    size_t cells = escape_cells(label), mark_cells = escape_cells(mark), from = 0;
    size_t place = place_at(label), surplus = cells + mark_cells - room;

    if (cells <= room || room <= mark_cells + 2)
        return label;
    is_path = is_path && memchr(label.at, '/', label.len);
    if (place != SIZE_MAX) {
        is_path = true;
        if (surplus >
            escape_cells((struct span){label.at, place})) /* the name is too long itself */
            return label_fit(span_after(label, place + 1), room, mark, false, arena);
    } else if (span_starts(label, SPAN("{built-in method "))) {
        from = 1;
        is_path = false;
    } else if (span_starts(label, SPAN("{method '"))) {
        return cut_out(label, escape_fit(label, room - mark_cells - 1), label.len - 1, false, mark,
                       arena);
    } else if (place_before(label)) {
        if (surplus + PLACE_LEAST > place_before(label))
            return label_fit(span_after(label, place_before(label)), room, mark, false, arena);
        is_path = false;
    } else if (is_path) {
        from = path_at(label);
        if (surplus >= escape_cells(span_after(label, from)))
            from = 0;
    } else if (sizes_at(label) != SIZE_MAX) {
        return cut_before_sizes(label, room, mark, arena);
    } else {
        return cut_behind_word(label, room - mark_cells, mark, arena);
    }

    struct span rest = span_after(label, from);

    return cut_out(label, from, from + escape_fit(rest, surplus), is_path, mark, arena);
}

/* ---- C++ ---- */

enum { ARGUMENTS_MAX = 24 };

/* What compilers write for a type's alias, the longest first. */
static const struct alias {
    struct span spelled, alias;
} aliases[] = {
    {LITERAL("std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >"),
     LITERAL("std::string")},
    {LITERAL("std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char>>"),
     LITERAL("std::string")},
    {LITERAL("std::basic_ostream<char, std::char_traits<char> >"), LITERAL("std::ostream")},
    {LITERAL("std::__cxx11::"), LITERAL("std::")},
    {LITERAL("[abi:cxx11]"), LITERAL("")},
};

static const struct alias *alias_at(struct span text)
{
    for (size_t i = 0; i < COUNT_OF(aliases); i++)
        if (span_starts(text, aliases[i].spelled))
            return &aliases[i];
    return NULL;
}

/* Whether a bracket behind this begins arguments: it is a name, which may be "operator<", but is not
 * "operator" alone. */
static bool begins_arguments(struct span before, char bracket)
{
    unsigned char last = before.len ? (unsigned char)before.at[before.len - 1] : ' ';

    if (span_ends(before, SPAN("operator")))
        return false;
    return bracket == '(' ? !strchr(" (,", last)
                          : bracket == '<' && (isalnum(last) || last == '_' || last == '}');
}

struct span label_compact(struct span label, struct arena *arena)
{
    if (span_find(label, SPAN("::")) == SIZE_MAX || place_at(label) != SIZE_MAX)
        return label;
    char *kept = arena_array(arena, label.len + 3, 1);
    size_t *opened = arena_array(arena, label.len, sizeof(*opened)), depth = 0, len = 0;

    while (label.len) {
        const struct alias *alias = alias_at(label);
        struct span before = {kept, len};
        char byte = label.at[0];

        if (alias) {
            memcpy(kept + len, alias->alias.at, alias->alias.len);
            len += alias->alias.len;
            label = span_after(label, alias->spelled.len);
            continue;
        }
        if (begins_arguments(before, byte)) {
            opened[depth++] = len;
        } else if (depth && (kept[opened[depth - 1]] == '('
                                 ? byte == ')'
                                 : byte == '>' && !span_ends(before, SPAN("-")))) {
            size_t first = opened[--depth] + 1;

            if (len - first > ARGUMENTS_MAX) {
                memcpy(kept + first, "...", 3);
                len = first + 3;
            }
        }
        kept[len++] = byte;
        label = span_after(label, 1);
    }
    return (struct span){kept, len};
}

struct span frame_place(const struct graph *graph, frame_id id, struct arena *arena)
{
    const struct frame *frame = graph_frame(graph, id);
    struct span label = frame_label(graph, id, arena), file = graph_text(graph, frame->file);
    struct span name = span_file_name(file);
    const char *line =
        frame->line > 0 ? arena_printf(arena, ":%" PRId64, (int64_t)frame->line) : "";

    if (!name.len || frame->kind != KIND_HOST || span_find(label, name) != SIZE_MAX)
        return label;
    return span_of(arena_printf(arena, "%.*s (%.*s%s)", (int)label.len, label.at, (int)name.len,
                                name.at, line));
}
