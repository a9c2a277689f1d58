/* operator_work.h — how many FLOPs and bytes an operator needs, from the shapes of its inputs
 *
 * An addition and a multiplication are one FLOP each. Bytes are what must be moved at least: each
 * input read once, each output written once. So intensities are upper bounds. */
#ifndef PTK_ANALYSIS_WORK_OPERATOR_WORK_H
#define PTK_ANALYSIS_WORK_OPERATOR_WORK_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/roofline/gpus.h"
#include "analysis/work/input_text.h"
#include "graph/model/property.h"

struct operator_call {
    struct span name;
    struct inputs inputs;
    struct span types, concrete; /* lists of strings; empty when not in the file */
};

struct work {
    int64_t flops, bytes; /* bytes 0: not known */
    enum precision precision;
};

/* False when the operator is not one whose work is known, or its shapes are not what they should
 * be. */
bool operator_work(const struct operator_call *call, struct work *work);

/* What the FLOPs of operators of this name depend on; INPUTS_NONE where they are 0 or not known. */
enum input_need operator_flops_need(struct span name);

#endif
