/* SPDX-License-Identifier: Apache-2.0 */
/* structure_rows.c — what differs at each place of two runs: in a step, beyond chance, and by its kernels */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare/structure.h"
#include "base/checked.h"

const char *site_match_name(enum site_match match)
{
    static const char *const names[] = {[MATCH_SHAPES] = "operator+shape",
                                        [MATCH_OPERATOR] = "operator",
                                        [MATCH_CLASS] = "class",
                                        [MATCH_REPLACED] = "replaced",
                                        [MATCH_GONE] = "only A",
                                        [MATCH_NEW] = "only B",
                                        [MATCH_UNLAUNCHED] = "not launched in the window"};

    return names[match];
}

struct structure_rows {
    struct structure_walk *walk;
    struct structure_difference *found;
    const struct structure_options *options;
    uint32_t *sample_at[DIFF_ENDS];  /* by sample, its place among those of its step's name */
    struct idmap samples[DIFF_ENDS]; /* a step's name → how many */
    int64_t *room[DIFF_ENDS];        /* a figure a sample */
    str_id *step_of;                 /* by place, the name of the step around it; 0: none */
};

/* ---- steps ---- */

/* Where paths have no steps, a run is one sample. */
static void count_samples(struct structure_rows *rows, enum diff_end end, struct arena *arena)
{
    const struct structure_side *side = &rows->walk->structure->side[end];
    uint32_t *at;

    rows->sample_at[end] = arena_array(arena, side->samples.count + 1, sizeof(uint32_t));
    rows->room[end] = arena_array(arena, side->samples.count + 1, sizeof(int64_t));
    for (size_t i = 0; i < side->samples.count; i++) {
        if (!rows->walk->has_steps) {
            rows->sample_at[end][i] = side->samples.list[i].run;
            continue;
        }
        at = idmap_at(&rows->samples[end], side->samples.list[i].name);
        *at = *at == IDMAP_NONE ? 0 : *at;
        rows->sample_at[end][i] = (*at)++;
    }
}

/* Places stand behind those around them. */
static void find_steps(struct structure_rows *rows, struct arena *arena)
{
    const struct site_tree *places = &rows->walk->places;

    rows->step_of = arena_array(arena, places->count + 1, sizeof(*rows->step_of));
    for (size_t i = 1; i < places->count; i++) {
        const struct site_key *key = &places->list[i].key;

        rows->step_of[i] = key->parent ? rows->step_of[key->parent] : key->name;
    }
}

/* What is outside of steps, or launched by nothing, is shared out to all of them. */
static bool is_of_steps(const struct structure_rows *rows, str_id step)
{
    const struct structure_sample *samples = rows->walk->structure->side[DIFF_BEFORE].samples.list;

    return step && step != samples[0].name && step != samples[1].name;
}

static uint32_t samples_of(const struct structure_rows *rows, enum diff_end end, str_id step)
{
    const struct structure_side *side = &rows->walk->structure->side[end];
    uint32_t count = side->steps;

    if (!rows->walk->has_steps)
        return side->runs;
    if (is_of_steps(rows, step))
        count = idmap_find(&rows->samples[end], step);
    return count == IDMAP_NONE ? 0 : count;
}

/* ---- noise ---- */

/* The pieces of each row, row after row. */
struct row_pieces {
    uint32_t *first, *list; /* by 2 + row, the begin of its pieces in `list` */
};

static void sort_pieces(const struct structure_rows *rows, enum diff_end end,
                        struct row_pieces *pieces)
{
    const struct structure_side *side = &rows->walk->structure->side[end];
    const struct structure_tree *tree = &rows->walk->tree[end];
    size_t row_count = rows->walk->count;

    pieces->first = grow_zeroed(row_count + 2, sizeof(*pieces->first));
    pieces->list = grow_zeroed(side->pieces.count + 1, sizeof(*pieces->list));
    for (size_t i = 0; i < side->pieces.count; i++)
        pieces->first[tree->row[tree->piece_site[i]] + 1]++;
    for (size_t i = 1; i < row_count + 2; i++)
        pieces->first[i] += pieces->first[i - 1];
    for (size_t i = side->pieces.count; i-- > 0;) {
        uint32_t row = tree->row[tree->piece_site[i]];

        pieces->list[--pieces->first[row + 1]] = (uint32_t)i;
    }
}

