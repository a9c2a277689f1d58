/* SPDX-License-Identifier: Apache-2.0 */
/* Which functions have a label. To label a name costs much, and a table shows few: each name is filed under a clue,
 * something that its label keeps of it for certain, and only those are labelled that have the clue of a label at hand. */
#include "graph/names/short_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/checked.h"

/* ---- clues ---- */

static uint32_t clue_of_line(int64_t line, char last)
{
    return (uint32_t)line << 8 | (unsigned char)last;
}

/* Of its last letters: 0 where it does not end in one. */
static uint32_t clue_of_end(struct span text)
{
    enum { LETTERS_MAX = 4 };
    uint32_t clue = 0;

    for (size_t i = 0; i < LETTERS_MAX && i < text.len && is_word_char(text.at[text.len - 1 - i]); i++)
        clue = clue << 8 | (unsigned char)text.at[text.len - 1 - i];
    return clue;
}

/* Whether it is words, with what is between '(' and '/' among them: points, slashes. Control characters do not matter.
 * A block at a time: compilers make a few instructions of that. */
static bool is_plain(struct span name)
{
    enum { BLOCK = 16 };
    unsigned char others[BLOCK] = {0}, other = 0;

    for (size_t at = 0; at < name.len; at += BLOCK) {
        unsigned char block[BLOCK] = "0123456789abcdef";

        if (name.len >= BLOCK) /* the last one is what the name ends in */
            memcpy(block, name.at + (name.len - at >= BLOCK ? at : name.len - BLOCK), BLOCK);
        else
            memcpy(block, name.at, name.len);
        for (size_t i = 0; i < BLOCK; i++) {
            unsigned char c = block[i] | 0x20, from_bracket = c - '(', from_a = c - 'a';

            others[i] |= !((from_bracket <= '9' - '(') | (from_a <= 'z' - 'a') | (c >= ('_' | 0x20)));
        }
    }
    for (size_t i = 0; i < BLOCK; i++)
        other |= others[i];
    return !other;
}

/* ".isra.0": what is behind it is left out. */
static bool has_clone_mark(struct span name)
{
    static const char *const marks[] = {".isra", ".cold", ".part", ".constprop", NULL};

    return memchr(name.at, '.', name.len) && span_holds_any(name, marks);
}

/* Whether the label ends as the name, because it only leaves out what is before: of functions of Go, of Java, of C. */
static bool keeps_its_end(struct span name, struct span file)
{
    static const char *const begins[] = {"0x", "_R", "_Z", "anonymous", NULL};
    static const char *const endings[] = {".py", ".pyx", ".pyi", ".rs", NULL};
    char first = name.at[0], last = file.len ? file.at[file.len - 1] : 'y';
    const char *open;

    if (!is_word_char(name.at[name.len - 1]) || !is_plain(name) ||
        ((first == '0' || first == '_' || first == 'a') && span_starts_any(name, begins)))
        return false;
    if (file.len ? (last == 'y' || last == 'x' || last == 'i' || last == 's') && span_ends_any(file, endings)
                 : is_kernel_name(name, false))
        return false;
    open = memchr(name.at, '(', name.len);
    if (open) /* "main.(*DB).Get" */
        return open > name.at && open[-1] == '.' && open[1] == '*';
    return !has_clone_mark(name);
}

/* "{posix.stat}" of "<built-in method posix.stat>", "{list.append}" of "<method 'append' of 'list' objects>". */
static uint32_t clue_of_builtin(struct span name)
{
    struct span inside = {name.at + 1, name.len - 2};
    size_t of = span_find(inside, SPAN("' of '"));

    if (!strchr(">}", name.at[name.len - 1]))
        return 0;
    if (span_starts(inside, SPAN("built-in method ")) && span_find(inside, SPAN(" of ")) == SIZE_MAX)
        return clue_of_end(inside);
    return span_starts(inside, SPAN("method '")) && of != SIZE_MAX ? clue_of_end(span_before(inside, of)) : 0;
}

