/* SPDX-License-Identifier: Apache-2.0 */
/* Labels that are equal get the first fact whose values differ, again within what is still equal; at last #1, #2. */
#include "graph/names/short_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/checked.h"

/* One of the functions of a base label. */
struct twin {
    frame_id frame;
    struct span text;
    struct label_word *extras;
    uint32_t extra_count;
    struct label_word *apart; /* what tells it apart so far */
    uint32_t apart_count;
    struct span path, place, function; /* of Python */
    size_t folders;
    bool has_word;
};

struct twins {
    const struct graph *graph;
    struct arena *arena; /* for the time being */
    struct twin *list;
    uint32_t count;
};

/* ---- the order of functions ---- */

static int order_of(const struct graph *graph, frame_id a, frame_id b)
{
    const struct frame *x = graph_frame(graph, a), *y = graph_frame(graph, b);
    int order = span_cmp(graph_text(graph, x->name), graph_text(graph, y->name));

    if (!order)
        order = span_cmp(graph_text(graph, x->file), graph_text(graph, y->file));
    if (!order)
        order = (x->line > y->line) - (x->line < y->line);
    if (!order)
        order = span_cmp(graph_text(graph, x->module), graph_text(graph, y->module));
    if (!order)
        order = (x->kind > y->kind) - (x->kind < y->kind);
    if (!order)
        order = (x->column > y->column) - (x->column < y->column);
    if (!order && graph->frames.detail == DETAIL_ADDRESS)
        order = (x->address > y->address) - (x->address < y->address);
    return order;
}

static bool is_before(const void *context, uint32_t a, uint32_t b)
{
    const struct twins *twins = context;

    return order_of(twins->graph, twins->list[a].frame, twins->list[b].frame) < 0;
}

static bool text_is_before(const void *context, uint32_t a, uint32_t b)
{
    const struct twins *twins = context;

    return span_cmp(twins->list[a].text, twins->list[b].text) < 0;
}

/* ---- values ---- */

static struct span value_of(const struct twin *twin, enum word_key key)
{
    for (uint32_t i = 0; i < twin->extra_count; i++)
        if (twin->extras[i].key == key)
            return twin->extras[i].text;
    return NO_SPAN;
}

static bool is_apart_by(const struct twin *twin, enum word_key key)
{
    for (uint32_t i = 0; i < twin->apart_count; i++)
        if (twin->apart[i].key == key)
            return true;
    return false;
}

static void tell_value(struct twins *twins, struct twin *twin, enum word_key key, struct span value)
{
    if (twin->apart_count % 4 == 0) {
        struct label_word *grown = arena_array(twins->arena, twin->apart_count + 4, sizeof(*grown));

        if (twin->apart_count)
            memcpy(grown, twin->apart, twin->apart_count * sizeof(*grown));
        twin->apart = grown;
    }
    twin->apart[twin->apart_count++] = (struct label_word){key, value};
    if (value.len)
        twin->text = JOINED(twins->arena, twin->text, SPAN(" "), value);
}

/* ---- the first word that differs ---- */

static bool is_part_of_word(char c)
{
    return is_word_char(c) ? c != '_' : c == '.';
}

static bool take_word(struct span *rest, struct span *word)
{
    while (rest->len && !is_part_of_word(rest->at[0]))
        *rest = span_after(*rest, 1);
    word->at = rest->at;
    word->len = 0;
    while (word->len < rest->len && is_part_of_word(rest->at[word->len]))
        word->len++;
    *rest = span_after(*rest, word->len);
    return word->len > 0;
}

static bool has_word(struct span text, struct span wanted)
{
    struct span word;

    while (take_word(&text, &word))
        if (span_eq(word, wanted))
            return true;
    return false;
}

