/* SPDX-License-Identifier: Apache-2.0 */
/* libxml.h — the functions of libxml2 that we call, loaded when first needed */
#ifndef PTK_RENDER_PICTURES_LIBXML_H
#define PTK_RENDER_PICTURES_LIBXML_H

#include <libxml/xmlwriter.h>

#include "base/io/io.h"

/* clang-format off */
#define LIBXML_CALLS(CALL) \
    CALL(xmlFreeTextWriter) CALL(xmlMemSetup) CALL(xmlNewTextWriter) \
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

#endif
