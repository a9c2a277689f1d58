/* build.h — the inside of a builder, for the files that implement builder.h */
#ifndef PTK_GRAPH_BUILD_H
#define PTK_GRAPH_BUILD_H

#include "base/idmap.h"
#include "graph/builder.h"
#include "graph/planting.h"

struct builder {
    struct builder_options options;
    struct graph graph;
    size_t fact_cap;

    /* call graph: where a frame's function is, and in which order functions were listed */
    uint32_t *function_of; /* by frame, index + 1; 0: none yet */
    size_t function_of_cap;
    uint32_t *listed_at; /* by function, place + 1 in the file's order; 0: only named */
    size_t listed_at_cap;
    uint32_t listed;
    uint32_t *calls_from; /* by function: the first edge to it that counts; NULL: all do */
    size_t calls_from_cap;

    struct planting planting; /* call tree */

    /* timeline, in file order until build_timeline_finish() */
    uint32_t *event_track;
    uint32_t event_cap, track_cap, series_cap, device_cap;
    struct idmap categories; /* name → index */
};

void build_tree_begin(struct builder *builder);

/* Each turns what its level has gathered into the columns of the graph. */
void build_calls_finish(struct builder *builder);
void build_timeline_finish(struct builder *builder);

/* place[i] is where event i of the file's order has gone. */
void build_properties_finish(struct builder *builder, const uint32_t *place);

#endif
