/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/answer/job_rows.h"
#include "cmd/help/command.h"
#include "cmd/load/job_inputs.h"
#include "cmd/options/common_options.h"

struct map_arguments {
    struct common common;
    struct job_input_options inputs;
};

static const struct option options[] = {
    OPT_TEXT(0, "share", struct map_arguments, inputs.share, "I/N",
             "only the I-th of N shares of the files, from 0; auto: as the engine says"),
    OPT_FILE(0, "list", struct map_arguments, inputs.list, "FILE",
             "files are named there, one a line"),
    OPT_TEXT(0, "rank", struct map_arguments, inputs.rank, "N", "the one trace is that rank's"),
    OPT_TEXT(0, "name", struct map_arguments, inputs.name, "NAME",
             "what to call the one trace: for one that comes through a pipe"),
    OPT_INCLUDE(struct map_arguments, inputs.choice, struct job_choice, job_choice_options),
    OPT_INCLUDE(struct map_arguments, inputs, struct job_input_options, job_input_options),
    OPT_INCLUDE(struct map_arguments, common, struct common, input_options),
    OPT_FILE('o', "output", struct map_arguments, common.output, "FILE",
             "write there [standard output]"),
    OPT_FLAG('q', "quiet", struct map_arguments, common.is_quiet,
             "no notes and warnings on stderr"),
    OPT_END,
};

static bool run(const struct option *table, bool takes_shards_alone, char **argv, struct error *err)
{
    struct map_arguments fields = {.inputs = {.takes_shards_alone = takes_shards_alone}};
    struct job_inputs inputs = {0};
    size_t operands;
    bool ok;

    if (!option_parse(table, &fields, argv, &operands, err))
        return false;
    fields.inputs.may_be_empty = takes_shards_alone || fields.inputs.share;
    ok = job_inputs_read(&inputs, argv, operands, &fields.inputs, &fields.common, err) &&
         shard_file_write(&inputs.shard, fields.common.output, err);
    job_inputs_free(&inputs);
    return ok;
}

static bool run_map(char **argv, struct error *err)
{
    return run(options, false, argv, err);
}

const struct command command_map = {
    .name = "map",
    .summary = "a part of a job: what ptk job needs of some ranks' traces",
    .operands = "RANK... | DIR",
    .reads = "a timeline, of each rank; and parts",
    .examples = "ptk map -o host0.part job/rank00[01]*\n"
                "ptk map --share 1/2 -o second.part job\n",
    .options = options,
    .run = run_map,
};

/* ---- reduce ---- */

static const struct option reduce_options[] = {
    OPT_FILE(0, "list", struct map_arguments, inputs.list, "FILE",
             "parts are named there, one a line"),
    OPT_INCLUDE(struct map_arguments, inputs.choice, struct job_choice, job_choice_options),
    OPT_FILE('o', "output", struct map_arguments, common.output, "FILE",
             "write there [standard output]"),
    OPT_FLAG('q', "quiet", struct map_arguments, common.is_quiet,
             "no notes and warnings on stderr"),
    OPT_END,
};

static bool run_reduce(char **argv, struct error *err)
{
    return run(reduce_options, true, argv, err);
}

const struct command command_reduce = {
    .name = "reduce",
    .summary = "parts of a job as one: any grouping, any order, any number of times",
    .operands = "PART...",
    .examples = "ptk map job/rank000* | ptk reduce -o first.part -\n"
                "ptk reduce -o empty.part\n",
    .options = reduce_options,
    .run = run_reduce,
};
