/* SPDX-License-Identifier: Apache-2.0 */
/* Joins shards of a job, whatever their order: the largest first, as one may be inside another. */
#include "analysis/ranks/shard_join.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analysis/ranks/shard_file.h"
#include "base/memory/memory.h"

/* ---- what is there already ---- */

enum overlap_of_shards { PARTS_APART, PART_INSIDE, PARTS_CLASH };

static enum overlap_of_shards compare_summaries(const struct job_shard *shard,
                                                const struct job_shard *from, struct error *err)
{
    uint32_t common = 0, rank = 0;

    for (uint32_t i = 0; i < from->summary_count; i++) {
        const struct rank_summary *summary = &from->summaries[i];
        const struct rank_summary *mine = rank_summary_of(shard, summary->rank);

        if (!mine)
            continue;
        if (mine->hash != summary->hash) {
            struct span first = shard_text(shard, mine->file),
                        second = shard_text(from, summary->file);

            error_set(err, ERROR_INPUT,
                      "rank %" PRIu32 " is there twice, with other contents (%.*s, %.*s)",
                      summary->rank, (int)(first.len & 63), first.at, (int)(second.len & 63),
                      second.at);
            error_hint(err, "leave one of them out, or let --prefer longest choose");
            return PARTS_CLASH;
        }
        common++;
        rank = summary->rank;
    }
    if (common == 0)
        return PARTS_APART;
    if (common == from->summary_count)
        return PART_INSIDE;
    error_set(err, ERROR_INPUT, "has rank %" PRIu32 ", which another part has, too, and others",
              rank);
    error_hint(err, "parts must be of different ranks, or one in the other");
    return PARTS_CLASH;
}

/* ---- moving ---- */

struct summary_moving {
    struct shard_joining *joining;
    struct job_shard *shard, *from;
    str_id *text;    /* by id of `from`, plus 1; 0: not moved yet */
    uint32_t *group; /* by group of `from` */
};

static str_id moved(struct summary_moving *moving, str_id id)
{
    if (!moving->text[id])
        moving->text[id] =
            strings_intern(&moving->shard->strings, shard_text(moving->from, id)) + 1;
    return moving->text[id] - 1;
}

/* What is left of a shard is freed: its columns are copied, without the room beside them. */
static void move_summary(struct summary_moving *moving, const struct rank_summary *from)
{
    struct job_shard *shard = moving->shard;
    struct rank_summary *summary = shard_add_summary(shard, from);

    summary->host = moved(moving, from->host);
    summary->file = moved(moving, from->file);
    summary->device = moved(moving, from->device);
    rank_summary_make_columns(summary, &shard->arena);
    summary->dep =
        arena_array(&shard->arena, from->first_dep[from->op_count], sizeof(*summary->dep));
    for (uint32_t c = 0; c < rank_summary_columns.count; c++) {
        const struct shard_column *column = &rank_summary_columns.list[c];
        uint32_t *ids = (uint32_t *)(void *)shard_column_items(summary, column);
        uint32_t count = shard_column_length(from, column);

        if (count)
            memcpy(ids, shard_column_items(from, column), (size_t)count * column->size);
        for (uint32_t i = 0; i < count && column->coding == CODE_TEXT; i++)
            ids[i] = moved(moving, ids[i]);
        for (uint32_t i = 0; i < count && column->coding == CODE_GROUP; i++)
            ids[i] = moving->group[ids[i]];
    }
}

static void *copied(struct job_shard *shard, const void *list, uint32_t count, size_t size)
{
    void *copy = arena_array(&shard->arena, count, size);

    if (count && list)
        memcpy(copy, list, count * size);
    return list ? copy : NULL;
}

static struct distribution copied_distribution(struct job_shard *shard,
                                               const struct distribution *from)
{
    struct distribution copy = {0};

    distribution_merge(&copy, from, &shard->arena);
    return copy;
}

static void move_groups(struct summary_moving *moving)
{
    for (uint32_t i = 0; i < moving->from->group_count; i++) {
        struct shard_group group = moving->from->groups[i];
        uint32_t *at;

        group.name = moved(moving, group.name);
        group.use = moved(moving, group.use);
        group.members = moved(moving, group.members);
        at = idmap_at(&moving->joining->groups, idmap_pair(group.name, group.members));
        if (*at == IDMAP_NONE) {
            *at = moving->shard->group_count;
            group.ranks =
                copied(moving->shard, group.ranks, group.rank_count, sizeof(*group.ranks));
            group.clock =
                copied(moving->shard, group.clock, group.rank_count, sizeof(*group.clock));
            *shard_add_group(moving->shard) = group;
        } else {
            struct shard_group *mine = &moving->shard->groups[*at];

            /* The same from whichever comes first: the greater text, the greater size. */
            if (span_cmp(shard_text(moving->shard, mine->use),
                         shard_text(moving->shard, group.use)) < 0)
                mine->use = group.use;
            mine->size = mine->size > group.size ? mine->size : group.size;
        }
        moving->group[i] = *at;
    }
}

