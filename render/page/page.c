/* SPDX-License-Identifier: Apache-2.0 */
/* The page of `ptk report`: its head, contents, chapters and paragraphs. */
#include "render/page/page.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "render/forms/table.h"
#include "render/svg/assets.h"

/* A first line break of their own, as in pictures: that is what the hashes are of. */
static void embed(struct html *html, const char *element, const char *const *lines)
{
    html_begin(html, element);
    html_raw(html, span_of("\n"));
    html_lines(html, lines);
    html_end(html);
}

/* The scripts in the order in which they run. */
static const struct page_script {
    const char *const *lines;
    const char *hash;
} scripts[] = {
    {asset_page_elements_js, asset_page_elements_js_hash},
    {asset_page_ranks_js, asset_page_ranks_js_hash},
    {asset_page_data_js, asset_page_data_js_hash},
    {asset_page_view_js, asset_page_view_js_hash},
    {asset_event_sums_js, asset_event_sums_js_hash},
    {asset_selected_tabs_js, asset_selected_tabs_js_hash},
    {asset_timeline_rows_js, asset_timeline_rows_js_hash},
    {asset_idle_rows_js, asset_idle_rows_js_hash},
    {asset_timeline_js, asset_timeline_js_hash},
    {asset_timeline_input_js, asset_timeline_input_js_hash},
    {asset_selection_js, asset_selection_js_hash},
    {asset_sum_table_js, asset_sum_table_js_hash},
    {asset_icicle_js, asset_icicle_js_hash},
    {asset_relatives_js, asset_relatives_js_hash},
    {asset_path_tab_js, asset_path_tab_js_hash},
    {asset_segments_js, asset_segments_js_hash},
    {asset_counters_tab_js, asset_counters_tab_js_hash},
    {asset_page_tables_js, asset_page_tables_js_hash},
    {asset_chapter_names_js, asset_chapter_names_js_hash},
    {asset_page_slider_js, asset_page_slider_js_hash},
    {asset_page_actions_js, asset_page_actions_js_hash},
    {asset_page_js, asset_page_js_hash},
};

enum { SCRIPTS = sizeof(scripts) / sizeof(*scripts) };

static void meta(struct html *html, const char *key, const char *name, const char *content)
{
    html_begin(html, "meta");
    html_attribute(html, key, name);
    html_attribute(html, "content", content);
    html_void(html);
}

static const char *policy(struct arena *arena)
{
    const char *allowed = "";

    for (size_t i = 0; i < SCRIPTS; i++)
        allowed = arena_printf(arena, "%s 'sha256-%s'", allowed, scripts[i].hash);
    return arena_printf(arena,
                        "default-src 'none'; style-src 'sha256-%s' 'sha256-%s'; "
                        "script-src%s 'sha256-%s'; base-uri 'none'; form-action 'none'",
                        asset_page_css_hash, asset_picture_css_hash, allowed, asset_flame_js_hash);
}

static void head(struct html *html, const char *title)
{
    html_begin(html, "head");
    html_begin(html, "meta");
    html_attribute(html, "charset", "utf-8");
    html_void(html);
    meta(html, "http-equiv", "Content-Security-Policy", policy(&html->arena));
    meta(html, "name", "viewport", "width=device-width, initial-scale=1");
    html_element(html, "title", span_of(title));
    embed(html, "style", asset_page_css);
    html_end(html);
}

void page_open(struct page *page, FILE *out, const struct page_head *shown)
{
    struct html *html = &page->html;

    *page = (struct page){.in_section = false};
    html_open(html, out);
    html_begin(html, "html");
    html_attribute(html, "lang", "en");
    head(html, shown->title);
    html_begin(html, "body");
    html_begin(html, "header");
    html_element(html, "h1", span_of(shown->title));
    if (shown->facts)
        html_element(html, "p", span_of(shown->facts));
    if (shown->path) {
        html_begin(html, "p");
        html_attribute(html, "class", "path");
        html_text(html, span_of(shown->path));
        html_end(html);
    }
    html_end(html);
    html_begin(html, "main");
}

void page_end_section(struct page *page)
{
    if (page->in_section)
        html_end(&page->html);
    page->in_section = false;
    arena_free(&page->html.arena);
}

void page_section(struct page *page, const char *id, const char *heading)
{
    page_end_section(page);
    html_begin(&page->html, "section");
    html_attribute(&page->html, "id", id);
    html_element(&page->html, "h2", span_of(heading));
    page->in_section = true;
}

/* "-X", "--limit", "-fvisibility=hidden", where a word begins with it. */
static bool is_option(const char *text, const char *at)
{
    bool begins = at == text || strchr(" ([", at[-1]);

    return begins && at[0] == '-' && (at[1] == '-' || isalpha((unsigned char)at[1]));
}

static bool is_for_a_terminal(const char *clause)
{
    for (const char *at = clause; *at; at++)
        if (*at == '`' || is_option(clause, at))
            return true;
    return false;
}

/* A clause in which an option of ptk's own comes first. */
static bool is_of_option(const char *clause)
{
    return is_option(clause, clause);
}

static const char *without(const char *text, bool (*is_dropped)(const char *clause),
                           struct arena *arena)
{
    struct span rest = span_of(text);
    const char *out = "";

    while (rest.len) {
        const char *clause = arena_copy(arena, span_trim(span_split(&rest, ';')));

        if (*clause && !is_dropped(clause))
            out = arena_printf(arena, "%s%s%s", out, *out ? "; " : "", clause);
    }
    return out;
}

const char *page_words(const char *text, struct arena *arena)
{
    return without(text, is_for_a_terminal, arena);
}

const char *page_warning(const char *text, struct arena *arena)
{
    return without(text, is_of_option, arena);
}

void page_paragraph(struct page *page, const char *text)
{
    const char *words = page_words(text, &page->html.arena);

    if (*words)
        html_element(&page->html, "p", span_of(words));
}

/* `window`: the width of windows that it is for, or NULL. */
static void write_figure(struct html *html, const char *svg, const char *window)
{
    const char *root = strstr(svg, "<svg"); /* past the declaration of XML */

    if (!root)
        return;
    html_begin(html, "figure");
    if (window)
        html_attribute(html, "class", window);
    html_raw(html, span_of(root));
    html_end(html);
}

void page_picture(struct page *page, const struct page_picture *picture)
{
    write_figure(&page->html, picture->svg, picture->narrow ? "wide" : NULL);
    if (picture->narrow)
        write_figure(&page->html, picture->narrow, "narrow");
}

void page_close(struct page *page)
{
    page_end_section(page);
    html_end(&page->html); /* main */
    for (size_t i = 0; i < SCRIPTS; i++)
        embed(&page->html, "script", scripts[i].lines);
    html_close(&page->html);
}

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

    return cell_shown(&column, cell, arena);
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
