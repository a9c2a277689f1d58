/* SPDX-License-Identifier: Apache-2.0 */
/* event_class.h — what an event is: its category, role, kind of call and of copy */
#ifndef PTK_GRAPH_CLASSIFY_EVENT_CLASS_H
#define PTK_GRAPH_CLASSIFY_EVENT_CLASS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory/span.h"
#include "graph/classify/kernel_class.h"
#include "graph/model/frame.h"
#include "graph/model/graph.h"

/* ---- what a trace's category says of its events: their kind, and where they belong ---- */

/* Which row an event stands in. A file's row (pid, tid) becomes one for each role in it, since
 * producers put what must not nest side by side into one. */
enum row_role {
    ROW_THREAD, /* host work */
    ROW_STREAM, /* device work */
    ROW_RANGES, /* what a host annotation covers on a stream */
    ROW_SYNC,   /* a stream that waits */
    ROW_TOTALS, /* sums that the file repeats, recording windows */
    ROW_POINTS, /* instants */
    ROW_ASYNC,
    ROW_SAMPLES, /* functions that were sampled */
    ROW_ROLE_COUNT
};

struct event_category {
    enum frame_kind kind;
    enum row_role row;
    bool is_by_row; /* where an event ran says more: producers with one category for all */
};

/* Of PyTorch, Paddle, TensorFlow, Bazel and Python's tracers, in any case; all others are host
 * work. An empty name is that of events without a category. */
struct event_category event_category_named(struct span name);

/* ---- the part that an event plays in training: a step, an operator, a kernel … ---- */

/* The roles are Paddle's event types. The category that the producer gave decides; where it is
 * not one of Paddle's words, the kind and the name of the event do. */

enum event_role {
    ROLE_NONE, /* not on a thread and not the device's work: instants, totals, async rows */
    ROLE_STEP,
    ROLE_DATALOADER,
    ROLE_FORWARD,
    ROLE_BACKWARD,
    ROLE_OPTIMIZATION,
    ROLE_OPERATOR,
    ROLE_INNER, /* a part of an operator: its shape inference, its kernel launch */
    ROLE_COMMUNICATION,
    ROLE_USER,        /* a range that the framework's native code named */
    ROLE_PYTHON_USER, /* a range that the user named */
    ROLE_PYTHON_OP,
    ROLE_PYTHON, /* a Python function */
    ROLE_OTHER,  /* any other host event; known by its category */
    ROLE_RUNTIME,
    ROLE_KERNEL,
    ROLE_MEMCPY,
    ROLE_MEMSET,
    ROLE_COUNT
};

/* "ProfileStep", "CudaRuntime": as Paddle's tables call it. */
const char *event_role_name(enum event_role role);

static inline bool role_is_device(enum event_role role)
{
    return role >= ROLE_KERNEL;
}

/* A node of the thread's tree: not what the runtime or the device does. */
static inline bool role_is_host(enum event_role role)
{
    return role > ROLE_NONE && role < ROLE_RUNTIME;
}

/* The four parts of a training step. */
static inline bool role_is_phase(enum event_role role)
{
    return role >= ROLE_DATALOADER && role <= ROLE_OPTIMIZATION;
}

/* The role that a category names by itself; ROLE_NONE when it is not one of Paddle's words, or one
 * that says less than the event's kind. */
enum event_role category_role(struct span category);

/* Whether its events are of memory that an allocator keeps for itself, not of what it hands out:
 * Paddle's "ReservedAllocate" and "ReservedFree". */
bool category_is_reservation(struct span category);

/* The role of a frame's events on a thread, as its kind and name tell. */
enum event_role host_role(enum frame_kind kind, struct span name);

/* The phase that a frame's events are part of where nothing names phases: ROLE_BACKWARD of
 * autograd's nodes, ROLE_FORWARD of modules' calls; else ROLE_NONE. */
enum event_role implied_phase(enum frame_kind kind, struct span name);

/* "Linear_3" of "nn.Module: Linear_3"; of other names all. */
struct span module_call_name(struct span name);

/* ---- the role of each event of a timeline, from its category and its frame's class ---- */

/* What roles go by. Owned: see roles_free(). */
struct roles {
    const struct timeline *timeline;
    uint8_t *of_category;         /* what its name means; ROLE_NONE where the frame tells more */
    uint8_t *on_host, *on_device; /* by frame */
};

void roles_make(const struct graph *graph, struct roles *roles);

/* An event's role on the host: of a thread that is none of a device's. */
static inline enum event_role roles_on_host(const struct roles *roles, event_id event)
{
    const struct timeline *t = roles->timeline;
    uint8_t named = t->category ? roles->of_category[t->category[event]] : (uint8_t)ROLE_NONE;

    return (enum event_role)(named ? named : roles->on_host[t->frame[event]]);
}

/* An event's role on a stream. */
static inline enum event_role roles_on_device(const struct roles *roles, event_id event)
{
    return (enum event_role)roles->on_device[roles->timeline->frame[event]];
}

