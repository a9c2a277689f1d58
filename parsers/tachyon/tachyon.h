/* SPDX-License-Identifier: Apache-2.0 */
/* tachyon.h — frames, as the two readers of Python's sampling profiler make them */
#ifndef PTK_PARSERS_TACHYON_TACHYON_H
#define PTK_PARSERS_TACHYON_TACHYON_H

#include "graph/build/builder.h"

/* A frame of its tables; the texts are the builder's. A line below 1 is none. Frames that the profiler itself
 * makes, such as <GC>, are in the file "~". */
struct frame tachyon_frame(struct builder *builder, str_id name, str_id file, int64_t line);

#endif
