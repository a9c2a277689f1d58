/* SPDX-License-Identifier: Apache-2.0 */
/* charts.h — charts of a graph, for the harness */
#ifndef PTK_TESTS_FUZZ_CHARTS_H
#define PTK_TESTS_FUZZ_CHARTS_H

#include <stdio.h>

#include "graph/model/graph.h"

/* One of those that the graph has, by its number of frames: all of them take too long. LEVEL_FLAT
 * is needed. */
void draw_chart(const struct graph *graph, FILE *out);

#endif
