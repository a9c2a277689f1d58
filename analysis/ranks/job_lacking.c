/* SPDX-License-Identifier: Apache-2.0 */
/* What is waiting in a collective of which a rank is not there, and what the transfer. */
#include "analysis/ranks/job.h"

#include "analysis/ranks/job_shard.h"

/* A collective of which fewer ranks are there than its group has, or a transfer whose other end the file does not
 * name: when the last of its ranks came is not known. */
static bool lacks_rank(const struct job_model *model, uint32_t op, uint32_t unit)
{
    const struct rank_summary *summary =
        &model->shard->summaries[model->workers[model->worker[op]].summary];
    const struct shard_group *group;

    if (!model->group[op])
        return model->is_transfer[model->label[op]] && !(summary->flags & RANK_ONE_CLOCK);
    group = &model->shard->groups[model->group[op] - 1];
    return group->size ? model->unit_end[unit] - unit < group->size : group->is_partial;
}

static void mark_lacking(struct job_model *model)
{
    for (uint32_t op = 0, unit = 0; op < model->op_count; op++) {
        unit = model->unit_end[op] ? op : unit;
        model->is_lacking[op] = lacks_rank(model, op, unit);
        if (op != unit || (!model->group[op] && !model->is_lacking[op]))
            continue;
        model->participations++;
        model->lacking += model->is_lacking[op];
    }
}

/* Sets by type what a transfer takes at most, as far as is known: what is typical of those that lack nobody,
 * else the least of all. */
static void find_most(const struct job_model *model, int64_t *most, struct arena *scratch)
{
    uint32_t *key = arena_array(scratch, (size_t)model->op_count + 1, sizeof(*key));
    bool *is_known = arena_array(scratch, (size_t)model->type_count + 1, sizeof(*is_known));
    int64_t *typical;

    for (uint32_t op = 0; op < model->op_count; op++)
        key[op] = model->is_lacking[op];
    typical = job_typical(model, model->length, IDEAL_MEDIAN, key, scratch);
    for (uint32_t op = 0; op < model->op_count; op++)
        if (!key[op]) {
            most[model->type[op]] = typical[op];
            is_known[model->type[op]] = true;
        }
    for (uint32_t op = 0; op < model->op_count; op++) {
        int64_t *of_type = &most[model->type[op]];

        if (!is_known[model->type[op]] && (*of_type == 0 || model->length[op] < *of_type))
            *of_type = model->length[op];
    }
}

void job_lacking_find(struct job_model *model, struct arena *arena)
{
    struct arena scratch = {0};
    int64_t *most;

    model->is_lacking = arena_array(arena, (size_t)model->op_count + 1, sizeof(*model->is_lacking));
    mark_lacking(model);
    if (!model->lacking)
        return;
    model->wait = arena_array(arena, (size_t)model->op_count + 1, sizeof(*model->wait));
    most = arena_array(&scratch, (size_t)model->type_count + 1, sizeof(*most));
    find_most(model, most, &scratch);
    for (uint32_t op = 0; op < model->op_count; op++) {
        int64_t rest = model->length[op] - most[model->type[op]];

        if (!model->is_lacking[op] || rest <= 0)
            continue;
        model->wait[op] = rest;
        model->length[op] -= rest;
    }
    arena_free(&scratch);
}
