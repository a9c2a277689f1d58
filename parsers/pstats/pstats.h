/* SPDX-License-Identifier: Apache-2.0 */
/* pstats.h — cProfile's dumps: marshalled values, and what they hold */
#ifndef PTK_PARSERS_PSTATS_PSTATS_H
#define PTK_PARSERS_PSTATS_PSTATS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error/error.h"
#include "base/io/io.h"
#include "base/memory/memory.h"
#include "base/memory/span.h"
#include "base/text/string_table.h"
#include "graph/build/builder.h"

/* ---- the texts of a dump in the order of their coming, which numbers them ---- */

/* They are kept only until those who want them have seen them: texts_drop() makes room for the
 * next, and the numbers go on. */

/* Ready for use when zeroed. */
struct texts {
    char *bytes;
    size_t used, room;
    size_t *ends; /* in `bytes`, by number - first */
    size_t count, cap;
    uint32_t first; /* the number of the first one kept */
};

/* The number of the text, which is copied. */
uint32_t texts_add(struct texts *texts, struct span text);

/* Borrowed until the next is added; empty for one that has been dropped. */
struct span texts_get(const struct texts *texts, uint32_t number);

/* Forgets all; the next one will be number `first`. */
void texts_drop(struct texts *texts, uint32_t first);

void texts_free(struct texts *texts);

/* ---- the objects of a dump that later ones may refer to, by the number of their coming ---- */

/* They are looked up at random, so the table is kept small: a word has an object's type in its low
 * bits and, above them, its payload where that fits, else the payload's place in `wide`. */

enum { REFS_TYPE_MASK = 15, REFS_IS_WIDE = 16, REFS_TYPE_BITS = 5 };

/* Ready for use when zeroed. */
struct refs {
    uint32_t *words;
    size_t count, cap;
    uint64_t *wide;
    size_t wide_count, wide_cap;
};

enum { REFS_PLACE_MAX = UINT32_MAX >> REFS_TYPE_BITS };

/* Make room for one more. */
void refs_grow(struct refs *refs);
void refs_grow_wide(struct refs *refs);

static inline uint32_t refs_word(struct refs *refs, unsigned type, uint64_t payload)
{
    if (payload <= REFS_PLACE_MAX)
        return (uint32_t)payload << REFS_TYPE_BITS | type;
    if (refs->wide_count == refs->wide_cap)
        refs_grow_wide(refs);
    refs->wide[refs->wide_count] = payload;
    return (uint32_t)refs->wide_count++ << REFS_TYPE_BITS | REFS_IS_WIDE | type;
}

/* Adds an object of a type up to 15, and returns its number. */
static inline uint32_t refs_add(struct refs *refs, unsigned type, uint64_t payload)
{
    if (refs->count == refs->cap)
        refs_grow(refs);
    refs->words[refs->count] = refs_word(refs, type, payload);
    return (uint32_t)refs->count++;
}

/* Says anew what an object is. */
static inline void refs_set(struct refs *refs, uint32_t number, unsigned type, uint64_t payload)
{
    refs->words[number] = refs_word(refs, type, payload);
}

/* What was said of an object, which must be one. */
static inline unsigned refs_get(const struct refs *refs, uint32_t number, uint64_t *payload)
{
    uint32_t word = refs->words[number];

    *payload = word & REFS_IS_WIDE ? refs->wide[word >> REFS_TYPE_BITS] : word >> REFS_TYPE_BITS;
    return word & REFS_TYPE_MASK;
}

/* Starts to fetch an object. */
static inline void refs_prefetch(const struct refs *refs, uint32_t number)
{
    __builtin_prefetch(&refs->words[number]);
}

void refs_free(struct refs *refs);

/* ---- Python's marshal format, versions 0 to 6, as far as a profile uses it ---- */

