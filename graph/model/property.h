/* SPDX-License-Identifier: Apache-2.0 */
/* property.h — what single events know besides their time: sizes, shapes, inputs, captured calls */
#ifndef PTK_GRAPH_MODEL_PROPERTY_H
#define PTK_GRAPH_MODEL_PROPERTY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory/memory.h"
#include "base/text/string_table.h"
#include "graph/model/frame.h"

/* ---- what single events know besides their time: sizes, shapes, counters ---- */

/* Most events have few of them, so each property is a sparse column of (event, value) pairs. A
 * command says which it wants (builder_options.properties); a parser gives the others to nobody. */

/* Values are int64_t; texts are str_ids; PROP_PPM are parts per million of 1 (1.0 → 1000000). */
enum property {
    PROP_STEP,       /* on an annotation that is a training step: its number */
    PROP_BYTES,      /* moved, set or allocated; negative when freed */
    PROP_FLOP,       /* measured, or given by the producer */
    PROP_DRAM_BYTES, /* measured: read and written between the last cache and memory */
    PROP_L2_BYTES,   /* measured, likewise for each cache */
    PROP_L1_BYTES,
    PROP_FLOP_HALF, /* measured FLOP by precision, where counters tell */
    PROP_FLOP_SINGLE,
    PROP_FLOP_DOUBLE,
    PROP_FLOP_TENSOR,
    PROP_GRID, /* x, y and z packed: see property_pack3() */
    PROP_BLOCK,
    PROP_REGISTERS,     /* of a thread */
    PROP_SHARED_MEMORY, /* bytes of a block, static and dynamic */
    PROP_BLOCKS_PER_SM, /* PPM: grid blocks / SMs */
    PROP_WARPS_PER_SM,  /* PPM */
    PROP_OCCUPANCY,     /* PPM: achieved or estimated by the producer */
    PROP_STREAM,        /* as the file numbers it */
    PROP_CONTEXT,
    PROP_SHAPES,     /* text, as in the file: "[[8, 3], [3, 4]]"; graph.inputs has what it says, */
    PROP_TYPES,      /* and of these: "[\"float\", \"Scalar\"]" */
    PROP_STRIDES,    /* text */
    PROP_CONCRETE,   /* text: scalars and lists among the inputs */
    PROP_CALL_STACK, /* text */
    PROP_SEQUENCE,   /* links a forward operator to its backward operator */
    PROP_FORWARD_THREAD, /* on a backward operator: the thread of its forward operator */
    PROP_MODULE_ID,      /* of a Python nn.Module's call */
    PROP_PYTHON_ID,
    PROP_PYTHON_PARENT,
    PROP_COLLECTIVE, /* text: "allreduce" */
    PROP_DTYPE,      /* text: element type of a collective */
    PROP_IN_ELEMENTS,
    PROP_OUT_ELEMENTS,
    PROP_GROUP_SIZE,
    PROP_GROUP,          /* text: name of the process group */
    PROP_COLLECTIVE_SEQ, /* number of the collective in its group */
    PROP_SYNC_KIND,      /* text: "Stream Wait Event" */
    PROP_WAIT_STREAM,    /* the stream that is waited for */
    PROP_WAIT_LAUNCH,    /* correlation of the cudaEventRecord that is waited for */
    PROP_CORRELATION,    /* as in the file; launches are in timeline.launch already */
    PROP_COPY_KIND,      /* enum copy_direction */
    PROP_SRC_KIND,       /* enum memory_kind */
    PROP_DST_KIND,
    PROP_ADDRESS,   /* of an allocation */
    PROP_ALLOCATED, /* bytes allocated after it, by its allocator */
    PROP_RESERVED,  /* bytes reserved after it */
    PROP_PEAK_ALLOCATED,
    PROP_PEAK_RESERVED,
    PROP_PLACE,       /* text: the device or allocator that an allocation is on */
    PROP_GRAPH_NODE,  /* node of a CUDA graph */
    PROP_NODE_MODULE, /* text: the module that the node was annotated with, outermost first */
    PROP_NODE_LABEL,  /* text: what else it was annotated with: its operator */
    PROP_KERNEL_NAME, /* text: of the kernel that a call launches */
    PROP_CAPTURED, /* on the device work of a CUDA or HIP graph: see captured_calls.h: twice the place of
                       * its call, and one more where the inputs are not known */
    PROP_THROUGHPUT,  /* bytes per second, as the producer says */
    PROP_DETAIL,      /* text: what in particular an event is about, as a file that is compiled */
    PROP_GROUP_RANKS, /* text: the ranks of the process group, "[0, 1]" */
    PROP_GROUP_USE,   /* text: what the process group is for, "DATA_PARALLEL_GROUP" */
    PROP_SRC_RANK,    /* of a transfer between two ranks */
    PROP_DST_RANK,
    PROP_IN_STEP,     /* the number of the training step that the event says it is a part of */
    PROP_MODEL_CHUNK, /* which of its stage's parts of the model it is about */
    PROP_BEGUN, /* on a call of a collective that has not ended: 1 where the device has begun it */
    PROP_CPU_TIME,   /* ns that the event's thread ran on a processor, with what it calls */
    PROP_EARLY_CALL, /* on device work, where a window was cut out of the timeline: the frame of the
                      * call that launched it before */
    PROP_COUNT
};

