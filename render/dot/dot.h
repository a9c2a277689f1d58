/* SPDX-License-Identifier: Apache-2.0 */
/* dot.h — call graphs for Graphviz */
#ifndef PTK_RENDER_DOT_DOT_H
#define PTK_RENDER_DOT_DOT_H

#include <stdio.h>

#include "analysis/selection/prune.h"
#include "graph/model/graph.h"

/* ---- what of a call graph belongs together, and what lies on the critical path ---- */

struct dot_groups {
    bool by_module;           /* a frame around the functions of each module */
    const int64_t *path_time; /* ns, by function: on the critical path; NULL: not known */
    int64_t path_length;      /* ns */
};

/* Frames around the functions that were written: host and device apart where there are both, and
 * modules within them where that is asked. */
void dot_groups_write(const struct dot_groups *groups, const struct graph *graph,
                      const uint32_t *functions, uint32_t count, FILE *out);

/* Functions that no arrow touches, in columns: Graphviz would put them in one long row. */
void dot_columns_write(const bool *is_joined, const uint32_t *functions, uint32_t count, FILE *out);

/* The attribute that marks a box on the critical path, with a comma in front; or nothing. */
const char *dot_groups_mark(const struct dot_groups *groups, uint32_t function);

/* One more line of its label: the share of the path that it is. */
void dot_groups_note(const struct dot_groups *groups, uint32_t function, FILE *out);

/* ---- a call graph for Graphviz ---- */

enum { COLORMAP_LEN = 8 }; /* "#rrggbb" */

extern const char *const colormap_names[]; /* ends with NULL */

struct dot_options {
    int colormap; /* its place among the names */
    double skew;
    bool colors_by_self;   /* a node's colour is its self time against the largest drawn */
    bool strips_arguments; /* leave out argument lists and template arguments */
    bool wraps;            /* break long names at blanks, 32 characters a line */
    struct dot_groups groups;
};

void dot_write(const struct graph *graph, const struct pruned *pruned,
               const struct dot_options *options, FILE *out);

/* ---- a call graph for Graphviz as pprof draws it: boxes as large as their self value ---- */

struct dot_pprof_options {
    const char *title; /* raw bytes */
    struct dot_groups groups;
};

void dot_pprof_write(const struct graph *graph, const struct trimmed *trimmed,
                     const struct dot_pprof_options *options, FILE *out);

/* ---- a function's name as it stands in a box: short, and on several lines if asked ---- */

/* "decoder:332:decode" for Python, "~:0:<built-in …>" for its built-ins, the name for the rest;
 * escaped. Names of more than 4095 bytes are cut. */
void dot_name(FILE *out, const struct graph *graph, const struct frame *frame,
              bool strips_arguments, bool wraps);

/* The name, a line for each of its parts: "json", "decode"; without arguments. Python's functions
 * with their file and line below. Escaped. */
void dot_name_parts(FILE *out, const struct graph *graph, const struct frame *frame);

/* The file, or the whole name where there is none; escaped. */
void dot_tooltip(FILE *out, const struct graph *graph, const struct frame *frame);

#endif
