/* SPDX-License-Identifier: Apache-2.0 */
/* pstats_batch.h — some functions of a dump as they were read, before names have met their likes */
#ifndef PTK_PARSERS_PSTATS_PSTATS_BATCH_H
#define PTK_PARSERS_PSTATS_PSTATS_BATCH_H

#include "base/memory/vector.h"
#include "graph/build/builder.h"
#include "parsers/pstats/pstats_texts.h"

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

#endif
