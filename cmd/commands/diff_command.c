/* SPDX-License-Identifier: Apache-2.0 */
/* ptk diff: two sides of one or more runs, function by function, and what fails where growth is
 * no noise. */
#include "analysis/compare/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare/structure.h"
#include "analysis/ranks/shard_join.h"
#include "cmd/answer/profile_command.h"
#include "cmd/answer/report_output.h"
#include "cmd/help/command.h"
#include "cmd/load/files.h"
#include "cmd/load/job_inputs.h"
#include "cmd/load/profile_load.h"
#include "cmd/options/common_options.h"
#include "graph/derive/derive.h"
#include "render/charts/charts.h"
#include "render/reports/reports.h"

static const char *const sort_names[] = {"delta", "growth", "old", "new", "name", NULL};

/* What is compared: parts of the program, where the user does not say. */
enum { BY_STRUCTURE = BY_TAG_LEAF + 1, BY_WHAT_FITS = -1 };

static const char *const by_names[] = {GROUP_NAMES, [BY_STRUCTURE] = "structure", NULL};

struct diff_arguments {
    struct common common;
    struct option_values more, captures; /* tagged with enum diff_end */
    const char *fail_above, *fail_function_above;
    struct diff_options diff;
    double fastest; /* percent of a side's runs */
    int sort;
    bool by_structure, may_be_structure;
};

static const struct option options[] = {
    OPT_INCLUDE(struct diff_arguments, common, struct common, chart_options),
    OPT_GROUP("What is compared"),
    OPT_EACH(0, "before", struct diff_arguments, more, "FILE",
             "one more run, or directory of them, BEFORE", DIFF_BEFORE),
    OPT_EACH(0, "after", struct diff_arguments, more, "FILE", "one more AFTER", DIFF_AFTER),
    OPT_EACH(0, "capture-before", struct diff_arguments, captures, "FILE",
             "a trace of the capture of BEFORE's CUDA or HIP graphs: whose kernels they are",
             DIFF_BEFORE),
    OPT_EACH(0, "capture-after", struct diff_arguments, captures, "FILE", "one of AFTER's",
             DIFF_AFTER),
    OPT_NUMBER(0, "fastest", struct diff_arguments, fastest, "P",
               "only the fastest P percent of each side's runs: others were disturbed [100]"),
    OPT_FLAG('c', "cum", struct diff_arguments, diff.is_cum,
             "compare what functions cost with callees"),
    OPT_GROUP("When the answer is no (exit status 1)"),
    OPT_TEXT(0, "fail-above", struct diff_arguments, fail_above, "P%",
             "the total grows by more than this"),
    OPT_TEXT(0, "fail-function-above", struct diff_arguments, fail_function_above, "P%",
             "a function grows by more than this"),
    OPT_NUMBER(0, "fail-min-percent", struct diff_arguments, diff.fail_min_percent, "P",
               "functions below P percent of the total do not fail [1]"),
    OPT_GROUP("Order and size"),
    OPT_CHOICE('s', "sort", struct diff_arguments, sort, "KEY", "order by [delta]", sort_names),
    OPT_FLAG('r', "reverse", struct diff_arguments, diff.is_reversed, "the other way round"),
    OPT_COUNT('n', "limit", struct diff_arguments, diff.limit, "N",
              "at most N rows, 0 for all [20]"),
    OPT_NUMBER(0, "min-percent", struct diff_arguments, diff.min_percent, "P",
               "leave out changes below P percent of the total [0]"),
    OPT_INCLUDE(struct diff_arguments, common, struct common, filter_options),
    OPT_NAMED(0, "by", struct diff_arguments, common.selection.by, "WHAT",
              "compare groups, or parts of the program (structure) [function, or what fits traces]",
              by_names),
    OPT_INCLUDE(struct diff_arguments, common, struct common, part_options),
    OPT_INCLUDE(struct diff_arguments, common, struct common, input_options),
    OPT_INCLUDE(struct diff_arguments, common, struct common, output_options),
    OPT_END,
};

