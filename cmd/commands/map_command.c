/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/answer/job_rows.h"
#include "cmd/answer/profile_command.h"
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

static bool read_and_write(struct profile_request *request, struct error *err)
{
    struct map_arguments *fields = request->asked;
    struct job_inputs inputs = {0};
    bool ok;

    fields->inputs.may_be_empty = fields->inputs.takes_shards_alone || fields->inputs.share;
    ok = job_inputs_read(&inputs, request->operands, request->count, &fields->inputs,
                         &fields->common, err) &&
         shard_file_write(&inputs.shard, fields->common.output, err);
    job_inputs_free(&inputs);
    return ok;
}

static const struct profile_command map_record = {
    .size = sizeof(struct map_arguments),
    .answer = read_and_write,
};

const struct command command_map = {
    .name = "map",
    .summary = "a part of a job: what ptk job needs of some ranks' traces",
    .operands = "RANK... | DIR",
    .reads = "a timeline, of each rank; and parts",
    .examples = "ptk map -o host0.part job/rank00[01]*\n"
                "ptk map --share 1/2 -o second.part job\n",
    .options = options,
    .profile = &map_record,
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

static const struct profile_command reduce_record = {
    .size = sizeof(struct map_arguments),
    .defaults = &(const struct map_arguments){.inputs = {.takes_shards_alone = true}},
    .answer = read_and_write,
};

const struct command command_reduce = {
    .name = "reduce",
    .summary = "parts of a job as one: any grouping, any order, any number of times",
    .operands = "PART...",
    .examples = "ptk map job/rank000* | ptk reduce -o first.part -\n"
                "ptk reduce -o empty.part\n",
    .options = reduce_options,
    .profile = &reduce_record,
};