/* Reads one object after the other. Scalars come whole; of a tuple or a dict only the head comes,
 * and the caller reads the items, which bounds the depth by the caller's own shape. An object may
 * be referred to later: scalars are remembered here, a tuple when the caller says what it made of
 * it (marshal_keep). A reference to a dict, or to a tuple that is not kept, is an error: no
 * profiler writes one, and it would let a small file mean a huge one. */

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

/* ---- some functions of a dump as they were read, before names have met their likes ---- */

/* A function's name, spelt out; numbered in the order of their coming, batch after batch. */
struct batch_key {
    uint32_t file, name; /* text numbers */
    int64_t line;
};

struct batch_caller {
    uint32_t key;
    uint32_t late; /* the reader's own: see there */
    struct call_figures figures;
};

struct batch_function {
    uint32_t key;
    uint32_t callers; /* how many of `callers` are its own */
    uint64_t at;      /* where it begins in the dump */
    struct call_figures figures;
};

/* Ready for use when zeroed. */
struct batch {
    struct texts texts;
    struct VECTOR_OF(struct batch_key) keys;
    struct VECTOR_OF(struct batch_function) functions;
    struct VECTOR_OF(struct batch_caller) callers; /* of the first function, of the second … */
};

void batch_free(struct batch *batch);

/* ---- batches of functions into the graph ---- */

/* The last mention of a function as a caller. */
struct mention {
    uint32_t row;   /* whose callers name it: the how manieth function, from 1 */
    uint32_t place; /* in the batch's callers */
};

struct store {
    struct builder *builder;
    struct callgraph_builder *callgraph;  /* its */
    struct VECTOR_OF(str_id) names;       /* by text number */
    struct VECTOR_OF(uint32_t) functions; /* by key number */
    struct mention *mentions;             /* by function */
    bool *is_listed;                      /* by function */
    size_t function_cap;
    uint32_t rows, listed;
    str_id *modules; /* by file name, module name + 1; 0: not asked yet */
    size_t module_cap;
    str_id builtin_file, bootstrap; /* "~" and "_bootstrap" */
    uint32_t thread_main;           /* the function, + 1, with which every other thread begins */
    uint64_t reversed, unknown_counts;
    bool is_pypy, has_other_threads, has_builtins;
};

void store_begin(struct store *store, struct builder *builder);

/* Interns the batch's texts. */
void store_names(struct store *store, const struct batch *batch);

/* What a key names. The built-ins' file is "~", or nothing in the dumps of the profile module. */
struct frame store_frame(struct store *store, const struct batch_key *key);

/* The two for a whole batch, and its functions into the graph. Changes what the batch holds. */
void store_batch(struct store *store, struct batch *batch);

void store_free(struct store *store);

/* ---- all batches of a sampling profiler's dump into the graph ---- */

enum { SAMPLED_TIME, SAMPLED_SAMPLES, SAMPLED_VALUES };

/* After builder_begin() with these values, once. */
void sampled_dump_store(struct store *store, struct batch *const *batches, size_t count);

/* ---- the bytes of a dump to batches of functions ---- */

/* Knows nothing of the graph, so that it can run in a thread of its own. */

struct pstats_reader {
    struct marshal marshal;
    struct batch *batch;                        /* that is being filled */
    uint32_t texts, keys;                       /* how many came before it */
    struct VECTOR_OF(struct call_figures) kept; /* caller tuples that may be referred to */
    uint64_t plain_callers, merged_callers;
    bool is_sampled;
    bool is_partial; /* the fault is within the last function of the batch */
    struct warnings warnings;
    struct error err; /* why it stopped before the end, if it did */
};

/* Reads as far as the first function. */
MUST_CHECK bool reader_begin(struct pstats_reader *reader, struct input *in, struct error *err);

/* Fills the batch, dropping what it held. False when there will be no more: at the end, or at a
 * fault, which `err` has; the functions in the batch are sound all the same. */
bool reader_fill(struct pstats_reader *reader, struct batch *batch);

void reader_free(struct pstats_reader *reader);

#endif
