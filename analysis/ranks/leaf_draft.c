/* SPDX-License-Identifier: Apache-2.0 */
/* A rank's operations and collectives while they are found, and how many bytes they will have. */
#include "analysis/ranks/leaf_draft.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/ranks/job_part.h"
#include "base/memory/memory.h"

struct draft_step *draft_step(struct leaf_draft *draft, int64_t number)
{
    vector_add(&draft->steps,
               (struct draft_step){.number = number, .first_op = (uint32_t)draft->ops.count});
    return &draft->steps.list[draft->steps.count - 1];
}

uint32_t draft_op(struct leaf_draft *draft, const struct draft_op *op)
{
    vector_add(&draft->ops, *op);
    return (uint32_t)draft->ops.count - 1;
}

void draft_dep(struct leaf_draft *draft, uint32_t op, uint32_t on)
{
    vector_add(&draft->deps, (struct draft_dep){op, on});
}

uint32_t draft_join(struct leaf_draft *draft, const struct draft_join *join)
{
    vector_add(&draft->joins, *join);
    return (uint32_t)draft->joins.count - 1;
}

static int by_op(const void *a, const void *b)
{
    const struct draft_dep *first = a, *second = b;

    if (first->op != second->op)
        return first->op < second->op ? -1 : 1;
    return (first->on > second->on) - (first->on < second->on);
}

static void finish_deps(struct leaf_draft *draft, struct part_leaf *leaf)
{
    uint32_t kept = 0;

    if (draft->deps.count)
        qsort(draft->deps.list, draft->deps.count, sizeof(*draft->deps.list), by_op);
    leaf->dep = arena_array(&draft->part->arena, draft->deps.count, sizeof(*leaf->dep));
    for (size_t i = 0; i < draft->deps.count; i++) {
        if (i && by_op(&draft->deps.list[i], &draft->deps.list[i - 1]) == 0)
            continue;
        leaf->dep[kept++] = draft->deps.list[i].on;
        leaf->first_dep[draft->deps.list[i].op + 1]++;
    }
    for (uint32_t i = 0; i < leaf->op_count; i++)
        leaf->first_dep[i + 1] += leaf->first_dep[i];
}

static void finish_ops(struct leaf_draft *draft, struct part_leaf *leaf)
{
    for (uint32_t i = 0; i < leaf->op_count; i++) {
        const struct draft_op *op = &draft->ops.list[i];

        leaf->label[i] = op->label;
        leaf->type[i] = op->type;
        leaf->kind[i] = (uint8_t)op->kind;
        leaf->length[i] = op->length;
        leaf->delay[i] = op->delay;
        leaf->join[i] = op->join == NO_JOIN ? 0 : op->join + 1;
    }
}

static void finish_steps(struct leaf_draft *draft, struct part_leaf *leaf)
{
    for (uint32_t i = 0; i < leaf->step_count; i++) {
        const struct draft_step *step = &draft->steps.list[i];

        leaf->step[i] = step->number;
        leaf->begin[i] = step->begin;
        leaf->end[i] = step->end;
        leaf->first_op[i] = step->first_op;
        for (int f = 0; f < ROW_COUNT; f++)
            leaf->figure[f][i] = step->figure[f];
    }
    leaf->first_op[leaf->step_count] = leaf->op_count;
}

static void finish_joins(struct leaf_draft *draft, struct part_leaf *leaf)
{
    for (uint32_t i = 0; i < leaf->join_count; i++) {
        const struct draft_join *join = &draft->joins.list[i];

        leaf->group[i] = join->group;
        leaf->sequence[i] = join->sequence;
        leaf->operation[i] = join->operation;
        leaf->size[i] = join->size;
        leaf->start[i] = join->start;
        leaf->lasted[i] = join->lasted;
        leaf->is_begun[i] = join->is_begun;
        leaf->in_step[i] = join->step;
    }
}

void draft_clear(struct leaf_draft *draft)
{
    free(draft->steps.list);
    free(draft->ops.list);
    free(draft->deps.list);
    free(draft->joins.list);
    *draft = (struct leaf_draft){.part = draft->part};
}

struct part_leaf *draft_finish(struct leaf_draft *draft, const struct part_leaf *as)
{
    struct job_part *part = draft->part;
    struct part_leaf *leaf = part_add_leaf(part, as);

