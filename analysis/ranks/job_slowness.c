/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the ranks of a job, and its groups: who takes longer for the same work than the others. */
#include "analysis/ranks/job_slowness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/ranks/job_shard.h"
#include "base/memory/memory.h"

/* ---- cells: the operations of one type and owner ---- */

struct cells {
    uint32_t count, owners;
    uint32_t *of_op; /* by operation */
    uint32_t *type, *owner, *size;
    int64_t *median;
    double *
        spread; /* standard deviation of one operation, ns, as far as medians tell; of the cell's type */
    struct arena *arena;
};

static int by_value(const void *a, const void *b)
{
    const int64_t *first = a, *second = b;

    return (*first > *second) - (*first < *second);
}

static int64_t lower_middle(int64_t *list, uint32_t count)
{
    qsort(list, count, sizeof(*list), by_value);
    return list[(count - 1) / 2];
}

/* `order`: operations by a column, those of one value as they stood before. */
static void sort_by(const uint32_t *column, uint32_t values, const uint32_t *from, uint32_t count,
                    uint32_t *order)
{
    uint32_t *next = grow_zeroed((size_t)values + 1, sizeof(*next));

    for (uint32_t i = 0; i < count; i++)
        next[column[from[i]] + 1]++;
    for (uint32_t v = 0; v < values; v++)
        next[v + 1] += next[v];
    for (uint32_t i = 0; i < count; i++)
        order[next[column[from[i]]]++] = from[i];
    free(next);
}

/* What one operation of a type is off its owner's median by, over all owners. */
static void find_spread(struct cells *cells, const uint32_t *order, const int64_t *length,
                        uint32_t first_cell, uint32_t end_cell, int64_t *room)
{
    uint32_t at = 0, count = 0;
    double spread;

    for (uint32_t c = first_cell; c < end_cell; c++)
        for (uint32_t i = 0; i < cells->size[c]; i++, at++)
            if (cells->size[c] > 2)
                room[count++] = llabs(length[order[at]] - cells->median[c]);
    spread = count ? 1.4826 * (double)lower_middle(room, count) : 0;
    for (uint32_t c = first_cell; c < end_cell; c++)
        cells->spread[c] = spread;
}

/* `owner`: by operation; those of UINT32_MAX are left out. */
static void make_cells(const int64_t *length, uint32_t ops, const uint32_t *type, uint32_t types,
                       const uint32_t *owner, struct cells *cells)
{
    struct arena scratch = {0};
    uint32_t *all = arena_array(&scratch, (size_t)ops + 1, sizeof(*all)), count = 0;
    uint32_t *some = arena_array(&scratch, (size_t)ops + 1, sizeof(*some));
    uint32_t *order = arena_array(&scratch, (size_t)ops + 1, sizeof(*order));
    int64_t *room = arena_array(&scratch, (size_t)ops + 1, sizeof(*room));

    cells->of_op = arena_array(cells->arena, (size_t)ops + 1, sizeof(*cells->of_op));
    memset(cells->of_op, 0xff, ops * sizeof(*cells->of_op));
    for (uint32_t op = 0; op < ops; op++)
        if (owner[op] != UINT32_MAX)
            some[count++] = op;
    sort_by(owner, cells->owners, some, count, all);
    sort_by(type, types, all, count, order);
#define COLUMN(name)                                                                               \
    cells->name = arena_array(cells->arena, (size_t)count + 1, sizeof(*cells->name))
    COLUMN(type);
    COLUMN(owner);
    COLUMN(size);
    COLUMN(median);
    COLUMN(spread);
#undef COLUMN
    for (uint32_t i = 0, end, first_op = 0, first_cell = 0; i < count; i = end) {
        uint32_t cell = cells->count++;

        for (end = i; end < count && type[order[end]] == type[order[i]] &&
                      owner[order[end]] == owner[order[i]];
             end++) {
            room[end - i] = length[order[end]];
            cells->of_op[order[end]] = cell;
        }
        cells->type[cell] = type[order[i]];
        cells->owner[cell] = owner[order[i]];
        cells->size[cell] = end - i;
        cells->median[cell] = lower_middle(room, end - i);
        if (end < count && type[order[end]] == type[order[i]])
            continue;
        find_spread(cells, order + first_op, length, first_cell, cells->count, room);
        first_op = end;
        first_cell = cells->count;
    }
    arena_free(&scratch);
}

