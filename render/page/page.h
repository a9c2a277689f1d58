/* SPDX-License-Identifier: Apache-2.0 */
/* page.h — one page of HTML that needs nothing else: sections of tables and pictures
 *
 * Nothing is fetched, and no script runs but ours: the page's Content-Security-Policy names each
 * embedded asset by its hash. What comes from a profile is made plain and escaped. */
#ifndef PTK_RENDER_PAGE_PAGE_H
#define PTK_RENDER_PAGE_PAGE_H

#include "render/forms/report.h"
#include "render/page/html.h"

struct page {
    struct html html;
    bool in_section;
};

/* `title` is raw bytes. Write errors are found when the output is committed. */
void page_open(struct page *page, FILE *out, const char *title);

/* Begins a section, whose id the script links to from the top of the page. */
void page_section(struct page *page, const char *id, const char *heading);

void page_paragraph(struct page *page, const char *text);

/* A report's lines and its tables for people, which can be sorted and searched; at most `limit`
 * rows of each, 0: all. */
void page_report(struct page *page, const struct report *report, uint32_t limit);

/* A picture that render/pictures/svg.h wrote, with its own style and script. */
void page_picture(struct page *page, const char *svg);

void page_close(struct page *page);

#endif