/* What is read, and what of it a report names. */
struct diff_reading {
    struct diff diff;
    struct structure structure;
    struct files files[DIFF_ENDS];
    struct arena arena;
    struct graph *heads; /* by file: as `names`, with the file's own format and producer */
    struct report_input *inputs;
    uint32_t input_count;
};

/* ---- reading ---- */

/* How the files of a side are read: with its captures. */
static struct common common_of_side(const struct diff_arguments *fields, enum diff_end end)
{
    struct common common = fields->common;

    for (uint32_t i = 0; i < fields->captures.count; i++)
        if (fields->captures.list[i].tag == (int)end)
            common.captures.list[common.captures.count++] = fields->captures.list[i];
    return common;
}

static bool add_profile(struct diff_reading *reading, enum diff_end end, const char *path,
                        const struct diff_arguments *fields, struct error *err)
{
    struct builder_options wanted = selection_wanted(&fields->common.selection, LEVEL_CALLGRAPH);
    const struct common common = common_of_side(fields, end);
    struct run_measures measures;
    struct profile profile;
    struct graph *head;
    bool ok;

    wanted.properties |= run_measures_properties();
    if (fields->may_be_structure) {
        wanted.properties |= structure_properties();
        wanted.launches = true;
    }
    if (!profile_load(&profile, path, &wanted, &common, err))
        return false;
    run_measures_take(&profile.graph, &measures);
    if (fields->may_be_structure)
        structure_add(&reading->structure, end, &profile.graph);
    ok = profile_select(&profile, &fields->common.selection, err) &&
         graph_need(&profile.graph,
                    profile.graph.native == LEVEL_CALLTREE ? LEVEL_CALLGRAPH : LEVEL_FLAT,
                    "there is nothing to compare", err) &&
         (diff_add(&reading->diff, end, &profile.graph, err) || error_file(err, path));
    if (ok)
        diff_add_measures(&reading->diff, end, &measures);
    head = &reading->heads[reading->input_count];
    reading->inputs[reading->input_count++] = (struct report_input){path, head};
    head->source.format = profile.graph.source.format;
    if (profile.graph.source.producer)
        head->source.producer = arena_copy(&reading->arena, span_of(profile.graph.source.producer));
    profile_free(&profile);
    return ok;
}

/* What a run took: of traces, a step of it or all of it. */
struct run_cost {
    int64_t cost;
    const char *path;
};

static bool take_cost(struct run_cost *run, const struct diff_arguments *fields, struct error *err)
{
    struct builder_options wanted = selection_wanted(&fields->common.selection, LEVEL_FLAT);
    struct common common = fields->common;
    struct run_measures measures;
    struct profile profile;
    bool ok;

    common.is_quiet = true; /* it is read once more */
    wanted.properties |= run_measures_properties();
    if (!profile_load(&profile, run->path, &wanted, &common, err))
        return false;
    run_measures_take(&profile.graph, &measures);
    ok = profile_select(&profile, &fields->common.selection, err);
    run->cost = measures.is_known
                    ? (measures.steps ? measures.of_steps : measures.of_run)[MEASURE_TIME]
                    : graph_total(&profile.graph);
    profile_free(&profile);
    return ok;
}

static int compare_costs(const void *a, const void *b)
{
    const struct run_cost *x = a, *y = b;

    return x->cost != y->cost ? (x->cost > y->cost) - (x->cost < y->cost)
                              : strcmp(x->path, y->path);
}

