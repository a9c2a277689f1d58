/* SPDX-License-Identifier: Apache-2.0 */
/* merged_rows.h — one function that a file has in several rows, of whose stacks it has none */
#ifndef PTK_PARSERS_STACKS_MERGED_ROWS_H
#define PTK_PARSERS_STACKS_MERGED_ROWS_H

#include <stdbool.h>
#include <stdint.h>

/* Ready for use when zeroed. */
struct merged_rows {
    int64_t self;
    int64_t cum_sum, cum_most; /* of the rows' cumulative figures the sum, and the largest */
};

void merged_rows_add(struct merged_rows *rows, int64_t self, int64_t cum);

/* The function's cumulative figure, of `total` in the whole file. A sample that has two of its rows on the stack is in
 * both: then it is too high, and `is_estimate` says that it may be. */
int64_t merged_rows_cum(const struct merged_rows *rows, int64_t total, bool *is_estimate);

#endif
