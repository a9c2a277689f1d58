/* SPDX-License-Identifier: Apache-2.0 */
/* output.h — where a result goes: standard output, or a file that is whole or not touched */
#ifndef PTK_BASE_IO_OUTPUT_H
#define PTK_BASE_IO_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/attr.h"
#include "base/cli/error.h"

/* ---- the file that must not stay behind when the program ends before it is whole ---- */

/* Unlinks it; may be called anywhere, in a signal handler too. */
void unfinished_remove(void);

/* ---- a stream whose bytes stay in memory; without memory for them the run ends ---- */

/* What is written becomes `*text`, ended by a NUL that `*size` does not count, on
 * memory_stream_close(), in the same thread; the caller frees it. */
FILE *memory_stream_open(char **text, size_t *size);
void memory_stream_close(FILE *stream, char *const *text);

/* ---- where a result goes: standard output, or a file that is whole or not touched ---- */

struct output {
    FILE *file;
    const char *path; /* borrowed; NULL for standard output */
    char *target;     /* what `path` leads to through symbolic links; NULL when written in place */
    char *temporary;  /* beside `target` until output_commit(); or NULL, too */
    FILE *packed;     /* where `file` goes compressed on output_commit(); NULL: it is the file */
};

/* NULL and "-" are standard output. A regular file is written under another name beside it, which
 * goes when a signal or a lack of memory ends the program; a device or a pipe is written to
 * directly. A name that ends in .gz makes a gzip file. */
MUST_CHECK bool output_open(struct output *out, const char *path, struct error *err);

/* Makes the result visible. False with ERROR_OUTPUT when not all could be written; then the old
 * file is untouched. A reader of standard output that went away is no error. */
MUST_CHECK bool output_commit(struct output *out, struct error *err);

/* Throws away what was written to a file. */
void output_abandon(struct output *out);

#endif
