/* SPDX-License-Identifier: Apache-2.0 */
/* event_work.h — the FLOPs and bytes of an operator's event, from what the file says of its
 * inputs */
#ifndef PTK_ANALYSIS_WORK_EVENT_WORK_H
#define PTK_ANALYSIS_WORK_EVENT_WORK_H

#include "analysis/work/operator_work.h"
#include "graph/model/graph.h"

/* False when it is no operator, or its work is not known. Wants PROP_SHAPES, and for convolutions
 * PROP_CONCRETE; PROP_TYPES for bytes; PROP_STRIDES tells which
 * elements are stretched. */
bool event_work(const struct graph *graph, event_id event, struct work *work);

#endif