/* 0: its label may keep nothing of it. */
static uint32_t clue_of_frame(const struct graph *graph, const struct frame *frame)
{
    enum { PLAIN_MAX = 512 };
    struct span name = graph_text(graph, frame->name), file;

    if (frame->is_nameless || name.len < 3 || name.len > PLAIN_MAX)
        return 0;
    if ((name.at[0] == '<' || name.at[0] == '{') && (name.at[1] == 'b' || name.at[1] == 'm') && name.at[2] != 'o')
        return frame->kind == KIND_PYTHON || frame->kind == KIND_HOST ? clue_of_builtin(name) : 0;
    file = graph_text(graph, frame->file);
    if (frame->kind == KIND_PYTHON) /* "file.py:12(name)"; with a blank the name has a place of its own */
        return !file.len || file.at[0] == '~' || frame->line <= 0 || frame->lacks_line || memchr(name.at, ' ', name.len)
                   ? 0
                   : clue_of_line(frame->line, name.at[name.len - 1]);
    return frame->kind == KIND_HOST && keeps_its_end(name, file) ? clue_of_end(name) : 0;
}

/* ---- labels, by hash ---- */

static uint64_t hash_of(struct span text)
{
    uint64_t hash = 0xcbf29ce484222325u;

    for (size_t i = 0; i < text.len; i++)
        hash = (hash ^ (unsigned char)text.at[i]) * 0x100000001b3u;
    return hash ^ hash >> 29;
}

static void chain(struct idmap *firsts, frame_id *next, struct span text, frame_id id)
{
    uint32_t *first = idmap_at(firsts, hash_of(text));

    next[id] = *first == IDMAP_NONE ? 0 : *first;
    *first = id;
}

static void label_briefly(struct label *label, const struct graph *graph, frame_id id, struct arena *scratch)
{
    label->arena = scratch;
    label_clear(label);
    label->is_brief = true;
    label_of_frame(label, graph, id);
}

static void chain_by_text(struct short_names *names, const struct graph *graph, frame_id id, struct arena *scratch)
{
    struct label label;

    label_briefly(&label, graph, id, scratch);
    chain(&names->by_text, names->next_of_text, label_text(&label, scratch), id);
    arena_clear(scratch);
}

static frame_id *clue_slot(const struct short_names *names, uint32_t clue)
{
    return &names->by_clue[clue * UINT32_C(0x9E3779B1) >> (32 - names->clue_bits)];
}

static void label_those_with(struct short_names *names, const struct graph *graph, uint32_t clue, struct arena *scratch)
{
    frame_id *slot = clue_slot(names, clue);

    for (frame_id id = *slot, next; id; id = next) {
        next = names->next_of_text[id];
        chain_by_text(names, graph, id, scratch);
    }
    *slot = 0;
}

/* Labels all whose label the text may be. */
static void label_those_like(struct short_names *names, const struct graph *graph, struct span text)
{
    struct arena scratch = {0};
    size_t end = text.len - (text.len > 1 && text.at[text.len - 1] == ')');
    uint32_t clue = clue_of_end(span_before(text, text.len - span_ends(text, SPAN("}"))));

    for (size_t i = 0; i < text.len; i++) {
        struct span behind = span_after(text, i + 1), digits = span_before(behind, span_digits(behind));
        int64_t line;

        if (text.at[i] == ':' && span_to_i64(digits, &line))
            label_those_with(names, graph, clue_of_line(line, text.at[end - 1]), &scratch);
    }
    if (clue)
        label_those_with(names, graph, clue, &scratch);
    arena_free(&scratch);
}

/* Where the names of groups and of lines are shown, each is labelled at once. */
static bool has_clues(const struct graph *graph)
{
    return !graph->selection.grouped_by && graph->frames.detail == DETAIL_FUNCTION;
}

static void update(struct short_names *names, const struct graph *graph)
{
    struct arena scratch = {0};
    frame_id count = (frame_id)graph->frames.count;
    bool by_clue = has_clues(graph);

    if (names->count == count)
        return;
    idmap_free(&names->by_text);
    idmap_free(&names->by_tail);
    free(names->texts);
    free(names->next_of_tail);
    free(names->by_clue);
    names->by_text = names->by_tail = (struct idmap){0};
    names->next_of_tail = NULL;
    memset(names->ends, 0, sizeof(names->ends));
    names->kept = NULL;
    names->texts = grow_zeroed(count, sizeof(*names->texts));
    names->next_of_text = grow_to(names->next_of_text, count, sizeof(frame_id));
    for (names->clue_bits = 8; names->clue_bits < 24 && count >> names->clue_bits; names->clue_bits++)
        continue;
    names->by_clue = grow_zeroed((size_t)1 << names->clue_bits, sizeof(frame_id));
    names->count = count;
    for (frame_id id = 1; id < count; id++) {
        uint32_t clue = by_clue ? clue_of_frame(graph, graph_frame(graph, id)) : 0;

        if (clue) {
            frame_id *slot = clue_slot(names, clue);

            names->next_of_text[id] = *slot;
            *slot = id;
        } else {
            chain_by_text(names, graph, id, &scratch);
        }
    }
    arena_free(&scratch);
}

