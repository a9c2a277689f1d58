/* SPDX-License-Identifier: Apache-2.0 */
/* readahead.h — a source that another thread reads ahead of its user, so that unpacking and reading
 * what was unpacked go on at once */
#ifndef PTK_BASE_IO_READAHEAD_H
#define PTK_BASE_IO_READAHEAD_H

#include "base/io/input.h"

extern const struct source readahead_source;

/* The state for readahead_source: it owns `state`, which from now on only the other thread uses.
 * NULL when there is no thread to be had. */
void *readahead_start(const struct source *source, void *state);

#endif
