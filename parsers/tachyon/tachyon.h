/* SPDX-License-Identifier: Apache-2.0 */
/* tachyon.h — what the readers of Python's sampling profiler share */
#ifndef PTK_PARSERS_TACHYON_TACHYON_H
#define PTK_PARSERS_TACHYON_TACHYON_H

#include "graph/build/builder.h"

/* A frame of its tables, whose texts are the builder's; a line below 1 is none. Frames of the profiler's own
 * making, such as <GC>, are of the file "~". */
struct frame tachyon_frame(struct builder *builder, str_id name, str_id file, int64_t line);

#endif
