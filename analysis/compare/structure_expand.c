/* SPDX-License-Identifier: Apache-2.0 */
/* structure_expand.c — a side's places once for each name of a step, with the levels that are compared, and their sums */
#include <stdlib.h>

#include "analysis/compare/structure.h"
#include "base/checked.h"

static bool is_left_out(const struct structure_walk *walk, uint32_t kind)
{
    if (kind == SITE_MODULE)
        return (walk->levels & WITHOUT_OUTER) || !walk->has_modules;
    if (kind == SITE_RANGE)
        return (walk->levels & WITHOUT_OUTER) || walk->has_modules;
    return false;
}

/* What a sample is a part of; runs, where one of the sides has no steps. */
static str_id step_name(const struct structure_walk *walk, const struct structure_sample *sample)
{
    return walk->has_steps || sample->name == structure_unlaunched(walk) ? sample->name : 0;
}

/* "[[*,4096],[*,6144]]": steps of a server have batches of any size. */
static str_id batchless_shapes(struct structure_walk *walk, str_id shapes)
{
    struct strings *strings = &walk->structure->strings;
    uint32_t *at = idmap_at(&walk->batchless, shapes);
    struct span text = strings_get(strings, shapes);
    struct arena arena = {0};
    size_t len = 0;
    char *bytes;

    if (*at != IDMAP_NONE)
        return *at;
    bytes = arena_array(&arena, text.len + 1, 1);
    for (size_t i = 0; i < text.len; i++) {
        bytes[len++] = text.at[i];
        if (text.at[i] == '[' && i + 1 < text.len && is_digit(text.at[i + 1])) {
            bytes[len++] = '*';
            i += span_digits(span_after(text, i + 1));
        }
    }
    *at = strings_intern(strings, (struct span){bytes, len});
    arena_free(&arena);
    return *at;
}

/* Sites are looked up from the innermost out, until one is known, and then added inwards. */
static uint32_t expand_site(struct structure_walk *walk, enum diff_end end, str_id step,
                            uint32_t site, struct idmap *known)
{
    const struct site_tree *from = &walk->structure->side[end].sites;
    struct site_tree *to = &walk->tree[end].sites;
    struct VECTOR_OF(uint32_t) stack = {0};
    uint32_t at;

    while (site && idmap_find(known, idmap_pair(step, site)) == IDMAP_NONE) {
        vector_add(&stack, site);
        site = from->list[site].key.parent;
    }
    at = site ? idmap_find(known, idmap_pair(step, site))
              : site_child(to, (struct site_key){0, SITE_STEP, step, 0});
    while (stack.count) {
        struct site_key key = from->list[site = stack.list[--stack.count]].key;

        key.parent = at;
        if (walk->is_serving && key.kind == SITE_OPERATOR && key.shapes)
            key.shapes = batchless_shapes(walk, key.shapes);
        if (!is_left_out(walk, key.kind))
            at = site_child(to, key);
        *idmap_at(known, idmap_pair(step, site)) = at;
    }
    free(stack.list);
    return at;
}

static void link_side(const struct structure_side *side, struct structure_tree *tree)
{
    const struct site *sites = tree->sites.list;
    size_t count = tree->sites.count + 1;

    tree->first = grow_zeroed(count, sizeof(*tree->first));
    tree->next = grow_zeroed(count, sizeof(*tree->next));
    tree->row = grow_zeroed(count, sizeof(*tree->row));
    tree->time = grow_zeroed(count, sizeof(*tree->time));
    tree->count = grow_zeroed(count, sizeof(*tree->count));
    for (size_t i = 0; i < side->pieces.count; i++) {
        uint32_t site = tree->piece_site[i];

        tree->time[site] = checked_add(tree->time[site], side->pieces.list[i].time);
        tree->count[site] += side->pieces.list[i].count;
    }
    for (size_t i = tree->sites.count; i-- > 1;) {
        uint32_t parent = sites[i].key.parent;

        tree->time[parent] = checked_add(tree->time[parent], tree->time[i]);
        tree->count[parent] += tree->count[i];
        tree->next[i] = tree->first[parent];
        tree->first[parent] = (uint32_t)i;
    }
}

void structure_expand(struct structure_walk *walk, enum diff_end end)
{
    const struct structure_side *side = &walk->structure->side[end];
    struct structure_tree *tree = &walk->tree[end];
    struct idmap known = {0};

    tree->piece_site = grow_zeroed(side->pieces.count + 1, sizeof(*tree->piece_site));
    for (size_t i = 0; i < side->pieces.count; i++) {
        const struct structure_piece *piece = &side->pieces.list[i];

        tree->piece_site[i] = expand_site(
            walk, end, step_name(walk, &side->samples.list[piece->sample]), piece->site, &known);
    }
    idmap_free(&known);
    link_side(side, tree);
}
