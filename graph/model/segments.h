/* SPDX-License-Identifier: Apache-2.0 */
/* segments.h — what an allocator had of its devices' memory at the end: segments, each cut into blocks */
#ifndef PTK_GRAPH_MODEL_SEGMENTS_H
#define PTK_GRAPH_MODEL_SEGMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory/memory.h"
#include "base/text/string_table.h"

enum block_state {
    BLOCK_IN_USE,
    BLOCK_AWAITED, /* freed, but another stream may still use it */
    BLOCK_FREE,
    BLOCK_STATES
};

/* What the driver gave in one piece. */
struct allocator_segment {
    int32_t device;
    bool is_small, is_private, is_expandable; /* for small blocks; of a pool of its own; it can grow */
    uint64_t address;
    int64_t stream; /* as the file calls it; 0: the default one */
    int64_t size;   /* bytes, as all below */
    int64_t in[BLOCK_STATES];
    int64_t largest_free;
    uint64_t first, blocks; /* its blocks are first … first + blocks - 1, by address: those below
                               segments.sizes.count are kept */
};

enum { SEGMENT_BLOCKS_MOST = 1 << 22 }; /* that are kept */

/* The blocks' columns are of one length. */
struct allocator_segments {
    VECTOR(struct allocator_segment);
    struct VECTOR_OF(int64_t) sizes;   /* bytes */
    struct VECTOR_OF(uint8_t) states;  /* enum block_state */
    struct VECTOR_OF(str_id) places;   /* what allocated it: "train.py:65 step"; 0: not known */
    uint64_t blocks;                   /* of all segments */
};

/* Free memory beside blocks in use cannot be given back to the driver, unless the segment is mapped page by page. */
static inline int64_t segment_trapped(const struct allocator_segment *segment)
{
    return segment->in[BLOCK_IN_USE] && !segment->is_expandable ? segment->in[BLOCK_FREE] : 0;
}

#endif
