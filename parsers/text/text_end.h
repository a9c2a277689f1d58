/* SPDX-License-Identifier: Apache-2.0 */
/* text_end.h — what shows that a text ends before its time, besides a last line without its end:
 * totals that its rows do not reach, and parts that have begun and have no end */
#ifndef PTK_PARSERS_TEXT_TEXT_END_H
#define PTK_PARSERS_TEXT_TEXT_END_H

#include <stdint.h>

#include "graph/build/builder.h"

/* The text says that its rows add up to `stated`, of which rounding may take `slack`. Rows that add
 * up to less are a loss, which is told with its size. `what` is a plural: "calls". */
void text_check_total(struct builder *builder, const char *what, int64_t stated, int64_t found,
                      int64_t slack, enum unit unit);

/* The same of rows that have shares, in hundredths of a percent, which make up the whole. Each of
 * them was rounded to a multiple of `step`; where nothing took any time all are 0. */
void text_check_shares(struct builder *builder, const char *table, int64_t found, uint64_t rows,
                       int64_t step);

/* The text ends within something that has begun: "a stack". */
void text_ends_within(struct builder *builder, const char *what);

#endif
