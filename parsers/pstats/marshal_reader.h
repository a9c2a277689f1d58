/* SPDX-License-Identifier: Apache-2.0 */
/* marshal_reader.h — Python's marshal format, versions 0 to 6, as far as a profile uses it
 *
 * Reads one object after the other. Scalars come whole; of a tuple or a dict only the head comes,
 * and the caller reads the items, which bounds the depth by the caller's own shape. An object may
 * be referred to later: scalars are remembered here, a tuple when the caller says what it made of
 * it (marshal_keep). A reference to a dict, or to a tuple that is not kept, is an error: no
 * profiler writes one, and it would let a small file mean a huge one. */
#ifndef PTK_PARSERS_PSTATS_MARSHAL_READER_H
#define PTK_PARSERS_PSTATS_MARSHAL_READER_H

#include "base/cli/warnings.h"
#include "base/io/input.h"
#include "base/memory/vector.h"
#include "parsers/pstats/marshal_refs.h"

enum marshal_type {
    MARSHAL_NULL, /* ends a dict */
    MARSHAL_NONE,
    MARSHAL_BOOL,
    MARSHAL_INT,
    MARSHAL_FLOAT,
    MARSHAL_TEXT,
    MARSHAL_TUPLE, /* its `count` items follow */
    MARSHAL_DICT,  /* keys and values follow, then NULL */
    MARSHAL_KEPT,  /* a tuple seen before: what marshal_keep() was told */
};

#define MARSHAL_NO_REF UINT32_MAX

struct marshal_value {
    enum marshal_type type;
    uint32_t ref;      /* for marshal_keep, or MARSHAL_NO_REF */
    union {            /* all of them fit `kept`, which stands for any */
        int64_t whole; /* BOOL, INT (beyond 64 bits: the nearest end) */
        double real;
        uint32_t text; /* its number: see marshal_refs.h */
        uint32_t count;
        uint64_t kept;
    };
};

struct marshal {
    struct input *in;
    struct texts *texts;                 /* takes the texts */
    struct warnings *warnings;           /* takes what is odd but usable */
    struct refs refs;                    /* what was seen with a reference flag */
    struct VECTOR_OF(uint32_t) interned; /* Python 2's own table */
    char *latin1;                        /* room to turn such a text into UTF-8 */
    size_t latin1_cap;
    uint64_t at;     /* where the object last read begins */
    bool is_cut;     /* the fault is that the input ends */
    bool is_python2; /* seen a type that only Python 2 writes */
};

/* False at a fault; `err` names the byte. */
MUST_CHECK bool marshal_next(struct marshal *marshal, struct marshal_value *value,
                             struct error *err);

/* Says what later references to this tuple shall yield. */
void marshal_keep(struct marshal *marshal, const struct marshal_value *tuple, uint64_t kept);

/* What a code object is called, the head of which has been read (marshal_code.c): what the profile
 * module has in the key of the program that it ran. It comes as a text. */
bool marshal_code(struct marshal *marshal, uint32_t *text, struct error *err);

/* How nearly all figures come: two ints and two floats. */
struct marshal_quad {
    int64_t whole[2];
    double real[2];
    uint64_t real_at[2]; /* where they begin */
};

/* Reads the head of a tuple of `count` and its first four items at one go, where they stand in
 * their usual form: short ints or references to ints, and binary floats. False, and nothing is
 * read, otherwise. */
bool marshal_next_quad(struct marshal *marshal, unsigned count, struct marshal_quad *quad);

/* Reads a reference without waiting for what it stands for: marshal_kept() says later whether it is a
 * kept tuple. False, and nothing is read, when none comes next. */
bool marshal_next_ref(struct marshal *marshal, uint32_t *number);

static inline bool marshal_kept(const struct marshal *marshal, uint32_t number, uint64_t *kept)
{
    return refs_get(&marshal->refs, number, kept) == MARSHAL_KEPT;
}

void marshal_free(struct marshal *marshal);

#endif