/* Leaves the fastest runs of a side: at least two of several, so that it is known how far they vary. */
static bool keep_fastest(struct diff_reading *reading, enum diff_end end,
                         const struct diff_arguments *fields, struct error *err)
{
    struct files *files = &reading->files[end];
    size_t kept = (size_t)ceil((double)files->count * fmin(fields->fastest, 100) / 100);
    struct run_cost *runs;

    if (kept < 2)
        kept = 2;
    if (kept >= files->count)
        return true;
    runs = arena_array(&reading->arena, files->count, sizeof(*runs));
    for (size_t i = 0; i < files->count; i++) {
        runs[i].path = files->list[i];
        if (!take_cost(&runs[i], fields, err))
            return false;
    }
    qsort(runs, files->count, sizeof(*runs), compare_costs);
    for (size_t i = 0; i < kept; i++)
        files->list[i] = runs[i].path;
    reading->diff.slower[end] = (uint32_t)(files->count - kept);
    files->count = kept;
    return true;
}

/* A side's operand, and what --before or --after add to it. */
static bool list_files(struct diff_reading *reading, enum diff_end end, char *operand,
                       const struct diff_arguments *fields, struct error *err)
{
    char *operands[OPTION_VALUES_MAX + 1];
    size_t count = 0;

    if (operand)
        operands[count++] = operand;
    for (uint32_t i = 0; i < fields->more.count; i++)
        if (fields->more.list[i].tag == (int)end)
            operands[count++] = (char *)fields->more.list[i].text;
    if (!files_expand(&reading->files[end], operands, count, err))
        return false;
    if (reading->files[end].count)
        return true;
    error_set(err, ERROR_USAGE, "there is no profile %s", end ? "AFTER" : "BEFORE");
    return error_hint(err, "ptk diff BEFORE AFTER; either may be a directory of runs");
}

static bool load(struct diff_reading *reading, char **operands, size_t count,
                 const struct diff_arguments *fields, struct error *err)
{
    size_t files;

    if (count != 0 && !operands_are_two(operands, count, err))
        return false;
    for (int end = 0; end < DIFF_ENDS; end++)
        if (!list_files(reading, (enum diff_end)end, count ? operands[end] : NULL, fields, err) ||
            !keep_fastest(reading, (enum diff_end)end, fields, err))
            return false;
    files = reading->files[DIFF_BEFORE].count + reading->files[DIFF_AFTER].count;
    reading->heads = arena_array(&reading->arena, files, sizeof(*reading->heads));
    reading->inputs = arena_array(&reading->arena, files, sizeof(*reading->inputs));
    for (int end = 0; end < DIFF_ENDS; end++)
        for (size_t i = 0; i < reading->files[end].count; i++)
            if (!add_profile(reading, (enum diff_end)end, reading->files[end].list[i], fields, err))
                return false;
    for (uint32_t i = 0; i < reading->input_count; i++) {
        struct graph head = reading->diff.names; /* which have grown up to now */

        head.source.format = reading->heads[i].source.format;
        head.source.producer = reading->heads[i].source.producer;
        reading->heads[i] = head;
    }
    return true;
}

/* ---- thresholds ---- */

/* "5%" or "5"; below 0 when it is not asked for. */
static bool parse_percent(const char *name, const char *text, double *percent, struct error *err)
{
    char *end;

    *percent = -1;
    if (!text)
        return true;
    *percent = strtod(text, &end);
    if (end != text && *percent >= 0 && *percent < 1e9 && (!*end || strcmp(end, "%") == 0))
        return true;
    return error_set(err, ERROR_USAGE, "--%s: '%.40s' is not a percentage", name, text);
}

/* Of traces, what counts is how long the run took, or a step of it. */
static bool judge_total(const struct difference *difference, double percent, struct error *err)
{
    const struct run_difference *run = &difference->run;
    const int64_t *time = run->is_known ? run->time[MEASURE_TIME] : difference->total;
    const struct confidence *noise = run->is_known ? &run->noise[MEASURE_TIME] : &difference->noise;
    double growth = diff_growth(time[DIFF_BEFORE], time[DIFF_AFTER]);

    if (percent < 0 || growth * 100 <= percent)
        return true;
    if (noise->is_known && noise->low <= 0)
        return true;
    return error_set(err, ERROR_NO, "the %s grew by %.2f %%, which is more than %g %%",
                     !run->is_known    ? "total"
                     : run->is_by_step ? "time of a step"
                                       : "time of the run",
                     growth * 100, percent);
}

