/* SPDX-License-Identifier: Apache-2.0 */
/* html.h — the elements of a page, on libxml2's writer
 *
 * Texts are the profile's raw bytes: they are made plain (base/text/escape.h) and escaped here.
 * Write errors are found when the output is committed. */
#ifndef PTK_RENDER_PAGE_HTML_H
#define PTK_RENDER_PAGE_HTML_H

#include <stdint.h>
#include <stdio.h>

#include "base/memory/arena.h"
#include "base/text/span.h"

struct _xmlTextWriter;

struct html {
    struct _xmlTextWriter *xml;
    struct arena arena; /* of texts on their way out: the caller empties it now and then */
};

void html_open(struct html *html, FILE *out);
void html_close(struct html *html);

void html_begin(struct html *html, const char *element);
void html_end(struct html *html);
void html_void(struct html *html); /* ends an element that holds nothing and has no end tag */

/* Of the element that was begun last; `value` is trusted text, which is escaped. */
void html_attribute(struct html *html, const char *name, const char *value);
void html_integer(struct html *html, const char *name, int64_t value);

void html_text(struct html *html, struct span raw);
void html_element(struct html *html, const char *name, struct span raw); /* with text in it */

/* Markup or lines of this repository's own, as they are. */
void html_raw(struct html *html, struct span markup);
void html_lines(struct html *html, const char *const *lines); /* end with NULL */

#endif
