/* SPDX-License-Identifier: Apache-2.0 */
/* torch_memory.h — what the readers of PyTorch's memory snapshots share
 *
 * memory_records.c reads what the pickle has much of while it is read; torch_memory.c makes of it what is in
 * use at the end and what the allocator did before. memory_replay.c goes through that and finds the peak, and what
 * grows with every step. */
#ifndef PTK_PARSERS_TORCH_MEMORY_TORCH_MEMORY_H
#define PTK_PARSERS_TORCH_MEMORY_TORCH_MEMORY_H

#include "base/memory/memory.h"
#include "base/text/string_table.h"
#include "graph/build/builder.h"
#include "parsers/pickle/pickle.h"

enum memory_action {
    MEMORY_OTHER,
    MEMORY_ALLOCATE,
    MEMORY_FREE,    /* the tensor is gone; */
    MEMORY_FREED,   /* its bytes can be used again: also where the one before was not recorded */
    MEMORY_RESERVE, /* a segment, of the driver */
    MEMORY_RETURN,
    MEMORY_EXHAUSTED, /* out of memory */
};

enum { MEMORY_ACTIONS = 8 }; /* names of these */

struct memory_event {
    enum memory_action action;
    uint32_t stack; /* the number that it was read with, then its node */
    union {
        uint64_t address;
        int64_t left; /* MEMORY_EXHAUSTED: what the device has; UNKNOWN */
    };
    int64_t size; /* of an allocation: as asked for */
    int64_t time; /* us since the epoch */
};

/* A piece of a segment, in use at the end or not. */
struct memory_block {
    uint64_t address;
    int64_t size, asked;
    uint32_t stack; /* as an event's */
    uint32_t device;
    bool is_live, is_pending; /* in use, or about to be free */
    bool has_address;         /* else it follows the one before */
    bool is_held;             /* in use, of a segment that is on the list of these: its device, address and node are known */
};

struct memory_events {
    VECTOR(struct memory_event);
};

struct memory_blocks {
    VECTOR(struct memory_block);
};

/* What the driver gave in one piece, with a run of torch_memory.pieces. */
struct memory_segment {
    uint64_t address;
    int64_t size, device, stream;
    size_t first, count;
    bool is_private;              /* of a pool of its own */
    bool is_small, is_expandable; /* for small blocks; it can grow */
};

/* What was in a list of the pickle. */
struct memory_list {
    struct memory_events events;
    struct memory_blocks blocks;
    struct VECTOR_OF(struct memory_segment) segments;
};

struct memory_frame {
    str_id file, name;
    int64_t line;
    frame_id made; /* 0 where it is not shown */
    bool is_made;
};

/* A run of torch_memory.stack_frames, the innermost first. */
struct memory_stack {
    size_t first;
    uint32_t count;
    node_id node;  /* 0: not made yet */
    str_id place;  /* see memory_stack_place(); 0: not made yet */
};

/* At the end: what the driver gave, what of that is in no use, and the largest piece of it. */
struct memory_pool {
    int64_t reserved, cached, largest;
};

struct memory_device {
    struct memory_events events; /* of its list */
    struct memory_pool pool;
};

/* A range that the program named, as it begins or ends. */
struct memory_mark {
    int64_t time;
    str_id name;
    bool is_start;
};

/* Members of dicts. */
enum memory_field {
    FIELD_ACTION,
    FIELD_ADDR,
    FIELD_SIZE,
    FIELD_TIME,
    FIELD_FRAMES,
    FIELD_LEFT,
    FIELD_ADDRESS,
    FIELD_TOTAL,
    FIELD_DEVICE,
    FIELD_POOL,
    FIELD_STREAM,
    FIELD_SEGMENT_TYPE,
    FIELD_EXPANDABLE,
    FIELD_BLOCKS,
    FIELD_ASKED,
    FIELD_STATE,
    FIELD_HISTORY,
    FIELD_REAL_SIZE,
    FIELD_NAME,
    FIELD_FILE,
    FIELD_LINE,
    MEMORY_FIELDS
};

struct torch_memory {
    struct builder *builder;
    struct stack_builder *stacks;
    struct pickle pickle;
    struct VECTOR_OF(unsigned char) field_of; /* a text: an enum memory_field, or MEMORY_FIELDS */
    str_id action_names[MEMORY_ACTIONS];
    struct idmap list_of; /* the pickle's lists */
    struct VECTOR_OF(struct memory_list) lists;
    value_id last_list; /* that was asked for, and its number: items come in runs */
    uint32_t last_number;
    struct memory_list unlisted; /* what is in no list yet, */
    size_t listed;               /* and how many of these are by now */
    struct VECTOR_OF(value_id) items;
    struct VECTOR_OF(struct memory_frame) frames;
    struct VECTOR_OF(struct memory_stack) stacks_read; /* the first has no frames */
    struct VECTOR_OF(uint32_t) stack_frames;
    struct index stack_index; /* of stacks, from the second on */
    struct idmap stack_of;    /* of a node */
    struct VECTOR_OF(struct memory_device) devices;
    struct memory_blocks pieces; /* of all segments */
    struct VECTOR_OF(struct memory_mark) marks;
    bool tells_lines;
    uint64_t odd, ignored, elsewhere;
};

enum memory_value { VALUE_PEAK, VALUE_END, VALUE_ALLOCATED, VALUE_LEAK, MEMORY_VALUES };

/* Before the pickle is read: dicts that come into a list are taken as they come. */
void memory_begin_reading(struct torch_memory *memory);

/* What was taken from a list of the pickle: nothing, mostly. Valid until the next call. */
struct memory_list *memory_list_of(struct torch_memory *memory, value_id list);

/* The node of a stack, which is made on first use; after the graph is begun. */
node_id memory_node(struct torch_memory *memory, uint32_t number);

/* Adds the values of one device but for VALUE_END, and tells what there is to tell. */
void memory_replay(struct torch_memory *memory, uint32_t device);

/* "train.py:65 step": the innermost frame of a stack that is in no library, else the innermost; cut where it
 * does not fit. */
void memory_place(const struct torch_memory *memory, node_id node, char *text, size_t room);

/* The same of a stack by its number; 0 where it has no frames. */
str_id memory_stack_place(struct torch_memory *memory, uint32_t number);

#endif
