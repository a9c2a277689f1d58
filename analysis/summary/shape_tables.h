/* SPDX-License-Identifier: Apache-2.0 */
/* shape_tables.h — kernels by launch shape and operators by input shape */
#ifndef PTK_ANALYSIS_SUMMARY_SHAPE_TABLES_H
#define PTK_ANALYSIS_SUMMARY_SHAPE_TABLES_H

#include "analysis/summary/items.h"

/* Kernels of one name that one operator launched with one grid, block, and use of registers and
 * shared memory; the costliest first. */
struct kernel_shape {
    struct span name, operator_name;  /* no text: no operator is known */
    int64_t grid, block;              /* packed: property_unpack3(); or UNKNOWN */
    int64_t registers, shared_memory; /* of a thread; bytes of a block; or UNKNOWN */
    int64_t calls;
    struct spread time;
    double share;           /* of all kernels */
    double blocks_per_sm;   /* mean by time; NaN: not known */
    double occupancy;       /* likewise, 1 is all */
    bool uses_tensor_cores; /* by its name */
};

struct kernel_shapes {
    struct kernel_shape *rows; /* in the arena */
    uint32_t count;
};

void summary_kernel_shapes(const struct host_tree *tree, struct arena *arena,
                           struct kernel_shapes *shapes);

/* Operators of one name with inputs of one shape; the costliest on the device first, then on the
 * host. */
struct operator_shape {
    struct span name, shapes; /* no text: the file has no shapes */
    int64_t calls;
    int64_t host, host_self;     /* ns; self is without the host events inside */
    int64_t device, device_self; /* ns; self is what no operator inside launched */
};

struct operator_shapes {
    struct operator_shape *rows; /* in the arena */
    uint32_t count;
};

void summary_operator_shapes(const struct host_tree *tree, struct arena *arena,
                             struct operator_shapes *shapes);

#endif
