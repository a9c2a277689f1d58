/* SPDX-License-Identifier: Apache-2.0 */
/* page_calls.h — the calls between the functions of a table, for the page's script to show */
#ifndef PTK_RENDER_PAGE_PAGE_CALLS_H
#define PTK_RENDER_PAGE_PAGE_CALLS_H

#include "analysis/functions/hotspots.h"
#include "render/page/page.h"

/* Calls between functions in the rows of `hotspots`, whose table the section has just shown; those
 * that are less than a ten-thousandth of the whole are left out. Nothing without a call graph. */
void page_calls(struct page *page, const struct graph *graph, const struct hotspots *hotspots);

#endif
