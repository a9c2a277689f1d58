/* SPDX-License-Identifier: Apache-2.0 */
/* memory_stream.h — a stream whose bytes stay in memory; without memory for them the run ends */
#ifndef PTK_BASE_IO_MEMORY_STREAM_H
#define PTK_BASE_IO_MEMORY_STREAM_H

#include <stdio.h>

/* What is written becomes `*text`, ended by a NUL that `*size` does not count, on
 * memory_stream_close(), in the same thread; the caller frees it. */
FILE *memory_stream_open(char **text, size_t *size);
void memory_stream_close(FILE *stream, char *const *text);

#endif
