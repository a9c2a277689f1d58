/* SPDX-License-Identifier: Apache-2.0 */
/* A rank's operations and collectives while they are found, and how many bytes they will have. */
#include "analysis/ranks/summary_rows.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/ranks/job_shard.h"
#include "base/memory/memory.h"

struct step_row *summary_add_step(struct summary_rows *rows, int64_t number)
{
    vector_add(&rows->steps,
               (struct step_row){.number = number, .first_op = (uint32_t)rows->ops.count});
    return &rows->steps.list[rows->steps.count - 1];
}

uint32_t summary_add_operation(struct summary_rows *rows, const struct operation_row *op)
{
    vector_add(&rows->ops, *op);
    return (uint32_t)rows->ops.count - 1;
}

void summary_add_dependency(struct summary_rows *rows, uint32_t op, uint32_t on)
{
    vector_add(&rows->deps, (struct dependency_row){op, on});
}

uint32_t summary_add_participation(struct summary_rows *rows,
                                   const struct participation_row *participation)
{
    vector_add(&rows->participations, *participation);
    return (uint32_t)rows->participations.count - 1;
}

static int by_op(const void *a, const void *b)
{
    const struct dependency_row *first = a, *second = b;

    if (first->op != second->op)
        return first->op < second->op ? -1 : 1;
    return (first->on > second->on) - (first->on < second->on);
}

static void finish_deps(struct summary_rows *rows, struct rank_summary *summary)
{
    uint32_t kept = 0;

    if (rows->deps.count)
        qsort(rows->deps.list, rows->deps.count, sizeof(*rows->deps.list), by_op);
    summary->dep = arena_array(&rows->shard->arena, rows->deps.count, sizeof(*summary->dep));
    for (size_t i = 0; i < rows->deps.count; i++) {
        if (i && by_op(&rows->deps.list[i], &rows->deps.list[i - 1]) == 0)
            continue;
        summary->dep[kept++] = rows->deps.list[i].on;
        summary->first_dep[rows->deps.list[i].op + 1]++;
    }
    for (uint32_t i = 0; i < summary->op_count; i++)
        summary->first_dep[i + 1] += summary->first_dep[i];
}

static void finish_ops(struct summary_rows *rows, struct rank_summary *summary)
{
    for (uint32_t i = 0; i < summary->op_count; i++) {
        const struct operation_row *op = &rows->ops.list[i];

        summary->label[i] = op->label;
        summary->type[i] = op->type;
        summary->kind[i] = (uint8_t)op->kind;
        summary->length[i] = op->length;
        summary->delay[i] = op->delay;
        summary->participation[i] =
            op->participation == NO_PARTICIPATION ? 0 : op->participation + 1;
    }
}

static void finish_steps(struct summary_rows *rows, struct rank_summary *summary)
{
    for (uint32_t i = 0; i < summary->step_count; i++) {
        const struct step_row *step = &rows->steps.list[i];

        summary->step[i] = step->number;
        summary->begin[i] = step->begin;
        summary->end[i] = step->end;
        summary->first_op[i] = step->first_op;
        for (int f = 0; f < ROW_COUNT; f++)
            summary->figure[f][i] = step->figure[f];
    }
    summary->first_op[summary->step_count] = summary->op_count;
}

static void finish_participations(struct summary_rows *rows, struct rank_summary *summary)
{
    for (uint32_t i = 0; i < summary->participation_count; i++) {
        const struct participation_row *participation = &rows->participations.list[i];

        summary->group[i] = participation->group;
        summary->sequence[i] = participation->sequence;
        summary->operation[i] = participation->operation;
        summary->size[i] = participation->size;
        summary->start[i] = participation->start;
        summary->lasted[i] = participation->lasted;
        summary->is_begun[i] = participation->is_begun;
        summary->in_step[i] = participation->step;
    }
}

void summary_rows_clear(struct summary_rows *rows)
{
    free(rows->steps.list);
    free(rows->ops.list);
    free(rows->deps.list);
    free(rows->participations.list);
    *rows = (struct summary_rows){.shard = rows->shard};
}

struct rank_summary *summary_rows_finish(struct summary_rows *rows, const struct rank_summary *as)
{
    struct job_shard *shard = rows->shard;
    struct rank_summary *summary = shard_add_summary(shard, as);

    summary->step_count = (uint32_t)rows->steps.count;
    summary->op_count = (uint32_t)rows->ops.count;
    summary->participation_count = (uint32_t)rows->participations.count;
    rank_summary_make_columns(summary, &shard->arena);
    finish_steps(rows, summary);
    finish_ops(rows, summary);
    finish_deps(rows, summary);
    finish_participations(rows, summary);
    summary_rows_clear(rows);
    return summary;
}