static void move_hot(struct summary_moving *moving)
{
    struct job_shard *shard = moving->shard;

    for (uint32_t i = 0; i < moving->from->hot_count; i++) {
        struct shard_hot hot = moving->from->hot[i];
        uint32_t *at;

        hot.name = moved(moving, hot.name);
        at = idmap_at(&moving->joining->hot,
                      idmap_pair(hot.name, (uint32_t)hot.kind << 24 | (uint32_t)hot.stage));
        if (*at == IDMAP_NONE) {
            *at = shard->hot_count;
            hot.events = copied_distribution(shard, &hot.events);
            hot.ranks = copied_distribution(shard, &hot.ranks);
            shard_add_hot(shard, &hot);
            continue;
        }
        distribution_merge(&shard->hot[*at].events, &hot.events, &shard->arena);
        distribution_merge(&shard->hot[*at].ranks, &hot.ranks, &shard->arena);
    }
}

/* A group is clock-aligned in one shard: its traffic is in no other. */
static void move_traffic(struct summary_moving *moving)
{
    for (uint32_t i = 0; i < moving->from->traffic_count; i++) {
        struct shard_traffic traffic = moving->from->traffic[i];

        traffic.group = moving->group[traffic.group];
        traffic.operation = moved(moving, traffic.operation);
        traffic.skew = copied_distribution(moving->shard, &traffic.skew);
        traffic.transfer = copied_distribution(moving->shard, &traffic.transfer);
        traffic.last =
            copied(moving->shard, traffic.last, traffic.last_count, sizeof(*traffic.last));
        shard_add_traffic(moving->shard, &traffic);
    }
}

/* Everything of `from`; the order of things is made up for at the end. */
static void move_all(struct shard_joining *joining, struct job_shard *from)
{
    struct job_shard *shard = joining->whole;
    struct summary_moving moving = {
        .joining = joining,
        .shard = shard,
        .from = from,
        .text = grow_zeroed(from->strings.count + 1, sizeof(str_id)),
        .group = grow_zeroed((size_t)from->group_count + 1, sizeof(uint32_t))};

    move_groups(&moving);
    move_hot(&moving);
    move_traffic(&moving);
    for (uint32_t i = 0; i < from->summary_count; i++)
        move_summary(&moving, &from->summaries[i]);
    for (uint32_t i = 0; i < from->absence_count; i++) {
        struct shard_absence absence = from->absences[i];

        absence.group = moving.group[absence.group];
        absence.operation = moved(&moving, absence.operation);
        shard_add_absence(shard, &absence);
    }
    free(moving.text);
    free(moving.group);
    job_shard_free(from);
}

/* ---- which of them ---- */

static void leave_out(struct job_shard *shard, enum shard_left_out *why, enum shard_left_out as)
{
    job_shard_free(shard);
    *shard = (struct job_shard){0};
    *why = as;
}

/* How many ranks its job has; 0: its traces do not say. */
static uint32_t world_of(const struct job_shard *shard)
{
    for (uint32_t i = 0; i < shard->summary_count; i++)
        if (shard->summaries[i].world)
            return shard->summaries[i].world;
    return 0;
}

static bool choose_job(struct job_shard *shards, size_t count, uint32_t rank,
                       enum shard_left_out *why, struct error *err)
{
    uint64_t most = 0;
    uint32_t chosen = 0;
    bool is_there = false;

    for (size_t i = 0; i < count; i++) {
        uint32_t world = world_of(&shards[i]);
        uint64_t summaries = 0;

        if (!rank_summary_of(&shards[i], rank))
            continue;
        is_there = true;
        for (size_t k = 0; world && world != chosen && k < count; k++)
            summaries += world_of(&shards[k]) == world ? shards[k].summary_count : 0;
        if (summaries > most || (summaries && summaries == most && world > chosen)) {
            most = summaries;
            chosen = world;
        }
    }
    for (size_t i = 0; i < count && chosen; i++) {
        uint32_t world = world_of(&shards[i]);

        if (world && world != chosen)
            leave_out(&shards[i], &why[i], SHARD_OF_OTHER_JOB);
    }
    return is_there || error_set(err, ERROR_INPUT, "nothing is of rank %" PRIu32, rank);
}

static bool is_longer(const struct rank_summary *summary, const struct rank_summary *than)
{
    return summary->step_count != than->step_count ? summary->step_count > than->step_count
                                                   : summary->hash > than->hash;
}

/* Of a rank's traces, and of its logs. */
static uint64_t summary_key(const struct rank_summary *summary)
{
    return idmap_pair(summary->rank, summary->flags & RANK_LOG);
}

/* Only summaries that are alone can be left out: what follows from several cannot be undone. */
static void choose_longest(struct job_shard *shards, size_t count, enum shard_left_out *why)
{
    struct idmap best = {0};

    for (size_t i = 0; i < count; i++) {
        const struct rank_summary *summary = shards[i].summaries;
        uint32_t *at;

        if (shards[i].summary_count != 1)
            continue;
        at = idmap_at(&best, summary_key(summary));
        if (*at == IDMAP_NONE || is_longer(summary, shards[*at].summaries))
            *at = (uint32_t)i;
    }
    for (size_t i = 0; i < count; i++) {
        const struct rank_summary *summary = shards[i].summaries;

        if (shards[i].summary_count == 1 &&
            is_longer(shards[idmap_find(&best, summary_key(summary))].summaries, summary))
            leave_out(&shards[i], &why[i], SHARD_SHORTER);
    }
    idmap_free(&best);
}

