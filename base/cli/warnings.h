/* SPDX-License-Identifier: Apache-2.0 */
/* warnings.h — what was repaired, dropped or guessed while reading: counted, never silent */
#ifndef PTK_BASE_CLI_WARNINGS_H
#define PTK_BASE_CLI_WARNINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory/arena.h"
#include "base/memory/vector.h"

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
