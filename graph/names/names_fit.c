/* SPDX-License-Identifier: Apache-2.0 */
/* Labels fitted to a width: facts go before scopes, scopes before words at the end of an identifier. */
#include "graph/names/short_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/text/escape.h"
#include "base/text/string_table.h"

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

/* The parts of a label that forms are made of. A `struct label` is too large to keep for each row of a table. */
struct fitted_row {
    struct span head, function; /* the function of a head that is a path; else empty */
    struct span *facts;
    uint32_t fact_count, apart; /* as in the label */
};

static struct fitted_row parts_of(const struct label *label, struct arena *arena)
{
    struct fitted_row parts = {.head = label->head, .fact_count = label->fact_count, .apart = label->apart};

    if (label->path.len)
        parts.function = label->function;
    parts.facts = arena_array(arena, label->fact_count, sizeof(*parts.facts));
    for (uint32_t i = 0; i < label->fact_count; i++)
        parts.facts[i] = label->facts[i].text;
    return parts;
}

static struct span with_facts(struct forms *forms, const struct fitted_row *parts, struct span head, uint64_t kept)
{
    struct span text = head;

    for (uint32_t i = 0; i < parts->fact_count; i++)
        if (kept & (UINT64_C(1) << i))
            text = JOINED(forms->arena, text, SPAN(" "), parts->facts[i]);
    return text;
}

/* `same`: the facts that are equal in all rows of that head. */
static void make_forms(struct forms *forms, const struct fitted_row *parts, uint64_t same)
{
    uint32_t base = parts->fact_count - parts->apart;
    uint64_t all = (UINT64_C(1) << parts->fact_count) - 1, apart = all & ~((UINT64_C(1) << base) - 1), kept = all;
    struct span head = parts->head;
    bool is_path = parts->function.len > 0;

    add_form(forms, with_facts(forms, parts, head, all));
    for (uint32_t i = parts->fact_count; i-- > 0;)
        if (same & (UINT64_C(1) << i)) {
            kept &= ~(UINT64_C(1) << i);
            add_form(forms, with_facts(forms, parts, head, kept));
        }
    for (uint32_t pass = 0; pass < 2; pass++) { /* facts from the end, then from the start */
        uint64_t left = kept;

        for (uint32_t i = 0; i < base; i++) {
            left &= ~(UINT64_C(1) << (pass ? i : base - 1 - i));
            add_form(forms, with_facts(forms, parts, head, left | apart));
        }
    }
    while (drop_scope(&head, is_path)) {
        add_form(forms, with_facts(forms, parts, head, kept));
        add_form(forms, with_facts(forms, parts, head, apart));
    }
    if (is_path)
        head = parts->function;
    for (uint32_t pass = 0; pass < 3; pass++) {
        uint64_t left = pass == 0 ? kept : pass == 1 ? apart : 0;
        size_t beside = escape_cells(with_facts(forms, parts, NO_SPAN, left));

        if (pass < 2 && beside + 8 > forms->width)
            continue;
        add_form(forms, with_facts(forms, parts, cut_identifier(forms, head, forms->width - beside), left));
    }
}

/* ---- a table ---- */

struct table_fitting {
    const struct graph *graph;
    const frame_id *frames;
    struct fitted_row *rows; /* empty where there is no frame */
};

static bool head_is_before(const void *context, uint32_t a, uint32_t b)
{
    const struct table_fitting *fitting = context;

    return span_cmp(fitting->rows[a].head, fitting->rows[b].head) < 0;
}

/* The facts that are equal in rows order[from] … order[to - 1]. */
static uint64_t facts_that_are_equal(const struct table_fitting *fitting, const uint32_t *order, uint32_t from, uint32_t to)
{
    const struct fitted_row *first = &fitting->rows[order[from]];
    uint64_t equal = (UINT64_C(1) << first->fact_count) - 1;

    if (to == from + 1)
        return 0;
    for (uint32_t row = from + 1; row < to; row++) {
        const struct fitted_row *parts = &fitting->rows[order[row]];

        for (uint32_t i = 0; i < first->fact_count; i++)
            if (i >= parts->fact_count || !span_eq(parts->facts[i], first->facts[i]))
                equal &= ~(UINT64_C(1) << i);
    }
    return equal;
}

/* ---- the texts of a table ---- */

/* By id of a text: the frame that has it, 0 where none has; and the last number that was put behind it. */
struct taken {
    struct strings texts;
    VECTOR(struct taken_text {
        frame_id owner;
        uint32_t number;
    });
};

static struct taken_text *taken_text(struct taken *taken, struct span text)
{
    str_id id = strings_intern(&taken->texts, text);

