/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_name.h — kernels' names as their source has them */
#ifndef PTK_PARSERS_SHARED_KERNEL_NAME_H
#define PTK_PARSERS_SHARED_KERNEL_NAME_H

#include "graph/build/builder.h"

/* Interned; demangled where the file has it mangled and this build knows how. */
str_id kernel_name_intern(struct builder *builder, struct span name);

#endif
