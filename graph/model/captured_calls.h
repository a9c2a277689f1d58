/* SPDX-License-Identifier: Apache-2.0 */
/* captured_calls.h — the calls of operators and modules that made the nodes of CUDA or HIP graphs
 *
 * A graph is captured once and launched many times. When it is launched no operator runs, so the
 * kernels only know the launch; who wanted them is known from the capture, which analysis/captures/
 * joins with the launches. Times of that other run are not kept. */
#ifndef PTK_GRAPH_MODEL_CAPTURED_CALLS_H
#define PTK_GRAPH_MODEL_CAPTURED_CALLS_H

#include <stddef.h>
#include <stdint.h>

#include "base/memory/vector.h"
#include "base/text/string_table.h"
#include "graph/model/frame.h"

#define NO_CAPTURED_CALL UINT32_MAX

/* A call of an operator or a module, by the ids of the graph that it is kept in. */
struct captured_call {
    uint32_t parent; /* the one around it, which stands before it; NO_CAPTURED_CALL */
    frame_id frame;
    str_id shapes, types, strides, values; /* as PROP_SHAPES …; 0: not known */
};

struct captured_calls {
    VECTOR(struct captured_call);
};

#endif
