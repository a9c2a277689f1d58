/* demangle.h — C++ names as people know them */
#ifndef PTK_BASE_DEMANGLE_H
#define PTK_BASE_DEMANGLE_H

#include "base/arena.h"
#include "base/span.h"

/* "_ZN3foo3barIiEEvT_" → "foo::bar": without arguments, template arguments and result, as pprof shows
 * names. What is no name of C++ comes back as it is. */
struct span demangle(struct arena *arena, const char *name);

#endif
