/* SPDX-License-Identifier: Apache-2.0 */
/* load.h — from operands to graphs: files, profiles, ranks and parts of a job */
#ifndef PTK_CMD_SHARED_LOAD_H
#define PTK_CMD_SHARED_LOAD_H

#include "analysis/captures/captures.h"
#include "analysis/functions/hotspots.h"
#include "analysis/kernels/roofline.h"
#include "analysis/ranks/job_part.h"
#include "base/checked.h"
#include "base/cli/cli.h"
#include "base/error/error.h"
#include "base/io/source_text.h"
#include "base/memory/memory.h"
#include "cmd/shared/shared_options.h"
#include "graph/build/builder.h"
#include "graph/model/graph.h"
#include "render/forms/report.h"

/* ---- from the command line to a graph, the same way in every command ---- */

/* A profile that has been read. */
struct profile {
    const char *path; /* as given; "-" for standard input */
    struct graph graph;
    char packing[64];              /* "gzip", or empty */
    struct captures_join captures; /* of the CUDA and HIP graphs that it launched */
};

/* The operand of a command that reads one profile: the one given, or the default of cli.md
 * (standard input when something is there, $PTK_PROFILE, profile.out), with a note on stderr
 * when it is one of the last two. NULL with ERROR_USAGE when there is none, or more than one. */
const char *profile_path(char **operands, size_t count, bool is_quiet, struct error *err);

/* Whether the operands are BEFORE and AFTER. */
MUST_CHECK bool operands_are_two(char **operands, size_t count, struct error *err);

/* What `ptk FILE` runs: what people ask first of such a file. NULL where it is no profile. */
const struct command *command_for_file(const char *path, struct error *err);

/* Hints at the profiles in the working directory, the newest first. Returns false, as error_hint() does. */
bool hint_profiles_here(struct error *err);

/* Reads a profile. What was lost or repaired is told on stderr unless quiet. `value` in `wanted` is
 * ignored: the user chooses that. */
MUST_CHECK bool profile_load(struct profile *profile, const char *path,
                             const struct builder_options *wanted, const struct common *common,
                             struct error *err);

/* profile_path and profile_load. */
MUST_CHECK bool profile_load_operand(struct profile *profile, char **operands, size_t count,
                                     const struct builder_options *wanted,
                                     const struct common *common, struct error *err);

/* Where binaries are looked for, as asked, and opened only when an address comes up; NULL: nowhere.
 * symbols_free() takes it away. */
struct symbols *profile_symbols(const struct common *common);

/* Every function, and as a function. */
bool selection_is_all(const struct selection *selection);

/* Functions as the parser tells them apart; few of them, maybe. */
bool selection_is_by_function(const struct selection *selection);

/* Adds what a selection wants of the file, which can be more than the level that the command needs. */
void selection_want(const struct selection *selection, struct builder_options *wanted);

/* That alone, for a command that needs a level. */
struct builder_options selection_wanted(const struct selection *selection, enum level need);

/* Adds what a graph of tasks and their dependencies is built from. */
void execution_want(struct builder_options *wanted);

/* Narrows and groups as asked; ERROR_USAGE for a pattern that is none. */
MUST_CHECK bool profile_select(struct profile *profile, const struct selection *selection,
                               struct error *err);

/* What was lost or repaired, on stderr: for those who read quietly at first. */
void profile_tell_losses(const struct profile *profile);

void profile_free(struct profile *profile);

/* ---- operands that may be directories, as the files in them ---- */

struct files {
    VECTOR(const char *); /* operands as given, and paths in directories */
    bool *is_found;       /* in a directory: it may be no profile at all */
    struct arena arena;   /* of the paths found */
};

/* Every operand, and in place of a directory all regular files in it and in the directories below,
 * in the order of their names; hidden ones are passed over. ERROR_INPUT for what cannot be
 * opened. */
MUST_CHECK bool files_expand(struct files *files, char **operands, size_t count, struct error *err);

void files_free(struct files *files);

/* ---- the source files of functions whose lines are shown, where they may be read ---- */

/* Which sources are read; zeroed is the default: those below the working directory. */
struct source_choice {
    struct option_values directories; /* and those below these */
    int reach;
    bool is_none;
};

extern const struct option source_options[]; /* of struct source_choice */

/* By path; equal ones share their text, which is empty when the file is not found or must not be read.
 * NULL where none are wanted. All is in the arena. */
struct code_text *sources_read(const struct span *paths, uint32_t count,
                               const struct source_choice *choice, struct arena *arena);

/* The same by function of `lines`. */
struct code_text *sources_of_lines(const struct lines *lines, const struct graph *graph,
                                   const struct source_choice *choice, struct arena *arena);

/* A page is sent to others: what it holds of the machine's files is said on it, and to its maker. */
void sources_tell(const struct code_text *sources, uint32_t count, bool is_quiet,
                  struct arena *arena, struct report *report);

/* ---- several files of one program: times from one run, counters from another ---- */

enum { MERGED_INPUTS_MAX = 16 };

struct merged_inputs {
    struct profile list[MERGED_INPUTS_MAX]; /* the one that answers are about stands first */
    uint32_t count;
    struct counters_join join; /* of all that was joined */
    bool is_joined;
};

