#include "analysis/summary/transfers.h"

#include "base/grow.h"

static bool has_word(struct span name, const char *word)
{
    return span_find_word(name, span_of(word)) != SIZE_MAX;
}

uint8_t *transfer_marks(const struct graph *graph)
{
    uint8_t *marks = grow_zeroed((size_t)graph->frames.count + 1, sizeof(*marks));

    for (frame_id frame = 1; frame < graph->frames.count; frame++) {
        struct span name = graph_text(graph, graph_frame(graph, frame)->name);

        if (has_word(name, "allreduce") || has_word(name, "broadcast") || has_word(name, "rpc"))
            marks[frame] |= NAMED_TRANSFER;
        if (has_word(name, "nccl") || has_word(name, "xccl"))
            marks[frame] |= NAMED_COLLECTIVE;
        if (graph_frame(graph, frame)->kind == KIND_COMMUNICATION)
            marks[frame] |= KIND_OF_TRANSFER;
    }
    return marks;
}
