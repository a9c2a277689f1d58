/* SPDX-License-Identifier: Apache-2.0 */
/* share.h — which of the files a task of many is to read: --share I/N, or as an engine says */
#ifndef PTK_CMD_LOAD_SHARE_H
#define PTK_CMD_LOAD_SHARE_H

#include "base/checked.h"
#include "base/error/error.h"

/* Of `count` things the share's: first … end - 1. Shares are runs, for ranks of one host are
 * neighbours. `text` is "I/N" with I from 0, or "auto": Slurm's array or step, Open MPI, PMI. NULL
 * is all. */
MUST_CHECK bool share_take(const char *text, size_t count, size_t *first, size_t *end,
                           struct error *err);

#endif
