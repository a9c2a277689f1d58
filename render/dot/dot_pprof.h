/* SPDX-License-Identifier: Apache-2.0 */
/* dot_pprof.h — a call graph for Graphviz as pprof draws it: boxes as large as their self value */
#ifndef PTK_RENDER_DOT_DOT_PPROF_H
#define PTK_RENDER_DOT_DOT_PPROF_H

#include <stdio.h>

#include "analysis/selection/trimmed.h"
#include "render/dot/dot_groups.h"

struct dot_pprof_options {
    const char *title; /* raw bytes */
    struct dot_groups groups;
};

void dot_pprof_write(const struct graph *graph, const struct trimmed *trimmed,
                     const struct dot_pprof_options *options, FILE *out);

#endif
