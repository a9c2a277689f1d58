/* SPDX-License-Identifier: Apache-2.0 */
/* unfused.h — attention that is computed operator by operator, and experts one by one
 *
 * Attention: a product, a softmax of its result, a product with the softmax's result; what goes over
 * the same elements in between (scale, mask, dropout) takes part. The matrix of scores passes memory
 * between any two of them, which a fused kernel keeps on chip.
 *
 * Experts: a loop of products by weights of the same one, two or three sizes, in which more than
 * eight products by weights of one size have rows whose number changes more often than not from one
 * to the next: each expert's share of the tokens. A grouped product does them all in one kernel. */
#ifndef PTK_ANALYSIS_CAUSES_UNFUSED_H
#define PTK_ANALYSIS_CAUSES_UNFUSED_H

#include "analysis/work/work.h"

enum unfused {
    FUSED,
    UNFUSED_EXPERTS,
    UNFUSED,
    UNFUSED_BY_MATH /* attention as PyTorch does it where no fused kernel fits */
};

/* Says so of the operators' events that are part of one; by event, all FUSED before. */
void unfused_attention_mark(const struct kernel_owners *owners, uint8_t *unfused);
void unfused_experts_mark(const struct kernel_owners *owners, uint8_t *unfused);

#endif
