/* SPDX-License-Identifier: Apache-2.0 */
#include "render/reports/reports.h"

#include "analysis/functions/hotspots.h"
#include "analysis/selection/select.h"
#include "cmd/answer/profile_command.h"
#include "cmd/help/command.h"
#include "cmd/load/profile_load.h"
#include "cmd/load/source_files.h"
#include "cmd/options/common_options.h"
#include "graph/derive/derive.h"

struct lines_arguments {
    struct common common;
    struct source_choice sources;
    uint32_t limit;
};

static const struct option options[] = {
    OPT_INCLUDE(struct lines_arguments, common, struct common, report_options),
    OPT_COUNT('n', "limit", struct lines_arguments, limit, "N",
              "at most so many functions; 0 is all [20]"),
    OPT_INCLUDE(struct lines_arguments, sources, struct source_choice, source_options),
    OPT_INCLUDE(struct lines_arguments, common, struct common, filter_options),
    OPT_INCLUDE(struct lines_arguments, common, struct common, part_options),
    OPT_INCLUDE(struct lines_arguments, common, struct common, input_options),
    OPT_INCLUDE(struct lines_arguments, common, struct common, output_options),
    OPT_END,
};

static bool fill_report(struct profile *profile, const void *asked, struct arena *arena,
                        struct report *report, struct error *err)
{
    const struct lines_arguments *fields = asked;
    const bool *is_wanted = NULL;
    struct lines lines = {0};

    if (profile->graph.frames.detail != DETAIL_LINE) {
        error_set(err, ERROR_LACK, "%s do not distinguish lines",
                  profile->graph.source.format_title);
        return error_hint(err, "'ptk hotspots' ranks their functions");
    }
    if (!graph_need(&profile->graph, LEVEL_FLAT, "there are no lines to show", err))
        return false;
    if (fields->common.function.text)
        is_wanted = name_pattern_function(&profile->graph, &fields->common.function, arena);
    if (!fields->common.function.text || is_wanted)
        lines_compute(&profile->graph, is_wanted, fields->limit, arena, &lines);
    if (fields->common.function.text && lines.count == 0)
        return name_pattern_lack(&fields->common.function, err);
    lines_report(&lines, sources_of_lines(&lines, &profile->graph, &fields->sources, arena), arena,
                 report);
    return true;
}

static const struct lines_arguments defaults = {.limit = 20};

static const struct profile_command lines_record = {
    .size = sizeof(struct lines_arguments),
    .defaults = &defaults,
    .wanted = {.need = LEVEL_CALLTREE, .detail = DETAIL_LINE},
    .fill = fill_report,
};

static const struct profile_command list_record = {
    .size = sizeof(struct lines_arguments),
    .defaults = &defaults,
    .wanted = {.need = LEVEL_CALLTREE, .detail = DETAIL_LINE},
    .takes_function = true,
    .fill = fill_report,
};

#define READS_LINES                                                                                \
    "lines of source: pprof, gperftools, lprof, callgrind, cpuprofile, speedscope, folded, "       \
    "tracemalloc, goroutines, massif, dhat, perf-data, firefox, otlp"

const struct command command_lines = {
    .name = "lines",
    .summary = "what each line of source costs, with its text",
    .operands = "[FILE]",
    .reads = READS_LINES,
    .examples = "ptk lines --source-path . lines.lprof\n"
                "ptk lines --show slow -f csv lines.lprof\n",
    .options = options,
    .profile = &lines_record,
};

const struct command command_list = {
    .name = "list",
    .summary = "a function's source, with what each line costs",
    .operands = "FUNC [FILE]",
    .reads = READS_LINES,
    .examples = "ptk list leaf cpu.pb\n"
                "ptk list '^slow$' --source-path . lines.lprof\n",
    .options = options,
    .profile = &list_record,
};