_Static_assert(PROP_EARLY_CALL <= 64, "a set of properties is one 64-bit word");

enum property_kind { PROPERTY_NUMBER, PROPERTY_TEXT, PROPERTY_PPM };

/* Sets of properties: property_bit(PROP_BYTES) | property_bit(PROP_GRID). No parser is asked for
 * PROP_EARLY_CALL, which is in none. */
/* Of one that has a bit, in a constant. */
#define PROPERTY_BIT(property) ((uint64_t)1 << (property))

static inline uint64_t property_bit(enum property property)
{
    return property < PROP_EARLY_CALL ? PROPERTY_BIT(property) : 0;
}

/* What a value of it is. */
enum property_kind property_kind(enum property property);

/* One sparse column. Sorted by event once the graph is finished; at most one value an event. Values are in one of
 * two lists: see property_value(). */
struct property_column {
    uint32_t *event;
    int64_t *value;  /* NULL: in `narrow`, where all fit, as they do of most properties of a graph that is finished */
    int32_t *narrow;
    uint32_t count, cap;
    uint32_t *sharers; /* how many columns have the list of events; NULL: this one alone */
};

/* By place in the column. */
static inline int64_t property_value(const struct property_column *column, uint32_t at)
{
    return column->value ? column->value[at] : column->narrow[at];
}

/* Takes the other's list of events for its own where both are the same, as what is known of all kernels is. True where
 * it was. */
bool property_share(struct property_column *column, struct property_column *other);

/* Has a list of events of its own from now on: before one of them is changed. */
void property_own(struct property_column *column);

/* Has the values in `value` from now on: before one of them is changed. */
void property_widen(struct property_column *column);

/* Appends a pair; events must come in ascending order in a finished column. */
void property_append(struct property_column *column, uint32_t event, int64_t value);

/* Appends all pairs of another column. */
void property_append_all(struct property_column *column, const struct property_column *other);

void property_column_free(struct property_column *column);

/* The value of an event; false when it has none. Logarithmic: passes that read all values walk
 * the column instead. */
bool property_of(const struct property_column *column, uint32_t event, int64_t *value);

/* Where a pass over events stands in all columns of a timeline. Ready for use with the columns
 * given and all else zeroed. */
struct property_cursors {
    const struct property_column *columns; /* by property */
    uint32_t before[PROP_COUNT]; /* how many of the events come before the place, or stand there */
};

/* As property_of(), and takes as long as the event is away from the one asked for before. */
bool property_near(struct property_cursors *cursors, enum property property, uint32_t event,
                   int64_t *value);

/* The same, with `otherwise` where there is none. */
static inline int64_t property_or(struct property_cursors *cursors, enum property property,
                                  uint32_t event, int64_t otherwise)
{
    int64_t value;

    return property_near(cursors, property, event, &value) ? value : otherwise;
}

