/* SPDX-License-Identifier: Apache-2.0 */
/* profile_load.h — from an operand to the graph of the part that is meant, the same way in every command */
#ifndef PTK_CMD_LOAD_PROFILE_LOAD_H
#define PTK_CMD_LOAD_PROFILE_LOAD_H

#include "analysis/captures/captures.h"
#include "base/checked.h"
#include "base/error/error.h"
#include "base/memory/memory.h"
#include "cmd/options/common_options.h"
#include "graph/build/builder.h"
#include "graph/model/graph.h"

/* A profile that has been read. */
struct profile {
    const char *path; /* as given; "-" for standard input */
    struct graph graph;
    char packing[64];              /* "gzip", or empty */
    enum level richest;            /* that its format can have */
    struct captures_join captures; /* of the CUDA and HIP graphs that it launched */
};

/* The operand of a command that reads one profile: the one given, or the default of cli.md
 * (standard input when something is there, $PTK_PROFILE, profile.out), with a note on stderr
 * when it is one of the last two. NULL with ERROR_USAGE when there is none, or more than one. */
const char *profile_path(char **operands, size_t count, bool is_quiet, struct error *err);

/* Whether the operands are BEFORE and AFTER. */
MUST_CHECK bool operands_are_two(char **operands, size_t count, struct error *err);

/* Reads a profile. Losses and repairs are printed on stderr unless quiet. `value` in `wanted` is
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
void profile_write_losses(const struct profile *profile);

void profile_free(struct profile *profile);

/* ---- the operand FUNC: the functions that a command is about ---- */

/* Takes FUNC off the operands and leaves the file. Where one of two is a file and the other is
 * none, their order does not matter. name_pattern_free() when true. */
MUST_CHECK bool function_take(const char *command, char **operands, size_t *count, bool is_literal,
                              struct name_pattern *pattern, struct error *err);

#endif
