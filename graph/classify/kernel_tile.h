/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_tile.h — which part of a product's result one block computes, and whether blocks share the
 * sum: by what libraries write into the names of their kernels */
#ifndef PTK_GRAPH_CLASSIFY_KERNEL_TILE_H
#define PTK_GRAPH_CLASSIFY_KERNEL_TILE_H

#include <stdint.h>

#include "base/text/span.h"

/* Of a product in the framework's order, row by row; 0: the name does not tell. */
struct kernel_tile {
    uint16_t rows, columns;
    uint16_t split; /* blocks that add up one tile; 0: the name does not tell */
};

struct kernel_tile kernel_tile(struct span name);

#endif
