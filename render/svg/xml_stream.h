/* SPDX-License-Identifier: Apache-2.0 */
/* xml_stream.h — libxml2's writer onto a stream, for pictures and pages */
#ifndef PTK_RENDER_SVG_XML_STREAM_H
#define PTK_RENDER_SVG_XML_STREAM_H

#include <libxml/parser.h>
#include <libxml/xmlwriter.h>

#include "base/io/io.h"

/* The functions of libxml2 that we call, loaded when first needed. */
/* clang-format off */
#define LIBXML_CALLS(CALL) \
    CALL(xmlFreeTextWriter) CALL(xmlInitParser) CALL(xmlMemSetup) CALL(xmlNewTextWriter) \
    CALL(xmlOutputBufferCreateFile) CALL(xmlSetGenericErrorFunc) CALL(xmlTextWriterEndAttribute) \
    CALL(xmlTextWriterEndDocument) CALL(xmlTextWriterEndElement) \
    CALL(xmlTextWriterFullEndElement) CALL(xmlTextWriterStartAttribute) \
    CALL(xmlTextWriterStartDocument) CALL(xmlTextWriterStartElement) \
    CALL(xmlTextWriterWriteAttribute) CALL(xmlTextWriterWriteFormatAttribute) \
    CALL(xmlTextWriterWriteFormatString) CALL(xmlTextWriterWriteRaw) \
    CALL(xmlTextWriterWriteRawLen) CALL(xmlTextWriterWriteString)
/* clang-format on */

struct libxml {
    LIBXML_CALLS(LIBRARY_FIELD)
};

/* NULL: it cannot be loaded, as xml_stream_check() says. */
const struct libxml *libxml(void);

/* What it takes for a string. */
static inline const xmlChar *xml_text(const char *text)
{
    return (const xmlChar *)text;
}

/* What its calls return: none fails for want of memory, which ends the run, as everywhere. When the
 * stream cannot be written it goes on in vain; the output knows of it when it is committed. */
static inline void xml_ignore(int written)
{
    (void)written;
}

/* Never NULL; the caller frees it with xmlFreeTextWriter(). The stream stays open. Several threads may have one each. */
xmlTextWriterPtr xml_stream_open(FILE *out);

#endif
