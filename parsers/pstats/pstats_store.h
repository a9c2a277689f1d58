/* SPDX-License-Identifier: Apache-2.0 */
/* pstats_store.h — batches of functions into the graph */
#ifndef PTK_PARSERS_PSTATS_PSTATS_STORE_H
#define PTK_PARSERS_PSTATS_PSTATS_STORE_H

#include "base/memory/vector.h"
#include "graph/build/builder.h"
#include "parsers/pstats/marshal_refs.h"

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

/* Changes what the batch holds. */
void store_batch(struct store *store, struct batch *batch);

void store_free(struct store *store);

#endif
