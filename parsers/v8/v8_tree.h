/* SPDX-License-Identifier: Apache-2.0 */
/* v8_tree.h — V8's call trees */
#ifndef PTK_PARSERS_V8_V8_TREE_H
#define PTK_PARSERS_V8_V8_TREE_H

#include "base/memory/memory.h"
#include "graph/build/builder.h"
#include "parsers/json/json.h"

/* ---- the call tree of a V8 profile while it is read, in its new form and in its old one ---- */

/* New: a list of nodes that name their children. Old: nodes inside each other, from "head" on. */

#define NO_PARENT UINT32_MAX

struct v8_node {
    frame_id frame;   /* 0: none, as of the root */
    frame_id no_line; /* the same where frames are lines and this one's is not known */
    uint32_t parent, first_tick, tick_count;
    node_id above, place; /* in the builder's tree, once it is there */
    bool is_described, is_placed, is_open, is_idle;
    int64_t hits, samples, time;
};

/* How many of a node's samples were in a line. */
struct tick {
    int64_t number; /* of the line, from 1 */
    frame_id line;  /* once the node's function is known */
    int64_t count;
};

struct nodes {
    struct builder *builder;
    struct json_stream *json;
    struct idmap by_id;
    VECTOR(struct v8_node);
    struct VECTOR_OF(struct tick) ticks; /* of each node in a row; none unless frames are lines */
    bool by_line;
    uint64_t repeated; /* nodes that are below several others */
};

/* A new node that has no id yet; returns its number. */
uint32_t nodes_add(struct nodes *nodes, uint32_t parent);

/* The node with an id; it is made when there is none yet. */
uint32_t nodes_find(struct nodes *nodes, int64_t id);

/* "hitCount"; what is none counts as 0. */
void nodes_read_hits(struct v8_node *node, struct token hits);

/* "positionTicks", for which nodes_give_frames() then makes frames. */
void nodes_read_ticks(struct nodes *nodes, struct v8_node *node, struct token ticks);
void nodes_give_frames(struct nodes *nodes, struct v8_node *node, const struct frame *call);

/* The value of "nodes", which is the next one. */
void nodes_read(struct nodes *nodes);

/* The value of "head". */
void nodes_read_head(struct nodes *nodes);

void nodes_free(struct nodes *nodes);

#endif
