/* SPDX-License-Identifier: Apache-2.0 */
/* short_label.h — functions' labels with as much of their paths as tells them apart */
#ifndef PTK_GRAPH_CLASSIFY_SHORT_LABEL_H
#define PTK_GRAPH_CLASSIFY_SHORT_LABEL_H

#include <stddef.h>

#include "base/memory/arena.h"
#include "base/text/span.h"

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
