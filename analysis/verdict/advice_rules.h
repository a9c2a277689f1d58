/* SPDX-License-Identifier: Apache-2.0 */
/* advice_rules.h — the rules' functions, by the file that they are in; the table is in advice_rules.c */
#ifndef PTK_ANALYSIS_VERDICT_ADVICE_RULES_H
#define PTK_ANALYSIS_VERDICT_ADVICE_RULES_H

#include "analysis/verdict/advice.h"

/* Sets the check, and what could be saved: from `low` to `high` ns. */
void finding_set(const struct scene *scene, struct finding *finding, const struct check *check,
                 int64_t low, int64_t high);

/* advice_idle.c */
void judge_input(const struct scene *scene, struct finding *finding);
void judge_sync(const struct scene *scene, struct finding *finding);
void judge_launch(const struct scene *scene, struct finding *finding);
void judge_allocator(const struct scene *scene, struct finding *finding);
void judge_host_late(const struct scene *scene, struct finding *finding);
void judge_setup(const struct scene *scene, struct finding *finding);
void judge_unrecorded(const struct scene *scene, struct finding *finding);
void judge_small_kernels(const struct scene *scene, struct finding *finding);
void judge_long_gaps(const struct scene *scene, struct finding *finding);
void judge_idle_chunks(const struct scene *scene, struct finding *finding);
void judge_low_use(const struct scene *scene, struct finding *finding);
void judge_graph_holes(const struct scene *scene, struct finding *finding);

/* advice_copies.c */
void judge_pageable(const struct scene *scene, struct finding *finding);
void judge_small_copies(const struct scene *scene, struct finding *finding);
void judge_slow_copies(const struct scene *scene, struct finding *finding);
void judge_compute_to_copies(const struct scene *scene, struct finding *finding);
void judge_copy_overlap(const struct scene *scene, struct finding *finding);
void judge_copy_engines(const struct scene *scene, struct finding *finding);

/* advice_communication.c */
void judge_communication(const struct scene *scene, struct finding *finding);
void judge_hidden(const struct scene *scene, struct finding *finding);
void judge_stragglers(const struct scene *scene, struct finding *finding);
void judge_tiny_collectives(const struct scene *scene, struct finding *finding);

/* advice_steps.c */
void judge_uneven_steps(const struct scene *scene, struct finding *finding);
void judge_profiler(const struct scene *scene, struct finding *finding);

/* advice_kernels.c */
void judge_concurrency(const struct scene *scene, struct finding *finding);
void judge_occupancy(const struct scene *scene, struct finding *finding);
void judge_fill(const struct scene *scene, struct finding *finding);
void judge_tail(const struct scene *scene, struct finding *finding);
void judge_tensor_cores(const struct scene *scene, struct finding *finding);
void judge_hot_kernel(const struct scene *scene, struct finding *finding);
void judge_memory(const struct scene *scene, struct finding *finding);

/* advice_functions.c */
void judge_hot_function(const struct scene *scene, struct finding *finding);
void judge_library_call(const struct scene *scene, struct finding *finding);
void judge_copied_sum(const struct scene *scene, struct finding *finding);
void judge_blocking(const struct scene *scene, struct finding *finding);
void judge_cost(const struct scene *scene, struct finding *finding);
void judge_imports(const struct scene *scene, struct finding *finding);
void judge_collisions(const struct scene *scene, struct finding *finding);

#endif
