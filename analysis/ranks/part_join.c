/* SPDX-License-Identifier: Apache-2.0 */
/* Joins parts of a job, whatever their order: the largest first, as one may be inside another. */
#include "analysis/ranks/part_join.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analysis/ranks/part_file.h"
#include "base/memory/memory.h"

/* ---- what is there already ---- */

enum overlap_of_parts { PARTS_APART, PART_INSIDE, PARTS_CLASH };

static enum overlap_of_parts compare_leaves(const struct job_part *part,
                                            const struct job_part *from, struct error *err)
{
    uint32_t common = 0, rank = 0;

    for (uint32_t i = 0; i < from->leaf_count; i++) {
        const struct part_leaf *leaf = &from->leaves[i];
        const struct part_leaf *mine = part_leaf_of(part, leaf->rank);

        if (!mine)
            continue;
        if (mine->hash != leaf->hash) {
            struct span first = part_text(part, mine->file), second = part_text(from, leaf->file);

            error_set(err, ERROR_INPUT,
                      "rank %" PRIu32 " is there twice, with other contents (%.*s, %.*s)",
                      leaf->rank, (int)(first.len & 63), first.at, (int)(second.len & 63),
                      second.at);
            error_hint(err, "leave one of them out, or let --prefer longest choose");
            return PARTS_CLASH;
        }
        common++;
        rank = leaf->rank;
    }
    if (common == 0)
        return PARTS_APART;
    if (common == from->leaf_count)
        return PART_INSIDE;
    error_set(err, ERROR_INPUT, "has rank %" PRIu32 ", which another part has, too, and others",
              rank);
    error_hint(err, "parts must be of different ranks, or one in the other");
    return PARTS_CLASH;
}

/* ---- moving ---- */

struct leaf_moving {
    struct part_joining *joining;
    struct job_part *part, *from;
    str_id *text;    /* by id of `from`, plus 1; 0: not moved yet */
    uint32_t *group; /* by group of `from` */
};

static str_id moved(struct leaf_moving *moving, str_id id)
{
    if (!moving->text[id])
        moving->text[id] = strings_intern(&moving->part->strings, part_text(moving->from, id)) + 1;
    return moving->text[id] - 1;
}

/* What is left of a part is freed: its columns are copied, without the room beside them. */
static void move_leaf(struct leaf_moving *moving, const struct part_leaf *from)
{
    struct job_part *part = moving->part;
    struct part_leaf *leaf = part_add_leaf(part, from);

    leaf->host = moved(moving, from->host);
    leaf->file = moved(moving, from->file);
    part_leaf_make_columns(leaf, &part->arena);
    leaf->dep = arena_array(&part->arena, from->first_dep[from->op_count], sizeof(*leaf->dep));
    for (uint32_t c = 0; c < part_leaf_columns.count; c++) {
        const struct part_column *column = &part_leaf_columns.list[c];
        uint32_t *ids = (uint32_t *)(void *)part_column_items(leaf, column);
        uint32_t count = part_column_length(from, column);

        if (count)
            memcpy(ids, part_column_items(from, column), (size_t)count * column->size);
        for (uint32_t i = 0; i < count && column->coding == CODE_TEXT; i++)
            ids[i] = moved(moving, ids[i]);
        for (uint32_t i = 0; i < count && column->coding == CODE_GROUP; i++)
            ids[i] = moving->group[ids[i]];
    }
}

static void *copied(struct job_part *part, const void *list, uint32_t count, size_t size)
{
    void *copy = arena_array(&part->arena, count, size);

    if (count && list)
        memcpy(copy, list, count * size);
    return list ? copy : NULL;
}

static struct distribution copied_distribution(struct job_part *part,
                                               const struct distribution *from)
{
    struct distribution copy = {0};

    distribution_merge(&copy, from, &part->arena);
    return copy;
}

static void move_groups(struct leaf_moving *moving)
{
    for (uint32_t i = 0; i < moving->from->group_count; i++) {
        struct part_group group = moving->from->groups[i];
        uint32_t *at;

        group.name = moved(moving, group.name);
        group.use = moved(moving, group.use);
        group.members = moved(moving, group.members);
        at = idmap_at(&moving->joining->groups, idmap_pair(group.name, group.members));
        if (*at == IDMAP_NONE) {
            *at = moving->part->group_count;
            group.ranks = copied(moving->part, group.ranks, group.rank_count, sizeof(*group.ranks));
            group.clock = copied(moving->part, group.clock, group.rank_count, sizeof(*group.clock));
            *part_add_group(moving->part) = group;
        } else {
            struct part_group *mine = &moving->part->groups[*at];

            /* The same from whichever comes first: the greater text, the greater size. */
            if (span_cmp(part_text(moving->part, mine->use), part_text(moving->part, group.use)) <
                0)
                mine->use = group.use;
            mine->size = mine->size > group.size ? mine->size : group.size;
        }
        moving->group[i] = *at;
    }
}

