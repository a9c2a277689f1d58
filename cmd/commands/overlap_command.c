/* SPDX-License-Identifier: Apache-2.0 */
/* ptk overlap: what ran at the same time on devices, of one timeline or of several ranks. */
#include "analysis/execution/overlap.h"
#include "analysis/timeline/kernel_sequences.h"
#include "cmd/answer/job_rows.h"
#include "cmd/answer/overlap_ranks.h"
#include "cmd/answer/profile_command.h"
#include "cmd/answer/report_output.h"
#include "cmd/help/command.h"
#include "cmd/load/job_inputs.h"
#include "cmd/load/profile_load.h"
#include "cmd/load/rank_files.h"
#include "cmd/options/common_options.h"
#include "graph/derive/derive.h"
#include "render/charts/charts.h"
#include "render/reports/reports.h"

enum { BY_WHOLE, BY_STEPS, BY_CATEGORIES };

static const char *const by_names[] = {"whole", "step", "category", NULL};

struct overlap_arguments {
    struct common common;
    int by; /* BY_WHOLE … */
    uint32_t limit;
    bool has_sequences;
    uint64_t memory;
};

static const struct option options[] = {
    OPT_INCLUDE(struct overlap_arguments, common, struct common, chart_options),
    OPT_CHOICE(0, "by", struct overlap_arguments, by, "WHAT",
               "step: also each training step; category: device work by what it computes, gemm, "
               "attention … [whole]",
               by_names),
    OPT_COUNT('n', "limit", struct overlap_arguments, limit, "N",
              "show the N largest gaps; 0: all [10]"),
    OPT_FLAG(0, "sequences", struct overlap_arguments, has_sequences,
             "also kernels that recur in one order under an operator, or under what --focus keeps"),
    RANK_MEMORY_OPTION(struct overlap_arguments, memory),
    OPT_INCLUDE(struct overlap_arguments, common, struct common, filter_options),
    OPT_INCLUDE(struct overlap_arguments, common, struct common, part_options),
    OPT_INCLUDE(struct overlap_arguments, common, struct common, input_options),
    OPT_INCLUDE(struct overlap_arguments, common, struct common, output_options),
    OPT_END,
};

/* What the host did alone is written all the same, but for the chart. */
static bool lack_devices(struct report *report, enum report_format format, struct error *err)
{
    struct error *lack = format == REPORT_SVG ? err : &report->lack;

    error_set(lack, ERROR_LACK, "no device work is recorded: there is nothing to overlap");
    if (report->input_count == 1)
        error_file(lack, report->inputs[0].path);
    error_hint(lack, "ptk timeline draws what the host did, ptk hotspots ranks it");
    return format != REPORT_SVG;
}

static bool fill_report(struct profile *profile, const void *asked, struct arena *arena,
                        struct report *report, struct error *err)
{
    const struct overlap_arguments *fields = asked;
    const struct overlap_options asked_for = {.by_step = fields->by == BY_STEPS,
                                              .by_category = fields->by == BY_CATEGORIES,
                                              .gap_limit = fields->limit,
                                              .has_queues = true};
    struct overlap *overlap = arena_alloc(arena, sizeof(*overlap));

    if (!graph_need(&profile->graph, LEVEL_TIMELINE, "overlap cannot be computed", err))
        return false;
    overlap_compute(&profile->graph, &asked_for, arena, overlap);
    overlap_report(overlap, arena, report);
    if (fields->has_sequences) {
        struct kernel_sequences *sequences = arena_alloc(arena, sizeof(*sequences));

        kernel_sequences_find(&profile->graph, fields->common.selection.filters.count > 0, arena, sequences);
        kernel_sequences_report(sequences, fields->limit, arena, report);
    }
    overlap_chart(overlap, report);
    return overlap->device_count ||
           lack_devices(report, (enum report_format)fields->common.format, err);
}

static bool answer_several(const struct profile_request *request, struct error *err)
{
    const struct overlap_arguments *fields = request->asked;
    struct arena arena = {0};
    struct report report = {.command = "overlap", .arena = &arena};
    struct overlap_ranks ranks;
    bool ok;

    if (is_shard_among(request->operands, request->count))
        return job_rows_run("overlap", fields->by == BY_STEPS ? rank_step_rows : rank_overlap_rows,
                            request->operands, request->count, &fields->common, fields->memory,
                            err);
    if (fields->by != BY_WHOLE)
        return error_set(err, ERROR_USAGE, "--by %s takes one profile, not %zu",
                         by_names[fields->by], request->count);
    ok = overlap_ranks_read(&ranks, request->operands, request->count, &fields->common,
                            &(struct overlap_ranks_options){.memory = fields->memory}, err);
    if (ok) {
        bool has_devices = overlap_ranks_report(&ranks, fields->limit, &arena, &report);

        ok = (has_devices ||
              lack_devices(&report, (enum report_format)fields->common.format, err)) &&
             report_output_write(&report, &fields->common, err);
    }
    arena_free(&arena);
    overlap_ranks_free(&ranks);
    return ok;
}

static const struct profile_command profile_command = {
    .size = sizeof(struct overlap_arguments),
    .defaults = &(const struct overlap_arguments){.limit = 10},
    .wanted = {.categories = true, .properties = PROPERTY_BIT(PROP_BYTES)},
    .wants_execution = true,
    .filtering = FILTERS_EVENTS,
    .answer_several = answer_several,
    .fill = fill_report,
};

const struct command command_overlap = {
    .name = "overlap",
    .summary = "what ran at the same time, and when devices were idle",
    .operands = "[FILE...]",
    .reads = "a timeline",
    .examples = "ptk overlap trace.json\n"
                "ptk overlap --by step trace.json\n"
                "ptk overlap -f json trace.json\n"
                "ptk overlap --sequences trace.json\n"
                "ptk overlap rank-*.json\n"
                "ptk overlap --by step -f svg -o overlap.svg trace.json\n",
    .options = options,
    .profile = &profile_command,
};
