/* SPDX-License-Identifier: Apache-2.0 */
/* cli.h — what a user says to the program, and what it answers: options, errors, warnings */
#ifndef PTK_BASE_CLI_CLI_H
#define PTK_BASE_CLI_CLI_H

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

/* ---- options as data: one table says how to parse, help, document and complete them ---- */

enum option_kind {
    OPTION_END,
    OPTION_GROUP,   /* no option: `help` is the heading of those that follow */
    OPTION_INCLUDE, /* no option: the rows of another table stand here */
    OPTION_FLAG,    /* bool */
    OPTION_OFF,     /* bool, set to false: the "no-" form of a flag that is on */
    OPTION_COUNT,   /* uint32_t */
    OPTION_NUMBER,  /* double, finite and not negative */
    OPTION_SIZE,    /* uint64_t: bytes, with an optional k, M, G or T */
    OPTION_TEXT,    /* const char *, borrowed from argv */
    OPTION_FILE,    /* as OPTION_TEXT; completes to file names */
    OPTION_CHOICE,  /* int: the index into `choices` */
    OPTION_NAMED,   /* struct option_choice: as OPTION_CHOICE, and some choices take a name */
    OPTION_EACH,    /* struct option_values: may be repeated; the order is kept */
    OPTION_MAYBE,   /* the same, and its value, which stands behind "=", may be left out */
};

/* What was given with options that may be repeated, in the order of the command line. Several
 * options can share one list, told apart by their tags. */
struct option_value {
    int tag;
    const char *text; /* borrowed from argv; NULL: left out */
};

/* One of several, and what stood behind its colon: "label:KEY" in the choices takes "label:any". */
struct option_choice {
    int index;
    const char *name; /* borrowed from argv; NULL where the choice has none */
};

enum { OPTION_VALUES_MAX = 64 };

struct option_values {
    struct option_value list[OPTION_VALUES_MAX];
    uint32_t count;
};

struct option {
    enum option_kind kind;
    char letter; /* 0 when there is only a long name */
    const char *name;
    size_t field;               /* offset into the command's own options struct */
    const char *value;          /* "N" in --limit N; NULL for a flag */
    const char *help;           /* one line, no full stop; the default in brackets */
    const char *const *choices; /* of choices: ends with NULL. OPTION_EACH: or NULL */
    int tag;                    /* OPTION_EACH */
    const struct option *table; /* OPTION_INCLUDE; `field` is added to the fields in it */
};

/* One row each. They compile only when the field has the type that the kind writes. */
/* clang-format off */
#define OPT_FIELD(type, member, as) \
    _Generic(&((type *)0)->member, as *: offsetof(type, member))
#define OPT_FLAG(letter, name, type, member, help) \
    {OPTION_FLAG, letter, name, OPT_FIELD(type, member, bool), NULL, help, NULL, 0, NULL}
#define OPT_OFF(letter, name, type, member, help) \
    {OPTION_OFF, letter, name, OPT_FIELD(type, member, bool), NULL, help, NULL, 0, NULL}
#define OPT_COUNT(letter, name, type, member, value, help) \
    {OPTION_COUNT, letter, name, OPT_FIELD(type, member, uint32_t), value, help, NULL, 0, NULL}
#define OPT_NUMBER(letter, name, type, member, value, help) \
    {OPTION_NUMBER, letter, name, OPT_FIELD(type, member, double), value, help, NULL, 0, NULL}
#define OPT_SIZE(letter, name, type, member, value, help) \
    {OPTION_SIZE, letter, name, OPT_FIELD(type, member, uint64_t), value, help, NULL, 0, NULL}
#define OPT_TEXT(letter, name, type, member, value, help) \
    {OPTION_TEXT, letter, name, OPT_FIELD(type, member, const char *), value, help, NULL, 0, NULL}
/* A text that is often one of these words, which completion offers. */
#define OPT_WORDS(letter, name, type, member, value, help, words) \
    {OPTION_TEXT, letter, name, OPT_FIELD(type, member, const char *), value, help, words, 0, NULL}
#define OPT_FILE(letter, name, type, member, value, help) \
    {OPTION_FILE, letter, name, OPT_FIELD(type, member, const char *), value, help, NULL, 0, NULL}
#define OPT_CHOICE(letter, name, type, member, value, help, choices) \
    {OPTION_CHOICE, letter, name, OPT_FIELD(type, member, int), value, help, choices, 0, NULL}
#define OPT_NAMED(letter, name, type, member, value, help, choices) \
    {OPTION_NAMED, letter, name, OPT_FIELD(type, member, struct option_choice), value, help, \
     choices, 0, NULL}
#define OPT_EACH(letter, name, type, member, value, help, tag) \
    {OPTION_EACH, letter, name, OPT_FIELD(type, member, struct option_values), value, help, NULL, \
     tag, NULL}
#define OPT_MAYBE(letter, name, type, member, value, help, tag) \
    {OPTION_MAYBE, letter, name, OPT_FIELD(type, member, struct option_values), value, help, NULL, \
     tag, NULL}
#define OPT_INCLUDE(type, member, as, table) \
    {OPTION_INCLUDE, 0, NULL, OPT_FIELD(type, member, as), NULL, NULL, NULL, 0, table}
#define OPT_GROUP(heading) {.kind = OPTION_GROUP, .help = heading}
#define OPT_END {.kind = OPTION_END}
/* clang-format on */

/* Walks a table and those that it includes: start with {.table = table}. */
struct option_walk {
    const struct option *table, *back; /* `back`: where to go on after an included table */
    size_t base;                       /* what `field` of the current option is relative to */
};

/* The next option or group heading, NULL at the end. Included tables do not include others. */
const struct option *option_next(struct option_walk *walk);

/* Sets the fields that `argv` names. Leaves the operands in argv[0 … *operands - 1], and NULL
 * after them. A --format that is not given is the one that the suffix of --output names, if any.
 * Errors name the nearest option when one is near. */
MUST_CHECK bool option_parse(const struct option *table, void *fields, char **argv,
                             size_t *operands, struct error *err);

enum { OPTION_NAME_MAX = 64 };

/* "sample-index" of "-sample_index=alloc_space": without dashes in front and a value, cut where it is long. */
void option_plain_name(const char *typed, char name[OPTION_NAME_MAX]);

/* Where a word is another tool's command or option, hints at what it is in ptk, and is true. */
bool habit_hint(const char *typed, struct error *err);

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
