/* SPDX-License-Identifier: Apache-2.0 */
#include "base/io/memory_stream.h"

#include <errno.h>

#include "base/memory/oom.h"

FILE *memory_stream_open(char **text, size_t *size)
{
    FILE *stream = open_memstream(text, size);

    if (!stream)
        oom();
    errno = 0;
    return stream;
}

/* glibc drops what it finds no room for, and says so in errno alone; and it closes a stream well,
 * too, whose text it had no memory to hand out. */
void memory_stream_close(FILE *stream, char *const *text)
{
    if (errno == ENOMEM || fclose(stream) != 0 || !*text)
        oom();
}
