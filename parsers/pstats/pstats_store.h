/* SPDX-License-Identifier: Apache-2.0 */
/* pstats_store.h — batches of functions into the graph */
#ifndef PTK_PARSERS_PSTATS_PSTATS_STORE_H
#define PTK_PARSERS_PSTATS_PSTATS_STORE_H

#include "base/memory/vector.h"
#include "parsers/pstats/pstats_batch.h"

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
