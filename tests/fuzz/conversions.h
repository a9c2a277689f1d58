/* SPDX-License-Identifier: Apache-2.0 */
/* conversions.h — the files of other tools that the fuzzer has written of what it read */
#ifndef PTK_TESTS_FUZZ_CONVERSIONS_H
#define PTK_TESTS_FUZZ_CONVERSIONS_H

#include <stdio.h>

#include "graph/model/graph.h"

/* In every format that `ptk convert` writes and that the graph has the level for. */
void write_conversions(struct graph *graph, FILE *out);

/* The same as --mask has it, of a call graph with its stacks by estimate. The graph can only be freed after that. */
void write_masked(struct graph *graph, FILE *out);

#endif
