/* SPDX-License-Identifier: Apache-2.0 */
/* Labels fitted to a width: facts go before scopes, scopes before words at the end of an identifier. */
#include "graph/names/short_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/text/escape.h"

enum { WIDTH_LEAST = 12, FORMS_MAX = 96 };

/* The forms of one label that are not too wide, the best first. */
struct forms {
    struct span list[FORMS_MAX];
    uint32_t count;
    size_t width;
    struct span mark;
    struct arena *arena;
};

static bool fits(const struct forms *forms, struct span text)
{
    return escape_cells(text) <= forms->width;
}

static void add_form(struct forms *forms, struct span text)
{
    if (!text.len || !fits(forms, text) || forms->count == FORMS_MAX)
        return;
    for (uint32_t i = 0; i < forms->count; i++)
        if (span_eq(forms->list[i], text))
            return;
    forms->list[forms->count++] = text;
}

/* ---- identifiers ---- */

/* The longest begin that ends between two words, with a mark; a word that is too long is cut. */
static struct span cut_identifier(const struct forms *forms, struct span text, size_t width)
{
    size_t mark = escape_cells(forms->mark), room = width > mark ? width - mark : 1, end, most;

    if (escape_cells(text) <= width)
        return text;
    most = escape_fit(text, room);
    for (end = most; end > 1 && !span_ends_word(text, end); end--)
        continue;
    if (end <= 1)
        end = most;
    while (end > 1 && strchr("_:., (<-$/", text.at[end - 1]))
        end--;
    return JOINED(forms->arena, span_before(text, end), forms->mark);
}

/* The head without its outermost scope or folder; false where it has but one. */
static bool drop_scope(struct span *head, bool is_path)
{
    size_t depth = 0, end = is_path ? span_find(*head, SPAN("(")) : head->len;

    for (size_t i = 0; i + 1 < head->len && i < end; i++) {
        char c = head->at[i];
        size_t mark = is_path                               ? (c == '/' || c == '\\')
                      : c == ':' && head->at[i + 1] == ':' ? 2
                      : c == '.' && i                       ? 1
                                                            : 0;

        if (opens_bracket(c))
            depth++;
        else if (closes_bracket(c))
            depth -= depth > 0;
        else if (depth == 0 && !is_path && c == ' ')
            return false; /* words, no scopes */
        else if (depth == 0 && mark && i + mark < head->len) {
            struct span rest = span_after(*head, i + mark);

            if (span_starts(rest, SPAN("lambda#")) || span_starts(rest, SPAN("func")) || rest.at[0] == '{')
                return false;
            *head = rest;
            return true;
        }
    }
    return false;
}

/* ---- the forms of a label ---- */

static struct span with_facts(struct forms *forms, const struct label *label, struct span head, uint64_t kept)
{
    struct span text = head;

    for (uint32_t i = 0; i < label->fact_count; i++)
        if (kept & (UINT64_C(1) << i))
            text = JOINED(forms->arena, text, SPAN(" "), label->facts[i].text);
    return text;
}

/* `same`: the facts that are equal in all rows of that head. */
static void make_forms(struct forms *forms, const struct label *label, uint64_t same)
{
    uint32_t base = label->fact_count - label->apart;
    uint64_t all = (UINT64_C(1) << label->fact_count) - 1, apart = all & ~((UINT64_C(1) << base) - 1), kept = all;
    struct span head = label->head;
    bool is_path = label->path.len > 0;

    add_form(forms, with_facts(forms, label, head, all));
    for (uint32_t i = label->fact_count; i-- > 0;)
        if (same & (UINT64_C(1) << i)) {
            kept &= ~(UINT64_C(1) << i);
            add_form(forms, with_facts(forms, label, head, kept));
        }
    for (uint32_t pass = 0; pass < 2; pass++) { /* facts from the end, then from the start */
        uint64_t left = kept;

        for (uint32_t i = 0; i < base; i++) {
            left &= ~(UINT64_C(1) << (pass ? i : base - 1 - i));
            add_form(forms, with_facts(forms, label, head, left | apart));
        }
    }
    while (drop_scope(&head, is_path)) {
        add_form(forms, with_facts(forms, label, head, kept));
        add_form(forms, with_facts(forms, label, head, apart));
    }
    if (is_path)
        head = label->function;
    for (uint32_t pass = 0; pass < 3; pass++) {
        uint64_t left = pass == 0 ? kept : pass == 1 ? apart : 0;
        size_t beside = escape_cells(with_facts(forms, label, NO_SPAN, left));

        if (pass < 2 && beside + 8 > forms->width)
            continue;
        add_form(forms, with_facts(forms, label, cut_identifier(forms, head, forms->width - beside), left));
    }
}