static bool judge_functions(const struct difference *difference, const struct diff *diff,
                            double percent, struct arena *arena, struct error *err)
{
    const struct diff_row *worst = difference->worst;
    const int64_t *figure;

    if (!worst)
        return true;
    figure = difference->is_cum ? worst->cum : worst->self;
    return error_set(err, ERROR_NO,
                     "functions that grew by more than %g %%: %u, most of all %.100s (%s)", percent,
                     difference->failed,
                     graph_text(&diff->names, graph_frame(&diff->names, worst->after)->name).at,
                     diff_growth_text(figure[DIFF_BEFORE], figure[DIFF_AFTER], arena));
}

/* ---- the answer ---- */

/* Two shards are compared rank by rank, too. */
static bool add_ranks(const struct diff_reading *reading, struct job_inputs jobs[DIFF_ENDS],
                      const struct common *common, struct arena *arena, struct report *report,
                      struct error *err)
{
    const struct job_input_options as_said = {.memory = 0};

    for (int end = 0; end < DIFF_ENDS; end++)
        if (!is_shard_among((char **)reading->files[end].list, reading->files[end].count))
            return true;
    for (int end = 0; end < DIFF_ENDS; end++) {
        const struct files *files = &reading->files[end];

        if (!job_inputs_read(&jobs[end], (char **)files->list, files->count, &as_said, common, err))
            return false;
        shard_align(&jobs[end].shard, GROUPS_ALL, NULL);
    }
    rank_difference_rows(&jobs[DIFF_BEFORE].shard, &jobs[DIFF_AFTER].shard, arena, report);
    return true;
}

/* Which of the two answers there is, and whether nobody asked for it. */
static bool choose(const struct diff_reading *reading, const struct diff_arguments *fields,
                   const struct difference *difference, bool *is_by_structure, struct error *err)
{
    *is_by_structure = fields->by_structure;
    if (fields->by_structure && !structure_can_compare(&reading->structure)) {
        error_set(err, ERROR_LACK,
                  "one side alone has operators, or none has kernels: parts of the program "
                  "cannot be compared");
        return error_hint(err, "--by function compares functions by their names");
    }
    if (!fields->by_structure && fields->may_be_structure)
        *is_by_structure = structure_tells_more(&reading->structure, difference->paired_kernels);
    return true;
}

static bool judge_parts(const struct structure *structure, const struct structure_difference *found,
                        double percent, struct error *err)
{
    if (!found->worst)
        return true;
    return error_set(err, ERROR_NO, "parts that grew by more than %g %%: %u, most of all %.100s",
                     percent, found->failed,
                     strings_get(&structure->strings, found->worst->name[DIFF_AFTER]).at);
}

static bool answer(struct diff_reading *reading, const struct diff_arguments *fields,
                   struct error *err)
{
    const struct diff *diff = &reading->diff;
    struct arena arena = {0};
    struct report report = {.command = "diff",
                            .inputs = reading->inputs,
                            .input_count = reading->input_count,
                            .arena = &arena};
    struct diff_options wanted = fields->diff;
    struct difference difference;
    struct structure_difference parts = {.count = 0};
    struct job_inputs jobs[DIFF_ENDS] = {{.count = 0}};
    bool is_by_structure = false;
    double percent;
    bool ok = parse_percent("fail-above", fields->fail_above, &percent, err) &&
              parse_percent("fail-function-above", fields->fail_function_above,
                            &wanted.fail_percent, err);

