/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/summary/transfers.h"

#include "base/memory/grow.h"
#include "graph/classify/frame_class.h"

uint8_t *transfer_marks(const struct graph *graph, bool is_paddle_compat)
{
    uint8_t *marks = grow_zeroed((size_t)graph->frames.count + 1, sizeof(*marks));

    for (frame_id frame = 1; frame < graph->frames.count; frame++) {
        struct frame_class class = graph_class(graph, frame);

        if (class.marks & NAMED_TRANSFER && (is_paddle_compat || !(class.marks & NAMED_LOCAL)))
            marks[frame] |= TRANSFER_OPERATOR;
        if (class.marks & NAMED_COLLECTIVE)
            marks[frame] |= TRANSFER_KERNEL;
        if (class.is_collective)
            marks[frame] |= TRANSFER_KIND;
    }
    return marks;
}
