#include "analysis/summary/transfers.h"

#include "base/memory/grow.h"

static bool has_word(struct span name, const char *word)
{
    return span_find_word(name, span_of(word)) != SIZE_MAX;
}

/* Paddle goes by these words. */
static bool is_named_transfer(struct span name)
{
    return has_word(name, "allreduce") || has_word(name, "broadcast") || has_word(name, "rpc");
}

/* Tensors that are only given another shape: aten::broadcast_to, broadcast_tensors, BroadcastTo. */
static bool is_local(struct span name)
{
    return span_starts(name, SPAN("aten::")) || has_word(name, "broadcast_to") ||
           has_word(name, "broadcastto") || has_word(name, "broadcast_tensors") ||
           has_word(name, "broadcast_in_dim");
}

uint8_t *transfer_marks(const struct graph *graph, bool is_paddle_compat)
{
    uint8_t *marks = grow_zeroed((size_t)graph->frames.count + 1, sizeof(*marks));

    for (frame_id frame = 1; frame < graph->frames.count; frame++) {
        struct span name = graph_text(graph, graph_frame(graph, frame)->name);

        if (is_named_transfer(name) && (is_paddle_compat || !is_local(name)))
            marks[frame] |= NAMED_TRANSFER;
        if (has_word(name, "nccl") || has_word(name, "xccl"))
            marks[frame] |= NAMED_COLLECTIVE;
        if (graph_frame(graph, frame)->kind == KIND_COMMUNICATION)
            marks[frame] |= KIND_OF_TRANSFER;
    }
    return marks;
}
