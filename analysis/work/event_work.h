/* SPDX-License-Identifier: Apache-2.0 */
/* event_work.h — the FLOPs and bytes of an operator's event, from what the file says of its
 * inputs
 *
 * Device work that a CUDA or HIP graph launched stands for the operator that it was captured in. */
#ifndef PTK_ANALYSIS_WORK_EVENT_WORK_H
#define PTK_ANALYSIS_WORK_EVENT_WORK_H

#include "analysis/work/operator_work.h"
#include "graph/model/graph.h"

/* False when it is no operator and stands for none, or its work is not known. Wants PROP_SHAPES,
 * and for convolutions PROP_CONCRETE; PROP_TYPES for bytes; PROP_STRIDES tells which elements are
 * stretched. */
bool event_work(const struct graph *graph, event_id event, struct work *work);

/* The operator and the texts of its inputs; of an event that is none and stands for none its own
 * frame. */
struct captured_call event_call(const struct graph *graph, event_id event);

/* The innermost operator whose work is known around the call that the event was captured as, in
 * graph->captured, and its work; NO_CAPTURED_CALL. */
uint32_t captured_operator(const struct graph *graph, event_id event, struct work *work);

/* The innermost operator there, whether its work is known or not; 0: there is none. */
frame_id captured_frame(const struct graph *graph, event_id event);

#endif
