/* transfers.h — what moves data between devices, as names and kinds tell */
#ifndef PTK_ANALYSIS_SUMMARY_TRANSFERS_H
#define PTK_ANALYSIS_SUMMARY_TRANSFERS_H

#include "analysis/summary/event_role.h"

/* What a frame's events are, once for all of them. */
enum transfer_mark {
    NAMED_TRANSFER = 1,   /* an operator with such a name moves data */
    NAMED_COLLECTIVE = 2, /* a kernel with such a name does */
    KIND_OF_TRANSFER = 4,
};

/* By frame, a set of marks, in memory that the caller frees. Paddle takes some for operators that
 * move data which only give tensors another shape. */
uint8_t *transfer_marks(const struct graph *graph, bool is_paddle_compat);

/* Whether a host event does. Paddle has operators that do and are of no other type than the
 * rest. */
static inline bool is_host_transfer(enum summary_role role, unsigned marks)
{
    return role == ROLE_COMMUNICATION || (marks & KIND_OF_TRANSFER && role_is_host(role)) ||
           (marks & NAMED_TRANSFER && role == ROLE_OPERATOR);
}

#endif
