/* SPDX-License-Identifier: Apache-2.0 */
/* structure_walk.c — two runs' places walked down together: which is which, and what has no partner */
#include <stdlib.h>

#include "analysis/compare/structure.h"
#include "base/checked.h"

/* ---- rows ---- */

/* A site of a side. */
struct sided {
    enum diff_end end;
    uint32_t site;
    str_id name; /* without the number of an instance */
};

static const struct site_key *key_of(const struct structure_walk *walk, enum diff_end end,
                                     uint32_t site)
{
    return &walk->tree[end].sites.list[site].key;
}

/* "Linear_*" of "Linear_3": repeated layers are one place. */
static str_id general_name(struct structure_walk *walk, const struct site_key *key)
{
    struct strings *strings = &walk->structure->strings;
    struct span name = strings_get(strings, key->name);
    size_t digits = 0;
    struct arena arena = {0};
    str_id id = key->name;

    if (key->kind != SITE_MODULE)
        return id;
    while (digits < name.len && is_digit(name.at[name.len - 1 - digits]))
        digits++;
    if (digits && digits < name.len && name.at[name.len - 1 - digits] == '_') {
        char *bytes = arena_copy(&arena, name);

        bytes[name.len - digits] = '*';
        id = strings_intern(strings, (struct span){bytes, name.len - digits + 1});
    }
    arena_free(&arena);
    return id;
}

static struct structure_row *row_at(struct structure_walk *walk, enum site_match match,
                                    uint32_t place, const str_id *names, str_id shapes)
{
    struct site_key key = {place, SITE_FOUND + match, names[DIFF_BEFORE], shapes};
    uint32_t site, *at;

    if (match >= MATCH_REPLACED)
        key.shapes = names[DIFF_AFTER];
    site = site_child(&walk->places, key);
    at = idmap_at(&walk->row_of_place, site);
    if (*at == IDMAP_NONE) {
        *at = (uint32_t)walk->count;
        vector_add(walk, (struct structure_row){
                             .match = match, .place = place, .name = {names[0], names[1]}});
    }
    return &walk->list[*at];
}

static void add_to_row(struct structure_walk *walk, struct structure_row *row, enum diff_end end,
                       uint32_t site)
{
    struct structure_tree *tree = &walk->tree[end];

    row->time[end] = checked_add(row->time[end], tree->time[site]);
    row->kernels[end] += tree->count[site];
    if (!row->shapes[end])
        row->shapes[end] = key_of(walk, end, site)->shapes;
    tree->row[site] = (uint32_t)(row - walk->list) + 1;
}

/* ---- the walk ---- */

struct structure_pair {
    uint32_t site[DIFF_ENDS], place;
};

struct pairing {
    struct structure_walk *walk;
    struct VECTOR_OF(struct structure_pair) open;
    struct VECTOR_OF(struct sided) rest; /* of the pair at hand */
    uint32_t *order;                     /* of `rest` */
};

static bool has_operators_below(const struct structure_walk *walk, enum diff_end end, uint32_t site)
{
    const struct structure_tree *tree = &walk->tree[end];

    for (uint32_t child = tree->first[site]; child; child = tree->next[child])
        if (key_of(walk, end, child)->kind == SITE_OPERATOR)
            return true;
    return false;
}

/* Of an operator that does not say what it works on, those within it tell more. */
static bool ends_walk(const struct structure_walk *walk, const struct structure_pair *pair)
{
    const struct site_key *key = key_of(walk, DIFF_BEFORE, pair->site[DIFF_BEFORE]);

    return key->kind == SITE_OPERATOR &&
           (key->shapes || !has_operators_below(walk, DIFF_BEFORE, pair->site[DIFF_BEFORE]) ||
            !has_operators_below(walk, DIFF_AFTER, pair->site[DIFF_AFTER]));
}

