/* SPDX-License-Identifier: Apache-2.0 */
/* transfers.h — what moves data between devices */
#ifndef PTK_ANALYSIS_SUMMARY_TRANSFERS_H
#define PTK_ANALYSIS_SUMMARY_TRANSFERS_H

#include "graph/classify/event_role.h"

/* What a frame's events are, once for all of them. */
enum transfer_mark {
    TRANSFER_OPERATOR = 1, /* as operators, by their name */
    TRANSFER_KERNEL = 2,   /* as kernels, by their name */
    TRANSFER_KIND = 4,     /* whatever they are: the file says so */
};

/* By frame, a set of marks, in memory that the caller frees. Paddle takes some for operators that
 * move data which only give tensors another shape. */
uint8_t *transfer_marks(const struct graph *graph, bool is_paddle_compat);

/* Whether a host event does. Paddle has operators that do and are of no other type than the
 * rest. */
static inline bool is_host_transfer(enum event_role role, unsigned marks)
{
    return role == ROLE_COMMUNICATION || (marks & TRANSFER_KIND && role_is_host(role)) ||
           (marks & TRANSFER_OPERATOR && role == ROLE_OPERATOR);
}

#endif
