/* SPDX-License-Identifier: Apache-2.0 */
/* operator_inputs.h — the inputs of operators as numbers: shapes, element types, values
 *
 * Files write them as texts, each framework in its own way. Parsers read each text once and keep
 * what it says beside it (builder_inputs()), so that no pass reads a text of the file: the text is
 * for people, and its id stands for what it says. */
#ifndef PTK_GRAPH_MODEL_OPERATOR_INPUTS_H
#define PTK_GRAPH_MODEL_OPERATOR_INPUTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory/arena.h"
#include "base/memory/hash_index.h"
#include "base/memory/vector.h"
#include "base/text/string_table.h"
#include "graph/model/property.h"

/* Of elements, by whatever name a framework has for it. */
enum dtype {
    DTYPE_UNKNOWN,
    DTYPE_FLOAT64,
    DTYPE_FLOAT32,
    DTYPE_FLOAT16,
    DTYPE_BFLOAT16,
    DTYPE_FLOAT8,
    DTYPE_INT64,
    DTYPE_INT32,
    DTYPE_INT16,
    DTYPE_INT8,
    DTYPE_UINT8,
    DTYPE_BOOL,
    DTYPE_COUNT
};

enum input_kind {
    INPUT_UNTOLD, /* nothing, or what is no number: a text, a list of tensors */
    INPUT_SIZES,  /* a tensor's; none of a scalar */
    INPUT_DTYPE,
    INPUT_NUMBERS,
    INPUT_FLAGS, /* 0 or 1 */
};

struct operand {
    enum input_kind kind;
    uint32_t count;
    const int64_t *number;
};

/* One text: the shapes, the types or the values of all inputs of an operator. */
struct operator_inputs {
    enum property property; /* which of them: PROP_SHAPES, PROP_TYPES … */
    str_id text;
    uint32_t count;
    bool is_named; /* inputs go by name, the first two are X and Y, and attributes are not told:
                    * Paddle's */
    const struct operand *list;
};

/* By property and text. Ready for use when zeroed. */
struct inputs_table {
    struct idmap index; /* (property, text) → index into `list` */
    VECTOR(struct operator_inputs);
};

/* Keeps a copy in `arena`; of several for one text the first. `text`: by the table's ids. */
void inputs_add(struct inputs_table *table, struct arena *arena, str_id text,
                const struct operator_inputs *inputs);

/* What a property's text says; NULL where no parser read it. */
const struct operator_inputs *inputs_of(const struct inputs_table *table, enum property property,
                                        str_id text);

/* The input at a place; one that is INPUT_UNTOLD where there is none, and of NULL. */
const struct operand *input_at(const struct operator_inputs *inputs, uint32_t at);

/* The product of the sizes; saturates. 1 for no sizes. */
int64_t input_elements(const struct operand *input);

void inputs_free(struct inputs_table *table);

#endif