    leaf->step_count = (uint32_t)draft->steps.count;
    leaf->op_count = (uint32_t)draft->ops.count;
    leaf->join_count = (uint32_t)draft->joins.count;
    part_leaf_make_columns(leaf, &part->arena);
    finish_steps(draft, leaf);
    finish_ops(draft, leaf);
    finish_deps(draft, leaf);
    finish_joins(draft, leaf);
    draft_clear(draft);
    return leaf;
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

uint64_t draft_bytes(const struct leaf_draft *draft)
{
    uint64_t bytes = draft->steps.count * STEP_BYTES;
    struct idmap types = {0};
    int64_t before = 0;

    for (size_t i = 0; i < draft->ops.count; i++) {
        const struct draft_op *op = &draft->ops.list[i];

        *idmap_at(&types, op->type) = 0;
        bytes += 1 + bytes_of(op->delay) + (op->join == NO_JOIN ? bytes_of(op->length) : 0);
    }
    for (size_t i = 0; i < draft->joins.count; i++) {
        bytes += 1 + bytes_of(draft->joins.list[i].start - before) +
                 bytes_of(draft->joins.list[i].lasted);
        before = draft->joins.list[i].start;
    }
    for (size_t i = 0; i < draft->deps.count; i++)
        bytes += bytes_of((int64_t)draft->deps.list[i].op - draft->deps.list[i].on) - 1;
    bytes += types.count * TYPE_BYTES + draft->deps.count / 2;
    idmap_free(&types);
    return bytes;
}

static void keep_steps(struct leaf_draft *draft, uint32_t count)
{
    uint32_t *place = grow_zeroed(draft->joins.count + 1, sizeof(*place));
    size_t kept = 0;

    draft->ops.count = draft->steps.list[count].first_op;
    draft->steps.count = count;
    for (size_t i = 0; i < draft->deps.count; i++)
        if (draft->deps.list[i].op < draft->ops.count)
            draft->deps.list[kept++] = draft->deps.list[i];
    draft->deps.count = kept;
    kept = 0;
    for (size_t i = 0; i < draft->joins.count; i++)
        if (draft->joins.list[i].step < count || draft->joins.list[i].step == UINT32_MAX) {
            place[i] = (uint32_t)kept;
            draft->joins.list[kept++] = draft->joins.list[i];
        }
    draft->joins.count = kept;
    for (size_t i = 0; i < draft->ops.count; i++)
        if (draft->ops.list[i].join != NO_JOIN)
            draft->ops.list[i].join = place[draft->ops.list[i].join];
    free(place);
}

uint32_t draft_fit_steps(struct leaf_draft *draft)
{
    uint32_t count = (uint32_t)draft->steps.count, half = 1;

    while (draft->steps.count > 1 && draft_bytes(draft) > LEAF_MOST) {
        for (half = 1; half * 2 < draft->steps.count;)
            half *= 2;
        keep_steps(draft, half);
    }
    return count - (uint32_t)draft->steps.count;
}

/* ---- groups ---- */

static str_id without_blanks(struct job_part *part, struct span text)
{
    struct arena scratch = {0};
    char *kept = arena_alloc(&scratch, text.len + 1);
    size_t len = 0;
    str_id id;

    for (size_t i = 0; i < text.len; i++)
        if (text.at[i] != ' ')
            kept[len++] = text.at[i];
    id = strings_intern(&part->strings, (struct span){kept, len});
    arena_free(&scratch);
    return id;
}

uint32_t draft_group(struct group_draft *groups, struct span name, struct span use,
                     struct span members, uint32_t size, bool is_pair)
{
    struct job_part *part = groups->part;
    str_id named = strings_intern(&part->strings, name);
    str_id listed = without_blanks(part, members);
    uint32_t *at = idmap_at(&groups->by_key, idmap_pair(named, listed));
    struct part_group *group;

    if (*at != IDMAP_NONE) {
        group = &part->groups[*at];
        group->use = group->use ? group->use : strings_intern(&part->strings, use);
        return *at;
    }
    *at = part->group_count;
    group = part_add_group(part);
    *group = (struct part_group){.name = named,
                                 .use = strings_intern(&part->strings, use),
                                 .members = listed,
                                 .size = size,
                                 .is_pair = is_pair};
    part_group_ranks(group, part_text(part, listed), &part->arena);
    return part->group_count - 1;
}

void draft_groups_finish(struct group_draft *groups)
{
    idmap_free(&groups->by_key);
    part_sort(groups->part);
}
