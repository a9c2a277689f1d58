/* SPDX-License-Identifier: Apache-2.0 */
/* short_name.h — functions as people call them: without types, arguments and namespaces */
#ifndef PTK_GRAPH_CLASSIFY_SHORT_NAME_H
#define PTK_GRAPH_CLASSIFY_SHORT_NAME_H

#include "base/memory/arena.h"
#include "base/text/span.h"

/* "void at::native::reduce<float>(int)" → "reduce", "void cutlass::Kernel2<gemm>(…)" → "gemm".
 * Other names, such as "Memcpy HtoD (Pageable -> Device)", stay. One of more than 48 bytes is cut
 * at a character's end and marked with "...". May live in `arena`. */
struct span kernel_name_short(struct span name, struct arena *arena);

/* "relax" of "void relax<float, int=16>(float const *, float*)", its namespace kept. */
struct span kernel_name_bare(struct span name);

/* As Paddle's tables show it, without the argument list: what its "(.+?)(<.*>)(\(.*\))" leaves. */
struct span kernel_name_without_arguments(struct span name);

/* A function of C++ without its arguments, template arguments and "const"; in `arena`. */
struct span cpp_name_short(struct span name, struct arena *arena);

/* Whether brackets are around it, as around what is built into an interpreter: "<lambda>". */
bool name_is_bracketed(struct span name);

#endif
