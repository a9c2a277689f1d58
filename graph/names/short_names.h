/* SPDX-License-Identifier: Apache-2.0 */
/* short_names.h — for graph/names/ itself: the labels of the functions of a graph */
#ifndef PTK_GRAPH_NAMES_SHORT_NAMES_H
#define PTK_GRAPH_NAMES_SHORT_NAMES_H

#include "graph/names/name_label.h"

/* Made or brought up to date; the graph's. */
struct short_names *graph_short_names(const struct graph *graph);

/* The first frame of those with that base label, or whose head ends in that; names->next_of_text and
 * next_of_tail lead to the others. 0: none; a hash may be equal by chance. Of a text only the functions are labelled
 * that may have it; of a tail all are. */
frame_id short_names_of_text(struct short_names *names, const struct graph *graph, struct span text);
frame_id short_names_of_tail(struct short_names *names, const struct graph *graph, struct span tail);

/* The frames whose head without what tells twins apart, or whose last part of it, begins so: `*count` of them, in the order of
 * those texts. The arena's of `names`. */
enum head_end { WHOLE_HEAD, TAIL_OF_HEAD };
const frame_id *short_names_that_begin(struct short_names *names, const struct graph *graph, enum head_end end,
                                       struct span begin, uint32_t *count);

/* The first of those that have the base label of this one, which is in the arena. */
frame_id short_names_of_label(struct short_names *names, const struct graph *graph, frame_id id, struct span *text,
                              struct arena *arena);

/* A kernel by its name alone: some traces show them as ranges or calls of the runtime. */
bool is_kernel_name(struct span name, bool is_runtime);

/* The last part of a head: "Get" of "store.(*DB).Get", "forward" of "attn.py:88(forward)". */
struct span label_tail(struct span head);

/* Gives the frame, and all that have its base label, their texts. */
void short_names_tell_apart(struct short_names *names, const struct graph *graph, frame_id id);

/* The label of a frame as it is shown: with the facts that tell it apart, label->apart of them. */
void short_names_label(struct label *label, const struct graph *graph, frame_id id);

/* Whether a text that is no label selects this function alone. */
bool short_name_is_alone(const struct graph *graph, struct span typed, frame_id id);

#endif
