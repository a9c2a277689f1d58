/* SPDX-License-Identifier: Apache-2.0 */
/* overlap_ranks.c — reads ranks' traces for a comparison, and keeps of each what that needs and what else is asked */
#include "cmd/answer/overlap_ranks.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/ranks/rank_overlap.h"
#include "base/memory/memory.h"
#include "cmd/answer/rank_answer.h"
#include "cmd/help/messages.h"
#include "cmd/load/profile_load.h"
#include "cmd/load/rank_files.h"
#include "cmd/options/common_options.h"
#include "graph/derive/derive.h"
#include "render/charts/charts.h"
#include "render/reports/reports.h"

/* HTA names a rank that is late by this share of an iteration. */
#define WAITED_SHARE 0.01

struct digest {
    struct overlap overlap;
    struct collectives collectives;
    struct rank_share share;
    void *also;
};

struct overlap_reading {
    const struct overlap_options *overlap;
    const struct overlap_ranks_options *asked;
    char **paths;
};

static void *make_digest(const struct graph *graph, const void *context, size_t at,
                         struct arena *arena, struct error *err)
{
    const struct overlap_reading *asked = context;
    struct digest *digest = arena_alloc(arena, sizeof(*digest));
    const char *slash = strrchr(asked->paths[at], '/');

    overlap_compute(graph, asked->overlap, arena, &digest->overlap);
    collectives_find(graph, arena, &digest->collectives);
    rank_share_make(graph, &digest->collectives, slash ? slash + 1 : asked->paths[at], (int64_t)at,
                    arena, &digest->share);
    if (asked->asked->also)
        digest->also = asked->asked->also(graph, asked->asked->context, at, arena, err);
    return digest;
}

void *overlap_ranks_also(const struct overlap_ranks *ranks, size_t at)
{
    return ((const struct digest *)ranks->files[at].digest)->also;
}

/* Files that are no traces; how many others there are. */
static size_t drop_refused(struct rank_file *files, size_t count, const struct common *common)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        if (files[i].digest) {
            files[kept++] = files[i];
            continue;
        }
        if (!common->is_quiet)
            message_note("%s is passed over: %s", files[i].profile.path, files[i].refused.text);
        rank_files_free(&files[i], 1);
    }
    return kept;
}

static void compare_files(struct overlap_ranks *ranks)
{
    struct rank *list = arena_array(&ranks->arena, ranks->count, sizeof(*list));

    ranks->doubt = rank_files_order(ranks->files, ranks->count);
    for (size_t i = 0; i < ranks->count; i++) {
        struct rank_file *file = &ranks->files[i];
        struct digest *digest = file->digest;

        list[i] = (struct rank){.graph = &file->profile.graph,
                                .overlap = &digest->overlap,
                                .collectives = &digest->collectives,
                                .share = &digest->share,
                                .number = file->rank};
    }
    ranks->compared = arena_alloc(&ranks->arena, sizeof(*ranks->compared));
    ranks_compare(list, (uint32_t)ranks->count, WAITED_SHARE, &ranks->arena, ranks->compared);
}

bool overlap_ranks_read(struct overlap_ranks *ranks, char **paths, size_t count,
                        const struct common *common, const struct overlap_ranks_options *options,
                        struct error *err)
{
    const struct overlap_options asked = {.gap_limit = 1, .has_exposed = true};
    const struct builder_options wanted = {
        .need = LEVEL_TIMELINE,
        .launches = true,
        .properties =
            property_bit(PROP_STEP) | property_bit(PROP_WAIT_STREAM) | collectives_properties(),
    };
    const struct overlap_reading context = {&asked, options, paths};
    const struct rank_reading reading = {.wanted = &wanted,
                                         .common = common,
                                         .what = "overlap cannot be computed",
                                         .memory = options->memory,
                                         .digest = make_digest,
                                         .context = &context,
                                         .may_be_other = options->may_be_other};

    *ranks =
        (struct overlap_ranks){.files = grow_zeroed(count, sizeof(*ranks->files)), .count = count};
    if (!rank_files_read(ranks->files, paths, count, &reading, err))
        return false;
    ranks->count = drop_refused(ranks->files, count, common);
    if (!ranks->count)
        return error_set(err, ERROR_INPUT, "no rank's trace is among %zu files", count);
    compare_files(ranks);
    return true;
}

bool overlap_ranks_report(const struct overlap_ranks *ranks, uint32_t limit, struct arena *arena,
                          struct report *report)
{
    rank_report_inputs(ranks->files, ranks->count, ranks->doubt, arena, report);
    ranks_report(ranks->compared, limit, arena, report);
    ranks_chart(ranks->compared, report);
    return ranks->compared->device_count > 0;
}

void overlap_ranks_free(struct overlap_ranks *ranks)
{
    for (size_t i = 0; i < ranks->count; i++) {
        struct digest *digest = ranks->files[i].digest;

        if (digest)
            job_shard_free(&digest->share.shard);
    }
    rank_files_free(ranks->files, ranks->count);
    free(ranks->files);
    arena_free(&ranks->arena);
}