static void take_pair(struct pairing *pairing, uint32_t place, uint32_t before, uint32_t after)
{
    struct structure_walk *walk = pairing->walk;
    struct structure_pair pair = {{before, after}, place};
    const struct site_key key = *key_of(walk, DIFF_BEFORE, before);

    if (ends_walk(walk, &pair)) {
        const struct site_key *around = &walk->places.list[place].key;
        bool is_unlaunched =
            around->kind == SITE_STEP && around->name == structure_unlaunched(walk);
        struct structure_row *row = row_at(walk, is_unlaunched ? MATCH_UNLAUNCHED : MATCH_SHAPES,
                                           place, (const str_id[]){key.name, key.name}, key.shapes);

        row->places++;
        add_to_row(walk, row, DIFF_BEFORE, before);
        add_to_row(walk, row, DIFF_AFTER, after);
        return;
    }
    pair.place =
        site_child(&walk->places, (struct site_key){place, key.kind, general_name(walk, &key), 0});
    vector_add(&pairing->open, pair);
}

/* No kernel's name is of interest: it goes by its operator's. */
static void add_rest(struct pairing *pairing, enum diff_end end, uint32_t site)
{
    const struct site_key *key = key_of(pairing->walk, end, site);
    str_id name = key->kind == SITE_KERNEL ? key_of(pairing->walk, end, key->parent)->name
                                           : general_name(pairing->walk, key);

    vector_add(&pairing->rest, (struct sided){end, site, name});
}

/* Children of one key are pairs; the kernels that an operator without shapes launched itself are one. */
static void match_children(struct pairing *pairing, const struct structure_pair *pair)
{
    struct structure_walk *walk = pairing->walk;
    struct structure_tree *before = &walk->tree[DIFF_BEFORE], *after = &walk->tree[DIFF_AFTER];
    uint32_t parent[DIFF_ENDS] = {pair->site[DIFF_BEFORE], pair->site[DIFF_AFTER]};

    for (uint32_t child = before->first[parent[DIFF_BEFORE]]; child; child = before->next[child]) {
        struct site_key key = before->sites.list[child].key;
        uint32_t other;

        key.parent = parent[DIFF_AFTER];
        other = key.kind == SITE_KERNEL ? 0 : site_find(&after->sites, key);
        if (other)
            take_pair(pairing, pair->place, child, other);
        else
            add_rest(pairing, DIFF_BEFORE, child);
    }
    for (uint32_t child = after->first[parent[DIFF_AFTER]]; child; child = after->next[child]) {
        struct site_key key = after->sites.list[child].key;

        key.parent = parent[DIFF_BEFORE];
        if (key.kind == SITE_KERNEL || !site_find(&before->sites, key))
            add_rest(pairing, DIFF_AFTER, child);
    }
}

/* What has one kind and one name, but for the numbers of instances, stands together. */
static bool is_before_in_rest(const void *context, uint32_t a, uint32_t b)
{
    const struct pairing *pairing = context;
    const struct sided *left = &pairing->rest.list[a], *right = &pairing->rest.list[b];
    const struct site_key *left_key = key_of(pairing->walk, left->end, left->site);
    const struct site_key *right_key = key_of(pairing->walk, right->end, right->site);

    if (left_key->kind != right_key->kind)
        return left_key->kind < right_key->kind;
    if (left->name != right->name) {
        const struct strings *strings = &pairing->walk->structure->strings;

        return span_cmp(strings_get(strings, left->name), strings_get(strings, right->name)) < 0;
    }
    return left->end < right->end;
}

static uint32_t count_alike(const struct pairing *pairing, uint32_t from)
{
    uint32_t to = from + 1;

    while (to < pairing->rest.count) {
        struct sided at = pairing->rest.list[pairing->order[to]];
        struct sided first = pairing->rest.list[pairing->order[from]];

        if (at.name != first.name || key_of(pairing->walk, at.end, at.site)->kind !=
                                         key_of(pairing->walk, first.end, first.site)->kind)
            break;
        to++;
    }
    return to - from;
}

