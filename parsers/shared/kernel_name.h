/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_name.h — device work by its name in a table: a kernel's as its source has it, a copy's */
#ifndef PTK_PARSERS_SHARED_KERNEL_NAME_H
#define PTK_PARSERS_SHARED_KERNEL_NAME_H

#include "graph/build/builder.h"

/* Interned; demangled where the file has it mangled and this build knows how. */
str_id kernel_name_intern(struct builder *builder, struct span name);

/* What the name is: "[CUDA memcpy HtoD]", "[CUDA memset]", "ncclKernel…", else a kernel. */
enum frame_kind kernel_name_kind(struct span name);

frame_id kernel_name_frame(struct builder *builder, struct span name, enum frame_kind kind);

#endif
