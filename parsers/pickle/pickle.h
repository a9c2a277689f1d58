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
#include "base/text/string_table.h"
#include "graph/build/builder.h"

/* ---- the values that a pickle is made of; nothing in them can run ---- */

/* A value is a number from 1 on; containers hold numbers, and one value may be in several. */

typedef uint32_t value_id; /* 0: none */

enum pickled {
    PICKLED_NONE,
    PICKLED_INT, /* True and False, too */
    PICKLED_REAL,
    PICKLED_TEXT,
    PICKLED_TUPLE,
    PICKLED_LIST,
    PICKLED_DICT,   /* keys and values take turns */
    PICKLED_CLASS,  /* one that the format has */
    PICKLED_OBJECT, /* one of these, empty or with its state as the only item */
    PICKLED_MAKER,  /* copyreg._reconstructor, which makes such an object */
    PICKLED_BASE,   /* builtins.object */
    PICKLED_TAKEN,  /* what the format's reader has made something else of: see pickle_take() */
};

struct value {
    unsigned type : 4;       /* enum pickled */
    unsigned is_fetched : 1; /* from the memo: several may hold it */
    unsigned memo : 27;      /* its number there, plus 1; 0: none */
    uint32_t count;          /* of items; of PICKLED_TAKEN the reader's kind of things */
    union {
        int64_t whole;
        double real;
        str_id text;
        struct {
            uint32_t first, last; /* items of a container: cells, 0: none */
        };
    };
};

struct pickle_cell {
    value_id value;
    uint32_t next;
};

/* Ready for use when zeroed. */
struct pickle_values {
    VECTOR(struct value);                       /* the first is value 1 */
    struct VECTOR_OF(struct pickle_cell) cells; /* the first is cell 1 */
    uint32_t free_value, free_cell; /* those to use again, each with the next; 0: none */
};

static inline struct value *value_at(const struct pickle_values *values, value_id id)
{
    return &values->list[id - 1];
}

value_id value_add(struct pickle_values *values, const struct value *value);

/* Appends to a container. */
void values_append(struct pickle_values *values, value_id container, const value_id *items,
                   size_t count);

/* The first cell of a container's items; 0 where the value has none. */
static inline uint32_t value_first(const struct value *value)
{
    return value->type >= PICKLED_TUPLE && value->type <= PICKLED_OBJECT ? value->first : 0;
}

/* Goes over a container's items: `cell` is its `first` at first. 0 after the last. */
static inline value_id value_next(const struct pickle_values *values, uint32_t *cell)
{
    const struct pickle_cell *at = *cell ? &values->cells.list[*cell - 1] : NULL;

    *cell = at ? at->next : 0;
    return at ? at->value : 0;
}

/* Takes a container's cells from it, and a value its number: what was in it is not touched. */
void values_empty(struct pickle_values *values, value_id container);
void values_forget(struct pickle_values *values, value_id id);

void values_free(struct pickle_values *values);

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

struct pickle {
    struct input *in;
    struct builder *builder;             /* interns texts */
    const struct pickled_class *classes; /* NULL: none */

    /* NULL, or asked of each dict on its way into a list or a tuple: true where the reader has read it
     * and needs it no more. It is forgotten then, so that long lists are never in memory. */
    bool (*take)(void *context, value_id list, value_id item);
    void *context;
    struct pickle_values values;
    struct VECTOR_OF(value_id) stack;
    struct VECTOR_OF(size_t) marks;  /* depths of the stack */
    struct VECTOR_OF(value_id) memo; /* by number, as they come in turn; */
    struct idmap odd_memo;           /* other numbers */
    uint64_t memorized;
    value_id taken; /* all dicts that were taken; 0: none yet */
    uint64_t at;    /* of the instruction */
    struct arena arena;
};

/* The value that is left at the end; 0 with ERROR_INPUT. Free the pickle in any case. */
value_id pickle_read(struct pickle *pickle, struct error *err);

/* Makes a container PICKLED_TAKEN: from now on it stands for the reader's `number` of its things of a
 * `kind`, not 0, and its items may be forgotten. */
void pickle_take(struct pickle *pickle, value_id id, uint32_t kind, uint32_t number);

void pickle_free(struct pickle *pickle);

#endif
