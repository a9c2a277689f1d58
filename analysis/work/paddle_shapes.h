/* paddle_shapes.h — the inputs of an operator, as Paddle writes them: {"X":[[8,3]],"Y":[[3,4]]}
 *
 * Attributes are not in its traces: what strides, paddings or flags decide cannot be told. */
#ifndef PTK_ANALYSIS_WORK_PADDLE_SHAPES_H
#define PTK_ANALYSIS_WORK_PADDLE_SHAPES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text/span.h"

enum { PADDLE_SIZES_MAX = 16 };

/* The sizes of one input: its first tensor. */
struct shape {
    int64_t size[PADDLE_SIZES_MAX];
    uint32_t count;
    bool is_known;
};

/* The input called `"X"`, quotes and all; else `other`. */
struct shape paddle_input(struct span shapes, struct span key, struct span other);

static inline struct shape paddle_x(struct span shapes)
{
    return paddle_input(shapes, SPAN("\"X\""), SPAN("\"x\""));
}

static inline struct shape paddle_y(struct span shapes)
{
    return paddle_input(shapes, SPAN("\"Y\""), SPAN("\"y\""));
}

/* Of one tensor, and of the shape that two are stretched to; 0 when one is not known; saturate. */
int64_t shape_elements(const struct shape *shape);
int64_t shape_elements_of_both(const struct shape *x, const struct shape *y);

/* "matmul_v2 compute" is "matmul_v2". */
struct span paddle_operator(struct span name);

#endif
