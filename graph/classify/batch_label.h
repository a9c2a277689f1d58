/* SPDX-License-Identifier: Apache-2.0 */
/* batch_label.h — sizes of batches in the names of ranges, as servers of models write them */
#ifndef PTK_GRAPH_CLASSIFY_BATCH_LABEL_H
#define PTK_GRAPH_CLASSIFY_BATCH_LABEL_H

#include <stdint.h>

#include "base/text/span.h"

/* Of a range around the capture of a CUDA or HIP graph the batch that the graph holds:
 * "capture_256_FULL". 0: it says none. */
int64_t capture_label_size(struct span name);

/* Of a range around a step the tokens that it puts through the model, where vLLM, SGLang or ATOM
 * wrote it, or the images of xDiT:
 *
 *     execute_context_9(8155)_generation_37(37)      8192
 *     step[DECODE bs=48 g_sq=48 g_sk=912]              48
 *
 * 0: it says none. */
int64_t step_label_size(struct span name);

#endif
