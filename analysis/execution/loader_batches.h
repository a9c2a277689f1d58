/* SPDX-License-Identifier: Apache-2.0 */
/* loader_batches.h — batches that a thread takes from its data loader, and who makes them */
#ifndef PTK_ANALYSIS_EXECUTION_LOADER_BATCHES_H
#define PTK_ANALYSIS_EXECUTION_LOADER_BATCHES_H

#include "analysis/execution/task_graph.h"

/* So many batches are made before one is taken, where nothing says how many: PyTorch's prefetch_factor. */
enum { BATCHES_AHEAD = 2 };

/* loader_threads.c: which thread makes the batches that others take, and when each was there; where none that is
 * recorded does, the stops keep them. */
void find_producers(struct task_builder *builder);

/* loader_batches.c: what the batches cost that nobody recorded makes; when all tasks are known. */
void date_batches(struct execution *execution);

#endif
