/* SPDX-License-Identifier: Apache-2.0 */
/* Runs that are as another but for some operations: only what that changes is computed anew. */
#include <stdlib.h>

#include "analysis/ranks/job_replay.h"
#include "base/checked.h"
#include "base/memory/memory.h"
#include "base/parallel/parallel.h"

enum { SHARES_OF_THREAD = 8 };

/* One run after another. Between runs it is as the base's. */
struct varying {
    const struct job_base *base;
    const struct job_variant *variant;
    int64_t *ends;
    struct bits is_varied;            /* by operation: it is as in the variant's run */
    struct bits is_waiting;           /* by operation: to be computed anew */
    struct VECTOR_OF(uint32_t) moved; /* operations that end at another time, ascending */
};

static void varying_open(struct varying *varying, const struct job_base *base)
{
    size_t size = base->model->op_count * sizeof(*varying->ends);

    *varying = (struct varying){.base = base};
    varying->ends = grow_to(NULL, size + 1, 1);
    if (size)
        memcpy(varying->ends, base->ends, size);
    bits_init(&varying->is_varied, base->model->op_count);
    bits_init(&varying->is_waiting, base->model->op_count);
}

static void varying_close(struct varying *varying)
{
    if (!varying->base)
        return;
    free(varying->ends);
    free(varying->moved.list);
    bits_free(&varying->is_varied);
    bits_free(&varying->is_waiting);
}

static inline const struct job_run *run_of(const struct varying *varying, uint32_t op)
{
    return bits_has(&varying->is_varied, op) ? &varying->variant->run : &varying->base->run;
}

/* When the last operation of a unit may begin, of those that are to be computed anew, or of all. */
static int64_t last_ready(const struct varying *varying, uint32_t first, uint32_t end,
                          bool is_of_all)
{
    const struct job_model *model = varying->base->model;
    int64_t last = 0;

    for (uint32_t op = first; op < end; op++) {
        int64_t ready;

        op = is_of_all ? op : bits_next(&varying->is_waiting, op, end);
        if (op == end)
            break;
        ready = job_ready_at(model, run_of(varying, op), varying->ends, op);
        last = ready > last ? ready : last;
    }
    return last;
}

/* Whether one of the operations that are to be computed anew was the last to be ready. */
static bool is_freed(const struct varying *varying, uint32_t first, uint32_t end)
{
    const struct job_base *base = varying->base;

    for (uint32_t op = bits_next(&varying->is_waiting, first, end); op < end;
         op = bits_next(&varying->is_waiting, op + 1, end))
        if (job_ready_at(base->model, &base->run, base->ends, op) == base->begin[first])
            return true;
    return false;
}

/* When a unit begins of which some operations are to be computed anew. The others hold it up as they
 * did, and need a look only where none of these does any more. */
static int64_t begin_of(const struct varying *varying, uint32_t first, uint32_t end)
{
    int64_t before = varying->base->begin[first];
    int64_t begin = last_ready(varying, first, end, end - first == 1);

    if (begin >= before || end - first == 1)
        return begin;
    return is_freed(varying, first, end) ? last_ready(varying, first, end, true) : before;
}

static void run_unit(struct varying *varying, uint32_t first)
{
    const struct job_model *model = varying->base->model;
    uint32_t end = model->unit_end[first];
    int64_t begin = begin_of(varying, first, end);
    bool is_moved = begin != varying->base->begin[first];

    for (uint32_t op = first; op < end; op++) {
        int64_t op_end;

        op = is_moved ? op : bits_next(&varying->is_waiting, op, end);
        if (op == end)
            break;
        bits_clear(&varying->is_waiting, op);
        op_end = checked_add(begin, run_of(varying, op)->length[op]);
        if (op_end == varying->ends[op])
            continue;
        varying->ends[op] = op_end;
        vector_add(&varying->moved, op);
        for (uint32_t i = model->first_next[op]; i < model->first_next[op + 1]; i++)
            bits_set(&varying->is_waiting, model->next[i]);
    }
}

/* How long a step is, of which the operations moved[from … to - 1] end at other times. */
static int64_t step_length(const struct varying *varying, uint32_t step, size_t from, size_t to)
{
    const struct job_base *base = varying->base;
    int64_t before = base->steps[step], last = 0;
    bool is_freed = false;

    for (size_t i = from; i < to; i++) {
        uint32_t op = varying->moved.list[i];

        last = varying->ends[op] > last ? varying->ends[op] : last;
        is_freed |= base->ends[op] == before;
    }
    if (last >= before || !is_freed)
        return last > before ? last : before;
    for (uint32_t op = base->model->steps[step].first_op; op < job_step_end(base->model, step);
         op++)
        last = varying->ends[op] > last ? varying->ends[op] : last;
    return last;
}

static double mean_step(const struct varying *varying)
{
    const struct job_model *model = varying->base->model;
    double sum = 0;

    for (uint32_t s = 0, from = 0, to; s < model->step_count; s++, from = to) {
        for (to = from;
             to < varying->moved.count && varying->moved.list[to] < job_step_end(model, s);)
            to++;
        sum += (double)step_length(varying, s, from, to);
    }
    return sum / model->step_count;
}

static double run_variant(struct varying *varying, const struct job_variant *variant)
{
    const struct job_model *model = varying->base->model;
    uint32_t count = model->op_count;
    double step;

    varying->variant = variant;
    for (uint32_t i = 0; i < variant->count; i++) {
        bits_set(&varying->is_varied, variant->ops[i]);
        bits_set(&varying->is_waiting, variant->ops[i]);
    }
    for (uint32_t op = bits_next(&varying->is_waiting, 0, count); op < count;
         op = bits_next(&varying->is_waiting, op, count))
        run_unit(varying, model->unit_first[op]);
    step = mean_step(varying);
    for (uint32_t i = 0; i < variant->count; i++)
        bits_clear(&varying->is_varied, variant->ops[i]);
    for (size_t i = 0; i < varying->moved.count; i++)
        varying->ends[varying->moved.list[i]] = varying->base->ends[varying->moved.list[i]];
    varying->moved.count = 0;
    return step;
}

/* ---- many ---- */

struct variants {
    struct job_variant *list;
    size_t count, shares;
};

static void run_share(void *context, size_t share)
{
    struct variants *variants = context;
    size_t end = variants->count * (share + 1) / variants->shares;
    struct varying varying[2] = {0}; /* the bases of variants in a row take turns */

    for (size_t i = variants->count * share / variants->shares; i < end; i++) {
        struct job_variant *variant = &variants->list[i];
        int at = varying[0].base && varying[0].base != variant->base;

        if (varying[at].base != variant->base) {
            varying_close(&varying[at]);
            varying_open(&varying[at], variant->base);
        }
        *variant->result = run_variant(&varying[at], variant);
    }
    varying_close(&varying[0]);
    varying_close(&varying[1]);
}

void job_variants_run(struct job_variant *list, size_t count)
{
    size_t threads = processor_count();
    struct variants variants = {list, count, threads * SHARES_OF_THREAD};

    if (count < variants.shares)
        variants.shares = count;
    parallel_for(threads, variants.shares, run_share, &variants);
}
