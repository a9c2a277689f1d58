/* input_text.h — the inputs of an operator, as profilers write them into their files
 *
 * Shapes: "[[8, 3], [3, 4], []]". Types and concrete inputs: "[\"float\", \"\", \"[1, 1]\"]". */
#ifndef PTK_ANALYSIS_WORK_INPUT_TEXT_H
#define PTK_ANALYSIS_WORK_INPUT_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text/span.h"

enum { DIMS_MAX = 8, INPUTS_MAX = 16 };

/* One tensor's; of a list of tensors only that it is one. */
struct dims {
    uint32_t count;
    int64_t size[DIMS_MAX]; /* not negative */
};

struct inputs {
    uint32_t count;
    struct dims dims[INPUTS_MAX]; /* count 0: a scalar, nothing, or a list of tensors */
};

/* False when the text is not a list of shapes. Inputs past INPUTS_MAX are dropped. */
bool inputs_read(struct span text, struct inputs *inputs);

/* The text of one entry of a list of strings, without its quotes; empty when there is none. */
struct span input_entry(struct span text, uint32_t at);

/* "[1, 1]" and "3" as whole numbers; false for anything else. */
bool input_numbers(struct span text, struct dims *dims);

/* The product of the sizes; saturates. 1 for no dimensions. */
int64_t dims_elements(const struct dims *dims);

#endif