static uint32_t end_of_type(const struct cells *cells, uint32_t cell)
{
    uint32_t end = cell;

    while (end < cells->count && cells->type[end] == cells->type[cell])
        end++;
    return end;
}

/* ---- ratios ---- */

/* Sets base[] of all cells: what is typical of their type, the median over owners that are healthy; 0 where no
 * two owners have it. */
static void find_bases(const struct cells *cells, const bool *is_slow, int64_t *base)
{
    int64_t *room = grow_zeroed((size_t)cells->count + 1, sizeof(*room));

    for (uint32_t c = 0, end; c < cells->count; c = end) {
        uint32_t count = 0;

        end = end_of_type(cells, c);
        for (uint32_t i = c; i < end && end - c > 1; i++)
            if (!is_slow[cells->owner[i]])
                room[count++] = cells->median[i];
        for (uint32_t i = c; i < end; i++)
            base[i] = 0;
        if (!count)
            continue;
        base[c] = lower_middle(room, count);
        for (uint32_t i = c + 1; i < end; i++)
            base[i] = base[c];
    }
    free(room);
}

/* Of one owner. */
struct standing {
    uint32_t owner;
    double time, base, variance; /* sums over its operations, ns */
    double ratio, noise;
};

static int by_ratio(const void *a, const void *b)
{
    const struct standing *first = a, *second = b;

    if (first->ratio != second->ratio)
        return first->ratio < second->ratio ? -1 : 1;
    return (first->owner > second->owner) - (first->owner < second->owner);
}

/* Those who can be compared with others, by their ratios. */
static uint32_t rank_owners(const struct cells *cells, const int64_t *base, struct standing *list)
{
    uint32_t count = 0;

    for (uint32_t o = 0; o < cells->owners; o++)
        list[o] = (struct standing){.owner = o};
    for (uint32_t c = 0; c < cells->count; c++) {
        struct standing *of = &list[cells->owner[c]];
        double error = 1.2533 * cells->spread[c] * sqrt((double)cells->size[c]);

        if (base[c] <= 0)
            continue;
        of->time += (double)cells->size[c] * (double)cells->median[c];
        of->base += (double)cells->size[c] * (double)base[c];
        of->variance += error * error; /* of the median, times the number of operations */
    }
    for (uint32_t o = 0; o < cells->owners; o++) {
        if (list[o].base <= 0)
            continue;
        list[count] = list[o];
        list[count].ratio = list[o].time / list[o].base;
        list[count].noise = sqrt(list[o].variance) / list[o].base;
        count++;
    }
    qsort(list, count, sizeof(*list), by_ratio);
    return count;
}

/* How far the ratios of the first `count` are apart: the median distance from their median. */
static double spread_of(const struct standing *list, uint32_t count)
{
    double middle = list[(count - 1) / 2].ratio, low = middle - list[count / 4].ratio,
           high = list[count - 1 - count / 4].ratio - middle;

    return fmax(low, high);
}

/* How many of the list are not slow. */
static uint32_t find_gap(const struct standing *list, uint32_t count,
                         const struct job_limits *limits)
{
    for (uint32_t i = 1; i < count; i++) {
        double gap = list[i].ratio / list[i - 1].ratio - 1;
        double noise = limits->gap_noise * hypot(list[i].noise, list[i - 1].noise);

        if (i < limits->healthy * count || gap < fmax(limits->gap, noise) ||
            (i * 2 < count && gap < limits->gap_of_few) || gap < 2 * spread_of(list, i))
            continue;
        return i;
    }
    return count;
}

static void keep_ratios(const struct cells *cells, const int64_t *base, struct slowness *found,
                        struct arena *arena)
{
    *found = (struct slowness){
        .cell = cells->of_op,
        .ratio = arena_array(arena, (size_t)cells->count + 1, sizeof(*found->ratio)),
        .excess = arena_array(arena, (size_t)cells->count + 1, sizeof(*found->excess)),
        .owner = cells->owner,
        .type = cells->type,
        .cell_count = cells->count,
        .slow = arena_array(arena, (size_t)cells->owners + 1, sizeof(*found->slow)),
    };
    for (uint32_t c = 0; c < cells->count; c++) {
        found->ratio[c] = base[c] > 0 ? (double)cells->median[c] / (double)base[c] : (double)NAN;
        found->excess[c] =
            base[c] > 0 ? (double)cells->size[c] * (double)(cells->median[c] - base[c]) : 0;
    }
}

