/* SPDX-License-Identifier: Apache-2.0 */
/* label_set.h — all labels of a sample as one frame, for who wants to keep them as they are
 *
 * With builder_options.label_sets the outermost frame of every stack is its set of labels, which
 * may be empty; graph.selection.roots_are_label_sets says so. The frame's name holds the labels. */
#ifndef PTK_GRAPH_MODEL_LABEL_SET_H
#define PTK_GRAPH_MODEL_LABEL_SET_H

#include "graph/model/graph.h"

/* The frame of a set. Equal labels in equal order are one frame. */
struct frame label_set_frame(struct strings *strings, const struct sample_label *labels,
                             uint32_t count);

/* One label of a set; texts are borrowed from the frame's name. */
struct set_label {
    struct span key, text, unit;
    bool is_number;
};

/* Takes the first label off `rest`, which begins as the frame's name; false when there is none. */
bool label_set_next(struct span *rest, struct set_label *label);

#endif
