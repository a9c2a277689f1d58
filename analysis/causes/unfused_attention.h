/* SPDX-License-Identifier: Apache-2.0 */
/* unfused_attention.h — attention that is computed operator by operator
 *
 * A product, a softmax of its result, a product with the softmax's result; what goes over the same
 * elements in between (scale, mask, dropout) takes part. The matrix of scores passes memory between
 * any two of them, which a fused kernel keeps on chip. */
#ifndef PTK_ANALYSIS_CAUSES_UNFUSED_ATTENTION_H
#define PTK_ANALYSIS_CAUSES_UNFUSED_ATTENTION_H

#include "analysis/work/kernel_owners.h"

enum unfused { FUSED, UNFUSED, UNFUSED_BY_MATH /* as PyTorch does where no fused kernel fits */ };

/* Says so of the operators' events that are part of one; by event, all FUSED before. */
void unfused_attention_mark(const struct kernel_owners *owners, uint8_t *unfused);

#endif