double slowness_excess(const struct slowness *slow, uint32_t owner)
{
    double sum = 0;

    for (uint32_t c = 0; c < slow->cell_count; c++)
        sum += slow->owner[c] == owner && slow->excess[c] > 0 ? slow->excess[c] : 0;
    return sum;
}

/* ---- in how many steps ---- */

/* Keeps those slow owners that are slow in half of the steps, and in two: most of their time there is spent in operations
 * that take more than half of the owner's excess beyond the typical. */
static void keep_repeated(const struct job_model *model, const int64_t *length,
                          const struct cells *cells, const int64_t *base, struct slowness *found)
{
    size_t places = (size_t)cells->owners * model->step_count;
    double *beyond = grow_zeroed(places + 1, sizeof(*beyond));
    double *whole = grow_zeroed(places + 1, sizeof(*whole));
    double *ratio = grow_zeroed((size_t)cells->owners + 1, sizeof(*ratio));
    uint32_t kept = 0;

    for (uint32_t i = 0; i < found->slow_count; i++)
        ratio[found->slow[i].owner] = found->slow[i].ratio;
    for (uint32_t s = 0, op = 0; s < model->step_count; s++)
        for (uint32_t end = job_step_end(model, s); op < end; op++) {
            uint32_t cell = cells->of_op[op], owner;

            if (cell == UINT32_MAX || base[cell] <= 0)
                continue;
            owner = cells->owner[cell];
            whole[owner * (size_t)model->step_count + s] += (double)base[cell];
            if ((double)length[op] > (double)base[cell] * (1 + ratio[owner]) / 2)
                beyond[owner * (size_t)model->step_count + s] += (double)base[cell];
        }
    for (uint32_t i = 0; i < found->slow_count; i++) {
        size_t first = found->slow[i].owner * (size_t)model->step_count;
        uint32_t steps = 0;

        for (uint32_t s = 0; s < model->step_count; s++)
            steps += beyond[first + s] > 0 && beyond[first + s] * 2 >= whole[first + s];
        if (steps * 2 >= model->step_count && (steps > 1 || model->step_count == 1))
            found->slow[kept++] = found->slow[i];
    }
    found->slow_count = kept;
    free(beyond);
    free(whole);
    free(ratio);
}

/* ---- who computes slowly ---- */

void slow_workers_find(const struct job_model *model, const int64_t *length, struct arena *arena,
                       struct slowness *found)
{
    struct arena scratch = {0};
    struct cells cells = {.owners = model->worker_count, .arena = arena};
    uint32_t *owner = arena_array(&scratch, (size_t)model->op_count + 1, sizeof(*owner)), count;
    bool *is_slow = arena_array(&scratch, (size_t)model->worker_count + 1, sizeof(*is_slow));
    struct standing *list = arena_array(&scratch, (size_t)model->worker_count + 1, sizeof(*list));
    int64_t *base;

    for (uint32_t op = 0; op < model->op_count; op++)
        owner[op] = model->is_transfer[model->label[op]] ? UINT32_MAX : model->worker[op];
    make_cells(length, model->op_count, model->type, model->type_count, owner, &cells);
    base = arena_array(&scratch, (size_t)cells.count + 1, sizeof(*base));
    find_bases(&cells, is_slow, base);
    count = rank_owners(&cells, base, list);
    for (uint32_t i = find_gap(list, count, &model->limits); i < count; i++)
        is_slow[list[i].owner] = true;
    find_bases(&cells, is_slow, base);
    count = rank_owners(&cells, base, list);
    keep_ratios(&cells, base, found, arena);
    for (uint32_t i = count; i-- > 0;)
        if (is_slow[list[i].owner] && list[i].ratio > 1 + model->limits.gap)
            found->slow[found->slow_count++] = (struct slow_owner){list[i].owner, list[i].ratio};
    keep_repeated(model, length, &cells, base, found);
    arena_free(&scratch);
}

/* ---- whose transfers are slow ---- */

