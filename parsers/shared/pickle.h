/* SPDX-License-Identifier: Apache-2.0 */
/* pickle.h — reads a pickle of line_profiler's, of any protocol, without running anything
 *
 * A pickle is a program for a stack machine that may name any function of Python and call it. This
 * machine knows the instructions that build numbers, texts and containers, and of objects only
 * line_profiler's LineStats; whatever else the pickle names is an error that says what. */
#ifndef PTK_PARSERS_SHARED_PICKLE_H
#define PTK_PARSERS_SHARED_PICKLE_H

#include "base/io/input.h"
#include "base/memory/idmap.h"
#include "base/memory/vector.h"
#include "parsers/shared/pickle_values.h"

struct pickle {
    struct input *in;
    struct builder *builder; /* interns texts */
    struct pickle_values values;
    value_id *stack;
    size_t depth, stack_cap;
    struct VECTOR_OF(size_t) marks; /* depths of the stack */
    struct idmap memo;
    uint64_t memorized;
    uint64_t at; /* of the instruction */
    struct arena arena;
};

/* The value that is left at the end; 0 with ERROR_INPUT. Free the pickle in any case. */
value_id pickle_read(struct pickle *pickle, struct error *err);

void pickle_free(struct pickle *pickle);

#endif