/* A run of the rest that both sides have: other shapes, or modules of one class. */
static void match_alike(struct pairing *pairing, const struct structure_pair *pair, uint32_t from,
                        uint32_t befores, uint32_t afters)
{
    struct structure_walk *walk = pairing->walk;
    const struct sided first = pairing->rest.list[pairing->order[from]];
    uint32_t kind = key_of(walk, first.end, first.site)->kind;
    struct structure_row *row;

    if (kind == SITE_MODULE && befores == afters) {
        for (uint32_t i = 0; i < befores; i++)
            take_pair(pairing, pair->place, pairing->rest.list[pairing->order[from + i]].site,
                      pairing->rest.list[pairing->order[from + befores + i]].site);
        return;
    }
    row = row_at(walk,
                 kind == SITE_OPERATOR ? MATCH_OPERATOR
                 : kind == SITE_KERNEL ? MATCH_SHAPES
                                       : MATCH_CLASS,
                 pair->place, (const str_id[]){first.name, first.name}, 0);
    row->places++;
    for (uint32_t i = 0; i < befores + afters; i++) {
        struct sided at = pairing->rest.list[pairing->order[from + i]];

        add_to_row(walk, row, at.end, at.site);
    }
}

/* "aten::pow + aten::mul": the first few of what a side has left. */
static str_id name_rest(const struct pairing *pairing, const uint32_t *left, uint32_t count,
                        enum diff_end end)
{
    enum { SHOWN = 3 };
    struct strings *strings = &pairing->walk->structure->strings;
    struct arena arena = {0};
    const char *text = "";
    str_id before = 0, id;
    uint32_t names = 0;

    for (uint32_t i = 0; i < count; i++) {
        const struct sided *at = &pairing->rest.list[left[i]];

        if (at->end != end || (names && at->name == before))
            continue;
        before = at->name;
        if (names++ < SHOWN) {
            struct span name = strings_get(strings, before);

            text = arena_printf(&arena, "%s%s%.*s", text, names > 1 ? " + " : "", (int)name.len,
                                name.at);
        }
    }
    if (names > SHOWN)
        text = arena_printf(&arena, "%s + %u more", text, names - SHOWN);
    id = strings_intern(strings, span_of(text));
    arena_free(&arena);
    return id;
}

/* What is left below a parent is one difference: what replaced what, nobody knows more closely. */
static void add_left(struct pairing *pairing, const struct structure_pair *pair,
                     const uint32_t *left, uint32_t count)
{
    struct structure_walk *walk = pairing->walk;
    uint32_t of_side[DIFF_ENDS] = {0};
    struct structure_row *row;
    str_id names[DIFF_ENDS];

    for (uint32_t i = 0; i < count; i++)
        of_side[pairing->rest.list[left[i]].end]++;
    if (!count)
        return;
    for (int end = 0; end < DIFF_ENDS; end++)
        names[end] = name_rest(pairing, left, count, (enum diff_end)end);
    row = row_at(walk,
                 !of_side[DIFF_AFTER]    ? MATCH_GONE
                 : !of_side[DIFF_BEFORE] ? MATCH_NEW
                                         : MATCH_REPLACED,
                 pair->place, names, 0);
    row->places++;
    for (uint32_t i = 0; i < count; i++)
        add_to_row(walk, row, pairing->rest.list[left[i]].end, pairing->rest.list[left[i]].site);
}

