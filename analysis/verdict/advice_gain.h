/* SPDX-License-Identifier: Apache-2.0 */
/* advice_gain.h — what curing a trouble gives: the run replayed without it */
#ifndef PTK_ANALYSIS_VERDICT_ADVICE_GAIN_H
#define PTK_ANALYSIS_VERDICT_ADVICE_GAIN_H

#include "analysis/verdict/advice.h"

/* Sets `gain` of all findings that speak and whose rule has a cure; returns that of all cures
 * together, UNKNOWN where there is none. */
int64_t advice_replay(const struct execution *execution, struct finding *findings, uint32_t count);

#endif