static void move_hot(struct leaf_moving *moving)
{
    struct job_part *part = moving->part;

    for (uint32_t i = 0; i < moving->from->hot_count; i++) {
        struct part_hot hot = moving->from->hot[i];
        uint32_t *at;

        hot.name = moved(moving, hot.name);
        at = idmap_at(&moving->joining->hot,
                      idmap_pair(hot.name, (uint32_t)hot.kind << 24 | (uint32_t)hot.stage));
        if (*at == IDMAP_NONE) {
            *at = part->hot_count;
            hot.events = copied_distribution(part, &hot.events);
            hot.ranks = copied_distribution(part, &hot.ranks);
            part_add_hot(part, &hot);
            continue;
        }
        distribution_merge(&part->hot[*at].events, &hot.events, &part->arena);
        distribution_merge(&part->hot[*at].ranks, &hot.ranks, &part->arena);
    }
}

/* A group is sealed in one part: its traffic is in no other. */
static void move_traffic(struct leaf_moving *moving)
{
    for (uint32_t i = 0; i < moving->from->traffic_count; i++) {
        struct part_traffic traffic = moving->from->traffic[i];

        traffic.group = moving->group[traffic.group];
        traffic.operation = moved(moving, traffic.operation);
        traffic.skew = copied_distribution(moving->part, &traffic.skew);
        traffic.transfer = copied_distribution(moving->part, &traffic.transfer);
        traffic.last =
            copied(moving->part, traffic.last, traffic.last_count, sizeof(*traffic.last));
        part_add_traffic(moving->part, &traffic);
    }
}

/* Everything of `from`; the order of things is made up for at the end. */
static void move_all(struct part_joining *joining, struct job_part *from)
{
    struct job_part *part = joining->whole;
    struct leaf_moving moving = {.joining = joining,
                                 .part = part,
                                 .from = from,
                                 .text = grow_zeroed(from->strings.count + 1, sizeof(str_id)),
                                 .group =
                                     grow_zeroed((size_t)from->group_count + 1, sizeof(uint32_t))};

    move_groups(&moving);
    move_hot(&moving);
    move_traffic(&moving);
    for (uint32_t i = 0; i < from->leaf_count; i++)
        move_leaf(&moving, &from->leaves[i]);
    for (uint32_t i = 0; i < from->absence_count; i++) {
        struct part_absence absence = from->absences[i];

        absence.group = moving.group[absence.group];
        absence.operation = moved(&moving, absence.operation);
        part_add_absence(part, &absence);
    }
    free(moving.text);
    free(moving.group);
    job_part_free(from);
}

/* ---- which of them ---- */

static void leave_out(struct job_part *part, enum part_left_out *why, enum part_left_out as)
{
    job_part_free(part);
    *part = (struct job_part){0};
    *why = as;
}

/* How many ranks its job has; 0: its traces do not say. */
static uint32_t world_of(const struct job_part *part)
{
    for (uint32_t i = 0; i < part->leaf_count; i++)
        if (part->leaves[i].world)
            return part->leaves[i].world;
    return 0;
}

static bool choose_job(struct job_part *parts, size_t count, uint32_t rank, enum part_left_out *why,
                       struct error *err)
{
    uint64_t most = 0;
    uint32_t chosen = 0;
    bool is_there = false;

    for (size_t i = 0; i < count; i++) {
        uint32_t world = world_of(&parts[i]);
        uint64_t leaves = 0;

        if (!part_leaf_of(&parts[i], rank))
            continue;
        is_there = true;
        for (size_t k = 0; world && world != chosen && k < count; k++)
            leaves += world_of(&parts[k]) == world ? parts[k].leaf_count : 0;
        if (leaves > most || (leaves && leaves == most && world > chosen)) {
            most = leaves;
            chosen = world;
        }
    }
    for (size_t i = 0; i < count && chosen; i++) {
        uint32_t world = world_of(&parts[i]);

        if (world && world != chosen)
            leave_out(&parts[i], &why[i], PART_OF_OTHER_JOB);
    }
    return is_there || error_set(err, ERROR_INPUT, "nothing is of rank %" PRIu32, rank);
}

static bool is_longer(const struct part_leaf *leaf, const struct part_leaf *than)
{
    return leaf->step_count != than->step_count ? leaf->step_count > than->step_count
                                                : leaf->hash > than->hash;
}

/* Of a rank's traces, and of its logs. */
static uint64_t leaf_key(const struct part_leaf *leaf)
{
    return idmap_pair(leaf->rank, leaf->flags & LEAF_LOG);
}

/* Only leaves that are alone can be left out: what follows from several cannot be undone. */
static void choose_longest(struct job_part *parts, size_t count, enum part_left_out *why)
{
    struct idmap best = {0};

    for (size_t i = 0; i < count; i++) {
        const struct part_leaf *leaf = parts[i].leaves;
        uint32_t *at;

        if (parts[i].leaf_count != 1)
            continue;
        at = idmap_at(&best, leaf_key(leaf));
        if (*at == IDMAP_NONE || is_longer(leaf, parts[*at].leaves))
            *at = (uint32_t)i;
    }
    for (size_t i = 0; i < count; i++) {
        const struct part_leaf *leaf = parts[i].leaves;

        if (parts[i].leaf_count == 1 &&
            is_longer(parts[idmap_find(&best, leaf_key(leaf))].leaves, leaf))
            leave_out(&parts[i], &why[i], PART_SHORTER);
    }
    idmap_free(&best);
}

