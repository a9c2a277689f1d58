/* SPDX-License-Identifier: Apache-2.0 */
/* nvprof_names.h — from a name in a table to a frame: a kernel, a copy, a call */
#ifndef PTK_PARSERS_NVPROF_NVPROF_NAMES_H
#define PTK_PARSERS_NVPROF_NVPROF_NAMES_H

#include "graph/build/builder.h"

/* Of device work: "[CUDA memcpy HtoD]", "[CUDA memset]", "ncclKernel…", else a kernel. */
enum frame_kind device_name_kind(struct span name);

/* Takes " [105]" off the end of a name: the call that launched it; of a call " (kernel [105])". -1
 * when there is none. */
int64_t name_take_correlation(struct span *name);

/* The last "(N)" of "TITAN X (Pascal) (0)", which is taken off; -1 where a text is cut before
 * it. */
int32_t name_take_ordinal(struct span *device);

frame_id name_frame(struct builder *builder, struct span name, enum frame_kind kind);

#endif
