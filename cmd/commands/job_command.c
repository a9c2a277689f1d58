/* SPDX-License-Identifier: Apache-2.0 */
/* ptk job: what slows a job of many ranks: its tables, what-ifs and charts, and its shard as a
 * file. */
#include <inttypes.h>
#include <string.h>

#include "analysis/advice/thresholds.h"
#include "cmd/answer/job_rows.h"
#include "cmd/answer/profile_command.h"
#include "cmd/answer/report_output.h"
#include "cmd/help/command.h"
#include "cmd/load/job_inputs.h"
#include "cmd/options/common_options.h"
#include "cmd/options/factor.h"
#include "render/charts/charts.h"
#include "render/reports/reports.h"

static const char *const ideal_names[] = {"mean", "median", "min", NULL};
static const char *const by_names[] = {"rank",  "stage",      "type",     "dp", "step",
                                       "group", "collective", "category", NULL};

struct job_arguments {
    struct common common;
    struct job_input_options inputs;
    int ideal, by;
    struct option_values what_if;
    uint32_t limit;
    double peak_link;
    struct option_values given; /* thresholds */
    const char *step, *part_out, *expect;
    bool is_strict;
};

static const struct option options[] = {
    OPT_INCLUDE(struct job_arguments, common, struct common, chart_options),
    OPT_CHOICE(0, "by", struct job_arguments, by, "WHAT", "the table that comes first [rank]",
               by_names),
    OPT_CHOICE(0, "ideal", struct job_arguments, ideal, "WHAT",
               "what is typical of computing: its mean, median or minimum [mean]", ideal_names),
    OPT_EACH(0, "what-if", struct job_arguments, what_if, "WHAT=HOW",
             "how long steps would take: 'rank 5=median', 'type optimizer=2'; may be given again",
             0),
    OPT_NUMBER(0, "peak-link", struct job_arguments, peak_link, "G",
               "what links between hosts should reach, in GB/s on the bus [not known]"),
    OPT_TEXT(0, "step", struct job_arguments, step, "N", "only the step of that number"),
    OPT_COUNT('n', "limit", struct job_arguments, limit, "N",
              "show the N slowest ranks; 0: all [16]"),
    OPT_FILE(0, "list", struct job_arguments, inputs.list, "FILE",
             "files are named there, one a line"),
    OPT_FILE(0, "part-out", struct job_arguments, part_out, "FILE",
             "also write the part that all was read from, as ptk reduce would"),
    OPT_TEXT(0, "expect", struct job_arguments, expect, "RANKS",
             "who should be there, 0-1023 or 0-7,16 [as many as the traces say]"),
    OPT_EACH(0, "threshold", struct job_arguments, given, "NAME=VALUE",
             "where a figure begins to be a verdict; again for more: see ptk help advise", 0),
    OPT_FLAG(0, "strict", struct job_arguments, is_strict, "exit status 4 where a rank is missing"),
    OPT_INCLUDE(struct job_arguments, inputs.choice, struct job_choice, job_choice_options),
    OPT_INCLUDE(struct job_arguments, inputs, struct job_input_options, job_input_options),
    OPT_INCLUDE(struct job_arguments, common, struct common, input_options),
    OPT_INCLUDE(struct job_arguments, common, struct common, output_options),
    OPT_END,
};

/* "0-7,16", ascending. */
static bool read_expected(const char *text, struct job_options *asked, struct arena *arena,
                          struct error *err)
{
    struct span rest = span_of(text ? text : "");
    struct rank_range *ranges = arena_array(arena, rest.len + 1, sizeof(*ranges));
    uint64_t next = 0;

    while (rest.len) {
        struct span range = span_split(&rest, ','), last = range, first = span_split(&last, '-');
        uint64_t from, to;
        bool is_one = first.len == range.len;

        if (!span_to_u64(first, &from) || !span_to_u64(is_one ? first : last, &to) || from < next ||
            to < from || to >= JOB_RANKS_MOST) {
            error_set(err, ERROR_USAGE, "--expect %.80s: ranks are meant, in order", text);
            return error_hint(err, "for example --expect 0-1023, or --expect 0-7,16-23");
        }
        ranges[asked->expected_count++] = (struct rank_range){(uint32_t)from, (uint32_t)to};
        next = to + 1;
    }
    asked->expected = ranges;
    return true;
}

/* ---- what if ---- */

static bool bad_change(const char *text, struct error *err)
{
    error_set(err, ERROR_USAGE, "--what-if takes WHAT=HOW, not '%.80s'", text);
    return error_hint(
        err, "WHAT is rank N, stage N, dp N, host N, link N, link N-M or type NAME; HOW is "
             "mean, median, min, or how many times faster: 2, inf");
}

/* "5", of a link also "5-13". */
static bool read_numbers(struct span text, struct job_change *change)
{
    struct span first = span_split(&text, '-');
    uint64_t number, other = UINT32_MAX;

    if (!span_to_u64(first, &number) || number >= UINT32_MAX ||
        (text.len &&
         (change->subject != ABOUT_LINK || !span_to_u64(text, &other) || other >= UINT32_MAX)))
        return false;
    change->value = (uint32_t)number;
    change->other = (uint32_t)other;
    return true;
}

