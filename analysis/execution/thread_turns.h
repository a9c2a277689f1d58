/* SPDX-License-Identifier: Apache-2.0 */
/* thread_turns.h — threads that run operators in turn, and what follows from that for threads that are made */
#ifndef PTK_ANALYSIS_EXECUTION_THREAD_TURNS_H
#define PTK_ANALYSIS_EXECUTION_THREAD_TURNS_H

#include "analysis/execution/task_graph.h"

/* Which of two threads lets the other go on. */
void find_operator_turns(struct task_builder *builder);

/* Who stopped because it had done what another thread waited for, which went on, made no thread then. When all that
 * lets threads go on is known. */
void forget_makers(struct task_builder *builder);

#endif
