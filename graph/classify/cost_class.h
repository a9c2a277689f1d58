/* SPDX-License-Identifier: Apache-2.0 */
/* cost_class.h — what a function of a CPU profile is there for, where it is not the program's work
 *
 * Memory, locks, the system, imports: what languages and libraries do for a program, by the names
 * and files that their functions have in Go, C and C++, Python and Node. */
#ifndef PTK_GRAPH_CLASSIFY_COST_CLASS_H
#define PTK_GRAPH_CLASSIFY_COST_CLASS_H

#include "graph/model/graph.h"

enum cost_class {
    COST_NONE, /* the program's own work, as far as is known */
    COST_GC,
    COST_ALLOCATION,
    COST_LOCK,   /* taking and releasing, and waiting for others */
    COST_SYSTEM, /* calls of the kernel */
    COST_IMPORT, /* loading code */
    COST_SERIALISATION,
    COST_REGEX, /* compiling regular expressions */
    COST_LOGGING,
    COST_EXCEPTION, /* raising and unwinding */
    COST_COPY,
    COST_HASH, /* hash tables and digests */
    COST_CLASS_COUNT
};

/* "garbage collection" */
const char *cost_class_name(enum cost_class class);

enum cost_class cost_class(const struct graph *graph, frame_id id);

#endif
