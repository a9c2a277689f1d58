/* SPDX-License-Identifier: Apache-2.0 */
/* parallel_dimension.h — along which dimension of a job the ranks of a process group differ
 *
 * Megatron's groups say so in words (TENSOR_MODEL_PARALLEL_GROUP), others in short (tp,
 * mesh_dp). */
#ifndef PTK_GRAPH_CLASSIFY_PARALLEL_DIMENSION_H
#define PTK_GRAPH_CLASSIFY_PARALLEL_DIMENSION_H

#include "base/text/span.h"

enum parallel_dimension {
    DIMENSION_TENSOR,
    DIMENSION_DATA,
    DIMENSION_PIPELINE,
    DIMENSION_COUNT,
    DIMENSION_NONE = DIMENSION_COUNT /* it does not say, or it is another */
};

enum parallel_dimension parallel_dimension_of(struct span use);

#endif
