#include "render/pictures/xml_stream.h"

#include <libxml/xmlwriter.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory/grow.h"
#include "base/memory/oom.h"

/* libxml2 itself drops what it finds no memory for, and goes on. */
static void *xml_alloc(size_t size)
{
    return grow_to(NULL, size ? size : 1, 1);
}

static void *xml_realloc(void *old, size_t size)
{
    return grow_to(old, size ? size : 1, 1);
}

static char *xml_copy(const char *text)
{
    size_t size = strlen(text) + 1;

    return memcpy(xml_alloc(size), text, size);
}

/* Its words on a stream that cannot be written: the output has its own. */
static void say_nothing(void *context, const char *format, ...)
{
    (void)context, (void)format;
}

struct _xmlTextWriter *xml_stream_open(FILE *out)
{
    xmlOutputBufferPtr buffer;
    xmlTextWriterPtr writer;

    if (xmlMemSetup(free, xml_alloc, xml_realloc, xml_copy) != 0)
        oom();
    xmlSetGenericErrorFunc(NULL, say_nothing);
    buffer = xmlOutputBufferCreateFile(out, NULL);
    writer = buffer ? xmlNewTextWriter(buffer) : NULL;
    if (!writer)
        oom();
    return writer;
}
