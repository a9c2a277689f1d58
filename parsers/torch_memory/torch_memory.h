/* SPDX-License-Identifier: Apache-2.0 */
/* torch_memory.h — what the readers of PyTorch's memory snapshots share
 *
 * torch_memory.c takes the pickle apart: segments and their blocks, as they are at the end, and what the
 * allocator did before; memory_replay.c goes through that and finds the peak, and what grows with every
 * step. */
#ifndef PTK_PARSERS_TORCH_MEMORY_TORCH_MEMORY_H
#define PTK_PARSERS_TORCH_MEMORY_TORCH_MEMORY_H

#include "base/memory/memory.h"
#include "base/text/string_table.h"
#include "graph/build/builder.h"
#include "parsers/shared/pickle.h"

enum memory_action {
    MEMORY_OTHER,
    MEMORY_ALLOCATE,
    MEMORY_FREE,    /* the tensor is gone; */
    MEMORY_FREED,   /* its bytes can be used again: also where the one before was not recorded */
    MEMORY_RESERVE, /* a segment, of the driver */
    MEMORY_RETURN,
    MEMORY_EXHAUSTED, /* out of memory */
};

struct memory_event {
    enum memory_action action;
    node_id stack;
    uint64_t address;
    int64_t size; /* of an allocation: as asked for */
    int64_t time; /* us since the epoch */
    int64_t left; /* MEMORY_EXHAUSTED: what the device has; UNKNOWN */
};

/* A block in use at the end. */
struct memory_block {
    uint64_t address;
    int64_t size, asked;
    node_id stack;
    uint32_t device;
};

/* At the end: what the driver gave, what of that is in no use, and the largest piece of it. */
struct memory_pool {
    int64_t reserved, cached, largest;
};

struct memory_device {
    struct VECTOR_OF(struct memory_event) events;
    struct memory_pool pool;
};

/* A range that the program named, as it begins or ends. */
struct memory_mark {
    int64_t time;
    str_id name;
    bool is_start;
};

struct torch_memory {
    struct builder *builder;
    struct stack_builder *stacks;
    struct pickle pickle;
    struct idmap node_of, frames_of; /* of a list of frames; of a node, the list */
    struct VECTOR_OF(struct memory_device) devices;
    struct VECTOR_OF(struct memory_block) blocks;
    struct VECTOR_OF(struct memory_mark) marks;
    bool tells_lines;
    uint64_t odd, ignored;
};

enum memory_value { VALUE_PEAK, VALUE_END, VALUE_ALLOCATED, VALUE_LEAK, MEMORY_VALUES };

/* Adds the values of one device but for VALUE_END, and tells what there is to tell. */
void memory_replay(struct torch_memory *memory, uint32_t device);

/* "train.py:65 step": the innermost frame of a stack that is in no library, else the innermost; cut where it
 * does not fit. */
void memory_place(const struct torch_memory *memory, node_id stack, char *text, size_t room);

#endif
