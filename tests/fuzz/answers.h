/* SPDX-License-Identifier: Apache-2.0 */
/* answers.h — the reports that the fuzzer makes besides charts and pictures */
#ifndef PTK_TESTS_FUZZ_ANSWERS_H
#define PTK_TESTS_FUZZ_ANSWERS_H

#include <stdio.h>

#include "graph/model/graph.h"

/* Those of info, bound, advise, what-if and job, and the page of them. Needs LEVEL_FLAT. */
void write_reports(struct graph *graph, FILE *out);

#endif