/* ---- bounds ---- */

/* A step's figures, and the number that stands for a type. */
enum { STEP_BYTES = 40, TYPE_BYTES = 9 };

/* As protocol buffers write it. */
static unsigned bytes_of(int64_t value)
{
    uint64_t rest = (uint64_t)value << 1 ^ (uint64_t)(value >> 63);
    unsigned bytes = 1;

    while (rest >>= 7)
        bytes++;
    return bytes;
}

uint64_t summary_rows_bytes(const struct summary_rows *rows)
{
    uint64_t bytes = rows->steps.count * STEP_BYTES;
    struct idmap types = {0};
    int64_t before = 0;

    for (size_t i = 0; i < rows->ops.count; i++) {
        const struct operation_row *op = &rows->ops.list[i];

        *idmap_at(&types, op->type) = 0;
        bytes += 1 + bytes_of(op->delay) +
                 (op->participation == NO_PARTICIPATION ? bytes_of(op->length) : 0);
    }
    for (size_t i = 0; i < rows->participations.count; i++) {
        bytes += 1 + bytes_of(rows->participations.list[i].start - before) +
                 bytes_of(rows->participations.list[i].lasted);
        before = rows->participations.list[i].start;
    }
    for (size_t i = 0; i < rows->deps.count; i++)
        bytes += bytes_of((int64_t)rows->deps.list[i].op - rows->deps.list[i].on) - 1;
    bytes += types.count * TYPE_BYTES + rows->deps.count / 2;
    idmap_free(&types);
    return bytes;
}

static void keep_steps(struct summary_rows *rows, uint32_t count)
{
    uint32_t *place = grow_zeroed(rows->participations.count + 1, sizeof(*place));
    size_t kept = 0;

    rows->ops.count = rows->steps.list[count].first_op;
    rows->steps.count = count;
    for (size_t i = 0; i < rows->deps.count; i++)
        if (rows->deps.list[i].op < rows->ops.count)
            rows->deps.list[kept++] = rows->deps.list[i];
    rows->deps.count = kept;
    kept = 0;
    for (size_t i = 0; i < rows->participations.count; i++)
        if (rows->participations.list[i].step < count ||
            rows->participations.list[i].step == UINT32_MAX) {
            place[i] = (uint32_t)kept;
            rows->participations.list[kept++] = rows->participations.list[i];
        }
    rows->participations.count = kept;
    for (size_t i = 0; i < rows->ops.count; i++)
        if (rows->ops.list[i].participation != NO_PARTICIPATION)
            rows->ops.list[i].participation = place[rows->ops.list[i].participation];
    free(place);
}

uint32_t summary_rows_fit_steps(struct summary_rows *rows)
{
    uint32_t count = (uint32_t)rows->steps.count, half = 1;

    while (rows->steps.count > 1 && summary_rows_bytes(rows) > SUMMARY_MOST) {
        for (half = 1; half * 2 < rows->steps.count;)
            half *= 2;
        keep_steps(rows, half);
    }
    return count - (uint32_t)rows->steps.count;
}

/* ---- groups ---- */

static str_id without_blanks(struct job_shard *shard, struct span text)
{
    struct arena scratch = {0};
    char *kept = arena_alloc(&scratch, text.len + 1);
    size_t len = 0;
    str_id id;

    for (size_t i = 0; i < text.len; i++)
        if (text.at[i] != ' ')
            kept[len++] = text.at[i];
    id = strings_intern(&shard->strings, (struct span){kept, len});
    arena_free(&scratch);
    return id;
}

uint32_t group_list_add(struct group_list *groups, struct span name, struct span use,
                        struct span members, uint32_t size, bool is_pair)
{
    struct job_shard *shard = groups->shard;
    str_id named = strings_intern(&shard->strings, name);
    str_id listed = without_blanks(shard, members);
    uint32_t *at = idmap_at(&groups->by_key, idmap_pair(named, listed));
    struct shard_group *group;

    if (*at != IDMAP_NONE) {
        group = &shard->groups[*at];
        group->use = group->use ? group->use : strings_intern(&shard->strings, use);
        return *at;
    }
    *at = shard->group_count;
    group = shard_add_group(shard);
    *group = (struct shard_group){.name = named,
                                  .use = strings_intern(&shard->strings, use),
                                  .members = listed,
                                  .size = size,
                                  .is_pair = is_pair};
    shard_group_ranks(group, shard_text(shard, listed), &shard->arena);
    return shard->group_count - 1;
}

void group_list_finish(struct group_list *groups)
{
    idmap_free(&groups->by_key);
    shard_sort(groups->shard);
}
