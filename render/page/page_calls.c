/* SPDX-License-Identifier: Apache-2.0 */
#include "render/page/page.h"

#include <inttypes.h>

#include "render/forms/table.h"

/* Rows are numbered from 0; functions in no row have none. */
enum { LEAST = 10000 };

#define NO_ROW UINT32_MAX

static uint32_t *number_rows(const struct graph *graph, const struct hotspots *hotspots,
                             struct arena *arena)
{
    uint32_t *rows = arena_array(arena, graph->functions.count, sizeof(*rows));

    for (uint32_t i = 0; i < graph->functions.count; i++)
        rows[i] = NO_ROW;
    for (uint32_t i = 0; i < hotspots->count; i++)
        rows[hotspots->rows[i].function] = i;
    return rows;
}

static struct span shown(enum cell_kind kind, enum unit unit, int64_t figure, struct arena *arena)
{
    const struct column column = {.kind = kind, .unit = unit};
    const union cell cell = {.number = figure == UNKNOWN ? TABLE_NULL : figure};

    return cell_shown(&column, &cell, arena);
}

/* A line a call: the caller's row, the callee's, how often, how long; what sorts, what is shown. */
static void write_call(struct html *html, const struct graph *graph, uint32_t call,
                       const uint32_t *rows)
{
    const struct calls *calls = &graph->calls;
    struct span times = shown(CELL_COUNT, UNIT_COUNT, calls->calls[call], &html->arena);
    struct span cum = shown(CELL_VALUE, graph_unit(graph), calls->cum[call], &html->arena);

    html_raw(html, span_of(arena_printf(&html->arena, "%u|%u|%" PRId64 "|%.*s|%.*s\n",
                                        rows[calls->caller[call]], rows[calls->callee[call]],
                                        calls->cum[call] == UNKNOWN ? 0 : calls->cum[call],
                                        (int)times.len, times.at, (int)cum.len, cum.at)));
}

void page_calls(struct page *page, const struct graph *graph, const struct hotspots *hotspots)
{
    const struct calls *calls = &graph->calls;
    const uint32_t *rows;

    if (!graph->has[LEVEL_CALLGRAPH] || calls->count == 0)
        return;
    rows = number_rows(graph, hotspots, &page->html.arena);
    html_begin(&page->html, "pre");
    html_attribute(&page->html, "class", "calls");
    html_attribute(&page->html, "hidden", "");
    for (uint32_t i = 0; i < calls->count; i++)
        if (rows[calls->caller[i]] != NO_ROW && rows[calls->callee[i]] != NO_ROW &&
            (calls->cum[i] == UNKNOWN || calls->cum[i] >= hotspots->whole / LEAST))
            write_call(&page->html, graph, i, rows);
    html_end(&page->html);
}
