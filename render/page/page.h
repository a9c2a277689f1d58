/* SPDX-License-Identifier: Apache-2.0 */
/* page.h — the report's page: HTML, its chapters and the calls of each function */
#ifndef PTK_RENDER_PAGE_PAGE_H
#define PTK_RENDER_PAGE_PAGE_H

#include <stdint.h>
#include <stdio.h>

#include "analysis/functions/hotspots.h"
#include "base/memory/memory.h"
#include "base/memory/span.h"
#include "base/text/unit.h"
#include "render/forms/report.h"

/* ---- the elements of a page, on libxml2's writer ---- */

/* Texts are the profile's raw bytes: they are made plain (base/text/escape.h) and escaped here.
 * Write errors are found when the output is committed. */

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

/* ---- one page of HTML that needs nothing else: sections of tables and pictures ---- */

/* Nothing is fetched, and no script runs but ours: the page's Content-Security-Policy names each
 * embedded asset by its hash. What comes from a profile is made plain and escaped. */

struct page {
    struct html html;
    bool in_section;
};

/* What stands first. Raw bytes. */
struct page_head {
    const char *title;
    const char *path, *facts; /* where it is, and what ran; or NULL */
};

/* Write errors are found when the output is committed. */
void page_open(struct page *page, FILE *out, const struct page_head *head);

/* A picture that render/svg/svg.h wrote, with its own style and script. */
struct page_picture {
    char *svg;    /* the caller frees both */
    char *narrow; /* the same for a narrow window, or NULL */
    size_t size, narrow_size;
};

/* ---- the answer: a sentence, a picture of it, what to fix ---- */

enum { PAGE_BAR_PARTS = 16 };

struct page_bar_part {
    const char *style, *name;
    int64_t value;
};

/* Parts of a whole, side by side. */
struct page_bar {
    const char *title;
    enum unit unit;
    int64_t whole;
    struct page_bar_part parts[PAGE_BAR_PARTS];
    uint32_t count;
};

/* Texts are raw bytes. */
struct page_card {
    const char *rule, *gain, *cause, *remedy, *evidence;
    const char *place;    /* or NULL */
    uint32_t event;       /* its number in the page's data; UINT32_MAX: it points to none */
    const char *function; /* else the function that it is about; or NULL */
    const char *chapter;  /* else the chapter that says more; or NULL */
    bool is_largest_loss; /* why it comes before others that gain more */
};

struct page_cards {
    struct page_card *list;  /* in the order of advise; the arena's */
    uint32_t count, leading; /* the first so many are cards, the others are listed below */
};

/* `picture`: or NULL; `bar`: in its place, or NULL. */
void page_answer(struct page *page, const char *sentence, const struct page_picture *picture,
                 const struct page_bar *bar);
void page_findings(struct page *page, const struct page_cards *cards);

/* ---- what the page's script shows of a timeline ---- */

struct page_data;

/* Where the timeline is to be, and what is not in it, in words; `note`: what else is there, or NULL. */
void page_timeline(struct page *page, const struct page_data *data, const char *note);

/* Whose timeline it is, of a job's. */
struct page_rank {
    bool is_known;
    int64_t number;
    int64_t shift; /* ns: of its first start after that of the page's first timeline */
};

struct page_block;

/* The page's timeline comes first, then those of other ranks. */
void page_embed(struct page *page, const struct page_block *block, const struct page_rank *rank);

/* Begins a section, whose id the script links to from the top of the page. */
void page_section(struct page *page, const char *id, const char *heading);

void page_end_section(struct page *page);

/* A text without its clauses that name a command or an option: a page has none. In the arena. */
const char *page_words(const char *text, struct arena *arena);

/* A warning without its clauses that begin with an option of ptk; other tools' options say how to record. In the
 * arena. */
const char *page_warning(const char *text, struct arena *arena);

void page_paragraph(struct page *page, const char *text);

/* A report's lines and its tables for people, which can be sorted and searched; at most `limit`
 * rows of each, 0: all. */
void page_report(struct page *page, const struct report *report, uint32_t limit);

void page_picture(struct page *page, const struct page_picture *picture);

void page_close(struct page *page);

/* ---- an allocator's segments, for the page's script to draw ---- */

/* The largest segments and their blocks, in a share of a page of `size` bytes: small blocks beside each other are
 * one where there are too many. */
void page_segments(struct page *page, const struct graph *graph, uint64_t size);

/* ---- the calls between the functions of a table, for the page's script to show ---- */

/* Calls between functions in the rows of `hotspots`, whose table the section has just shown; those
 * that are less than a ten-thousandth of the whole are left out. Nothing without a call graph. */
void page_calls(struct page *page, const struct graph *graph, const struct hotspots *hotspots);

#endif
