/* SPDX-License-Identifier: Apache-2.0 */
/* thread_turns.h — threads that run operators in turn, and the thread beginnings that turns rule out */
#ifndef PTK_ANALYSIS_EXECUTION_THREAD_TURNS_H
#define PTK_ANALYSIS_EXECUTION_THREAD_TURNS_H

#include "analysis/execution/task_graph.h"

/* Finds which of two threads lets the other go on. */
void find_operator_turns(struct task_builder *builder);

/* A thread that stopped because its work was done, and so let another thread go on, made no thread at that time: such
 * makers are taken back. Called once all wakers are known. */
void forget_makers(struct task_builder *builder);

#endif
