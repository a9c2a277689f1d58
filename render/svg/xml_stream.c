/* SPDX-License-Identifier: Apache-2.0 */
#include "render/svg/xml_stream.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory/memory.h"
#include "render/svg/svg.h"

/* ---- the functions of libxml2 that we call, loaded when first needed ---- */

LIBRARY(libxml, LIBXML)

/* ---- its writer ---- */

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
static void ignore_message(void *context, const char *format, ...)
{
    (void)context, (void)format;
}

/* One thread does this before any other draws: libxml2 makes its tables at first use, without a lock. A second thread
 * would read half-made tables. */
static void prepare_library(void)
{
    if (libxml()->xmlMemSetup(free, xml_alloc, xml_realloc, xml_copy) != 0)
        oom();
    libxml()->xmlInitParser();
}

bool xml_stream_check(struct error *err)
{
    if (libxml())
        return true;
    error_set(err, ERROR_OUTPUT, "pictures and pages cannot be written: libxml2 cannot be loaded");
    return error_hint(err, "install libxml2");
}

xmlTextWriterPtr xml_stream_open(FILE *out)
{
    static pthread_once_t is_prepared = PTHREAD_ONCE_INIT;
    xmlOutputBufferPtr buffer;
    xmlTextWriterPtr writer;

    pthread_once(&is_prepared, prepare_library);
    libxml()->xmlSetGenericErrorFunc(NULL, ignore_message);
    buffer = libxml()->xmlOutputBufferCreateFile(out, NULL);
    writer = buffer ? libxml()->xmlNewTextWriter(buffer) : NULL;
    if (!writer)
        oom();
    return writer;
}
