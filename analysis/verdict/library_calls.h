/* SPDX-License-Identifier: Apache-2.0 */
/* library_calls.h — which function of a library, called by which of the program's own, takes most */
#ifndef PTK_ANALYSIS_VERDICT_LIBRARY_CALLS_H
#define PTK_ANALYSIS_VERDICT_LIBRARY_CALLS_H

#include "graph/model/graph.h"

struct library_call {
    frame_id function; /* where own code (own_code.h) is left; 0: it never is */
    frame_id caller;   /* the own function */
    int64_t time;      /* of the selected value, until own code is called back */
};

/* The one with most time, but for functions that wait, import, or have a class of costs
 * (cost_class.h): those are told apart. Where only calls are known, not stacks, that of
 * functions that call own code back is their own time alone. Needs LEVEL_FLAT; without calls it finds nothing. */
void library_call_find(const struct graph *graph, struct library_call *most);

#endif
