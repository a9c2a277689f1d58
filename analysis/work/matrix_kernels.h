/* matrix_kernels.h — kernels that multiply matrices, and those that use tensor cores for it, by the
 * words that libraries put in their names */
#ifndef PTK_ANALYSIS_WORK_MATRIX_KERNELS_H
#define PTK_ANALYSIS_WORK_MATRIX_KERNELS_H

#include "graph/model/graph.h"

enum matrix_work { MATRIX_NONE, MATRIX_ON_CORES, MATRIX_ON_TENSOR_CORES };

enum matrix_work kernel_matrix_work(struct span name);

/* enum matrix_work by frame_id, none for what is no kernel: names are long, and kernels many. In
 * the arena. */
uint8_t *frames_matrix_work(const struct graph *graph, struct arena *arena);

#endif
