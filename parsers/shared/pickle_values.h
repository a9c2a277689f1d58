/* SPDX-License-Identifier: Apache-2.0 */
/* pickle_values.h — the values that a pickle is made of; nothing in them can run
 *
 * A value is a number from 1 on; containers hold numbers, and one value may be in several. */
#ifndef PTK_PARSERS_SHARED_PICKLE_VALUES_H
#define PTK_PARSERS_SHARED_PICKLE_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cli/error.h"
#include "base/memory/arena.h"
#include "base/memory/vector.h"
#include "base/text/span.h"
#include "graph/build/builder.h"

typedef uint32_t value_id; /* 0: none */

enum pickled {
    PICKLED_NONE,
    PICKLED_INT, /* True and False, too */
    PICKLED_REAL,
    PICKLED_TEXT,
    PICKLED_TUPLE,
    PICKLED_LIST,
    PICKLED_DICT,   /* keys and values take turns */
    PICKLED_CLASS,  /* line_profiler's LineStats */
    PICKLED_OBJECT, /* one of these, empty or with its state as the only item */
    PICKLED_MAKER,  /* copyreg._reconstructor, which makes such an object */
    PICKLED_BASE,   /* builtins.object */
};

struct value {
    enum pickled type;
    uint32_t first, last; /* items of a container: cells, 0: none */
    union {
        int64_t whole;
        double real;
        str_id text;
        uint32_t count; /* of items */
    };
};

struct pickle_cell {
    value_id value;
    uint32_t next;
};

/* Ready for use when zeroed. */
struct pickle_values {
    VECTOR(struct value); /* the first is value 1 */
    struct VECTOR_OF(struct pickle_cell) cells; /* the first is cell 1 */
};

static inline struct value *value_at(const struct pickle_values *values, value_id id)
{
    return &values->list[id - 1];
}

value_id value_add(struct pickle_values *values, const struct value *value);

/* Appends to a container. */
void value_append(struct pickle_values *values, value_id container, value_id item);

/* Goes over a container's items: `cell` is its `first` at first. 0 after the last. */
value_id value_next(const struct pickle_values *values, uint32_t *cell);

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

#endif