/* ---- a table ---- */

/* Labels of the rows, by head. */
struct table_fitting {
    const struct graph *graph;
    const frame_id *frames;
    struct label *labels;
};

static bool head_is_before(const void *context, uint32_t a, uint32_t b)
{
    const struct table_fitting *fitting = context;

    return span_cmp(fitting->labels[a].head, fitting->labels[b].head) < 0;
}

/* The facts that are equal in rows order[from] … order[to - 1]. */
static uint64_t facts_that_are_equal(const struct table_fitting *fitting, const uint32_t *order, uint32_t from, uint32_t to)
{
    const struct label *first = &fitting->labels[order[from]];
    uint64_t equal = (UINT64_C(1) << first->fact_count) - 1;

    if (to == from + 1)
        return 0;
    for (uint32_t row = from + 1; row < to; row++) {
        const struct label *label = &fitting->labels[order[row]];

        for (uint32_t i = 0; i < first->fact_count; i++)
            if (i >= label->fact_count || !span_eq(label->facts[i].text, first->facts[i].text))
                equal &= ~(UINT64_C(1) << i);
    }
    return equal;
}

static bool is_taken(const struct span *texts, const frame_id *frames, uint32_t count, uint32_t row, struct span text)
{
    for (uint32_t i = 0; i < count; i++)
        if (i != row && frames[i] != frames[row] && span_eq(texts[i], text))
            return true;
    return false;
}

/* The first form that selects the function alone; else the last, with its place among its likes. */
static struct span fitting_form(const struct table_fitting *fitting, struct forms *forms, const struct span *texts,
                                uint32_t count, uint32_t row)
{
    frame_id id = fitting->frames[row];
    struct span last;

    for (uint32_t i = 0; i < forms->count; i++)
        if (!is_taken(texts, fitting->frames, count, row, forms->list[i]) &&
            short_name_is_alone(fitting->graph, forms->list[i], id))
            return forms->list[i];
    for (uint32_t i = 0; i < forms->count; i++)
        if (!is_taken(texts, fitting->frames, count, row, forms->list[i]))
            return forms->list[i];
    last = forms->count ? forms->list[forms->count - 1] : fitting->labels[row].head;
    while (span_ends(last, forms->mark) && last.len > forms->mark.len)
        last.len -= forms->mark.len;
    for (unsigned k = 1;; k++) {
        struct span number = span_of(arena_printf(forms->arena, " #%u", k));
        struct span text = JOINED(forms->arena, cut_identifier(forms, last, forms->width - number.len), number);

        if (!is_taken(texts, fitting->frames, count, row, text))
            return text;
    }
}

struct span *short_names_fit(const struct graph *graph, const frame_id *frames, uint32_t count, size_t width,
                             struct span mark, struct arena *arena)
{
    struct span *texts = arena_array(arena, count + 1, sizeof(*texts));
    struct arena scratch = {0};
    uint32_t *wide = arena_array(&scratch, count + 1, sizeof(*wide)), wide_count = 0;

    width = width < WIDTH_LEAST ? WIDTH_LEAST : width;
    for (uint32_t i = 0; i < count; i++) {
        texts[i] = graph_short_name(graph, frames[i]);
        if (frames[i] && escape_cells(texts[i]) > width)
            wide[wide_count++] = i;
    }
    if (wide_count) {
        struct table_fitting fitting = {.graph = graph, .frames = frames};
        uint32_t *order;

        fitting.labels = arena_array(&scratch, count, sizeof(*fitting.labels));
        for (uint32_t i = 0; i < count; i++) {
            fitting.labels[i].arena = &scratch;
            if (frames[i])
                short_names_label(&fitting.labels[i], graph, frames[i]);
        }
        order = sorted_order(count, head_is_before, &fitting);
        for (uint32_t from = 0, to; from < count; from = to) {
            const struct span head = fitting.labels[order[from]].head;
            uint64_t same;

            for (to = from + 1; to < count && span_eq(fitting.labels[order[to]].head, head); to++)
                continue;
            same = facts_that_are_equal(&fitting, order, from, to);
            for (uint32_t i = from; i < to; i++) {
                uint32_t row = order[i];
                struct forms forms = {.width = width, .mark = mark, .arena = &scratch};
                struct span text;

                if (!frames[row] || escape_cells(texts[row]) <= width)
                    continue;
                make_forms(&forms, &fitting.labels[row], same);
                text = fitting_form(&fitting, &forms, texts, count, row);
                texts[row] = (struct span){arena_copy(arena, text), text.len};
            }
        }
        free(order);
    }
    arena_free(&scratch);
    return texts;
}
