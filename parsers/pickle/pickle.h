/* SPDX-License-Identifier: Apache-2.0 */
/* pickle.h — Python's pickles */
#ifndef PTK_PARSERS_PICKLE_PICKLE_H
#define PTK_PARSERS_PICKLE_PICKLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error/error.h"
#include "base/io/io.h"
#include "base/memory/memory.h"
#include "base/memory/span.h"
#include "parsers/json/values.h"

/* ---- numbers and texts as a pickle spells them ---- */

/* "12", "-3", "01" for True, and "12L"; what 64 bits cannot hold becomes the nearest end. */
bool literal_int(struct span text, int64_t *whole);

/* Two's complement, the low byte first, of any length; likewise. */
int64_t literal_long(struct span bytes);

/* "0.5", as repr() writes it. */
bool literal_real(struct span text, double *real);

/* A quoted string of Python 2, with the escapes that its repr() writes undone. */
struct span literal_string(struct span text, struct arena *arena);

/* Latin-1 with \uXXXX and \UXXXXXXXX among it, as UTF-8. */
struct span literal_unicode(struct span text, struct arena *arena);

/* ---- reads a pickle of any protocol, without running anything ---- */

/* A pickle is a program for a stack machine that may name any function of Python and call it. This
 * machine knows the instructions that build numbers, texts and containers, and objects of the classes
 * that the format has; whatever else the pickle names is an error that says what. */

struct pickled_class {
    const char *module, *name; /* NULL after the last */
};

enum { PICKLE_BATCH = 1000 }; /* of items that Python puts into a container at once */

typedef uint32_t pickle_reader(void *context, const value_id *items, size_t count, uint32_t *number);

struct pickle {
    struct input *in;
    struct builder *builder;             /* interns texts */
    const struct pickled_class *classes; /* NULL: none */

    /* NULL, or asked of what comes into a dict at once, where nothing is in it yet: the kind, not 0, of what the
     * reader has made of it and its number there (see pickle_take()), or 0. Nothing more goes into it. */
    pickle_reader *read;

    /* The same of lists: NULL, or asked of fewer than PICKLE_BATCH items, because a full batch may have another
     * behind it. */
    pickle_reader *read_list;

    /* NULL, or asked of each item of the kind `takes` on its way into a list, and of each dict into a
     * tuple, too, and of each VALUE_TAKEN: true where the reader has read it and needs it no more. It is forgotten then,
     * but for its number where the reader called pickle_take() of a kind not 0, so that
     * long lists are never in memory. */
    bool (*take)(void *context, value_id list, value_id item);
    enum value_kind takes; /* VALUE_DICT or VALUE_TUPLE */
    void *context;
    struct values values;
    struct VECTOR_OF(value_id) stack;
    struct VECTOR_OF(size_t) marks;  /* depths of the stack */
    struct VECTOR_OF(value_id) memo; /* by number, as they come in turn; */
    struct idmap odd_memo;           /* other numbers */
    uint64_t memorized;
    struct idmap pairs; /* tuples of two whole numbers; the last, and where it is there: most are one and the same */
    uint64_t pair;
    uint32_t *pair_known;
    struct idmap shared; /* see pickle_share(): of a kind and a number the value */
    uint64_t at;        /* of the instruction */
    struct arena arena;
};

/* The value that is left at the end; 0 with ERROR_INPUT. Free the pickle in any case. */
value_id pickle_read(struct pickle *pickle, struct error *err);

/* Makes a container VALUE_TAKEN: from now on it stands for the reader's `number` of its things of a
 * `kind`, not 0, and its items may be forgotten. */
void pickle_take(struct pickle *pickle, value_id id, uint32_t kind, uint32_t number);

/* The same of what a pickle spells more than once, whose number stays what it is: those that name it again get one
 * value for all, and this one is forgotten with what holds it. Moves values. */
void pickle_share(struct pickle *pickle, value_id id, uint32_t kind, uint32_t number);

void pickle_free(struct pickle *pickle);

/* ---- between the machine and pickle_objects.c ---- */

MUST_CHECK bool pickle_take_line(struct pickle *pickle, struct span *line, struct error *err);
MUST_CHECK bool pickle_push(struct pickle *pickle, const struct value *value, struct error *err);

/* The top value, off the stack; 0 with an error: what is below the last mark is out of reach. */
value_id pickle_pop(struct pickle *pickle, struct error *err);

/* The top value, which stays there; 0 with an error where it is of another type. */
value_id pickle_top(struct pickle *pickle, enum value_kind type, struct error *err);

/* What one instruction each does; false with an error set. */
bool pickle_global(struct pickle *pickle, unsigned char code, struct error *err);
bool pickle_stack_global(struct pickle *pickle, unsigned char code, struct error *err);
bool pickle_make_object(struct pickle *pickle, unsigned char code, struct error *err);
bool pickle_build(struct pickle *pickle, unsigned char code, struct error *err);

/* ---- between the machine and pickle_taken.c ---- */

/* Forgets the values above `from` on the stack, and what only they hold. */
void pickle_forget(struct pickle *pickle, size_t from);

/* True where the reader has made something of an empty dict or list and of the items from `from` on. */
bool pickle_read_at_once(struct pickle *pickle, size_t from, value_id container);

/* Moves all from `from` on into the container: what is not taken, in runs. */
void pickle_fill(struct pickle *pickle, size_t from, value_id container);

#endif