/* Reads the operands and joins them. One alone is joined with its own counters, if it has any. */
MUST_CHECK bool merged_inputs_load(struct merged_inputs *joined, char **operands, size_t count,
                                   const struct builder_options *wanted,
                                   const struct common *common, struct error *err);

void merged_inputs_free(struct merged_inputs *joined);

/* ---- the traces of several ranks of a job, read in parallel and made small one by one ---- */

/* No timeline is kept: as soon as a file has been read its digest is taken and its events are
 * freed, so that many large files need little memory. How many are read at once is decided by
 * their size: what they may need together stays below a bound. */

#define RANK_MEMORY_OPTION(type, member)                                                           \
    OPT_SIZE(0, "memory", type, member, "SIZE",                                                    \
             "several ranks: read so many at once as need that much [half of the machine's]")

struct rank_file {
    struct profile profile; /* its graph has no timeline left */
    struct arena arena;     /* the digest's */
    void *digest;
    int64_t rank;         /* as the file says; where some do not, or two say the same, its place */
    struct error refused; /* why it was passed over, where that is allowed */
};

/* What is kept of the timeline of a file, by its place among all; made by several threads at once:
 * nothing but the graph and the arena may be written to. NULL with an error: nothing can be. */
typedef void *rank_digest(const struct graph *graph, const void *context, size_t at,
                          struct arena *arena, struct error *err);

struct rank_reading {
    const struct builder_options *wanted;
    const struct common *common;
    const char *what; /* "overlap cannot be computed": where a file has no timeline */
    uint64_t memory;  /* bytes that reading may need at once; 0: half of the machine's */
    rank_digest *digest;
    const void *context;
    const bool
        *may_be_other; /* by file: it may be no trace at all, and is passed over then; or NULL */
};

/* Reads all files, in order of the operands. What was lost is told on stderr unless quiet. The
 * first file that cannot be read is the error. rank_files_free() in any case. */
MUST_CHECK bool rank_files_read(struct rank_file *files, char **paths, size_t count,
                                const struct rank_reading *reading, struct error *err);

/* Whether two traces say that they are of different ranks, and not that their jobs differ in size. */
bool is_of_one_job(const struct graph *first, const struct graph *second);

/* Sets the ranks, and puts the files in order of them. What to tell people where that is a guess, or
 * NULL. */
MUST_CHECK const char *rank_files_order(struct rank_file *files, size_t count);

void rank_files_free(struct rank_file *files, size_t count);

/* ---- what overlaps on each of several ranks, and how they wait for one another ---- */

struct overlap_ranks {
    struct rank_file *files; /* in order of the ranks */
    size_t count;
    struct arena arena;
    struct ranks *compared; /* the arena's */
    const char *doubt;      /* which rank is which is a guess; or NULL */
};

/* `memory` as in struct rank_reading. overlap_ranks_free() in any case. */
MUST_CHECK bool overlap_ranks_read(struct overlap_ranks *ranks, char **paths, size_t count,
                                   const struct common *common, uint64_t memory, struct error *err);

/* Sets the report's inputs, and adds tables and the chart; `limit` as in ranks_report(). All lives
 * in the arena. False where no rank has device work. */
bool overlap_ranks_report(const struct overlap_ranks *ranks, uint32_t limit, struct arena *arena,
                          struct report *report);

void overlap_ranks_free(struct overlap_ranks *ranks);

/* ---- the ranks of a job, from their traces and from parts, as one part ---- */

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
    bool takes_parts_alone;
    bool splits_logs; /* logs of communication beside traces may be of the same ranks */
};

struct job_inputs {
    struct job_part part; /* of all, */
    struct job_part logs; /* but for the logs, where there are others, and they are split */
    struct report_input *inputs;
    uint32_t count;
    struct rank_file *files;
    size_t file_count;
    struct files paths;
    struct arena arena;
};

extern const struct option job_input_options[];  /* of struct job_input_options */
extern const struct option job_choice_options[]; /* of struct job_choice */

/* Operands are traces, parts, and directories of these. job_inputs_free() in any case. */
MUST_CHECK bool job_inputs_read(struct job_inputs *inputs, char **operands, size_t count,
                                const struct job_input_options *options,
                                const struct common *common, struct error *err);

void job_inputs_free(struct job_inputs *inputs);

/* Parts alone as one. `may_be_other`: by path, what cannot be read is passed over. job_part_free() in any
 * case. */
MUST_CHECK bool parts_join_in_order(struct job_part *whole, char **paths, const bool *may_be_other,
                                    size_t count, const struct common *common, struct error *err);

/* Writes a part whole or not at all. NULL and "-" are standard output. */
MUST_CHECK bool part_file_write(const struct job_part *part, const char *path, struct error *err);

/* ---- commands that answer for traces answer for parts of a job, too ---- */

/* Whether one of the operands begins as a part. */
bool is_part_among(char **paths, size_t count);

/* Fills a report from the job's part, which is sealed. */
typedef void job_rows(const struct job_part *part, struct arena *arena, struct report *report);

/* Reads traces and parts as one job, and writes what `rows` makes of it. */
MUST_CHECK bool job_rows_run(const char *command, job_rows *rows, char **paths, size_t count,
                             const struct common *common, uint64_t memory, struct error *err);

#endif
