/* SPDX-License-Identifier: Apache-2.0 */
/* operator_input_text.h — the inputs of an operator, as frameworks write them into traces
 *
 *              PyTorch                          Paddle
 *     shapes   [[8, 3], [3, 4], []]             {"X": [[8, 3]], "Y": [[3, 4]]}
 *     types    ["float", "c10::Half", ""]       {"X": ["float32"], "Y": ["float32"]}
 *     values   ["", "[1, 1]", "True", "2"]
 *
 * A parser that knows another spelling reads it here, too: passes see numbers alone. */
#ifndef PTK_PARSERS_DEVICE_OPERATOR_INPUT_TEXT_H
#define PTK_PARSERS_DEVICE_OPERATOR_INPUT_TEXT_H

#include "base/text/string_table.h"
#include "graph/build/builder.h"

/* What a text of PROP_SHAPES, PROP_STRIDES, PROP_TYPES or PROP_CONCRETE says; in `arena`. False
 * when it is neither framework's. Inputs past the sixteenth are dropped; of Paddle's, which have
 * names, only X and Y are kept, and of each its first tensor. */
bool operator_inputs_read(enum property property, struct span text, struct arena *arena,
                          struct operator_inputs *inputs);

/* Gives the builder what an interned text says, unless it has it already. */
void operator_inputs_note(struct builder *builder, enum property property, str_id text);

#endif