    wanted.order = (enum diff_order)fields->sort;
    if (ok) {
        diff_compute(diff, &wanted, &arena, &difference);
        ok = choose(reading, fields, &difference, &is_by_structure, err);
    }
    if (ok && is_by_structure) {
        structure_compare(
            &reading->structure,
            &(const struct structure_options){.limit = wanted.limit,
                                              .fail_percent = wanted.fail_percent,
                                              .fail_min_percent = wanted.fail_min_percent},
            &arena, &parts);
        diff_parts_report(&difference, diff,
                          &(const struct diff_parts){
                              .structure = &reading->structure,
                              .found = &parts,
                              .functions = fields->by_structure ? COLUMN_NOBODY : COLUMN_MACHINES},
                          &arena, &report);
        if (!fields->by_structure && structure_is_of_serving(&reading->structure))
            report_before(&report, "these are steps of model servers, so each stage is compared by part of the "
                                   "model; --by function compares kernels by name");
        else if (!fields->by_structure)
            report_beforef(
                &report, &arena,
                "%.0f %% of the kernels' time has the same names on both sides, so parts "
                "of the program are compared; --by function compares kernels by name",
                100 * difference.paired_kernels);
    } else if (ok) {
        diff_report(&difference, diff, &arena, &report);
    }
    if (ok) {
        if (is_by_structure)
            structure_chart(&reading->structure, &parts, &arena, &report);
        else
            diff_chart(&difference, diff, &arena, &report);
        ok = add_ranks(reading, jobs, &fields->common, &arena, &report, err) &&
             report_output_write(&report, &fields->common, err) &&
             judge_total(&difference, percent, err) &&
             (is_by_structure
                  ? judge_parts(&reading->structure, &parts, wanted.fail_percent, err)
                  : judge_functions(&difference, diff, wanted.fail_percent, &arena, err));
    }
    structure_difference_free(&parts);
    arena_free(&arena);
    for (int end = 0; end < DIFF_ENDS; end++)
        job_inputs_free(&jobs[end]);
    return ok;
}

static bool read_and_answer(struct profile_request *request, struct error *err)
{
    const struct diff_arguments *fields = request->asked;
    struct diff_reading reading = {.input_count = 0};
    bool ok = load(&reading, request->operands, request->count, fields, err) &&
              answer(&reading, fields, err);

    diff_free(&reading.diff);
    structure_free(&reading.structure);
    files_free(&reading.files[DIFF_BEFORE]);
    files_free(&reading.files[DIFF_AFTER]);
    arena_free(&reading.arena);
    return ok;
}

/* Parts of the program are compared where functions are not selected or grouped. */
static bool prepare(struct profile_request *request, struct error *err)
{
    struct diff_arguments *fields = request->asked;
    struct selection *selection = &fields->common.selection;
    bool is_of_functions = selection->filters.count || selection->labels.count ||
                           selection->no_imports || fields->diff.is_cum;

    fields->by_structure = selection->by.index == BY_STRUCTURE;
    fields->may_be_structure =
        fields->by_structure || (selection->by.index == BY_WHAT_FITS && !is_of_functions);
    if (fields->by_structure && is_of_functions)
        return error_set(err, ERROR_USAGE,
                         "--by structure compares all of the device's work: functions are not "
                         "selected");
    if (fields->by_structure || selection->by.index == BY_WHAT_FITS)
        selection->by.index = BY_FUNCTION;
    return true;
}

static const struct profile_command profile_command = {
    .size = sizeof(struct diff_arguments),
    .defaults =
        &(const struct diff_arguments){.common = {.selection = {.by = {.index = BY_WHAT_FITS}}},
                                       .diff = {.limit = 20, .fail_min_percent = 1},
                                       .fastest = 100},
    .prepare = prepare,
    .answer = read_and_answer,
};

const struct command command_diff = {
    .name = "diff",
    .summary = "what changed between two profiles, and whether it is noise",
    .operands = "BEFORE AFTER",
    .examples = "ptk diff before.out after.out\n"
                "ptk diff -f md -n 5 before.out after.out\n"
                "ptk diff --fail-above 5% monday.pb tuesday.pb\n"
                "ptk diff -f svg -o diff.svg before.out after.out\n",
    .options = options,
    .profile = &profile_command,
};
