/* SPDX-License-Identifier: Apache-2.0 */
/* Which functions a typed label means: the one that has it, or all with that head and those facts. */
#include "graph/names/short_names.h"

#include <string.h>

#include "base/checked.h"
#include "base/text/escape.h"

/* ---- heads and facts ---- */

/* The head, or its last scopes or folders: "B::f" of "A::B::f", "Get" of "store.Get". */
static bool is_head(struct span head, struct span typed, bool is_path)
{
    char before;

    if (!typed.len || !span_ends(head, typed))
        return is_path && head.len && head.at[head.len - 1] == ')' && span_eq(label_tail(head), typed);
    if (typed.len == head.len)
        return true;
    before = head.at[head.len - typed.len - 1];
    if (is_path)
        return before == '/' || before == '\\';
    return before == '.' || (before == ':' && head.len > typed.len + 1 && head.at[head.len - typed.len - 2] == ':');
}

/* A label as it may be typed: facts in any order, those that are not shown too. */
struct kept_label {
    struct span head, words; /* of all facts and extras, a blank before each */
    bool is_path;
};

/* Kept, because labels cost much, and each text that may select a function asks for its label. */
static const struct kept_label *kept_label(struct short_names *names, const struct graph *graph, frame_id id)
{
    struct arena scratch = {0};
    struct label label;
    struct kept_label *kept;
    struct span words = NO_SPAN;

    if (!names->kept)
        names->kept = arena_array(&names->arena, names->count, sizeof(*names->kept));
    if (names->kept[id])
        return names->kept[id];
    label.arena = &scratch;
    label_clear(&label);
    short_names_label(&label, graph, id);
    for (uint32_t i = 0; i < label.fact_count; i++)
        words = JOINED(&scratch, words, SPAN(" "), label.facts[i].text);
    for (uint32_t i = 0; i < label.extra_count; i++)
        words = JOINED(&scratch, words, SPAN(" "), label.extras[i].text);
    kept = arena_alloc(&names->arena, sizeof(*kept));
    kept->head = (struct span){arena_copy(&names->arena, label.head), label.head.len};
    kept->words = (struct span){arena_copy(&names->arena, words), words.len};
    kept->is_path = label.path.len > 0;
    names->kept[id] = kept;
    arena_free(&scratch);
    return kept;
}

static bool has_word(struct span words, struct span word)
{
    while (words.len)
        if (span_eq(span_split(&words, ' '), word))
            return true;
    return false;
}

static bool has_facts(const struct kept_label *label, struct span words)
{
    while (words.len) {
        struct span word = span_split(&words, ' ');

        if (word.len && !has_word(label->words, word))
            return false;
    }
    return true;
}

/* ---- a mark at the end of a cut identifier ---- */

static size_t mark_at(struct span typed, size_t *len)
{
    size_t at = span_find(typed, SPAN("…"));

    *len = strlen("…");
    if (at == SIZE_MAX) {
        at = span_find(typed, SPAN("..."));
        *len = strlen("...");
    }
    return at;
}

static bool begins_with(const struct kept_label *label, struct span begin, struct span words)
{
    return (span_starts(label->head, begin) || span_starts(label_tail(label->head), begin)) && has_facts(label, words);
}

/* ---- selecting ---- */

/* What a typed text selects. */
struct selecting {
    const struct graph *graph;
    struct short_names *names;
    bool *matches;
    frame_id only; /* or whether it selects this one alone: then others end the search */
    bool has_only, has_others;
};

static bool is_same_function(const struct graph *graph, frame_id a, frame_id b)
{
    const struct frame *x = graph_frame(graph, a), *y = graph_frame(graph, b);

    return a == b || (x->name == y->name && x->file == y->file && x->line == y->line && x->module == y->module &&
                      x->kind == y->kind);
}

static void mark(struct selecting *selecting, frame_id id)
{
    if (selecting->matches)
        selecting->matches[id] = true;
    if (is_same_function(selecting->graph, id, selecting->only))
        selecting->has_only = true;
    else
        selecting->has_others = true;
}

