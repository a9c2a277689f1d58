/* SPDX-License-Identifier: Apache-2.0 */
/* Makes one program of all ranks' operations, in an order in which each comes after all that
 * it waits for. */
#include "analysis/ranks/job.h"

#include "analysis/ranks/job_shard.h"
#include "analysis/ranks/step_numbers.h"
#include "base/memory/memory.h"

/* Operations of all workers as they stand in the summaries, before they are put in order. */
struct model_gathering {
    struct job_model *model;
    const struct job_shard *shard;
    struct arena *arena;
    struct arena scratch;
    uint32_t *from_summary, *from_op; /* by operation */
    uint32_t *unit;                   /* by operation: which collective, or itself */
    uint32_t unit_count;
    uint32_t *first_of_worker; /* by worker and step: its first operation here */
    struct idmap labels, types;
};

/* ---- operations ---- */

static uint32_t number_of(struct idmap *map, uint64_t key, uint32_t *count)
{
    uint32_t *at = idmap_at(map, key);

    if (*at == IDMAP_NONE)
        *at = (*count)++;
    return *at;
}

static void count_ops(struct model_gathering *gathering)
{
    struct job_model *model = gathering->model;

    for (uint32_t s = 0; s < model->step_count; s++)
        for (uint32_t w = 0; w < model->worker_count; w++) {
            const struct rank_summary *summary =
                &gathering->shard->summaries[model->workers[w].summary];
            uint32_t step = job_step_in(model, model->workers[w].summary, model->steps[s].number);

            model->op_count += summary->first_op[step + 1] - summary->first_op[step];
        }
}

static void gather_ops(struct model_gathering *gathering)
{
    struct job_model *model = gathering->model;
    uint32_t op = 0;

    count_ops(gathering);
    gathering->from_summary =
        arena_array(&gathering->scratch, (size_t)model->op_count + 1, sizeof(uint32_t));
    gathering->from_op =
        arena_array(&gathering->scratch, (size_t)model->op_count + 1, sizeof(uint32_t));
    gathering->first_of_worker = arena_array(
        &gathering->scratch, (size_t)model->worker_count * model->step_count + 1, sizeof(uint32_t));
    for (uint32_t s = 0; s < model->step_count; s++) {
        model->steps[s].first_op = op;
        for (uint32_t w = 0; w < model->worker_count; w++) {
            const struct rank_summary *summary =
                &gathering->shard->summaries[model->workers[w].summary];
            uint32_t step = job_step_in(model, model->workers[w].summary, model->steps[s].number);

            gathering->first_of_worker[(size_t)s * model->worker_count + w] = op;
            for (uint32_t i = summary->first_op[step]; i < summary->first_op[step + 1]; i++) {
                gathering->from_summary[op] = w;
                gathering->from_op[op++] = i;
            }
        }
    }
}

/* Operations of one collective in one step are one unit. */
static void unite(struct model_gathering *gathering)
{
    struct job_model *model = gathering->model;
    struct idmap units = {0}; /* of one step and group → per sequence: see below */

    gathering->unit =
        arena_array(&gathering->scratch, (size_t)model->op_count + 1, sizeof(uint32_t));
    for (uint32_t s = 0, op = 0; s < model->step_count; s++) {
        uint32_t end = job_step_end(model, s);

        idmap_free(&units);
        for (; op < end; op++) {
            const struct rank_summary *summary =
                &gathering->shard->summaries[model->workers[gathering->from_summary[op]].summary];
            uint32_t participation = summary->participation[gathering->from_op[op]];
            uint64_t key;

            if (!participation) {
                gathering->unit[op] = gathering->unit_count++;
                continue;
            }
            key = (uint64_t)summary->sequence[participation - 1] * 0x9e3779b97f4a7c15u ^
                  ((uint64_t)summary->group[participation - 1] << 32 |
                   summary->operation[participation - 1]);
            if (gathering->shard->groups[summary->group[participation - 1]].is_pair)
                key = (uint64_t)summary->sequence[participation - 1] * 0x9e3779b97f4a7c15u ^
                      (uint64_t)summary->group[participation - 1] << 32;
            gathering->unit[op] = number_of(&units, key, &gathering->unit_count);
        }
    }
    idmap_free(&units);
}

/* Where in the gathered list a dependency of an operation stands. */
static uint32_t place_of_dep(const struct model_gathering *gathering, uint32_t op, uint32_t dep)
{
    return op - gathering->from_op[op] + dep;
}

