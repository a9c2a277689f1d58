/* SPDX-License-Identifier: Apache-2.0 */
/* pstats_figures.h — two counts and two times, as functions and their callers have them */
#ifndef PTK_PARSERS_PSTATS_PSTATS_FIGURES_H
#define PTK_PARSERS_PSTATS_PSTATS_FIGURES_H

#include "graph/build/builder.h"
#include "parsers/pstats/marshal_reader.h"

/* Reads four items: calls, primitive calls, self and cumulative seconds, as callers have them. What is
 * odd but usable is counted as a warning. */
MUST_CHECK bool figures_read(struct marshal *marshal, struct call_figures *figures,
                             struct error *err);

/* Reads the head of a tuple of `count` and its first four items at one go, where they stand in
 * their usual form. False, and nothing is read, otherwise. */
bool figures_read_usual(struct marshal *marshal, unsigned count, struct call_figures *figures);

#endif