static void match_rest(struct pairing *pairing, const struct structure_pair *pair)
{
    struct structure_walk *walk = pairing->walk;
    uint32_t *left = grow_zeroed(pairing->rest.count + 1, sizeof(*left)), lefts = 0;

    pairing->order = sorted_order(pairing->rest.count, is_before_in_rest, pairing);
    for (uint32_t i = 0; i < pairing->rest.count;) {
        uint32_t alike = count_alike(pairing, i), befores = 0;

        while (befores < alike &&
               pairing->rest.list[pairing->order[i + befores]].end == DIFF_BEFORE)
            befores++;
        if (befores && befores < alike) {
            match_alike(pairing, pair, i, befores, alike - befores);
        } else {
            for (uint32_t k = i; k < i + alike; k++) {
                const struct sided *at = &pairing->rest.list[pairing->order[k]];

                if (walk->tree[at->end].count[at->site])
                    left[lefts++] = pairing->order[k];
            }
        }
        i += alike;
    }
    add_left(pairing, pair, left, lefts);
    free(pairing->order);
    free(left);
}

/* Sites below one that is in a row are in it, too. */
static void hand_rows_down(struct structure_tree *tree)
{
    for (uint32_t i = 1; i < tree->sites.count; i++)
        if (!tree->row[i])
            tree->row[i] = tree->row[tree->sites.list[i].key.parent];
}

/* A path is there once for each name of a step: of names without end it is one for all. */
static bool has_few_steps(const struct structure_side *side)
{
    enum { NAMES_MOST = 64 };
    struct idmap names = {0};
    uint32_t count = 0;

    for (size_t i = 0; i < side->samples.count && count <= NAMES_MOST; i++) {
        uint32_t *at = idmap_at(&names, side->samples.list[i].name);

        count += *at == IDMAP_NONE;
        *at = 0;
    }
    idmap_free(&names);
    return side->steps > 0 && count <= NAMES_MOST;
}

void structure_walk(struct structure_walk *walk)
{
    struct structure *structure = walk->structure;
    struct pairing pairing = {.walk = walk};

    walk->has_modules =
        structure->side[DIFF_BEFORE].has_modules && structure->side[DIFF_AFTER].has_modules;
    walk->has_steps = !(walk->levels & WITHOUT_STEPS) &&
                      has_few_steps(&structure->side[DIFF_BEFORE]) &&
                      has_few_steps(&structure->side[DIFF_AFTER]);
    walk->is_serving = walk->has_steps && structure->side[DIFF_BEFORE].is_serving &&
                       structure->side[DIFF_AFTER].is_serving;
    site_child(&walk->places, (struct site_key){0, SITE_STEP, 0, 0});
    for (int end = 0; end < DIFF_ENDS; end++) {
        structure_expand(walk, (enum diff_end)end);
    }
    vector_add(&pairing.open, (struct structure_pair){.place = 0});
    while (pairing.open.count) {
        struct structure_pair pair = pairing.open.list[--pairing.open.count];

        pairing.rest.count = 0;
        match_children(&pairing, &pair);
        if (pairing.rest.count)
            match_rest(&pairing, &pair);
    }
    for (int end = 0; end < DIFF_ENDS; end++)
        hand_rows_down(&walk->tree[end]);
    free(pairing.open.list);
    free(pairing.rest.list);
}

int64_t structure_walk_matched(const struct structure_walk *walk, bool or_modules)
{
    int64_t matched = 0;

    for (size_t i = 0; i < walk->count; i++) {
        const struct structure_row *row = &walk->list[i];
        bool is_in_module = walk->places.list[row->place].key.kind == SITE_MODULE;

        if ((row->match <= MATCH_OPERATOR && row->name[DIFF_BEFORE]) ||
            (or_modules && is_in_module && row->match <= MATCH_REPLACED))
            matched =
                checked_add(matched, checked_add(row->time[DIFF_BEFORE], row->time[DIFF_AFTER]));
    }
    return matched;
}

void structure_walk_free(struct structure_walk *walk)
{
    for (int end = 0; end < DIFF_ENDS; end++) {
        struct structure_tree *tree = &walk->tree[end];

        site_tree_free(&tree->sites);
        free(tree->first);
        free(tree->next);
        free(tree->row);
        free(tree->time);
        free(tree->count);
        free(tree->piece_site);
    }
    free(walk->list);
    idmap_free(&walk->row_of_place);
    idmap_free(&walk->batchless);
}
