/* SPDX-License-Identifier: Apache-2.0 */
/* writer.h — a graph in another tool's format: what each has to provide, and the list of all
 *
 * The counterpart of parsers/parser.h: formats and levels meet in the graph, so every input that
 * has the level can become every output that needs it. */
#ifndef PTK_RENDER_WRITERS_WRITER_H
#define PTK_RENDER_WRITERS_WRITER_H

#include <stdio.h>

#include "analysis/execution/path_marks.h"
#include "base/text/escape.h"
#include "graph/model/graph.h"

/* One conversion. */
struct writing {
    const struct graph *graph; /* has the writer's level */
    const char *path;          /* of the profile, as given */
    FILE *out;
    struct arena *arena;
    const struct path_marks *path_marks; /* the critical path to be shown; NULL: none */
    struct warnings *warnings;  /* what the format cannot hold */
    struct csv_readers readers; /* `is_terminal` is for all formats of text */
};

struct writer {
    const char *name;     /* what --to takes: "pprof" */
    const char *summary;  /* one line */
    enum level level;     /* the least that it can be made from */
    const char *question; /* completes a sentence: "folded stacks cannot be written" */
    bool all_values;      /* holds every value type, not only the selected one */
    bool wants_places;    /* holds lines and addresses of code, not only functions */
    bool wants_labels;    /* holds the labels of samples, as graph/model/label_set.h has them */
    bool wants_events;    /* holds what single events know: properties, launches, counters */
    bool wants_richest;   /* writes the richest level that there is */
    bool shows_path;      /* can mark the critical path */
    bool is_binary;       /* writes what no terminal can show */
    void (*write)(struct writing *writing);
};

extern const struct writer *const writers[]; /* ends with NULL */
extern const char *const writer_names[];     /* in the same order; ends with NULL */

/* The one that keeps most of a profile that holds this level. */
const struct writer *writer_for(enum level level);

#endif
