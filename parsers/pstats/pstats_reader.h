/* SPDX-License-Identifier: Apache-2.0 */
/* pstats_reader.h — the bytes of a dump to batches of functions
 *
 * Knows nothing of the graph, so that it can run in a thread of its own. */
#ifndef PTK_PARSERS_PSTATS_PSTATS_READER_H
#define PTK_PARSERS_PSTATS_PSTATS_READER_H

#include "graph/build/builder.h"
#include "parsers/pstats/marshal_reader.h"
#include "parsers/pstats/pstats_store.h"

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