/* Whether a track's events have roles of the host. */
static inline bool roles_are_of_host(const struct track *track)
{
    return track->kind == TRACK_THREAD;
}

/* Gives their role, by event, to the steps that are known by their number, whatever their name. */
void roles_mark_steps(const struct roles *roles, uint8_t *role);

void roles_free(struct roles *roles);

/* The role of every event, by event, in memory that the caller frees. */
uint8_t *event_roles(const struct graph *graph);

/* ---- between which memories a copy goes, and of what kind they are ---- */

/* PROP_COPY_KIND. */
enum copy_direction {
    COPY_UNKNOWN,
    COPY_HOST_TO_DEVICE,
    COPY_DEVICE_TO_HOST,
    COPY_DEVICE_TO_DEVICE, /* within one device */
    COPY_HOST_TO_HOST,
    COPY_PEER_TO_PEER, /* from one device to another */
    COPY_WITH_ARRAY,   /* from or to memory laid out for textures */
};

/* PROP_SRC_KIND and PROP_DST_KIND. */
enum memory_kind {
    MEMORY_UNKNOWN,
    MEMORY_PAGEABLE,
    MEMORY_PINNED,
    MEMORY_DEVICE,
    MEMORY_ARRAY,
    MEMORY_MANAGED,
    MEMORY_HOST, /* of the host, and not said whether pageable or pinned */
};

/* "HtoD", "DtoA"; COPY_UNKNOWN for others. */
enum copy_direction copy_direction_of(struct span abbreviation);

/* From the name of a copy or of the call that makes one, as every producer writes it: "Memcpy HtoD
 * (Pageable -> Device)", "[CUDA memcpy Host-to-Device]", "CopyHostToDevice", "MEMCPY_HtoD",
 * "HOST_TO_DEVICE", "MemcpyD2H", "MemcpyHtoDAsync_v2". */
enum copy_direction copy_direction_of_name(struct span name);

/* "Pageable", "Pinned", "Device", "Array", "Managed", "Unified", "Host", in any case. */
enum memory_kind memory_kind_of(struct span text);

/* ---- what moves data between devices, as names tell ---- */

/* What the words of a name say; a set. */
enum name_mark {
    NAMED_TRANSFER = 1,     /* an operator with such a name moves data between devices, */
    NAMED_LOCAL = 2,        /* but not with such a one: a tensor is only given another shape */
    NAMED_COLLECTIVE = 4,   /* a kernel with such a name does */
    NAMED_MANIPULATION = 8, /* a range with such a name copies or sets memory */
};

enum name_mark name_marks(struct span name);

/* ---- collectives ---- */

/* What an operation moves between ranks. */
enum traffic {
    TRAFFIC_PLAIN,
    TRAFFIC_REDUCE_ALL,
    TRAFFIC_GATHER,
    TRAFFIC_SCATTER,
    TRAFFIC_ALL,
    TRAFFIC_SEND,    /* from one rank to another: "send", */
    TRAFFIC_RECEIVE, /* and "recv" */
};

/* Whether all ranks end it at one time, as each needs something of all others. A root that sends is
 * done before those that receive. */
bool traffic_ends_together(enum traffic traffic);

/* Of an operation as PyTorch, Paddle or NCCL call it: "_allgather_base", "c_allreduce_sum",
 * "ncclDevKernel_AllReduce_Sum_f32_RING_LL(…)". */
enum traffic traffic_of_operation(struct span operation);

/* Bytes of an element of a type as c10::ScalarType calls it, "BFloat16"; UNKNOWN of others. */
int64_t scalar_type_size(struct span name);

/* ---- what a call of a device's runtime or driver does, and whether it blocks ---- */

/* Of CUDA, HIP, MUSA, Level Zero, OpenCL and SYCL, by the name alone: nothing else in a profile
 * tells. Versions and variants of one function ("cuMemcpyHtoDAsync_v2_ptsz") are one. */

/* ---- functions that wait and do nothing else, as far as names tell ---- */

/* In a profile by the wall clock their own time is waiting. Nothing but the name tells: Python's
 * built-ins that read, lock, sleep and poll, and the C library's and Go's calls of the same kind. */

enum blocking {
    BLOCKING_NOT,
    BLOCKING_IO,    /* reads, writes, connects */
    BLOCKING_POLL,  /* waits for whatever comes first, as event loops do */
    BLOCKING_LOCK,  /* waits for another thread or process */
    BLOCKING_SLEEP, /* waits for time to pass */
    BLOCKING_COUNT
};

enum blocking blocking_function(struct span name);

/* ---- what a call of a device's runtime or driver does, and whether it blocks ---- */

