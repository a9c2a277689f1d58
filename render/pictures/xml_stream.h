/* SPDX-License-Identifier: Apache-2.0 */
/* xml_stream.h — libxml2's writer onto a stream, for pictures and pages
 *
 * None of its calls fails for want of memory: that ends the run, as everywhere. When the stream
 * cannot be written it goes on in vain; the output knows of it when it is committed. So what the
 * calls return need not be looked at. */
#ifndef PTK_RENDER_PICTURES_XML_STREAM_H
#define PTK_RENDER_PICTURES_XML_STREAM_H

#include <stdbool.h>
#include <stdio.h>

#include "base/cli/error.h"

struct _xmlTextWriter;

/* False with a word where libxml2 is not there: to be asked before an output is opened. */
MUST_CHECK bool xml_stream_check(struct error *err);

/* Never NULL; the caller frees it with xmlFreeTextWriter(). The stream stays open. */
struct _xmlTextWriter *xml_stream_open(FILE *out);

#endif