    while (taken->count <= id)
        vector_add(taken, (struct taken_text){0});
    return &taken->list[id];
}

static bool is_taken(struct taken *taken, struct span text, frame_id id)
{
    frame_id owner = taken_text(taken, text)->owner;

    return owner && owner != id;
}

/* The text with the next number behind it that no other has. */
static struct span numbered(struct taken *taken, struct forms *forms, struct span text, frame_id id)
{
    struct span result;

    while (span_ends(text, forms->mark) && text.len > forms->mark.len)
        text.len -= forms->mark.len;
    do {
        uint32_t k = ++taken_text(taken, text)->number;
        struct span number = span_of(arena_printf(forms->arena, " #%u", k));

        result = JOINED(forms->arena, cut_identifier(forms, text, forms->width - number.len), number);
    } while (is_taken(taken, result, id));
    return result;
}

/* The first form that selects the function alone; else the last, with its place among its likes. */
static struct span fitting_form(const struct table_fitting *fitting, struct forms *forms, struct taken *taken,
                                uint32_t row)
{
    frame_id id = fitting->frames[row];

    for (uint32_t i = 0; i < forms->count; i++)
        if (!is_taken(taken, forms->list[i], id) && short_name_is_alone(fitting->graph, forms->list[i], id))
            return forms->list[i];
    for (uint32_t i = 0; i < forms->count; i++)
        if (!is_taken(taken, forms->list[i], id))
            return forms->list[i];
    return numbered(taken, forms, forms->count ? forms->list[forms->count - 1] : fitting->rows[row].head, id);
}

static void take_apart(struct table_fitting *fitting, uint32_t count, struct arena *arena)
{
    struct label *label = arena_alloc(arena, sizeof(*label));

    fitting->rows = arena_array(arena, count, sizeof(*fitting->rows));
    label->arena = arena;
    for (uint32_t i = 0; i < count; i++)
        if (fitting->frames[i]) {
            label_clear(label);
            short_names_label(label, fitting->graph, fitting->frames[i]);
            fitting->rows[i] = parts_of(label, arena);
        }
}

/* Fits the texts that are wider. */
static void fit_texts(struct table_fitting *fitting, uint32_t count, const struct forms *empty, struct span *texts,
                      struct arena *arena)
{
    struct taken taken = {0};
    struct idmap first_row = {0}; /* by frame that is fitted: rows of one frame have one text */
    uint32_t *order = sorted_order(count, head_is_before, fitting);

    for (uint32_t i = 0; i < count; i++)
        if (escape_cells(texts[i]) <= empty->width)
            taken_text(&taken, texts[i])->owner = fitting->frames[i];
    for (uint32_t from = 0, to; from < count; from = to) {
        uint64_t same;

        for (to = from + 1; to < count && span_eq(fitting->rows[order[to]].head, fitting->rows[order[from]].head); to++)
            continue;
        same = facts_that_are_equal(fitting, order, from, to);
        for (uint32_t i = from; i < to; i++) {
            uint32_t row = order[i], *first = idmap_at(&first_row, fitting->frames[row]);
            struct forms forms = *empty;
            struct span text;

            if (*first == IDMAP_NONE)
                *first = row;
            else
                texts[row] = texts[*first];
            if (escape_cells(texts[row]) <= empty->width)
                continue;
            make_forms(&forms, &fitting->rows[row], same);
            text = fitting_form(fitting, &forms, &taken, row);
            texts[row] = (struct span){arena_copy(arena, text), text.len};
            taken_text(&taken, text)->owner = fitting->frames[row];
        }
    }
    free(order);
    idmap_free(&first_row);
    strings_free(&taken.texts);
    free(taken.list);
}

struct span *short_names_fit(const struct graph *graph, const frame_id *frames, uint32_t count, size_t width,
                             struct span mark, struct arena *arena)
{
    struct span *texts = arena_array(arena, count + 1, sizeof(*texts));
    struct arena scratch = {0};
    struct table_fitting fitting = {.graph = graph, .frames = frames};
    struct forms empty = {.width = width < WIDTH_LEAST ? WIDTH_LEAST : width, .mark = mark, .arena = &scratch};
    bool is_wide = false;

    for (uint32_t i = 0; i < count; i++) {
        texts[i] = graph_short_name(graph, frames[i]);
        is_wide |= escape_cells(texts[i]) > empty.width;
    }
    if (is_wide) {
        take_apart(&fitting, count, &scratch);
        fit_texts(&fitting, count, &empty, texts, arena);
    }
    arena_free(&scratch);
    return texts;
}