enum runtime_call {
    CALL_NONE,         /* no call of a runtime */
    CALL_OTHER,        /* asks, sets up, compiles: nothing that a device does */
    CALL_LAUNCH,       /* enqueues a kernel */
    CALL_GRAPH_LAUNCH, /* enqueues all the work of a recorded graph */
    CALL_COPY,
    CALL_FILL,
    CALL_EVENT_RECORD, /* enqueues a mark in a stream */
    CALL_STREAM_WAIT,  /* makes a stream wait for a mark; the host goes on */
    CALL_QUERY,        /* asks whether a stream or an event is done; the host goes on */
    CALL_SYNC_EVENT,   /* the host waits for a mark, */
    CALL_SYNC_STREAM,  /* for all that is in a stream by now, */
    CALL_SYNC_DEVICE,  /* for all that is in any stream of the device */
    CALL_ALLOCATE,
    CALL_FREE,
    CALL_CAPTURE_BEGIN, /* from here on calls of the thread are recorded as a graph, and do nothing */
    CALL_CAPTURE_END,
};

struct runtime_call_class {
    enum runtime_call call;
    enum copy_direction copy; /* of a copy whose name tells; COPY_UNKNOWN */
    bool may_block; /* may return only after work on the device is done: copies, memory, */
    bool blocks;    /* and it does so by contract, unless nothing is under way */
};

/* `name`: of a frame of KIND_RUNTIME. Never CALL_NONE. */
struct runtime_call_class runtime_call_class(struct span name);

/* Whether it is one, for producers that call it what they call all other host work: "cudaMalloc",
 * but not "cudart" or "hip_forward". */
bool is_runtime_call(struct span name);

/* Whether a range of device or host rows about waiting (KIND_SYNC) is for an event, a stream or all
 * of a device: "Stream Wait Event", "Context Sync". CALL_SYNC_DEVICE where it does not say. */
enum runtime_call sync_row_scope(struct span name);

/* The calls that are waiting and nothing else, whoever looks at them. */
bool is_waiting_call(struct span name);

/* ---- what a frame's events are: decided once, from the frame's kind and its name ---- */

/* The tables of names are in this folder, and nothing below it or above it looks at a name: a pass
 * asks for the class of a frame. What is not known from the frame but from the event (its category,
 * its track) is in event_role.c. */

struct frame_class {
    /* Of the host. */
    enum event_role role : 8;          /* on a thread: a step, a data loader, an operator … */
    enum event_role implied_phase : 8; /* where nothing names phases; else ROLE_NONE */
    enum runtime_call call : 8;        /* of KIND_RUNTIME: launches, copies, records, waits …; of
                                        * KIND_SYNC what is waited for; else CALL_NONE */
    enum blocking blocking : 8;        /* a function that reads, locks or sleeps, nothing else */
    struct operator_class operator;    /* of KIND_OPERATOR: how its work is counted */
    /* Of the device. */
    enum copy_direction copy : 8;   /* of copies, and of calls that make one, if the name tells */
    enum kernel_family family : 8;  /* of device work; else FAMILY_NONE */
    enum precision precision : 8;   /* of kernels, if the name tells; else PRECISION_UNKNOWN */
    enum expert_part expert_part : 4;     /* of kernels that compute experts, */
    enum weight_format weight_format : 4; /* and how they keep the weights */
    enum matrix_work matrix : 8;    /* of kernels and collectives; else MATRIX_NONE */
    struct kernel_tile tile;        /* of kernels that multiply matrices, if the name tells */
    enum name_mark marks : 8;       /* a set; not of Python's functions */
    bool loads_by_processes : 1;    /* takes a batch that another process makes */
    bool is_wait : 1;               /* only waits: no work, whoever looks at it */
    bool may_block : 1, blocks : 1; /* of calls: as in runtime_call.h */
    bool is_collective : 1;         /* KIND_COMMUNICATION */
    bool is_winograd : 1;           /* a kernel that needs fewer FLOP than its work counts */
    bool is_layout_change : 1;      /* a kernel that only puts a tensor into another order */
    bool is_rest : 1;               /* no function, but all that the profiler sees nothing of */
    bool is_import : 1;             /* imports a module, or initialises Go's packages */
    bool is_profiling : 1; /* starts, stops, steps or flushes a profiler: no part of the program */
    bool is_module_body : 1; /* of KIND_PYTHON: what a file does when it is run or imported */
    bool waits_for_requests : 1; /* of KIND_PYTHON: a server's, with nothing to do */
    bool is_serving_step : 1; /* of KIND_ANNOTATION: what it says of its step is in step_label.h */
};

/* What the events of a frame of that kind and name are, wherever its code is. */
struct frame_class frame_class(enum frame_kind kind, struct span name);

/* The class of a graph's frame: looked up where graph_classify() has been, else found now. Passes ask for
 * each event's. */
struct frame_class graph_class_now(const struct graph *graph, frame_id frame);

static inline struct frame_class graph_class(const struct graph *graph, frame_id frame)
{
    return frame < graph->classes.count ? graph->classes.list[frame]
                                        : graph_class_now(graph, frame);
}

/* Decides for all frames of a graph that have no class yet. builder_finish() does so for timelines,
 * whose passes ask most. */
void graph_classify(struct graph *graph);

/* What a counter over time counts, as its name says: bytes, or things of any other kind. */
enum unit series_unit(struct span name);

#endif