bool shards_choose(struct job_shard *shards, size_t count, const struct shard_choice *choice,
                   enum shard_left_out *why, struct error *err)
{
    if (choice->job_of >= 0 && !choose_job(shards, count, (uint32_t)choice->job_of, why, err))
        return false;
    if (choice->prefers_longest)
        choose_longest(shards, count, why);
    return true;
}

/* ---- many ---- */

struct turn {
    size_t at;
    const struct job_shard *shard;
};

static int larger_first(const void *a, const void *b)
{
    const struct turn *first = a, *second = b;

    if (first->shard->summary_count != second->shard->summary_count)
        return first->shard->summary_count > second->shard->summary_count ? -1 : 1;
    return (first->at > second->at) - (first->at < second->at);
}

/* Ranks of jobs of different sizes are not of one. */
static bool is_of_job(const struct job_shard *from, uint32_t *world, struct error *err)
{
    for (uint32_t i = 0; i < from->summary_count; i++) {
        const struct rank_summary *summary = &from->summaries[i];

        if (summary->world && *world && summary->world != *world) {
            error_set(err, ERROR_INPUT,
                      "rank %" PRIu32 " is of a job of %" PRIu32 " ranks, others are of one of "
                      "%" PRIu32,
                      summary->rank, summary->world, *world);
            return error_hint(err, "name the ranks of one job, or one of its ranks with --job-of");
        }
        *world = summary->world ? summary->world : *world;
    }
    return true;
}

/* The sorting of summaries waits until all are there. */
static bool join_shard(struct shard_joining *joining, struct job_shard *from, struct error *err)
{
    struct job_shard *whole = joining->whole, probe = {0};
    bool ok;
    enum overlap_of_shards overlap;

    /* Only summaries of equal ranks matter: a shard of those, in order, is asked. */
    probe.strings = whole->strings;
    for (uint32_t i = 0; i < from->summary_count; i++) {
        uint32_t at = idmap_find(&joining->ranks, from->summaries[i].rank);

        if (at != IDMAP_NONE)
            shard_add_summary(&probe, &whole->summaries[at]);
    }
    overlap = compare_summaries(&probe, from, err);
    free(probe.summaries);
    ok = overlap != PARTS_CLASH;
    if (overlap == PARTS_APART) {
        uint32_t first = whole->summary_count;

        move_all(joining, from);
        for (uint32_t i = first; i < whole->summary_count; i++)
            *idmap_at(&joining->ranks, whole->summaries[i].rank) = i;
    }
    return ok;
}

bool shards_join_one(struct shard_joining *joining, struct job_shard *from, struct error *err)
{
    bool ok = is_of_job(from, &joining->world, err) && join_shard(joining, from, err);

    job_shard_free(from);
    return ok;
}

void shards_join_end(struct shard_joining *joining)
{
    idmap_free(&joining->ranks);
    idmap_free(&joining->groups);
    idmap_free(&joining->hot);
    shard_trim(joining->whole);
    shard_sort(joining->whole);
}

/* Without what follows from summaries that are together. */
static bool gather_shards(struct job_shard *shards, size_t count, struct job_shard *whole,
                          size_t *at, struct error *err)
{
    struct turn *turns = grow_zeroed(count + 1, sizeof(*turns));
    struct shard_joining joining = {.whole = whole};
    bool ok = true;

    *whole = (struct job_shard){0};
    for (size_t i = 0; i < count; i++)
        turns[i] = (struct turn){i, &shards[i]};
    qsort(turns, count, sizeof(*turns), larger_first);
    for (size_t i = 0; i < count && ok; i++) {
        *at = turns[i].at;
        ok = shards_join_one(&joining, &shards[*at], err);
    }
    for (size_t i = 0; i < count; i++)
        job_shard_free(&shards[i]);
    free(turns);
    shards_join_end(&joining);
    return ok;
}

bool shards_join(struct job_shard *shards, size_t count, struct job_shard *whole, size_t *at,
                 struct error *err)
{
    if (!gather_shards(shards, count, whole, at, err))
        return false;
    shard_align(whole, GROUPS_WHOLE, NULL);
    return true;
}

bool shards_meet(struct job_shard *shards, size_t count, struct job_shard *whole,
                 struct group_meetings *meetings, size_t *at, struct error *err)
{
    *meetings = (struct group_meetings){0};
    if (!gather_shards(shards, count, whole, at, err))
        return false;
    shard_align(whole, GROUPS_ALL, meetings);
    return true;
}

void group_meetings_free(struct group_meetings *meetings)
{
    free(meetings->list.list);
    free(meetings->members.list);
    *meetings = (struct group_meetings){0};
}
