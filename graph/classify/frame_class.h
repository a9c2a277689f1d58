/* SPDX-License-Identifier: Apache-2.0 */
/* frame_class.h — what a frame's events are: decided once, from the frame's kind and its name
 *
 * The tables of names are in this folder, and nothing below it or above it looks at a name: a pass
 * asks for the class of a frame. What is not known from the frame but from the event (its category,
 * its track) is in event_role.h. */
#ifndef PTK_GRAPH_CLASSIFY_FRAME_CLASS_H
#define PTK_GRAPH_CLASSIFY_FRAME_CLASS_H

#include "graph/classify/event_role.h"
#include "graph/classify/kernel_family.h"
#include "graph/classify/kernel_precision.h"
#include "graph/classify/memory_copy.h"
#include "graph/classify/operator_kind.h"
#include "graph/classify/runtime_call.h"
#include "graph/model/graph.h"

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
    enum matrix_work matrix : 8;    /* of kernels and collectives; else MATRIX_NONE */
    struct kernel_tile tile;        /* of kernels that multiply matrices, if the name tells */
    enum name_mark marks : 8;       /* a set; not of Python's functions */
    bool is_wait : 1;               /* only waits: no work, whoever looks at it */
    bool may_block : 1, blocks : 1; /* of calls: as in runtime_call.h */
    bool is_collective : 1;         /* KIND_COMMUNICATION */
    bool is_winograd : 1;           /* a kernel that needs fewer FLOP than its work counts */
    bool is_layout_change : 1;      /* a kernel that only puts a tensor into another order */
    bool is_import : 1;             /* what Python or Node runs to import a module */
    bool is_module_body : 1; /* of KIND_PYTHON: what a file does when it is run or imported */
};

/* What the events of a frame of that kind and name are. */
struct frame_class frame_class(enum frame_kind kind, struct span name);

/* The class of a graph's frame: looked up where graph_classify() has been, else found now. */
struct frame_class graph_class(const struct graph *graph, frame_id frame);

/* Decides for all frames of a graph that have no class yet. builder_finish() does so for timelines,
 * whose passes ask most. */
void graph_classify(struct graph *graph);

#endif
