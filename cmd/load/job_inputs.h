/* SPDX-License-Identifier: Apache-2.0 */
/* job_inputs.h — the ranks of a job, from their traces and from shards, as one shard */
#ifndef PTK_CMD_LOAD_JOB_INPUTS_H
#define PTK_CMD_LOAD_JOB_INPUTS_H

#include "analysis/ranks/job_shard.h"
#include "cmd/load/files.h"
#include "cmd/load/rank_files.h"
#include "render/forms/report.h"

/* What is left out, with a note, rather than refused. */
struct job_choice {
    bool keeps_going;   /* what cannot be read */
    int prefers;        /* 1: of several files of one rank all but the longest */
    const char *job_of; /* ranks of jobs that this rank is not of; or NULL */
};

struct job_input_options {
    const char *layout; /* "DP,PP,TP", or NULL: as the groups say */
    const char *rank;   /* of the one trace; or NULL: as it says */
    const char *name;   /* what the one trace is called; or NULL: its file's name */
    uint64_t memory;
    struct job_choice choice;
    const char *share; /* "I/N" or "auto", or NULL: see share.h */
    const char *list;  /* a file of operands, or NULL */
    bool may_be_empty; /* no operands are no error */
    bool takes_shards_alone;
    bool splits_logs; /* logs of communication beside traces may be of the same ranks */
};

struct job_inputs {
    struct job_shard shard; /* of all, */
    struct job_shard logs;  /* but for the logs, where there are others, and they are split */
    struct report_input *inputs;
    uint32_t count;
    struct rank_file *files;
    size_t file_count;
    struct files paths;
    struct arena arena;
};

extern const struct option job_input_options[];  /* of struct job_input_options */
extern const struct option job_choice_options[]; /* of struct job_choice */

/* Operands are traces, shards, and directories of these. job_inputs_free() in any case. */
MUST_CHECK bool job_inputs_read(struct job_inputs *inputs, char **operands, size_t count,
                                const struct job_input_options *options,
                                const struct common *common, struct error *err);

void job_inputs_free(struct job_inputs *inputs);

/* Shards alone as one. `may_be_other`: by path, what cannot be read is passed over. job_shard_free() in any
 * case. */
MUST_CHECK bool shards_join_in_order(struct job_shard *whole, char **paths,
                                     const bool *may_be_other, size_t count,
                                     const struct common *common, struct error *err);

/* Whether one of the operands begins as a shard. */
bool is_shard_among(char **paths, size_t count);

#endif