struct short_names *graph_short_names(const struct graph *graph)
{
    /* kept by the graph like what is derived of it: nothing else of it changes */
    struct short_names *names = (struct short_names *)(uintptr_t)&graph->short_names;

    update(names, graph);
    return names;
}

frame_id short_names_of_text(struct short_names *names, const struct graph *graph, struct span text)
{
    uint32_t first;

    label_those_like(names, graph, text);
    first = idmap_find(&names->by_text, hash_of(text));
    return first == IDMAP_NONE ? 0 : first;
}

frame_id short_names_of_label(struct short_names *names, const struct graph *graph, frame_id id, struct span *text,
                              struct arena *arena)
{
    uint32_t clue = has_clues(graph) ? clue_of_frame(graph, graph_frame(graph, id)) : 0;
    struct label label;

    label_briefly(&label, graph, id, arena);
    *text = label_text(&label, arena);
    for (frame_id *at = clue_slot(names, clue); clue && *at; at = &names->next_of_text[*at])
        if (*at == id) { /* it is labelled now */
            *at = names->next_of_text[id];
            chain(&names->by_text, names->next_of_text, *text, id);
            break;
        }
    return short_names_of_text(names, graph, *text);
}

/* ---- the ends of heads ---- */

struct span label_tail(struct span head)
{
    size_t at = head.len;

    if (head.len && head.at[head.len - 1] == ')') { /* "attn.py:88(forward)" */
        size_t open = span_rfind(head, '(');

        if (open != SIZE_MAX && open > 0 && open + 2 < head.len && is_digit(head.at[open - 1]))
            return (struct span){head.at + open + 1, head.len - open - 2};
    }
    while (at > 0 && head.at[at - 1] != '.' && !(head.at[at - 1] == ':' && at > 1 && head.at[at - 2] == ':'))
        at--;
    return at < head.len ? span_after(head, at) : head;
}

frame_id short_names_of_tail(struct short_names *names, const struct graph *graph, struct span tail)
{
    uint32_t first;

    if (!names->next_of_tail) {
        struct arena scratch = {0};

        names->next_of_tail = grow_zeroed(names->count, sizeof(frame_id));
        for (frame_id id = 1; id < names->count; id++) {
            struct label label;

            label_briefly(&label, graph, id, &scratch);
            chain(&names->by_tail, names->next_of_tail, label_tail(label.head), id);
            arena_clear(&scratch);
        }
        arena_free(&scratch);
    }
    first = idmap_find(&names->by_tail, hash_of(tail));
    return first == IDMAP_NONE ? 0 : first;
}

/* ---- how heads begin ---- */

static bool end_is_before(const void *context, uint32_t a, uint32_t b)
{
    const struct span *ends = context;

    return span_cmp(ends[a], ends[b]) < 0;
}

static void put_in_order(struct short_names *names, const struct graph *graph)
{
    struct arena scratch = {0};

    for (unsigned end = 0; end < 2; end++)
        names->ends[end] = arena_array(&names->arena, names->count, sizeof(**names->ends));
    for (frame_id id = 1; id < names->count; id++) {
        struct label label;

        label_briefly(&label, graph, id, &scratch);
        names->ends[WHOLE_HEAD][id] = (struct span){arena_copy(&names->arena, label.head), label.head.len};
        names->ends[TAIL_OF_HEAD][id] = label_tail(names->ends[WHOLE_HEAD][id]);
        arena_clear(&scratch);
    }
    arena_free(&scratch);
    for (unsigned end = 0; end < 2; end++) {
        uint32_t *order = sorted_order(names->count, end_is_before, names->ends[end]);

        names->in_order[end] = arena_array(&names->arena, names->count, sizeof(**names->in_order));
        memcpy(names->in_order[end], order, names->count * sizeof(*order));
        free(order);
    }
}

const frame_id *short_names_that_begin(struct short_names *names, const struct graph *graph, enum head_end end,
                                       struct span begin, uint32_t *count)
{
    const frame_id *order;
    const struct span *ends;

    if (!names->ends[end])
        put_in_order(names, graph);
    order = names->in_order[end];
    ends = names->ends[end];
    SEARCH(uint32_t, from, names->count, span_cmp(ends[order[from]], begin) < 0);
    SEARCH(uint32_t, to, names->count, span_cmp(ends[order[to]], begin) < 0 || span_starts(ends[order[to]], begin));
    *count = to - from;
    return order + from;
}
