/* SPDX-License-Identifier: Apache-2.0 */
/* values.h — a document as a tree of values: JSON or a pickle, which a reader then need not tell apart */
#ifndef PTK_PARSERS_JSON_VALUES_H
#define PTK_PARSERS_JSON_VALUES_H

#include "base/memory/memory.h"
#include "base/text/string_table.h"
#include "graph/build/builder.h"
#include "parsers/json/json.h"

/* A value is a number from 1 on; containers hold numbers, and one value may be in several. */

typedef uint32_t value_id; /* 0: none */

enum value_kind {
    VALUE_NONE,
    VALUE_INT, /* True and False, too */
    VALUE_REAL,
    VALUE_TEXT,
    VALUE_TUPLE,
    VALUE_LIST,
    VALUE_DICT, /* keys and values take turns */
    /* of pickles alone: */
    VALUE_CLASS,  /* one that the format has */
    VALUE_OBJECT, /* one of these, empty or with its state as the only item */
    VALUE_MAKER,  /* copyreg._reconstructor, which makes such an object */
    VALUE_BASE,   /* builtins.object */
    VALUE_TAKEN,  /* what the format's reader has made something else of: see pickle_take() */
};

struct value {
    unsigned kind : 4;       /* enum value_kind */
    unsigned is_fetched : 1; /* from the memo: several may hold it */
    unsigned memo : 27;      /* its number there, plus 1; 0: none */
    uint32_t count;          /* of items; of VALUE_TAKEN the reader's kind of things */
    union {
        int64_t whole;
        double real;
        str_id text;
        struct {
            uint32_t first, last; /* items of a container: cells, 0: none */
        };
    };
};

struct value_cell {
    value_id value;
    uint32_t next;
};

/* Ready for use with a builder. */
struct values {
    VECTOR(struct value);                      /* the first is value 1 */
    struct VECTOR_OF(struct value_cell) cells; /* the first is cell 1 */
    uint32_t free_value, free_cell;            /* those to use again, each with the next; 0: none */
    struct builder *builder;                   /* has the texts */
};

static inline struct value *value_at(const struct values *values, value_id id)
{
    return &values->list[id - 1];
}

value_id value_add(struct values *values, const struct value *value);

/* Appends to a container. */
void values_append(struct values *values, value_id container, const value_id *items, size_t count);

/* The first cell of a container's items; 0 where the value has none. */
static inline uint32_t value_first(const struct value *value)
{
    return value->kind >= VALUE_TUPLE && value->kind <= VALUE_OBJECT ? value->first : 0;
}

/* Goes over a container's items: `cell` is its `first` at first. 0 after the last. */
static inline value_id value_next(const struct values *values, uint32_t *cell)
{
    const struct value_cell *at = *cell ? &values->cells.list[*cell - 1] : NULL;

    *cell = at ? at->next : 0;
    return at ? at->value : 0;
}

/* The value, if it is of that kind; else NULL. */
static inline const struct value *value_of_kind(const struct values *values, value_id id,
                                                enum value_kind kind)
{
    const struct value *value = id ? value_at(values, id) : NULL;

    return value && value->kind == kind ? value : NULL;
}

/* The first cell of a list or a tuple; 0 where it is none, or empty. */
uint32_t value_list(const struct values *values, value_id id);

/* What a dict has under a key, of several the last; 0: nothing, or it is no dict. */
value_id value_member(const struct values *values, value_id dict, struct span key);

/* Takes a container's cells from it, and a value its number: what was in it is not touched. */
void values_empty(struct values *values, value_id container);
void values_forget(struct values *values, value_id id);

void values_free(struct values *values);

/* ---- from JSON; parsers/pickle/ makes the same of a pickle ---- */

/* More of JSON than of a pickle, whose values are not all in the file. */
enum { JSON_DEPTH_MAX = 32, JSON_VALUES_MAX = 1 << 25 };

/* The value that a token is, with all that is in it; 0 with ERROR_INPUT where that are too many. true
 * and false are 1 and 0. Lists and objects deeper than JSON_DEPTH_MAX are empty. */
value_id values_of_json(struct values *values, struct token token, struct error *err);

#endif