/* The row's time in each sample, in the side's room. */
static struct runs row_samples(const struct structure_rows *rows, enum diff_end end, uint32_t row,
                               const struct row_pieces *pieces)
{
    const struct structure_side *side = &rows->walk->structure->side[end];
    struct runs runs = {.figures = rows->room[end], .count = rows->walk->list[row].samples[end]};
    int64_t *room = rows->room[end];
    size_t till = row + 1 < rows->walk->count ? pieces->first[row + 3] : side->pieces.count;

    memset(room, 0, runs.count * sizeof(*room));
    for (size_t i = pieces->first[row + 2]; i < till; i++) {
        const struct structure_piece *piece = &side->pieces.list[pieces->list[i]];
        uint32_t at = rows->sample_at[end][piece->sample];

        if (at < runs.count)
            room[at] = checked_add(room[at], piece->time);
    }
    return runs;
}

/* A row's part of the risk is its part of the time, as diff.h has it of functions. */
static void find_noise(struct structure_rows *rows)
{
    enum { SAMPLES_LEAST = 3 };
    struct structure_walk *walk = rows->walk;
    struct row_pieces pieces[DIFF_ENDS];
    double sum = 0;

    for (int end = 0; end < DIFF_ENDS; end++)
        sort_pieces(rows, (enum diff_end)end, &pieces[end]);
    for (size_t i = 0; i < walk->count; i++)
        sum += fmax(walk->list[i].each[DIFF_BEFORE], walk->list[i].each[DIFF_AFTER]);
    for (uint32_t i = 0; i < walk->count; i++) {
        struct structure_row *row = &walk->list[i];
        double larger = fmax(row->each[DIFF_BEFORE], row->each[DIFF_AFTER]);
        struct runs sides[DIFF_ENDS];

        if (row->samples[DIFF_BEFORE] < SAMPLES_LEAST || row->samples[DIFF_AFTER] < SAMPLES_LEAST ||
            (walk->has_steps && !is_of_steps(rows, rows->step_of[row->place])))
            continue;
        for (int end = 0; end < DIFF_ENDS; end++)
            sides[end] = row_samples(rows, (enum diff_end)end, i, &pieces[end]);
        row->noise = noise_of_difference(&sides[DIFF_BEFORE], &sides[DIFF_AFTER], 0,
                                         sum > 0 ? larger / sum / DIFF_COMPARISONS_PER_ERROR : 1);
    }
    for (int end = 0; end < DIFF_ENDS; end++) {
        free(pieces[end].first);
        free(pieces[end].list);
    }
}

/* ---- rows ---- */

static void divide_row(const struct structure_rows *rows, struct structure_row *row)
{
    str_id step = row->step = rows->step_of[row->place];

    for (int end = 0; end < DIFF_ENDS; end++) {
        row->samples[end] = samples_of(rows, (enum diff_end)end, step);
        row->each[end] = row->samples[end] ? (double)row->time[end] / row->samples[end] : 0;
    }
    row->explains = fabs(row->each[DIFF_AFTER] - row->each[DIFF_BEFORE]) *
                    ((double)row->samples[DIFF_BEFORE] + (double)row->samples[DIFF_AFTER]) / 2;
}

static bool row_fails(const struct structure_rows *rows, const struct structure_row *row)
{
    const struct structure_options *options = rows->options;
    double old = row->each[DIFF_BEFORE], new = row->each[DIFF_AFTER];
    double whole =
        fmax((double)rows->found->total[DIFF_BEFORE], (double)rows->found->total[DIFF_AFTER]);
    double larger = fmax((double)row->time[DIFF_BEFORE], (double)row->time[DIFF_AFTER]);

    return options->fail_percent >= 0 && new > old &&
           (new - old) * 100 > options->fail_percent *old &&larger * 100 >=
               options->fail_min_percent *whole &&
           (!row->noise.is_known || row->noise.low > 0);
}

static bool row_is_before(const void *context, uint32_t a, uint32_t b)
{
    const struct structure_row *list = context;

    return list[a].explains > list[b].explains;
}

