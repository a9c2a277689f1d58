/* SPDX-License-Identifier: Apache-2.0 */
/* error.h — what went wrong, where in the input, and what the user can do about it
 *
 * A function that can fail takes a `struct error *` last and returns false (or NULL).
 * It fills the error where the fault is found; callers pass it up untouched, and
 * cmd/main.c prints it once. Nothing below cmd/ prints or exits. */
#ifndef PTK_BASE_CLI_ERROR_H
#define PTK_BASE_CLI_ERROR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"

/* Each kind is also the exit status that the process ends with (design: cli.md). */
enum error_kind {
    ERROR_NONE = 0,
    ERROR_NO = 1,     /* nothing is wrong, and the answer is "no" */
    ERROR_USAGE = 2,  /* the command line is wrong */
    ERROR_INPUT = 3,  /* not found, not readable, not known, or damaged beyond use */
    ERROR_LACK = 4,   /* the profile is sound but lacks what the question needs */
    ERROR_OUTPUT = 5, /* the answer could not be written */
};

/* No error when zeroed. */
struct error {
    enum error_kind kind;
    bool has_offset;
    uint64_t offset; /* byte in the decompressed input */
    uint64_t line;   /* from 1; 0 for a binary format */
    char file[256];  /* empty when no file is meant; shortened at the front */
    char text[256];  /* a fact, no capital, no full stop: "unbalanced quote" */
    char hint[256];  /* an action, or empty: "name the format with --from" */
};

/* Both return false, so that a caller can `return error_set(...)`. */
bool error_set(struct error *err, enum error_kind kind, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* ERROR_INPUT at a byte (and a line, when not 0) of the decompressed input. */
bool error_set_at(struct error *err, uint64_t offset, uint64_t line, const char *fmt, ...)
    PRINTF_LIKE(4, 5);

/* Add to an error already set; both return false as well. */
bool error_hint(struct error *err, const char *fmt, ...) PRINTF_LIKE(2, 3);
bool error_file(struct error *err, const char *file);

#endif
