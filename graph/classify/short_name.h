/* SPDX-License-Identifier: Apache-2.0 */
/* short_name.h — functions as people call them: without types, arguments and namespaces */
#ifndef PTK_GRAPH_CLASSIFY_SHORT_NAME_H
#define PTK_GRAPH_CLASSIFY_SHORT_NAME_H

#include <stddef.h>

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

/* The same without its result: "linalg::dot" of "double linalg::dot<double>(int)". */
struct span cpp_name_bare(struct span name, struct arena *arena);

/* Takes the outermost namespace or class off; false where there is none. */
bool cpp_name_drop_scope(struct span *name);

/* Whether brackets are around it, as around what is built into an interpreter: "<lambda>". */
bool name_is_bracketed(struct span name);

/* ---- functions' labels with as much of their paths as tells them apart ---- */

enum label_paths { PATHS_AUTO, PATHS_FULL, PATHS_SHORT, PATHS_NAME };

/* How many bytes of folders two labels have in common: "/srv/app/" of "/srv/app/a.py:1(f)" and
 * "/srv/app/lib/b.py:2(g)". Labels below Python's own folders, and those without a path, count not:
 * `common` as it was. SIZE_MAX to begin with. */
size_t label_common(struct span label, struct span first, size_t common);

/* Whether a label has folders of its program's own. */
bool label_has_folder(struct span label);

/* Short: below Python's own folders ("json/decoder.py:332(decode)"), below `common`, or Go's
 * package without its path ("http.(*Server).Serve"). Name: without file and line, but for a module's
 * own code. A part of the label. */
struct span label_short(struct span label, enum label_paths paths, size_t common);

/* A C++ name with what tells it apart: "std::string" spelled out becomes that again, and template
 * arguments and parameters of more than a few words become "...": "std::_Rb_tree<...>::find(...)".
 * Other labels stay. May live in `arena`. */
struct span label_compact(struct span label, struct arena *arena);

#endif
