/* SPDX-License-Identifier: Apache-2.0 */
/* error.h — what went wrong, and what was repaired, dropped or guessed on the way */
#ifndef PTK_BASE_ERROR_ERROR_H
#define PTK_BASE_ERROR_ERROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/checked.h"
#include "base/memory/memory.h"

/* ---- what went wrong, where in the input, and what the user can do about it ---- */

/* A function that can fail takes a `struct error *` last and returns false (or NULL).
 * It fills the error where the fault is found; callers pass it up untouched, and
 * cmd/main.c prints it once. Nothing below cmd/ prints or exits. */

/* Each kind is also the exit status that the process ends with (design: cli.md). */
enum error_kind {
    ERROR_NONE = 0,
    ERROR_NO = 1,     /* nothing is wrong, and the answer is "no" */
    ERROR_USAGE = 2,  /* the command line is wrong */
    ERROR_INPUT = 3,  /* not found, not readable, not known, or damaged beyond use */
    ERROR_LACK = 4,   /* the profile is sound but lacks what the question needs */
    ERROR_OUTPUT = 5, /* the answer could not be written */
};

/* What each status means, in the manuals; by kind, ends with NULL. */
extern const char *const error_meanings[];

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

/* ---- what was repaired, dropped or guessed while reading: counted, never silent ---- */

enum severity {
    WARNING_NOTE, /* the result is whole; `ptk info` tells */
    WARNING_LOSS, /* the result is not whole, or partly a guess: every command tells */
};

struct warning {
    enum severity severity;
    const char *text; /* a fact in lower case: "times that are not finite, read as 0" */
    bool is_copied;   /* the text lives in the arena, and every one is a kind of its own */
    uint64_t count;   /* how often; 1 for a fact about the whole file */
    bool has_offset;
    uint64_t offset; /* of the first, in the decompressed input */
};

/* Ready for use when zeroed. */
struct warnings {
    struct arena arena;
    VECTOR(struct warning); /* in the order of first appearance */
};

/* One more of a kind that is counted. `text` must be a literal: equal pointers are one kind. */
void warning_count(struct warnings *warnings, enum severity severity, const char *text,
                   uint64_t offset);

/* The same for `times` of them at once, whose place is not known. */
void warning_count_many(struct warnings *warnings, enum severity severity, const char *text,
                        uint64_t times);

/* A fact about the whole file, formatted and copied. */
void warning_say(struct warnings *warnings, enum severity severity, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

/* Adds what another list counted. */
void warning_merge(struct warnings *warnings, const struct warning *other);

void warnings_free(struct warnings *warnings);

#endif