bool parts_choose(struct job_part *parts, size_t count, const struct part_choice *choice,
                  enum part_left_out *why, struct error *err)
{
    if (choice->job_of >= 0 && !choose_job(parts, count, (uint32_t)choice->job_of, why, err))
        return false;
    if (choice->prefers_longest)
        choose_longest(parts, count, why);
    return true;
}

/* ---- many ---- */

struct turn {
    size_t at;
    const struct job_part *part;
};

static int larger_first(const void *a, const void *b)
{
    const struct turn *first = a, *second = b;

    if (first->part->leaf_count != second->part->leaf_count)
        return first->part->leaf_count > second->part->leaf_count ? -1 : 1;
    return (first->at > second->at) - (first->at < second->at);
}

/* Ranks of jobs of different sizes are not of one. */
static bool is_of_job(const struct job_part *from, uint32_t *world, struct error *err)
{
    for (uint32_t i = 0; i < from->leaf_count; i++) {
        const struct part_leaf *leaf = &from->leaves[i];

        if (leaf->world && *world && leaf->world != *world) {
            error_set(err, ERROR_INPUT,
                      "rank %" PRIu32 " is of a job of %" PRIu32 " ranks, others are of one of "
                      "%" PRIu32,
                      leaf->rank, leaf->world, *world);
            return error_hint(err, "name the ranks of one job, or one of its ranks with --job-of");
        }
        *world = leaf->world ? leaf->world : *world;
    }
    return true;
}

/* The sorting of leaves waits until all are there. */
static bool join_part(struct part_joining *joining, struct job_part *from, struct error *err)
{
    struct job_part *whole = joining->whole, probe = {0};
    bool ok;
    enum overlap_of_parts overlap;

    /* Only leaves of equal ranks matter: a part of those, in order, is asked. */
    probe.strings = whole->strings;
    for (uint32_t i = 0; i < from->leaf_count; i++) {
        uint32_t at = idmap_find(&joining->ranks, from->leaves[i].rank);

        if (at != IDMAP_NONE)
            part_add_leaf(&probe, &whole->leaves[at]);
    }
    overlap = compare_leaves(&probe, from, err);
    free(probe.leaves);
    ok = overlap != PARTS_CLASH;
    if (overlap == PARTS_APART) {
        uint32_t first = whole->leaf_count;

        move_all(joining, from);
        for (uint32_t i = first; i < whole->leaf_count; i++)
            *idmap_at(&joining->ranks, whole->leaves[i].rank) = i;
    }
    return ok;
}

bool parts_join_one(struct part_joining *joining, struct job_part *from, struct error *err)
{
    bool ok = is_of_job(from, &joining->world, err) && join_part(joining, from, err);

    job_part_free(from);
    return ok;
}

void parts_join_end(struct part_joining *joining)
{
    idmap_free(&joining->ranks);
    idmap_free(&joining->groups);
    idmap_free(&joining->hot);
    part_trim(joining->whole);
    part_sort(joining->whole);
}

/* Without what follows from leaves that are together. */
static bool gather_parts(struct job_part *parts, size_t count, struct job_part *whole, size_t *at,
                         struct error *err)
{
    struct turn *turns = grow_zeroed(count + 1, sizeof(*turns));
    struct part_joining joining = {.whole = whole};
    bool ok = true;

    *whole = (struct job_part){0};
    for (size_t i = 0; i < count; i++)
        turns[i] = (struct turn){i, &parts[i]};
    qsort(turns, count, sizeof(*turns), larger_first);
    for (size_t i = 0; i < count && ok; i++) {
        *at = turns[i].at;
        ok = parts_join_one(&joining, &parts[*at], err);
    }
    for (size_t i = 0; i < count; i++)
        job_part_free(&parts[i]);
    free(turns);
    parts_join_end(&joining);
    return ok;
}

bool parts_join(struct job_part *parts, size_t count, struct job_part *whole, size_t *at,
                struct error *err)
{
    if (!gather_parts(parts, count, whole, at, err))
        return false;
    part_seal(whole, SEAL_WHOLE);
    return true;
}

bool parts_meet(struct job_part *parts, size_t count, struct job_part *whole,
                struct group_meetings *meetings, size_t *at, struct error *err)
{
    *meetings = (struct group_meetings){0};
    if (!gather_parts(parts, count, whole, at, err))
        return false;
    part_seal_telling(whole, SEAL_ALL, meetings);
    return true;
}

void group_meetings_free(struct group_meetings *meetings)
{
    free(meetings->list.list);
    free(meetings->members.list);
    *meetings = (struct group_meetings){0};
}