static const struct rank_summary *summary_of(const struct model_gathering *gathering, uint32_t op)
{
    return &gathering->shard
                ->summaries[gathering->model->workers[gathering->from_summary[op]].summary];
}

/* ---- order ---- */

/* Units, their operations, and who comes after whom. */
struct unit_lists {
    uint32_t *first, *op;        /* operations of a unit */
    uint32_t *first_next, *next; /* units that wait for one */
    uint32_t *waits;             /* how many dependencies of a unit are not done */
};

static void list_units(struct model_gathering *gathering, struct unit_lists *lists)
{
    const struct job_model *model = gathering->model;
    size_t units = gathering->unit_count;

    lists->first = arena_array(&gathering->scratch, units + 2, sizeof(uint32_t));
    lists->op = arena_array(&gathering->scratch, (size_t)model->op_count + 1, sizeof(uint32_t));
    for (uint32_t op = 0; op < model->op_count; op++)
        lists->first[gathering->unit[op] + 2]++;
    for (size_t u = 0; u < units; u++)
        lists->first[u + 2] += lists->first[u + 1];
    for (uint32_t op = 0; op < model->op_count; op++)
        lists->op[lists->first[gathering->unit[op] + 1]++] = op;
}

static void list_nexts(struct model_gathering *gathering, struct unit_lists *lists)
{
    const struct job_model *model = gathering->model;
    size_t units = gathering->unit_count;

    lists->first_next = arena_array(&gathering->scratch, units + 2, sizeof(uint32_t));
    lists->waits = arena_array(&gathering->scratch, units + 1, sizeof(uint32_t));
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t op = 0; op < model->op_count; op++) {
            const struct rank_summary *summary = summary_of(gathering, op);
            uint32_t own = gathering->from_op[op];

            for (uint32_t d = summary->first_dep[own]; d < summary->first_dep[own + 1]; d++) {
                uint32_t on = gathering->unit[place_of_dep(gathering, op, summary->dep[d])];

                if (on == gathering->unit[op])
                    continue;
                if (pass == 0) {
                    lists->first_next[on + 2]++;
                    lists->waits[gathering->unit[op]]++;
                } else {
                    lists->next[lists->first_next[on + 1]++] = gathering->unit[op];
                }
            }
        }
        if (pass == 0) {
            for (size_t u = 0; u < units; u++)
                lists->first_next[u + 2] += lists->first_next[u + 1];
            lists->next = arena_array(&gathering->scratch, (size_t)lists->first_next[units + 1] + 1,
                                      sizeof(uint32_t));
        }
    }
}

/* Units of each step in an order in which they can run, in `order`. Those of a circle come as they
 * stand, and are counted. */
static void order_units(struct model_gathering *gathering, const struct unit_lists *lists,
                        uint32_t *order)
{
    struct job_model *model = gathering->model;
    uint32_t done = 0, taken = 0, count = gathering->unit_count, stuck = 0;

    for (uint32_t u = 0; u < count; u++)
        if (!lists->waits[u])
            order[done++] = u;
    while (taken < count) {
        uint32_t unit;

        if (taken == done) { /* a circle: whichever stands first goes on */
            while (lists->waits[stuck] == 0 || lists->waits[stuck] == UINT32_MAX)
                stuck++;
            lists->waits[stuck] = UINT32_MAX;
            order[done++] = stuck;
            model->circles++;
        }
        unit = order[taken++];
        for (uint32_t i = lists->first_next[unit]; i < lists->first_next[unit + 1]; i++) {
            uint32_t next = lists->next[i];

            if (lists->waits[next] != UINT32_MAX && --lists->waits[next] == 0)
                order[done++] = next;
        }
    }
}

