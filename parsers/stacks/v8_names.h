/* SPDX-License-Identifier: Apache-2.0 */
/* v8_names.h — a function as V8's profiles describe it, in traces, .cpuprofile and .heapprofile files */
#ifndef PTK_PARSERS_STACKS_V8_NAMES_H
#define PTK_PARSERS_STACKS_V8_NAMES_H

#include "graph/build/builder.h"
#include "parsers/json/json.h"

/* From {"functionName", "url", "lineNumber", "columnNumber"}; 0 for what is no function, as "(root)". */
frame_id v8_frame(struct token call, struct builder *builder);

/* The same before it is one. Without a name: it is no function. */
struct frame v8_call(struct token call, struct builder *builder);

/* One of a function's lines, counted from 1, where frames are lines; 0 for one that is not
 * known. */
frame_id v8_frame_at(const struct frame *call, int64_t line, struct builder *builder);

/* Name and file of a function, for where they do not stand together. */
void v8_name(struct frame *call, struct span name, struct builder *builder);
void v8_file(struct frame *call, struct span url, struct builder *builder);

#endif
