/* SPDX-License-Identifier: Apache-2.0 */
/* group_events.h — what a timeline's events belong to besides their functions: track, step, detail
 *
 * Levels below the timeline forget it. So frames are told apart by it first, which selection
 * leaves alone, and group_apply() merges by that. */
#ifndef PTK_ANALYSIS_SELECTION_GROUP_EVENTS_H
#define PTK_ANALYSIS_SELECTION_GROUP_EVENTS_H

#include "analysis/selection/group.h"

/* Before anything is derived. Does nothing where the profile does not know. Device work is in the
 * step that launched it. Steps need PROP_STEP and launches, categories that they are kept,
 * details PROP_DETAIL. */
void group_mark_events(struct graph *graph, enum group_by by);

#endif
