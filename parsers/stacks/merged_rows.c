/* SPDX-License-Identifier: Apache-2.0 */
/* merged_rows.c — one function that a file has in several rows, of whose stacks it has none */
#include "parsers/stacks/merged_rows.h"

#include "base/checked.h"

void merged_rows_add(struct merged_rows *rows, int64_t self, int64_t cum)
{
    rows->self = checked_add(rows->self, self);
    rows->cum_sum = checked_add(rows->cum_sum, cum);
    rows->cum_most = cum > rows->cum_most ? cum : rows->cum_most;
}

/* A function is in at least as many samples as any of its rows, and as were taken in it; and at most in as
 * many as all its rows together, which is right unless it calls itself. */
int64_t merged_rows_cum(const struct merged_rows *rows, int64_t total, bool *is_estimate)
{
    int64_t least = rows->self > rows->cum_most ? rows->self : rows->cum_most;
    int64_t most = rows->cum_sum < total ? rows->cum_sum : total;

    *is_estimate = least < most;
    return *is_estimate ? most : least;
}
