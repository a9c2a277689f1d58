/* SPDX-License-Identifier: Apache-2.0 */
/* demangle.h — C++ names as people know them */
#ifndef PTK_BASE_SYMBOLS_DEMANGLE_H
#define PTK_BASE_SYMBOLS_DEMANGLE_H

#include "base/memory/arena.h"
#include "base/text/span.h"

/* "_ZN3foo3barIiEEvT_" → "foo::bar": without arguments, template arguments and result, as pprof
 * shows names. What is no name of C++ comes back as it is. */
struct span demangle(struct arena *arena, const char *name);

/* "_Z6matMulPfi" → "matMul(float*, int)": all of it, as nvprof prints kernels. What is no name of
 * C++, or refers back to its own parts so often that it could grow without bound, comes back as it
 * is. */
struct span demangle_whole(struct arena *arena, const char *name);

#endif
