#include "base/io/memory_stream.h"

#include "base/memory/oom.h"

FILE *memory_stream_open(char **text, size_t *size)
{
    FILE *stream = open_memstream(text, size);

    if (!stream)
        oom();
    return stream;
}

/* glibc closes a stream well, too, whose text it had no memory to hand out. */
void memory_stream_close(FILE *stream, char *const *text)
{
    if (fclose(stream) != 0 || !*text)
        oom();
}