/* For each of a few texts its first word that not all have, or the word at the first place where they differ. */
static void words_that_differ(const struct span *texts, uint32_t count, struct span *words)
{
    enum { COMPARED_MAX = 64, LENGTH_MAX = 4096 };
    bool differ = false;

    for (uint32_t i = 0; i < count; i++) {
        struct span rest = span_before(texts[i], LENGTH_MAX), word;

        words[i] = NO_SPAN;
        while (!words[i].len && take_word(&rest, &word))
            for (uint32_t k = 0; k < count && k < COMPARED_MAX && !words[i].len; k++)
                if (k != i && !has_word(span_before(texts[k], LENGTH_MAX), word))
                    words[i] = word;
        differ |= i && !span_eq(words[i], words[0]);
    }
    if (differ)
        return;
    for (uint32_t i = 0; i < count; i++)
        words[i] = span_before(texts[i], LENGTH_MAX); /* what is left of each ... */
    for (;;) {
        struct span first = words[0], word = NO_SPAN, other = NO_SPAN;
        bool is_end = !take_word(&first, &word);

        differ = false;
        for (uint32_t i = 1; i < count && !differ; i++) {
            struct span rest = words[i];

            differ = take_word(&rest, &other) == is_end || !span_eq(word, other);
        }
        for (uint32_t i = 0; i < count; i++) {
            struct span rest = words[i];

            other = NO_SPAN;
            take_word(&rest, &other);
            words[i] = differ ? other : rest; /* ... until one word differs */
        }
        if (differ)
            return;
        if (is_end)
            break;
    }
    for (uint32_t i = 0; i < count; i++)
        words[i] = NO_SPAN;
}

/* ---- telling a group apart: twins order[from] … order[to - 1] ---- */

struct group {
    uint32_t from, to;
};

static bool tell_values(struct twins *twins, const uint32_t *group, uint32_t count, enum word_key key,
                        struct span *values)
{
    enum { LONG = 28 };
    bool differ = false, is_long = false;

    for (uint32_t i = 0; i < count; i++) {
        if (is_apart_by(&twins->list[group[i]], key))
            return false;
        values[i] = value_of(&twins->list[group[i]], key);
        differ |= i && !span_eq(values[i], values[0]);
        is_long |= values[i].len > LONG;
    }
    if (!differ)
        return false;
    if (is_long) {
        struct span *texts = arena_array(twins->arena, count, sizeof(*texts));

        memcpy(texts, values, count * sizeof(*texts));
        words_that_differ(texts, count, values);
        differ = false;
        for (uint32_t i = 1; i < count; i++)
            differ |= !span_eq(values[i], values[0]);
        if (!differ)
            return false;
    }
    for (uint32_t i = 0; i < count; i++)
        tell_value(twins, &twins->list[group[i]], key, values[i]);
    return true;
}

/* The next key whose values may differ: in the order of the first twin that has it; of clones first. */
static bool tell_by_extras(struct twins *twins, const uint32_t *group, uint32_t count, struct span *values)
{
    bool is_tried[LABEL_COUNT] = {false};

    for (enum word_key key = LABEL_CLONE; key <= LABEL_DIALECT; key++) {
        if (tell_values(twins, group, count, key, values))
            return true;
        is_tried[key] = true;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct twin *twin = &twins->list[group[i]];

        for (uint32_t k = 0; k < twin->extra_count; k++) {
            enum word_key key = twin->extras[k].key;

            if (is_tried[key])
                continue;
            is_tried[key] = true;
            if (tell_values(twins, group, count, key, values))
                return true;
        }
    }
    return false;
}

static bool tell_by_word(struct twins *twins, const uint32_t *group, uint32_t count, struct span *values)
{
    struct span *texts = arena_array(twins->arena, count, sizeof(*texts));
    bool differ = false;

    if (twins->list[group[0]].has_word)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        struct twin *twin = &twins->list[group[i]];

        texts[i] = name_normal(graph_text(twins->graph, graph_frame(twins->graph, twin->frame)->name), twins->arena);
        twin->has_word = true;
    }
    words_that_differ(texts, count, values);
    for (uint32_t i = 1; i < count; i++)
        differ |= !span_eq(values[i], values[0]);
    for (uint32_t i = 0; i < count && differ; i++)
        tell_value(twins, &twins->list[group[i]], LABEL_WORD, values[i]);
    return differ;
}