static void take_rows(struct structure_rows *rows, struct arena *arena)
{
    struct structure_walk *walk = rows->walk;
    struct structure_difference *found = rows->found;
    uint32_t *order = sorted_order(walk->count, row_is_before, walk->list);

    found->rows = arena_array(arena, walk->count + 1, sizeof(*found->rows));
    for (size_t i = 0; i < walk->count; i++) {
        struct structure_row *row = &found->rows[i];
        double delta;

        *row = walk->list[order[i]];
        row->fails = row_fails(rows, row);
        delta = row->each[DIFF_AFTER] - row->each[DIFF_BEFORE];
        found->up += delta > 0 ? row->explains : 0;
        found->down += delta < 0 ? row->explains : 0;
        found->failed += row->fails;
        found->has_noise |= row->noise.is_known;
        found->count +=
            row->explains > 0 || rows->options->limit == 0; /* 0: also what is the same */
        if (row->fails && (!found->worst || delta > found->worst->each[DIFF_AFTER] -
                                                        found->worst->each[DIFF_BEFORE]))
            found->worst = row;
    }
    if (rows->options->limit && found->count > rows->options->limit)
        found->count = rows->options->limit;
    found->left_out = (uint32_t)walk->count - found->count;
    free(order);
}

/* ---- leaves: modules, innermost operator, shapes ---- */

struct leaves {
    struct structure_difference *found;
    VECTOR(struct structure_leaf);
    struct idmap of_chain; /* site of `chains` → leaf */
};

static int64_t leaf_change(const struct structure_leaf *leaf)
{
    return llabs(leaf->time[DIFF_AFTER] - leaf->time[DIFF_BEFORE]);
}

static bool leaf_is_before(const void *context, uint32_t a, uint32_t b)
{
    const struct structure_leaf *list = context;

    return leaf_change(&list[a]) > leaf_change(&list[b]);
}

static void add_leaf(struct leaves *leaves, uint32_t chain, enum diff_end end,
                     const struct structure_piece *piece)
{
    const struct site_key key = leaves->found->chains.list[chain].key;
    uint32_t *at = idmap_at(&leaves->of_chain, chain);

    if (*at == IDMAP_NONE) {
        *at = (uint32_t)leaves->count;
        vector_add(leaves, (struct structure_leaf){
                               .modules = key.parent, .name = key.name, .shapes = key.shapes});
    }
    leaves->list[*at].time[end] = checked_add(leaves->list[*at].time[end], piece->time);
    leaves->list[*at].count[end] += piece->count;
}

/* By site of a side: the modules around it, in `chains`, or its operator there. */
static void add_leaves(struct leaves *leaves, const struct structure_side *side, enum diff_end end)
{
    struct site_tree *chains = &leaves->found->chains;
    uint32_t *chain_of = grow_zeroed(side->sites.count + 1, sizeof(*chain_of));

    for (size_t i = 1; i < side->sites.count; i++) {
        struct site_key key = side->sites.list[i].key;

        if (key.kind == SITE_OPERATOR)
            key.parent = chain_of[side->sites.list[i].outer];
        else
            key.parent = chain_of[key.parent];
        chain_of[i] = key.kind == SITE_MODULE || key.kind == SITE_OPERATOR ? site_child(chains, key)
                                                                           : key.parent;
    }
    for (size_t i = 0; i < side->pieces.count; i++)
        if (side->pieces.list[i].count)
            add_leaf(leaves, chain_of[side->pieces.list[i].site], end, &side->pieces.list[i]);
    free(chain_of);
}

static void find_leaves(struct structure_rows *rows, struct arena *arena)
{
    struct structure_difference *found = rows->found;
    struct leaves leaves = {.found = found};

    for (int end = 0; end < DIFF_ENDS; end++)
        add_leaves(&leaves, &rows->walk->structure->side[end], (enum diff_end)end);
    found->leaf_count = (uint32_t)leaves.count;
    if (rows->options->limit && found->leaf_count > rows->options->limit)
        found->leaf_count = rows->options->limit;
    found->leaves_left_out = (uint32_t)leaves.count - found->leaf_count;
    found->leaves = sorted_copy(arena, leaves.list, sizeof(*leaves.list), leaves.count,
                                found->leaf_count, leaf_is_before);
    free(leaves.list);
    idmap_free(&leaves.of_chain);
}

/* ---- stages ---- */

