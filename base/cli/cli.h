/* SPDX-License-Identifier: Apache-2.0 */
/* cli.h — what a user says to the program: options, and habits of other tools */
#ifndef PTK_BASE_CLI_CLI_H
#define PTK_BASE_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/checked.h"
#include "base/error/error.h"
#include "base/memory/memory.h"

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
 * options can share one list, distinguished by their tags. */
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
#define OPT_ROWS(rows) {.kind = OPTION_INCLUDE, .table = rows} /* of the same struct */
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

/* An option of another tool: what it is in ptk, and its value there; NULL: it takes one. */
struct habit {
    const char *typed, *option, *value;
};

/* NULL where no option of others is named so that means the same as one of ptk. */
const struct habit *habit_named(struct span name);

/* Where a word is another tool's command or option, hints at what it is in ptk, and is true. */
bool habit_hint(const char *typed, struct error *err);

#endif