/* Three sizes below 2^21 each in one value, as grids and blocks have them; larger ones saturate. */
int64_t property_pack3(int64_t x, int64_t y, int64_t z);
void property_unpack3(int64_t packed, int64_t *x, int64_t *y, int64_t *z);

/* ---- the inputs of operators as numbers: shapes, element types, values ---- */

/* Files write them as texts, each framework in its own way. Parsers read each text once and keep
 * what it says beside it (builder_inputs()), so that no pass reads a text of the file: the text is
 * for people, and its id stands for what it says. */

/* Of elements, by whatever name a framework has for it. */
enum dtype {
    DTYPE_UNKNOWN,
    DTYPE_FLOAT64,
    DTYPE_FLOAT32,
    DTYPE_FLOAT16,
    DTYPE_BFLOAT16,
    DTYPE_FLOAT8,
    DTYPE_INT64,
    DTYPE_INT32,
    DTYPE_INT16,
    DTYPE_INT8,
    DTYPE_UINT8,
    DTYPE_BOOL,
    DTYPE_COUNT
};

enum input_kind {
    INPUT_UNTOLD, /* nothing, or what is no number: a text, a list of tensors */
    INPUT_SIZES,  /* a tensor's; none of a scalar */
    INPUT_DTYPE,
    INPUT_NUMBERS,
    INPUT_FLAGS, /* 0 or 1 */
};

struct operand {
    enum input_kind kind;
    uint32_t count;
    const int64_t *number;
};

/* One text: the shapes, the types or the values of all inputs of an operator. */
struct operator_inputs {
    enum property property; /* which of them: PROP_SHAPES, PROP_TYPES … */
    str_id text;
    uint32_t count;
    bool is_named; /* inputs go by name, the first two are X and Y, and attributes are not given:
                    * Paddle's */
    const struct operand *list;
};

/* By property and text. Ready for use when zeroed. */
struct inputs_table {
    struct idmap index; /* (property, text) → index into `list` */
    VECTOR(struct operator_inputs);
};

/* Keeps a copy in `arena`; of several for one text the first. `text`: by the table's ids. */
void inputs_add(struct inputs_table *table, struct arena *arena, str_id text,
                const struct operator_inputs *inputs);

/* What a property's text says; NULL where no parser read it. */
const struct operator_inputs *inputs_of(const struct inputs_table *table, enum property property,
                                        str_id text);

/* The input at a place; one that is INPUT_UNTOLD where there is none, and of NULL. */
const struct operand *input_at(const struct operator_inputs *inputs, uint32_t at);

/* The product of the sizes; saturates. 1 for no sizes. */
int64_t input_elements(const struct operand *input);

void inputs_free(struct inputs_table *table);

/* ---- the calls of operators and modules that made the nodes of CUDA or HIP graphs ---- */

/* A graph is captured once and launched many times. When it is launched no operator runs, so the
 * kernels only know the launch; who wanted them is known from the capture, which analysis/captures/
 * joins with the launches. Times of that other run are not kept. */

#define NO_CAPTURED_CALL UINT32_MAX

/* A call of an operator or a module, by the ids of the graph that it is kept in. */
struct captured_call {
    uint32_t parent; /* the one around it, which stands before it; NO_CAPTURED_CALL */
    frame_id frame;
    str_id shapes, types, strides, values; /* as PROP_SHAPES …; 0: not known */
    uint32_t inside; /* 1 + the place of what stands in the operators within; 0: nothing */
};

/* What an operator that computes experts does not say itself, but those within it do; 0: not known. */
struct call_inside {
    int64_t chosen, experts; /* of which each token goes to so many */
    int64_t inner, hidden;   /* the sizes between its two products, and behind them */
    int64_t scratch;         /* bytes that are allocated within */
};

struct captured_calls {
    VECTOR(struct captured_call);
    struct VECTOR_OF(struct call_inside) inside;
};

#endif