static double mean_tokens(const struct structure_side *side, str_id name)
{
    double tokens = 0;
    uint32_t count = 0;

    for (size_t i = 0; i < side->samples.count; i++)
        if (side->samples.list[i].name == name) {
            tokens += side->samples.list[i].tokens == UNKNOWN
                          ? (double)NAN
                          : (double)side->samples.list[i].tokens;
            count++;
        }
    return count ? tokens / count : (double)NAN;
}

/* Of the few stages that there are: has_few_steps(). */
static void find_stages(const struct structure_walk *walk, struct arena *arena,
                        struct structure_difference *found)
{
    const struct structure *structure = walk->structure;
    const struct site_tree *places = &walk->places;

    found->stages = arena_array(arena, places->count + 1, sizeof(*found->stages));
    for (size_t i = 1; walk->is_serving && i < places->count; i++) {
        struct structure_stage stage = {.name = places->list[i].key.name};

        if (places->list[i].key.kind != SITE_STEP || !stage.name)
            continue;
        for (int end = 0; end < DIFF_ENDS; end++)
            stage.tokens[end] = mean_tokens(&structure->side[end], stage.name);
        if (stage.tokens[DIFF_BEFORE] > 0 && stage.tokens[DIFF_AFTER] > 0)
            found->stages[found->stage_count++] = stage;
    }
}

/* ---- all ---- */

/* Of what operators launched; what a graph launches has none where nobody recorded its capture. */
static int64_t operators_time(const struct structure_walk *walk)
{
    int64_t time = 0;

    for (size_t i = 0; i < walk->count; i++) {
        const struct structure_row *row = &walk->list[i];

        if (row->match != MATCH_UNLAUNCHED && (row->name[DIFF_BEFORE] || row->name[DIFF_AFTER]))
            time = checked_add(time, checked_add(row->time[DIFF_BEFORE], row->time[DIFF_AFTER]));
    }
    return time;
}

static double matched_share(const struct structure_walk *walk, bool or_modules)
{
    return (double)structure_walk_matched(walk, or_modules) / fmax(1, (double)operators_time(walk));
}

/* Where paths have too little in common, they have more without the levels that differ. */
static void walk_best(struct structure *structure, struct structure_walk *best)
{
    static const int tries[] = {0, WITHOUT_OUTER, WITHOUT_STEPS, WITHOUT_OUTER | WITHOUT_STEPS};
    double matched = -1;

    for (size_t i = 0; i < COUNT_OF(tries) && matched < STRUCTURE_MATCHED_LEAST; i++) {
        struct structure_walk walk = {.structure = structure, .levels = tries[i]};
        double share;

        structure_walk(&walk);
        share = matched_share(&walk, false);
        if (share > matched) {
            structure_walk_free(best);
            site_tree_free(&best->places);
            *best = walk;
            matched = share;
        } else {
            structure_walk_free(&walk);
            site_tree_free(&walk.places);
        }
    }
}

void structure_compare(struct structure *structure, const struct structure_options *options,
                       struct arena *arena, struct structure_difference *found)
{
    struct structure_walk walk = {0};
    struct structure_rows rows = {.walk = &walk, .found = found, .options = options};

    *found = (struct structure_difference){0};
    walk_best(structure, &walk);
    found->matched = matched_share(&walk, true);
    found->has_modules = walk.has_modules && !(walk.levels & WITHOUT_OUTER);
    found->has_steps = walk.has_steps;
    found->has_families = !structure->side[DIFF_BEFORE].has_operators;
    for (int end = 0; end < DIFF_ENDS; end++) {
        found->total[end] = walk.tree[end].time[0];
        found->steps[end] = structure->side[end].steps;
        found->runs[end] = structure->side[end].runs;
        count_samples(&rows, (enum diff_end)end, arena);
    }
    find_steps(&rows, arena);
    for (size_t i = 0; i < walk.count; i++)
        divide_row(&rows, &walk.list[i]);
    find_noise(&rows);
    take_rows(&rows, arena);
    find_leaves(&rows, arena);
    find_stages(&walk, arena, found);
    found->places = walk.places;
    structure_walk_free(&walk);
    for (int end = 0; end < DIFF_ENDS; end++)
        idmap_free(&rows.samples[end]);
}

void structure_difference_free(struct structure_difference *found)
{
    site_tree_free(&found->places);
    site_tree_free(&found->chains);
}
