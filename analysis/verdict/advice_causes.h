/* SPDX-License-Identifier: Apache-2.0 */
/* advice_causes.h — a rule for each cause that makes kernels slow: analysis/causes/ */
#ifndef PTK_ANALYSIS_VERDICT_ADVICE_CAUSES_H
#define PTK_ANALYSIS_VERDICT_ADVICE_CAUSES_H

#include "analysis/verdict/advice.h"

/* One rule a cause, by enum kernel_cause; in the arena. */
const struct rule *cause_rules_make(struct arena *arena);

/* Whether kernels of the scene's device have the cause. */
bool causes_name(const struct scene *scene, enum kernel_cause cause);

/* Why nothing need be said of a kernel by its time alone, a literal: its causes are named, or it
 * attains most of its roof. NULL: nothing is known against it. */
const char *causes_silence(const struct scene *scene, frame_id kernel);

#endif