/* Whether one rank is in all groups that have cells in the range, of those that cross hosts. */
static bool share_a_rank(const struct job_model *model, const struct cells *cells,
                         const bool *crosses, uint32_t first, uint32_t end)
{
    const struct shard_group *groups = model->shard->groups, *one = NULL;

    for (uint32_t c = first; c < end && !one; c++)
        one = crosses[cells->owner[c]] ? &groups[cells->owner[c]] : NULL;
    for (uint32_t i = 0; one && i < one->rank_count; i++) {
        bool is_in_all = true;

        for (uint32_t c = first; c < end && is_in_all; c++) {
            const struct shard_group *group = &groups[cells->owner[c]];

            if (!crosses[cells->owner[c]])
                continue;
            SEARCH(uint32_t, at, group->rank_count, group->ranks[at] < one->ranks[i]);
            is_in_all = at < group->rank_count && group->ranks[at] == one->ranks[i];
        }
        if (is_in_all)
            return true;
    }
    return false;
}

/* The median of those that are about as fast as the fastest, where these are enough; else of the next faster ones;
 * where none are like enough others, of all. 0: there are not two to compare. */
static int64_t fast_median(int64_t *list, uint32_t count, const struct job_limits *limits)
{
    uint32_t first = 0, end = 0;

    if (count < 2)
        return 0;
    qsort(list, count, sizeof(*list), by_value);
    for (; first < count; first = end) {
        end = first + 1;
        while (end < count && (double)list[end] <= limits->transfer * (double)list[first])
            end++;
        if (end - first >= limits->healthy * count)
            return list[first + (end - first - 1) / 2];
    }
    return list[(count - 1) / 2];
}

/* Transfers of one type between hosts are compared among themselves, and those within hosts: one is slower than the
 * other by nature. Where one rank is in all of those between hosts, they are compared with those within. */
static void find_group_bases(const struct job_model *model, const struct cells *cells,
                             const bool *crosses, int64_t *base)
{
    int64_t *room = grow_zeroed((size_t)cells->count + 1, sizeof(*room));

    for (uint32_t c = 0, end; c < cells->count; c = end) {
        bool is_shared;

        end = end_of_type(cells, c);
        is_shared = share_a_rank(model, cells, crosses, c, end);
        for (int across = 0; across < 2; across++) {
            bool takes_all = across && is_shared;
            uint32_t count = 0;
            int64_t typical;

            for (uint32_t i = c; i < end; i++)
                if (takes_all || crosses[cells->owner[i]] == across)
                    room[count++] = cells->median[i];
            typical = fast_median(room, count, &model->limits);
            for (uint32_t i = c; i < end; i++)
                if (crosses[cells->owner[i]] == across)
                    base[i] = typical;
        }
    }
    free(room);
}

void slow_groups_find(const struct job_model *model, const int64_t *length, struct arena *arena,
                      struct slowness *found)
{
    struct arena scratch = {0};
    struct cells cells = {.owners = model->shard->group_count, .arena = arena};
    uint32_t *owner = arena_array(&scratch, (size_t)model->op_count + 1, sizeof(*owner)), count;
    bool *crosses = arena_array(&scratch, (size_t)cells.owners + 1, sizeof(*crosses));
    struct standing *list = arena_array(&scratch, (size_t)cells.owners + 1, sizeof(*list));
    int64_t *base;

    for (uint32_t g = 0; g < cells.owners; g++)
        crosses[g] = group_crosses_hosts(model->shard, &model->shard->groups[g]);
    for (uint32_t op = 0; op < model->op_count; op++)
        owner[op] = model->group[op] && !model->is_lacking[op] ? model->group[op] - 1 : UINT32_MAX;
    make_cells(length, model->op_count, model->type, model->type_count, owner, &cells);
    base = arena_array(&scratch, (size_t)cells.count + 1, sizeof(*base));
    find_group_bases(model, &cells, crosses, base);
    count = rank_owners(&cells, base, list);
    keep_ratios(&cells, base, found, arena);
    for (uint32_t i = count; i-- > 0;)
        if (list[i].ratio > model->limits.transfer &&
            list[i].ratio > 1 + model->limits.gap_noise * list[i].noise)
            found->slow[found->slow_count++] = (struct slow_owner){list[i].owner, list[i].ratio};
    keep_repeated(model, length, &cells, base, found);
    arena_free(&scratch);
}