static bool read_change(const char *text, struct job_change *change, struct arena *arena,
                        struct error *err)
{
    static const char *const subjects[] = {
        [ABOUT_RANK] = "rank", [ABOUT_STAGE] = "stage", [ABOUT_DP] = "dp",
        [ABOUT_TYPE] = "type", [ABOUT_LINK] = "link",   [ABOUT_HOST] = "host"};
    const char *what, *how = part_split(text, &what, arena);
    struct span rest = span_of(how ? what : ""), subject = span_split(&rest, ' ');
    size_t at = 0, ideal = 0;

    *change = (struct job_change){.text = text, .other = UINT32_MAX};
    while (at < COUNT_OF(subjects) && !span_eq(subject, span_of(subjects[at])))
        at++;
    change->subject = (enum job_subject)at;
    change->type = span_trim(rest);
    if (!how || at == COUNT_OF(subjects) ||
        (change->subject != ABOUT_TYPE && !read_numbers(change->type, change)))
        return bad_change(text, err);
    while (ideal_names[ideal] && strcmp(how, ideal_names[ideal]) != 0)
        ideal++;
    change->is_scaled = !ideal_names[ideal];
    change->ideal = change->is_scaled ? IDEAL_MEAN : (enum job_ideal)ideal;
    return !change->is_scaled || factor_parse(how, &change->factor) || bad_change(text, err);
}

static bool read_changes(const struct job_arguments *fields, struct job_options *asked,
                         struct arena *arena, struct error *err)
{
    struct job_change *list = arena_array(arena, OPTION_VALUES_MAX, sizeof(*list));

    for (uint32_t i = 0; i < fields->what_if.count; i++)
        if (!read_change(fields->what_if.list[i].text, &list[i], arena, err))
            return false;
    asked->changes = list;
    asked->change_count = fields->what_if.count;
    return true;
}

static bool answer(struct job_inputs *inputs, const struct job_arguments *fields,
                   const struct job_options *asked, struct error *err)
{
    struct arena arena = {0};
    struct report report = {
        .command = "job", .inputs = inputs->inputs, .input_count = inputs->count, .arena = &arena};
    struct job job;
    bool ok = job_analyze(&inputs->shard, asked, &arena, &job, err);

    if (ok) {
        job_report(&job, (enum job_table)fields->by, fields->limit, &arena, &report);
        if (job.is_measured)
            job_chart(&job, &report);
        ok = report_output_write(&report, &fields->common, err);
    }
    if (ok && fields->is_strict && job.missing.count)
        ok = error_set(err, ERROR_LACK,
                       "%" PRIu32 " of %" PRIu32 " ranks are missing, rank %" PRIu32 " first",
                       job.missing.count, job.world, job.missing.ranks[0]);
    arena_free(&arena);
    return ok;
}

static bool read_and_answer(struct profile_request *request, struct error *err)
{
    struct job_arguments *fields = request->asked;
    struct job_inputs inputs = {0};
    struct job_options asked = {.step = NOT_KNOWN, .logs = &inputs.logs};
    struct thresholds thresholds;
    bool ok;

    if (fields->step && !span_to_i64(span_of(fields->step), &asked.step))
        return error_set(err, ERROR_USAGE, "--step %s: a number is meant", fields->step);
    asked.ideal = (enum job_ideal)fields->ideal;
    asked.peak_link = fields->peak_link * 1e9;
    fields->inputs.splits_logs = true;
    if (!thresholds_take(&thresholds, &fields->given, err))
        return false;
    asked.limits = thresholds_of_job(&thresholds);
    ok = read_expected(fields->expect, &asked, &request->arena, err) &&
         read_changes(fields, &asked, &request->arena, err) &&
         job_inputs_read(&inputs, request->operands, request->count, &fields->inputs,
                         &fields->common, err) &&
         (!fields->part_out || shard_file_write(&inputs.shard, fields->part_out, err)) &&
         answer(&inputs, fields, &asked, err);
    job_inputs_free(&inputs);
    return ok;
}

static const struct profile_command profile_command = {
    .size = sizeof(struct job_arguments),
    .defaults = &(const struct job_arguments){.limit = 16},
    .answer = read_and_answer,
};

const struct command command_job = {
    .name = "job",
    .summary = "which rank, stage, link or host slows a job of many ranks",
    .operands = "RANK... | DIR | PART...",
    .reads = "a timeline, of each rank; and parts",
    .examples = "ptk job job\n"
                "ptk job --by stage -f csv job\n"
                "ptk job --by category job\n"
                "ptk job -f svg -o job.svg job\n"
                "ptk job --what-if 'rank 1=median' --what-if 'host 1=inf' job\n"
                "ptk job --ideal median -f json job/rank*.json.gz\n",
    .options = options,
    .profile = &profile_command,
};
