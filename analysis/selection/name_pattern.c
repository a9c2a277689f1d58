/* SPDX-License-Identifier: Apache-2.0 */
/* Which functions a text means that a user typed: as printed, as a name, or as an expression. */
#include "analysis/selection/select.h"

#include "graph/classify/function_class.h"
#include "graph/model/graph.h"
#include "graph/names/names.h"

void name_pattern_set(struct name_pattern *pattern, const char *text, bool is_literal)
{
    *pattern = (struct name_pattern){.text = text, .is_literal = is_literal};
    if (!is_literal)
        pattern->is_regex = pattern_compile(&pattern->regex, text, &pattern->fault);
}

void name_pattern_free(struct name_pattern *pattern)
{
    if (pattern->is_regex)
        pattern_free(&pattern->regex);
    pattern->is_regex = false;
}

bool name_pattern_lack(const struct name_pattern *pattern, struct error *err)
{
    if (pattern->fault.kind) {
        *err = pattern->fault;
        return false;
    }
    error_set(err, ERROR_NO, "no function matches '%.100s'", pattern->text);
    return error_hint(err, "a part of its name is enough; 'ptk hotspots -n 0' lists the names");
}

/* ---- as printed ---- */

/* The whole text, or its end behind a folder or a blank. */
static bool ends_with_part(struct span text, struct span part)
{
    return part.len && span_ends(text, part) &&
           (text.len == part.len || strchr("/\\ ", text.at[text.len - part.len - 1]));
}

static bool is_printed_so(const struct graph *graph, frame_id id, struct span typed,
                          struct arena *scratch)
{
    struct span name = graph_text(graph, graph_frame(graph, id)->name);
    struct span label = frame_label(graph, id, scratch), place = label;
    bool is_compact = span_find(typed, SPAN("...")) != SIZE_MAX;
    size_t tail = name.len + 2;

    /* "dir/svc.py:37" of "dir/svc.py:37(handle)" */
    if (label.len > tail && span_ends(label, SPAN(")")) && label.at[label.len - tail] == '(')
        place.len -= tail;
    else if (graph_frame(graph, id)->shows_column && span_rfind(label, ':') != SIZE_MAX)
        place.len = span_rfind(label, ':'); /* "a.js:9", all that begin there */
    return span_eq(name, typed) ||
           (is_compact && ends_with_part(label_compact(label, scratch), typed)) ||
           ends_with_part(label, typed) || ends_with_part(place, typed);
}

static struct span without_ellipsis(struct span typed)
{
    static const struct span marks[] = {LITERAL(".../"), LITERAL("\xe2\x80\xa6/")};

    for (size_t i = 0; i < COUNT_OF(marks); i++)
        if (span_starts(typed, marks[i]))
            return span_after(typed, marks[i].len);
    return typed;
}

/* The marks of cell_label() are no part of a name. */
static struct span without_mark(struct span typed)
{
    static const struct span marks[] = {LITERAL(" (inline)"), LITERAL(" (partial-inline)")};

    for (size_t i = 0; i < COUNT_OF(marks); i++)
        if (span_ends(typed, marks[i]))
            return (struct span){typed.at, typed.len - marks[i].len};
    return typed;
}

static bool find_printed(const struct graph *graph, const struct name_pattern *pattern,
                         bool *matches)
{
    struct span typed = without_mark(without_ellipsis(span_of(pattern->text)));
    struct arena scratch = {0};
    bool any = false;

    for (frame_id id = 1; id < graph->frames.count; id++) {
        matches[id] = is_printed_so(graph, id, typed, &scratch);
        any |= matches[id];
        arena_clear(&scratch);
    }
    arena_free(&scratch);
    return any;
}

/* ---- as a part, or an expression ---- */

static bool find_part(const struct graph *graph, const struct name_pattern *pattern, bool *matches)
{
    struct span typed = span_of(pattern->text);
    struct arena scratch = {0};
    bool any = false;

    for (frame_id id = 1; id < graph->frames.count; id++) {
        matches[id] = span_find(frame_label(graph, id, &scratch), typed) != SIZE_MAX ||
                      span_find(graph_text(graph, graph_frame(graph, id)->name), typed) != SIZE_MAX;
        any |= matches[id];
        arena_clear(&scratch);
    }
    arena_free(&scratch);
    return any;
}

static bool find_in_names(const struct graph *graph, const struct name_pattern *pattern,
                          bool *matches)
{
    bool any = false;

    for (frame_id id = 1; id < graph->frames.count; id++) {
        matches[id] =
            pattern_matches(&pattern->regex, graph_text(graph, graph_frame(graph, id)->name));
        any |= matches[id];
    }
    return any;
}

static bool find_in_places(const struct graph *graph, const struct name_pattern *pattern,
                           bool *matches)
{
    bool any = false;

    for (frame_id id = 1; id < graph->frames.count; id++) {
        const struct frame *frame = graph_frame(graph, id);

        matches[id] |=
            (frame->file && pattern_matches(&pattern->regex, graph_text(graph, frame->file))) ||
            (frame->module && pattern_matches(&pattern->regex, graph_text(graph, frame->module)));
        any |= matches[id];
    }
    return any;
}

bool *name_pattern_function(const struct graph *graph, const struct name_pattern *pattern,
                            struct arena *arena)
{
    bool *matches = arena_array(arena, graph->frames.count, sizeof(*matches));
    struct span typed = without_mark(span_of(pattern->text));

    if (short_name_select(graph, typed, matches) || find_printed(graph, pattern, matches) ||
        short_name_select_facts(graph, typed, matches) ||
        (pattern->is_literal && find_part(graph, pattern, matches)) ||
        (pattern->is_regex && find_in_names(graph, pattern, matches)))
        return matches;
    return NULL;
}

/* A word alone is an expression where it chooses several: "fib" is in "fib_all", too. */
static bool is_word(struct span typed)
{
    for (size_t i = 0; i < typed.len; i++)
        if (strchr(" .:/(){}<>#*&~$|@-", typed.at[i]))
            return false;
    return true;
}

bool *name_pattern_select(const struct graph *graph, const struct name_pattern *pattern,
                          struct arena *arena)
{
    bool *matches = arena_array(arena, graph->frames.count, sizeof(*matches));
    struct span typed = without_mark(span_of(pattern->text));
    bool is_found = false;

    if (!is_word(typed) && short_name_select(graph, typed, matches))
        return matches;
    if (pattern->is_regex) {
        is_found = find_in_names(graph, pattern, matches);
        is_found = find_in_places(graph, pattern, matches) || is_found; /* both mark theirs */
    }
    if (is_found)
        return matches;
    if (find_printed(graph, pattern, matches) || short_name_select_facts(graph, typed, matches) ||
        (pattern->is_literal && find_part(graph, pattern, matches)))
        return matches;
    return NULL;
}
