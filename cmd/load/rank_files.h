/* SPDX-License-Identifier: Apache-2.0 */
/* rank_files.h — the traces of several ranks of a job, read in parallel and made small one by one */
#ifndef PTK_CMD_LOAD_RANK_FILES_H
#define PTK_CMD_LOAD_RANK_FILES_H

#include "cmd/load/profile_load.h"

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

/* Reads all files, in order of the operands. Losses are printed on stderr unless quiet. The
 * first file that cannot be read is the error. rank_files_free() in any case. */
MUST_CHECK bool rank_files_read(struct rank_file *files, char **paths, size_t count,
                                const struct rank_reading *reading, struct error *err);

/* Whether two traces say that they are of different ranks, and not that their jobs differ in size. */
bool is_of_one_job(const struct graph *first, const struct graph *second);

/* Sets the ranks, and puts the files in order of them. What to tell people where that is a guess, or
 * NULL. */
MUST_CHECK const char *rank_files_order(struct rank_file *files, size_t count);

void rank_files_free(struct rank_file *files, size_t count);

#endif
