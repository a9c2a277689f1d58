/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_family.h — what a device's work is, by its name: its kind where the file calls all of it
 * kernels, and for kernels what they compute */
#ifndef PTK_GRAPH_CLASSIFY_KERNEL_FAMILY_H
#define PTK_GRAPH_CLASSIFY_KERNEL_FAMILY_H

#include <stdint.h>

#include "base/text/span.h"
#include "graph/model/frame.h"

/* Which part of a product's result one block computes, and whether blocks share the sum: by what
 * libraries write into the names of their kernels. */

/* Of a product in the framework's order, row by row; 0: the name does not tell. */
struct kernel_tile {
    uint16_t rows, columns;
    uint16_t split; /* blocks that add up one tile; 0: the name does not tell */
};

struct kernel_tile kernel_tile(struct span name);

enum kernel_family {
    FAMILY_NONE, /* no kernel */
    FAMILY_OTHER,
    FAMILY_GEMM,
    FAMILY_CONVOLUTION,
    FAMILY_ATTENTION,
    FAMILY_MOE, /* routes tokens to experts, or computes them */
    FAMILY_NORMALISATION,
    FAMILY_SOFTMAX,
    FAMILY_EMBEDDING,
    FAMILY_OPTIMIZER,
    FAMILY_COPY, /* moves, converts or transposes, and computes nothing */
    FAMILY_ELEMENTWISE,
    FAMILY_REDUCTION,
    FAMILY_SORT,
    FAMILY_COMMUNICATION,
    FAMILY_COUNT
};

/* "gemm", "attention". */
const char *kernel_family_name(enum kernel_family family);

/* `name`: of a frame of KIND_KERNEL. */
enum kernel_family kernel_family(struct span name);

/* Of a kernel of FAMILY_COPY: whether it turns one order of a tensor's dimensions into another. */
bool changes_layout(struct span name);

/* Whether two names are of one kernel: some writers cut long names off. */
bool is_same_kernel(struct span a, struct span b);

/* What a kernel stands for: HIP fills and copies buffers with kernels of its own, which are
 * KIND_MEMSET and KIND_MEMCPY then; else KIND_KERNEL. */
enum frame_kind kernel_stands_for(struct span name);

/* The kind of device work by its name, for producers that call all of it kernels: KIND_KERNEL,
 * KIND_MEMCPY, KIND_MEMSET, KIND_COMMUNICATION or KIND_SYNC. */
enum frame_kind device_work_kind(struct span name);

#endif