/* Functions whose label it is: its beginnings are base labels. */
static bool select_label(struct selecting *selecting, struct span typed)
{
    bool is_found = false;

    for (size_t end = typed.len; end > 0; end--) {
        if (end < typed.len && typed.at[end] != ' ')
            continue;
        for (frame_id id = short_names_of_text(selecting->names, selecting->graph, span_before(typed, end)); id;
             id = selecting->names->next_of_text[id])
            if (span_eq(graph_short_name(selecting->graph, id), typed)) {
                mark(selecting, id);
                is_found = true;
            }
    }
    return is_found;
}

/* Labels whose heads had to show more folders begin otherwise than their base labels. */
static bool select_path(struct selecting *selecting, struct span typed)
{
    bool is_found = false;

    for (frame_id id = short_names_of_tail(selecting->names, selecting->graph, label_tail(typed)); id;
         id = selecting->names->next_of_tail[id])
        if (span_eq(graph_short_name(selecting->graph, id), typed)) {
            mark(selecting, id);
            is_found = true;
        }
    return is_found;
}

static bool select_facts(struct selecting *selecting, struct span typed)
{
    bool is_found = false;

    for (size_t end = typed.len; end > 0; end--) {
        struct span head = span_before(typed, end);

        if (end < typed.len && typed.at[end] != ' ')
            continue;
        for (frame_id id = short_names_of_tail(selecting->names, selecting->graph, label_tail(head)); id;
             id = selecting->names->next_of_tail[id]) {
            const struct kept_label *label = kept_label(selecting->names, selecting->graph, id);

            if (is_head(label->head, head, label->is_path) && has_facts(label, span_after(typed, end))) {
                mark(selecting, id);
                is_found = true;
            }
            if (selecting->has_others && !selecting->matches)
                return true;
        }
    }
    return is_found;
}

static bool select_cut(struct selecting *selecting, struct span typed)
{
    size_t len, at = mark_at(typed, &len);
    struct span begin = span_before(typed, at), words = at == SIZE_MAX ? NO_SPAN : span_after(typed, at + len);
    bool is_found = false;

    if (at == SIZE_MAX || at == 0 || (words.len && words.at[0] != ' '))
        return false;
    for (enum head_end end = WHOLE_HEAD; end <= TAIL_OF_HEAD; end++) {
        uint32_t count;
        const frame_id *list = short_names_that_begin(selecting->names, selecting->graph, end, begin, &count);

        for (uint32_t i = 0; i < count && (selecting->matches || !selecting->has_others); i++)
            if (begins_with(kept_label(selecting->names, selecting->graph, list[i]), begin, words)) {
                mark(selecting, list[i]);
                is_found = true;
            }
    }
    return is_found;
}

/* Labels that hold bytes which are shown as "\x1b" may be typed as they are shown. */
static bool select_escaped(struct selecting *selecting, struct span typed)
{
    struct arena scratch = {0};
    bool is_found = false;

    for (frame_id id = 1; memchr(typed.at, '\\', typed.len) && id < selecting->graph->frames.count; id++) {
        struct span label = graph_short_name(selecting->graph, id);
        struct span shown = escape_plain(&scratch, label);

        if (shown.at != label.at && span_eq(shown, typed)) {
            mark(selecting, id);
            is_found = true;
        }
        arena_clear(&scratch);
    }
    arena_free(&scratch);
    return is_found;
}

bool short_name_select(const struct graph *graph, struct span typed, bool *matches)
{
    struct selecting selecting = {.graph = graph, .names = graph_short_names(graph), .matches = matches};
    bool is_found = typed.len && (select_label(&selecting, typed) || select_path(&selecting, typed) ||
                                  select_escaped(&selecting, typed));

    return is_found;
}

bool short_name_select_facts(const struct graph *graph, struct span typed, bool *matches)
{
    struct selecting selecting = {.graph = graph, .names = graph_short_names(graph), .matches = matches};
    bool is_found = typed.len && (select_facts(&selecting, typed) || select_cut(&selecting, typed));

    return is_found;
}

bool short_name_is_alone(const struct graph *graph, struct span typed, frame_id id)
{
    struct selecting selecting = {.graph = graph, .names = graph_short_names(graph), .only = id};
    bool is_found = select_label(&selecting, typed) || select_path(&selecting, typed) ||
                    select_facts(&selecting, typed) || select_cut(&selecting, typed);

    return is_found && selecting.has_only && !selecting.has_others;
}