static uint32_t step_of_op(const struct job_model *model, uint32_t op)
{
    uint32_t low = 0, high = model->step_count;

    while (low + 1 < high) {
        uint32_t middle = low + (high - low) / 2;

        if (model->steps[middle].first_op <= op)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Steps are independent, and run one after the other: units are dealt out by step. `place`: by
 * gathered operation, where it goes. */
static uint32_t *place_ops(struct model_gathering *gathering, const struct unit_lists *lists,
                           const uint32_t *order)
{
    const struct job_model *model = gathering->model;
    uint32_t *place = arena_array(&gathering->scratch, (size_t)model->op_count + 1, sizeof(*place));
    uint32_t *next = arena_array(&gathering->scratch, (size_t)model->step_count + 1, sizeof(*next));

    for (uint32_t s = 0; s < model->step_count; s++)
        next[s] = model->steps[s].first_op;
    for (uint32_t i = 0; i < gathering->unit_count; i++) {
        uint32_t unit = order[i];
        uint32_t step = step_of_op(model, lists->op[lists->first[unit]]);

        for (uint32_t k = lists->first[unit]; k < lists->first[unit + 1]; k++)
            place[lists->op[k]] = next[step]++;
    }
    return place;
}

static void make_columns(struct job_model *model, struct arena *arena)
{
    size_t count = (size_t)model->op_count + 1;

#define COLUMN(name) model->name = arena_array(arena, count, sizeof(*model->name))
    COLUMN(length);
    COLUMN(delay);
    COLUMN(worker);
    COLUMN(stage);
    COLUMN(dp);
    COLUMN(label);
    COLUMN(type);
    COLUMN(group);
    COLUMN(unit_end);
    COLUMN(unit_first);
    COLUMN(first_dep);
#undef COLUMN
}

/* What an operation without dependencies is late by counts from the step's begin, which is the
 * job's. */
static int64_t late_by(const struct model_gathering *gathering, uint32_t op)
{
    const struct rank_summary *summary = summary_of(gathering, op);
    const struct job_model *model = gathering->model;
    const struct job_worker *worker = &model->workers[gathering->from_summary[op]];
    uint32_t own = gathering->from_op[op], step = step_of_op(model, op);
    int64_t delay = summary->delay[own];

    if (summary->flags & RANK_ONE_CLOCK && summary->participation[own])
        return 0;
    if (summary->first_dep[own] == summary->first_dep[own + 1])
        delay += summary->begin[job_step_in(model, worker->summary, model->steps[step].number)] -
                 worker->offset[step] - model->steps[step].begin;
    return delay > 0 ? delay : 0;
}

/* Where the unit of a gathered operation begins. */
static uint32_t unit_place(const struct model_gathering *gathering, const struct unit_lists *lists,
                           const uint32_t *place, uint32_t op)
{
    return place[lists->op[lists->first[gathering->unit[op]]]];
}

/* Of collectives those of about one size are equal, too: between two powers of two. */
static uint64_t type_key(const struct rank_summary *summary, uint32_t op)
{
    uint32_t participation = summary->participation[op], size = 0;

    if (participation)
        for (int64_t bytes = summary->size[participation - 1]; bytes > 0; bytes /= 2)
            size++;
    return idmap_pair(summary->type[op], size << 8 | summary->kind[op]);
}

static void fill_columns(struct model_gathering *gathering, const struct unit_lists *lists,
                         const uint32_t *place)
{
    struct job_model *model = gathering->model;
    uint32_t *deps = arena_array(&gathering->scratch, (size_t)model->op_count + 2, sizeof(*deps));
    uint64_t total = 0;

    for (uint32_t op = 0; op < model->op_count; op++) {
        const struct rank_summary *summary = summary_of(gathering, op);
        uint32_t at = place[op], own = gathering->from_op[op],
                 participation = summary->participation[own];
        const struct job_worker *worker = &model->workers[gathering->from_summary[op]];

        model->length[at] = summary->length[own];
        model->delay[at] = late_by(gathering, op);
        model->worker[at] = gathering->from_summary[op];
        model->stage[at] = worker->stage;
        model->dp[at] = worker->dp;
        model->label[at] = number_of(&gathering->labels, summary->label[own], &model->label_count);
        model->type[at] = number_of(&gathering->types, type_key(summary, own), &model->type_count);
        model->group[at] = participation ? summary->group[participation - 1] + 1 : 0;
        for (uint32_t d = summary->first_dep[own]; d < summary->first_dep[own + 1]; d++)
            deps[at] += place[place_of_dep(gathering, op, summary->dep[d])] <
                        unit_place(gathering, lists, place, op);
        total += deps[at];
    }
    model->dep = arena_array(gathering->arena, total + 1, sizeof(*model->dep));
    for (uint32_t at = 0; at < model->op_count; at++)
        model->first_dep[at + 1] = model->first_dep[at] + deps[at];
    for (uint32_t op = 0; op < model->op_count; op++) {
        const struct rank_summary *summary = summary_of(gathering, op);
        uint32_t own = gathering->from_op[op], to = model->first_dep[place[op]];

        for (uint32_t d = summary->first_dep[own]; d < summary->first_dep[own + 1]; d++)
            if (place[place_of_dep(gathering, op, summary->dep[d])] <
                unit_place(gathering, lists, place, op))
                model->dep[to++] = place[place_of_dep(gathering, op, summary->dep[d])];
    }
    for (uint32_t u = 0; u < gathering->unit_count; u++) {
        uint32_t first = lists->first[u], count = lists->first[u + 1] - first;

        if (count)
            model->unit_end[place[lists->op[first]]] = place[lists->op[first]] + count;
        for (uint32_t i = 0; i < count; i++)
            model->unit_first[place[lists->op[first + i]]] = place[lists->op[first]];
    }
}

/* What waits for each operation: first_next[op + 1] is where those of `op` go on until all are there. */
static void turn_deps(struct job_model *model, struct arena *arena)
{
    uint32_t total = model->first_dep[model->op_count];
    uint32_t *first = arena_array(arena, (size_t)model->op_count + 2, sizeof(*first));

    model->first_next = first;
    model->next = arena_array(arena, (size_t)total + 1, sizeof(*model->next));
    for (uint32_t d = 0; d < total; d++)
        first[model->dep[d] + 2]++;
    for (uint32_t op = 0; op < model->op_count; op++)
        first[op + 2] += first[op + 1];
    for (uint32_t op = 0; op < model->op_count; op++)
        for (uint32_t d = model->first_dep[op]; d < model->first_dep[op + 1]; d++)
            model->next[first[model->dep[d] + 1]++] = op;
}

static void name_labels(struct model_gathering *gathering, const uint32_t *place)
{
    struct job_model *model = gathering->model;

    model->labels = arena_array(gathering->arena, model->label_count + 1, sizeof(*model->labels));
    model->is_transfer =
        arena_array(gathering->arena, model->label_count + 1, sizeof(*model->is_transfer));
    model->type_kind =
        arena_array(gathering->arena, model->type_count + 1, sizeof(*model->type_kind));
    for (uint32_t op = 0; op < model->op_count; op++) {
        const struct rank_summary *summary = summary_of(gathering, op);
        uint32_t own = gathering->from_op[op], at = place[op];

        model->labels[model->label[at]] = summary->label[own];
        model->is_transfer[model->label[at]] = summary->kind[own] == OPERATION_TRANSFER;
        model->type_kind[model->type[at]] = summary->kind[own];
    }
}

/* ---- who is in what ---- */

bool job_is_transfer_of(const struct job_model *model, uint32_t op, uint32_t worker)
{
    const struct shard_group *group;

    if (!model->group[op])
        return false;
    if (model->worker[op] == worker)
        return true;
    group = &model->shard->groups[model->group[op] - 1];
    SEARCH(uint32_t, at, group->rank_count, group->ranks[at] < model->workers[worker].rank);
    return at < group->rank_count && group->ranks[at] == model->workers[worker].rank;
}

uint32_t job_worker_of(const struct job_model *model, uint32_t rank)
{
    SEARCH(uint32_t, at, model->worker_count, model->workers[at].rank < rank);
    return at < model->worker_count && model->workers[at].rank == rank ? at : UINT32_MAX;
}

/* ---- the whole ---- */

bool job_model_make(const struct job_shard *shard, const struct job_options *options,
                    struct arena *arena, struct job_model *model, struct error *err)
{
    struct model_gathering gathering = {.model = model, .shard = shard, .arena = arena};
    struct unit_lists lists;
    uint32_t *order, *place;

    *model = (struct job_model){.shard = shard,
                                .limits = options->limits,
                                .number_shift = step_numbers_find(shard, arena)};
    job_choose(model, options, arena);
    if (!model->step_count || !model->worker_count) {
        arena_free(&gathering.scratch);
        error_set(err, ERROR_LACK, "no step is whole on any rank");
        return error_hint(
            err, "torch.profiler.profile marks them with schedule=, and prof.step() after each");
    }
    job_align(model, arena);
    gather_ops(&gathering);
    unite(&gathering);
    list_units(&gathering, &lists);
    list_nexts(&gathering, &lists);
    order = arena_array(&gathering.scratch, (size_t)gathering.unit_count + 1, sizeof(*order));
    order_units(&gathering, &lists, order);
    place = place_ops(&gathering, &lists, order);
    make_columns(model, arena);
    fill_columns(&gathering, &lists, place);
    turn_deps(model, arena);
    name_labels(&gathering, place);
    job_lacking_find(model, arena);
    idmap_free(&gathering.labels);
    idmap_free(&gathering.types);
    arena_free(&gathering.scratch);
    return true;
}