/* ---- as many folders as tell files of Python apart ---- */

static size_t folder_before(struct span path, size_t at)
{
    at -= at > 0;
    while (at > 0 && path.at[at - 1] != '/' && path.at[at - 1] != '\\')
        at--;
    return at;
}

static void tell_by_folders(struct twins *twins)
{
    enum { COMPARED_MAX = 512 };
    size_t *folders = arena_array(twins->arena, twins->count, sizeof(*folders));
    uint32_t count = twins->count < COMPARED_MAX ? twins->count : COMPARED_MAX;

    for (uint32_t i = 0; i < count; i++) {
        const struct twin *twin = &twins->list[i];
        bool is_equal = twin->path.len > 0;

        folders[i] = twin->folders;
        while (is_equal && folders[i] > 0) {
            is_equal = false;
            for (uint32_t k = 0; k < count && !is_equal; k++)
                is_equal = k != i && twins->list[k].path.len && !span_eq(twins->list[k].path, twin->path) &&
                           span_ends(twins->list[k].path, span_after(twin->path, folders[i]));
            if (is_equal)
                folders[i] = folder_before(twin->path, folders[i]);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        struct twin *twin = &twins->list[i];

        if (folders[i] != twin->folders) {
            struct label label = {.path = twin->path, .place = twin->place, .function = twin->function,
                                  .folders = folders[i], .arena = twins->arena};

            label_python_head(&label);
            twin->text = label.head;
        }
        twin->folders = folders[i];
    }
}

/* ---- a base label ---- */

static void add_twin(struct twins *twins, struct twin *twin, frame_id id)
{
    struct label *label = arena_alloc(twins->arena, sizeof(*label));

    label->arena = twins->arena;
    label_of_frame(label, twins->graph, id);
    *twin = (struct twin){.frame = id,
                          .text = label_text(label, twins->arena),
                          .extras = arena_array(twins->arena, label->extra_count + 1, sizeof(*label->extras)),
                          .extra_count = label->extra_count,
                          .path = label->path,
                          .place = label->place,
                          .function = label->function,
                          .folders = label->folders};
    memcpy(twin->extras, label->extras, label->extra_count * sizeof(*label->extras));
}

static uint32_t end_of_equal(const struct twins *twins, const uint32_t *order, uint32_t from, uint32_t to)
{
    uint32_t end = from + 1;

    while (end < to && span_eq(twins->list[order[end]].text, twins->list[order[from]].text))
        end++;
    return end;
}

/* Sorts order[from … to - 1] by text, and queues what is equal. */
static void queue_equal(struct twins *twins, uint32_t *order, struct group group, struct group *queue, uint32_t *queued)
{
    sort_stable(order + group.from, group.to - group.from, text_is_before, twins);
    for (uint32_t from = group.from, end; from < group.to; from = end) {
        end = end_of_equal(twins, order, from, group.to);
        if (end > from + 1)
            queue[(*queued)++] = (struct group){from, end};
    }
}

static void tell_by_numbers(struct twins *twins, const uint32_t *members, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        tell_value(twins, &twins->list[members[i]], LABEL_ORDINAL, span_of(arena_printf(twins->arena, "#%u", i + 1)));
}

static void tell_all_apart(struct twins *twins)
{
    uint32_t *order = arena_array(twins->arena, twins->count, sizeof(*order)), queued = 0;
    struct group *queue = arena_array(twins->arena, twins->count + 1, sizeof(*queue));
    struct span *values = arena_array(twins->arena, twins->count, sizeof(*values));

    for (uint32_t i = 0; i < twins->count; i++)
        order[i] = i; /* in the order of functions */
    tell_by_folders(twins);
    queue_equal(twins, order, (struct group){0, twins->count}, queue, &queued);
    while (queued) {
        struct group group = queue[--queued];
        uint32_t *members = order + group.from, count = group.to - group.from;

        if (tell_by_extras(twins, members, count, values) || tell_by_word(twins, members, count, values)) {
            queue_equal(twins, order, group, queue, &queued);
            continue;
        }
        tell_by_numbers(twins, members, count);
    }
    /* parts of different groups may have been told the same word */
    queue_equal(twins, order, (struct group){0, twins->count}, queue, &queued);
    while (queued) {
        struct group group = queue[--queued];

        tell_by_numbers(twins, order + group.from, group.to - group.from);
    }
}

/* The functions of a base label, from the first in its chain; equal frames are one function. */
static struct twins twins_of(const struct short_names *names, const struct graph *graph, frame_id first,
                             struct arena *arena)
{
    struct twins twins = {.graph = graph, .arena = arena};
    frame_id *frames;
    uint32_t chained = 0, *order;
    struct twin *sorted;

    for (frame_id at = first; at; at = names->next_of_text[at])
        chained++;
    frames = arena_array(arena, chained, sizeof(*frames));
    twins.list = arena_array(arena, chained, sizeof(*twins.list));
    for (frame_id at = first; at; at = names->next_of_text[at])
        twins.list[twins.count++].frame = at;
    order = sorted_order(twins.count, is_before, &twins);
    sorted = arena_array(arena, chained, sizeof(*sorted));
    for (uint32_t i = 0; i < twins.count; i++)
        frames[i] = twins.list[order[i]].frame;
    free(order);
    chained = twins.count;
    twins.count = 0;
    for (uint32_t i = 0; i < chained; i++)
        if (i == 0 || order_of(graph, frames[i - 1], frames[i]) != 0)
            add_twin(&twins, &sorted[twins.count++], frames[i]);
    twins.list = sorted;
    return twins;
}

static const struct twin *twin_of(const struct twins *twins, frame_id id)
{
    SEARCH(uint32_t, at, twins->count, order_of(twins->graph, twins->list[at].frame, id) < 0);
    return &twins->list[at];
}

void short_names_tell_apart(struct short_names *names, const struct graph *graph, frame_id id)
{
    struct arena scratch = {0};
    struct twins twins;
    struct span base;
    frame_id first = short_names_of_label(names, graph, id, &base, &scratch);

    if (!names->next_of_text[first]) { /* it is alone */
        names->texts[id] = (struct span){arena_copy(&names->arena, base), base.len};
        arena_free(&scratch);
        return;
    }
    twins = twins_of(names, graph, first, &scratch);
    if (twins.count > 1)
        tell_all_apart(&twins);
    for (uint32_t i = 0; i < twins.count; i++) {
        struct twin *twin = &twins.list[i];

        /* where another function has that base label, a number tells them apart */
        if (!span_eq(twin->text, base) && short_names_of_text(names, graph, twin->text))
            twin->text = JOINED(&scratch, twin->text, span_of(arena_printf(&scratch, " #%u", i + 1)));
        twin->text.at = arena_copy(&names->arena, twin->text);
    }
    for (frame_id at = first; at; at = names->next_of_text[at])
        names->texts[at] = twin_of(&twins, at)->text;
    arena_free(&scratch);
}

void short_names_label(struct label *label, const struct graph *graph, frame_id id)
{
    struct span shown = graph_short_name(graph, id), base;
    uint32_t before;

    label_of_frame(label, graph, id);
    base = label_text(label, label->arena);
    if (span_eq(shown, base))
        return;
    if (label->path.len) { /* more folders */
        label->head = span_before(shown, shown.len);
        if (span_ends(shown, base)) {
            label->folders -= label->folders < shown.len - base.len ? label->folders : shown.len - base.len;
            return;
        }
        label->head = span_before(shown, span_find(shown, SPAN(" ")));
    }
    shown = span_after(shown, span_starts(shown, base) ? base.len + 1 : shown.len);
    before = label->fact_count;
    while (shown.len && label->fact_count + 1 < LABEL_FACTS_MAX)
        label_fact(label, LABEL_WORD, span_split(&shown, ' '));
    label_fact(label, LABEL_WORD, shown); /* what is left is one word */
    label->apart = label->fact_count - before;
}
