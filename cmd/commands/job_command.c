/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/job/job.h"
#include "cmd/shared/command.h"
#include "cmd/shared/job_inputs.h"
#include "cmd/shared/part_file.h"
#include "cmd/shared/report_output.h"
#include "render/charts/job_chart.h"
#include "render/reports/job_report.h"

static const char *const ideal_names[] = {"mean", "median", "min", NULL};
static const char *const by_names[] = {"rank", "stage", "type", "dp", "step", "group", NULL};

struct fields {
    struct common common;
    struct job_input_options inputs;
    int ideal, by;
    uint32_t limit;
    const char *step, *part_out;
};

static const struct option options[] = {
    OPT_INCLUDE(struct fields, common, struct common, chart_options),
    OPT_CHOICE(0, "by", struct fields, by, "WHAT", "the table that comes first [rank]", by_names),
    OPT_CHOICE(0, "ideal", struct fields, ideal, "WHAT",
               "what is typical of computing: its mean, median or minimum [mean]", ideal_names),
    OPT_TEXT(0, "step", struct fields, step, "N", "only the step of that number"),
    OPT_COUNT('n', "limit", struct fields, limit, "N", "show the N slowest ranks; 0: all [16]"),
    OPT_FILE(0, "list", struct fields, inputs.list, "FILE", "files are named there, one a line"),
    OPT_FILE(0, "part-out", struct fields, part_out, "FILE",
             "also write the part that all was read from, as ptk reduce would"),
    OPT_INCLUDE(struct fields, inputs, struct job_input_options, job_input_options),
    OPT_INCLUDE(struct fields, common, struct common, input_options),
    OPT_INCLUDE(struct fields, common, struct common, output_options),
    OPT_END,
};

static bool read_step(const struct fields *fields, struct job_options *asked, struct error *err)
{
    asked->step = NOT_KNOWN;
    if (!fields->step || span_to_i64(span_of(fields->step), &asked->step))
        return true;
    return error_set(err, ERROR_USAGE, "--step %s: a number is meant", fields->step);
}

static bool answer(struct job_inputs *inputs, const struct fields *fields,
                   const struct job_options *asked, struct error *err)
{
    struct report report = {
        .command = "job", .inputs = inputs->inputs, .input_count = inputs->count};
    struct arena arena = {0};
    struct job job;
    bool ok = job_analyze(&inputs->part, asked, &arena, &job, err);

    if (ok) {
        job_report(&job, (enum job_table)fields->by, fields->limit, &arena, &report);
        if (job.is_measured)
            job_chart(&job, &report);
        ok = report_output_write(&report, &fields->common, err);
    }
    arena_free(&arena);
    return ok;
}

static bool run(char **argv, struct error *err)
{
    struct fields fields = {.limit = 16};
    struct job_options asked = {0};
    struct job_inputs inputs;
    size_t operands;
    bool ok;

    if (!option_parse(options, &fields, argv, &operands, err) || !read_step(&fields, &asked, err))
        return false;
    asked.ideal = (enum job_ideal)fields.ideal;
    ok = job_inputs_read(&inputs, argv, operands, &fields.inputs, &fields.common, err) &&
         (!fields.part_out || part_file_write(&inputs.part, fields.part_out, err)) &&
         answer(&inputs, &fields, &asked, err);
    job_inputs_free(&inputs);
    return ok;
}

const struct command command_job = {
    .name = "job",
    .summary = "which rank, stage, link or host slows a job of many ranks",
    .operands = "RANK... | DIR | PART...",
    .examples = "ptk job job\n"
                "ptk job --by stage -f csv job\n"
                "ptk job -f svg -o job.svg job\n"
                "ptk job --ideal median -f json job/rank*.json.gz\n",
    .options = options,
    .run = run,
};
