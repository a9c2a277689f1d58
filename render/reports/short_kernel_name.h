/* short_kernel_name.h — device functions as people call them: without types, arguments and
 * namespaces */
#ifndef PTK_RENDER_REPORTS_SHORT_KERNEL_NAME_H
#define PTK_RENDER_REPORTS_SHORT_KERNEL_NAME_H

#include "base/memory/arena.h"
#include "base/text/span.h"

/* "void at::native::reduce<float>(int)" → "reduce", "void cutlass::Kernel2<gemm>(…)" → "gemm".
 * Other names, such as "Memcpy HtoD (Pageable -> Device)", stay. One of more than 48 bytes is cut
 * at a character's end and marked with "...". May live in `arena`. */
struct span kernel_name_short(struct span name, struct arena *arena);

#endif
