/* SPDX-License-Identifier: Apache-2.0 */
#include "render/page/page.h"

#include <inttypes.h>

#include "base/text/escape.h"
#include "render/svg/xml_stream.h"

void html_open(struct html *html, FILE *out)
{
    *html = (struct html){.xml = xml_stream_open(out)};
    html_raw(html, span_of("<!DOCTYPE html>\n"));
}

void html_close(struct html *html)
{
    xml_ignore(libxml()->xmlTextWriterEndDocument(html->xml));
    libxml()->xmlFreeTextWriter(html->xml);
    arena_free(&html->arena);
}

void html_begin(struct html *html, const char *element)
{
    xml_ignore(libxml()->xmlTextWriterStartElement(html->xml, xml_text(element)));
}

/* HTML knows no <td/>. */
void html_end(struct html *html)
{
    xml_ignore(libxml()->xmlTextWriterFullEndElement(html->xml));
}

void html_void(struct html *html)
{
    xml_ignore(libxml()->xmlTextWriterEndElement(html->xml));
}

void html_attribute(struct html *html, const char *name, const char *value)
{
    xml_ignore(libxml()->xmlTextWriterWriteAttribute(html->xml, xml_text(name), xml_text(value)));
}

void html_integer(struct html *html, const char *name, int64_t value)
{
    char out[24];

    snprintf(out, sizeof(out), "%" PRId64, value);
    html_attribute(html, name, out);
}

void html_text(struct html *html, struct span raw)
{
    struct span plain = escape_plain(&html->arena, raw);

    xml_ignore(
        libxml()->xmlTextWriterWriteString(html->xml, xml_text(arena_copy(&html->arena, plain))));
}

void html_element(struct html *html, const char *name, struct span raw)
{
    html_begin(html, name);
    html_text(html, raw);
    html_end(html);
}

void html_raw(struct html *html, struct span markup)
{
    xml_ignore(libxml()->xmlTextWriterWriteRawLen(html->xml, xml_text(markup.at), (int)markup.len));
}

void html_lines(struct html *html, const char *const *lines)
{
    for (; *lines; lines++)
        html_raw(html, span_of(*lines));
}
