/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/commands/commands.h"

#include <stdlib.h>

#include "analysis/ranks/rank_overlap.h"
#include "base/memory/vector.h"
#include "render/charts/charts.h"
#include "render/reports/reports.h"

/* HTA calls a rank late by this share of an iteration a straggler. */
#define STRAGGLER_SHARE 0.01

struct digest {
    struct overlap overlap;
    struct collectives collectives;
};

static void *make_digest(const struct graph *graph, const void *context, size_t at,
                         struct arena *arena, struct error *err)
{
    struct digest *digest = arena_alloc(arena, sizeof(*digest));

    overlap_compute(graph, context, arena, &digest->overlap);
    collectives_find(graph, arena, &digest->collectives);
    (void)at;
    (void)err;
    return digest;
}

bool overlap_ranks_read(struct overlap_ranks *ranks, char **paths, size_t count,
                        const struct common *common, uint64_t memory, struct error *err)
{
    const struct overlap_options asked = {.gap_limit = 1, .has_exposed = true};
    const struct builder_options wanted = {
        .need = LEVEL_TIMELINE,
        .launches = true,
        .properties =
            property_bit(PROP_STEP) | property_bit(PROP_WAIT_STREAM) | collectives_properties(),
    };
    const struct rank_reading reading = {.wanted = &wanted,
                                         .common = common,
                                         .what = "overlap cannot be computed",
                                         .memory = memory,
                                         .digest = make_digest,
                                         .context = &asked};

    *ranks = (struct overlap_ranks){grow_zeroed(count, sizeof(*ranks->files)), count};
    return rank_files_read(ranks->files, paths, count, &reading, err);
}

bool overlap_ranks_report(const struct overlap_ranks *ranks, uint32_t limit, struct arena *arena,
                          struct report *report)
{
    struct report_input *inputs = arena_array(arena, ranks->count, sizeof(*inputs));
    struct rank *list = arena_array(arena, ranks->count, sizeof(*list));
    struct ranks *compared = arena_alloc(arena, sizeof(*compared));

    if (!rank_files_order(ranks->files, ranks->count))
        report_before(report, rank_files_unnumbered);
    for (size_t i = 0; i < ranks->count; i++) {
        const struct rank_file *file = &ranks->files[i];
        const struct digest *digest = file->digest;

        inputs[i] = (struct report_input){file->profile.path, &file->profile.graph};
        list[i] = (struct rank){.graph = &file->profile.graph,
                                .overlap = &digest->overlap,
                                .collectives = &digest->collectives,
                                .number = file->rank};
    }
    report->inputs = inputs;
    report->input_count = (uint32_t)ranks->count;
    ranks_compare(list, (uint32_t)ranks->count, STRAGGLER_SHARE, arena, compared);
    ranks_report(compared, limit, arena, report);
    ranks_chart(compared, report);
    return compared->device_count > 0;
}

void overlap_ranks_free(struct overlap_ranks *ranks)
{
    rank_files_free(ranks->files, ranks->count);
    free(ranks->files);
}
