/* SPDX-License-Identifier: Apache-2.0 */
/* page_ranks.c — timelines of a job's other ranks, below the page's own, on its clock */
#include "cmd/report/chapters.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/ranks/job.h"
#include "base/checked.h"
#include "base/text/format.h"
#include "cmd/answer/overlap_ranks.h"

void *page_rank_keep(const struct graph *graph, const void *context, size_t at, struct arena *arena,
                     struct error *err)
{
    const struct page_rank_keeping *keeping = context;
    const struct page_data_options wanted = {.size = keeping->size};
    struct page_block *block = arena_alloc(arena, sizeof(*block));
    struct page_data data;
    struct arena scratch = {0};

    (void)err;
    *block = (struct page_block){.index = NULL};
    if (at == keeping->own || !graph->timeline.count)
        return block;
    page_data_make(graph, &wanted, &scratch, &data);
    page_block_make(&data, &scratch, block);
    page_data_free(&data);
    arena_free(&scratch);
    return block;
}

/* By how much a rank's clock is after the smallest's, in the middle of the run; false: nothing says. */
static bool find_offset(const struct job *job, int64_t rank, int64_t *offset)
{
    for (uint32_t i = 0; job && i < job->model.worker_count; i++) {
        const struct job_worker *worker = &job->model.workers[i];

        if (worker->rank == rank && worker->offset && job->model.step_count) {
            *offset = worker->offset[job->model.step_count / 2];
            return true;
        }
    }
    return false;
}

struct page_rank page_rank_own(const struct report_context *context)
{
    const struct overlap_ranks *ranks = context->ranks;

    for (size_t i = 0; ranks && i < ranks->count; i++)
        if (strcmp(ranks->files[i].profile.path, context->profile->path) == 0)
            return (struct page_rank){.is_known = true, .number = ranks->files[i].rank};
    return (struct page_rank){.is_known = false};
}

/* Where nothing ties clocks together, ranks begin at one time. */
static int64_t shift_of(const struct report_context *context, const struct page_block *own,
                        int64_t own_rank, const struct page_block *block, int64_t rank)
{
    int64_t own_offset, offset;

    if (!find_offset(context->job_result, own_rank, &own_offset) ||
        !find_offset(context->job_result, rank, &offset))
        return 0;
    return checked_sub(checked_sub(block->origin, offset), checked_sub(own->origin, own_offset));
}

/* The most that clocks of ranks are off by, as far as that is known; NOT_KNOWN: some rank's is not. */
static int64_t worst_residual(const struct job *job)
{
    int64_t worst = 0;

    for (uint32_t i = 0; i < job->model.worker_count; i++) {
        const struct job_worker *worker = &job->model.workers[i];

        if (!worker->is_aligned || worker->residual == NOT_KNOWN)
            return NOT_KNOWN;
        worst = worker->residual > worst ? worker->residual : worst;
    }
    return worst;
}

const char *page_ranks_note(const struct report_context *context, struct arena *arena)
{
    char within[FORMAT_LEN];
    int64_t residual;
    const char *others;

    if (!context->ranks || context->ranks->count < 2)
        return NULL;
    others = format_many(arena, (int64_t)context->ranks->count - 1, "other rank");
    residual = context->job_result ? worst_residual(context->job_result) : NOT_KNOWN;
    if (residual == NOT_KNOWN)
        return arena_printf(
            arena, "%s: ranks whose clocks no collective ties together begin at one time.", others);
    return arena_printf(arena, "%s: on one clock by the ends of collectives, to within %s.", others,
                        format_value(within, residual, UNIT_NS));
}

void page_ranks_embed(const struct report_context *context, struct page *page)
{
    const struct overlap_ranks *ranks = context->ranks;
    struct arena arena = {0};
    struct page_block own;
    const struct page_rank rank = page_rank_own(context);

    page_block_make(context->data, &arena, &own);
    page_embed(page, &own, &rank);
    for (size_t i = 0; ranks && i < ranks->count; i++) {
        struct page_block *block = overlap_ranks_also(ranks, i);
        struct page_rank other = {.is_known = true, .number = ranks->files[i].rank};

        if (!block || !block->index)
            continue;
        other.shift = shift_of(context, &own, rank.number, block, other.number);
        page_embed(page, block, &other);
        page_block_free(block);
    }
    page_block_free(&own);
    arena_free(&arena);
}
