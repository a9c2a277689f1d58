/* SPDX-License-Identifier: Apache-2.0 */
/* dot.h — a call graph for Graphviz */
#ifndef PTK_RENDER_DOT_DOT_H
#define PTK_RENDER_DOT_DOT_H

#include <stdio.h>

#include "analysis/selection/prune.h"
#include "render/dot/dot_groups.h"
#include "render/pictures/colormap.h"

struct dot_options {
    const struct colormap *colors;
    double skew;
    bool colors_by_self;   /* a node's colour is its self time against the largest drawn */
    bool strips_arguments; /* leave out argument lists and template arguments */
    bool wraps;            /* break long names at blanks, 32 characters a line */
    struct dot_groups groups;
};

void dot_write(const struct graph *graph, const struct pruned *pruned,
               const struct dot_options *options, FILE *out);

#endif
