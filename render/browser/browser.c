/* SPDX-License-Identifier: Apache-2.0 */
/* The browser in the terminal: its views, what keys do, and the lines of the screen. */
#include "render/browser/browser.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/functions/hotspots.h"
#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/derive/derive.h"
#include "graph/model/graph.h"

enum { TREE_ROWS = 200000 };
static const double open_at_first = 0.1; /* branches that hold this share of the whole */

/* ---- rows of functions ---- */

static void add_function(struct browser *browser, uint32_t function, const char *relation)
{
    const struct functions *f = &browser->graph->functions;

    browser->rows[browser->row_count++] =
        (struct browser_row){.frame = f->frame[function],
                             .function = function,
                             .relation = relation,
                             .calls = f->calls[function],
                             .primitive_calls = f->primitive_calls[function],
                             .self = f->self[function],
                             .cum = f->cum[function],
                             .share = share_of(f->cum[function], browser->whole)};
}

static void list_functions(struct browser *browser)
{
    const struct graph *graph = browser->graph;
    const struct order_items items = order_items_of(graph);
    uint32_t count = graph->functions.listed;
    uint32_t *order = arena_array(&browser->row_arena, count, sizeof(*order));

    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    order_sort(&browser->order, &items, order, count);
    browser->rows = arena_array(&browser->row_arena, count, sizeof(*browser->rows));
    for (uint32_t i = 0; i < count; i++)
        add_function(browser, order[i], NULL);
}

/* ---- rows around a function ---- */

static void add_calls(struct browser *browser, const struct relatives *relatives)
{
    const struct graph *graph = browser->graph;
    const struct calls *c = &graph->calls;

    for (uint32_t i = 0; relatives->count && i < relatives->rows[0].count; i++) {
        uint32_t call = relatives->edges[relatives->rows[0].first + i];
        uint32_t other = relative_of(relatives, graph, call);

        add_function(browser, other, relatives->direction == CALLERS ? "caller" : "callee");

        struct browser_row *row = &browser->rows[browser->row_count - 1];

        row->calls = c->calls[call];
        row->primitive_calls = c->primitive_calls[call];
        row->self = c->self[call];
        row->cum = c->cum[call];
        row->share = row->cum == UNKNOWN ? 0 : share_of(row->cum, relatives->whole);
    }
}

/* Where there is no call graph, the function alone. */
static void list_around(struct browser *browser, uint32_t function)
{
    const struct graph *graph = browser->graph;
    bool *is_wanted = arena_array(&browser->row_arena, graph->frames.count, sizeof(*is_wanted));
    struct relatives_options options = {
        .direction = CALLERS, .is_wanted = is_wanted, .order = browser->order};
    struct relatives callers = {.direction = CALLERS}, callees = {.direction = CALLEES};

    is_wanted[graph->functions.frame[function]] = true;
    if (graph->has[LEVEL_CALLGRAPH]) {
        relatives_find(graph, &options, &browser->row_arena, &callers);
        options.direction = CALLEES;
        relatives_find(graph, &options, &browser->row_arena, &callees);
    }
    browser->rows = arena_array(&browser->row_arena,
                                1 + (size_t)(callers.count ? callers.rows[0].count : 0) +
                                    (callees.count ? callees.rows[0].count : 0),
                                sizeof(*browser->rows));
    add_calls(browser, &callers);
    add_function(browser, function, "function");
    browser->rows[browser->row_count - 1].is_itself = true;
    add_calls(browser, &callees);
}

/* ---- rows of the tree ---- */

static bool has_branches(const struct tree *tree, uint32_t row)
{
    return row + 1 < tree->count && tree->rows[row + 1].depth > tree->rows[row].depth;
}

/* What is below a closed branch, or beside the root, is left out. */
static void list_tree(struct browser *browser, uint32_t root)
{
    const struct tree *tree = &browser->tree;
    uint32_t from = root == NO_SUBJECT ? 0 : root, hidden_below = UINT32_MAX;
    uint32_t base = tree->count ? tree->rows[from].depth : 0;

    browser->rows = arena_array(&browser->row_arena, tree->count, sizeof(*browser->rows));
    for (uint32_t i = from; i < tree->count; i++) {
        const struct tree_row *row = &tree->rows[i];
        bool is_branch = has_branches(tree, i);

        if (root != NO_SUBJECT && i > root && row->depth <= base)
            break;
        if (row->depth > hidden_below)
            continue;
        hidden_below = is_branch && !browser->is_open[i] ? row->depth : UINT32_MAX;
        browser->rows[browser->row_count++] =
            (struct browser_row){.frame = row->frame,
                                 .function = browser->function_of[row->frame],
                                 .tree_row = i,
                                 .depth = row->depth - base,
                                 .has_branches = is_branch,
                                 .is_open = browser->is_open[i],
                                 .is_estimate = row->is_estimate,
                                 .calls = row->calls,
                                 .primitive_calls = UNKNOWN,
                                 .self = row->self,
                                 .cum = row->total,
                                 .share = row->share};
    }
}

/* ---- views ---- */

static void make_rows(struct browser *browser)
{
    struct browser_view *view = browser_view(browser);

    arena_clear(&browser->row_arena);
    browser->row_count = 0;
    switch (view->kind) {
    case VIEW_FUNCTIONS:
        list_functions(browser);
        break;
    case VIEW_AROUND:
        list_around(browser, view->subject);
        break;
    case VIEW_TREE:
        list_tree(browser, view->subject);
        break;
    }
    if (view->selected >= browser->row_count)
        view->selected = browser->row_count ? browser->row_count - 1 : 0;
}

static void push_view(struct browser *browser, enum browser_view_kind kind, uint32_t subject)
{
    vector_add(&browser->views, (struct browser_view){.kind = kind, .subject = subject});
    make_rows(browser);
}

static const struct browser_row *selected_row(const struct browser *browser)
{
    uint32_t selected = browser_view(browser)->selected;

    return selected < browser->row_count ? &browser->rows[selected] : NULL;
}

static void enter(struct browser *browser)
{
    const struct browser_row *row = selected_row(browser);
    const struct browser_view *view = browser_view(browser);

    if (!row || row->function == NO_SUBJECT)
        browser->message = "nothing is known around it";
    else if (view->kind == VIEW_AROUND && view->subject == row->function)
        browser->message = "this is the function itself: choose a caller or a callee";
    else {
        push_view(browser, VIEW_AROUND, row->function);
        for (uint32_t i = 0; i < browser->row_count; i++)
            if (browser->rows[i].is_itself)
                browser_view(browser)->selected = i; /* not its first caller */
    }
}

static void back(struct browser *browser)
{
    if (browser->views.count == 1) {
        browser->message = "this is where you began: q ends";
        return;
    }
    browser->views.count--;
    make_rows(browser);
}

/* ---- in the tree ---- */

static bool is_in_tree(struct browser *browser)
{
    if (browser_view(browser)->kind == VIEW_TREE && browser->row_count)
        return true;
    browser->message = "only in the tree: t shows it";
    return false;
}

/* Closed already, it goes to the row above that it hangs on. */
static void close_branch(struct browser *browser)
{
    struct browser_view *view = browser_view(browser);
    const struct browser_row *row = selected_row(browser);
    uint32_t depth = row->depth;

    if (row->has_branches && row->is_open) {
        browser->is_open[row->tree_row] = false;
        make_rows(browser);
        return;
    }
    while (view->selected > 0 && browser->rows[view->selected].depth >= depth && depth > 0)
        view->selected--;
}

static void open_branch(struct browser *browser)
{
    const struct browser_row *row = selected_row(browser);

    if (!row->has_branches)
        browser->message = "it calls nothing that is worth a row";
    else
        browser->is_open[row->tree_row] = true;
    make_rows(browser);
}

static void zoom(struct browser *browser)
{
    const struct browser_row *row = selected_row(browser);

    browser->is_open[row->tree_row] = true;
    push_view(browser, VIEW_TREE, row->tree_row);
}

/* ---- searching ---- */

static bool is_sought(const struct browser *browser, const struct browser_row *row,
                      struct arena *scratch)
{
    struct span label = frame_label(browser->graph, row->frame, scratch);
    size_t len = strlen(browser->sought);

    for (size_t at = 0; at + len <= label.len; at++) {
        size_t same = 0;

        while (same < len && tolower((unsigned char)label.at[at + same]) ==
                                 tolower((unsigned char)browser->sought[same]))
            same++;
        if (same == len)
            return true;
    }
    return false;
}

/* From the row after the selected one, round to it. */
static void find_next(struct browser *browser, bool is_forward)
{
    struct browser_view *view = browser_view(browser);
    uint32_t count = browser->row_count;
    struct arena scratch = {0};

    for (uint32_t step = 1; browser->sought[0] && step <= count; step++) {
        uint32_t at = (view->selected + (is_forward ? step : count - step)) % count;
        bool is_found = is_sought(browser, &browser->rows[at], &scratch);

        arena_clear(&scratch);
        if (!is_found)
            continue;
        view->selected = at;
        arena_free(&scratch);
        return;
    }
    arena_free(&scratch);
    browser->message = browser->sought[0] ? "not found" : "/ says what to look for";
}

/* ---- actions ---- */

static void move(struct browser *browser, int64_t by)
{
    struct browser_view *view = browser_view(browser);
    int64_t to = (int64_t)view->selected + by;

    if (to >= (int64_t)browser->row_count)
        to = (int64_t)browser->row_count - 1;
    view->selected = to > 0 ? (uint32_t)to : 0;
}

/* Around a function what is selected stays so; of all functions the first is. */
static void sort_by(struct browser *browser, enum order_key key)
{
    struct browser_view *view = browser_view(browser);
    const struct browser_row *row = selected_row(browser);
    uint32_t function = row ? row->function : NO_SUBJECT;

    if (view->kind == VIEW_TREE) {
        browser->message = "a tree is in the order of its time";
        return;
    }
    browser->order.keys[0] = key;
    make_rows(browser);
    if (view->kind == VIEW_FUNCTIONS)
        view->selected = 0;
    for (uint32_t i = 0; i < browser->row_count && view->kind == VIEW_AROUND; i++)
        if (browser->rows[i].function == function)
            view->selected = i;
}

/* The selected row stays on the screen. */
static void scroll(struct browser *browser)
{
    struct browser_view *view = browser_view(browser);

    if (view->selected < view->first)
        view->first = view->selected;
    if (browser->page && view->selected >= view->first + browser->page)
        view->first = view->selected - browser->page + 1;
}

void browser_act(struct browser *browser, enum browser_action action)
{
    browser->message = NULL;
    if (browser->lacks_paths && (action == BROWSER_ENTER || action == BROWSER_TREE)) {
        browser->awaited = action;
        return;
    }
    switch (action) {
    case BROWSER_NOTHING:
        break;
    case BROWSER_UP:
        move(browser, -1);
        break;
    case BROWSER_DOWN:
        move(browser, 1);
        break;
    case BROWSER_PAGE_UP:
        move(browser, -(int64_t)browser->page);
        break;
    case BROWSER_PAGE_DOWN:
        move(browser, browser->page);
        break;
    case BROWSER_FIRST:
        move(browser, -(int64_t)browser->row_count);
        break;
    case BROWSER_LAST:
        move(browser, browser->row_count);
        break;
    case BROWSER_ENTER:
        enter(browser);
        break;
    case BROWSER_BACK:
        back(browser);
        break;
    case BROWSER_FUNCTIONS:
        if (browser_view(browser)->kind != VIEW_FUNCTIONS)
            push_view(browser, VIEW_FUNCTIONS, NO_SUBJECT);
        break;
    case BROWSER_TREE:
        if (!browser->has_tree)
            browser->message = "the profile knows no callers: there is no tree";
        else if (browser_view(browser)->kind != VIEW_TREE)
            push_view(browser, VIEW_TREE, NO_SUBJECT);
        break;
    case BROWSER_OPEN:
        if (is_in_tree(browser))
            open_branch(browser);
        break;
    case BROWSER_CLOSE:
        if (is_in_tree(browser))
            close_branch(browser);
        break;
    case BROWSER_ZOOM:
        if (is_in_tree(browser))
            zoom(browser);
        break;
    case BROWSER_BY_SELF:
        sort_by(browser, ORDER_SELF);
        break;
    case BROWSER_BY_CUM:
        sort_by(browser, ORDER_CUM);
        break;
    case BROWSER_BY_CALLS:
        sort_by(browser, ORDER_CALLS);
        break;
    case BROWSER_BY_NAME:
        sort_by(browser, ORDER_LABEL);
        break;
    case BROWSER_REVERSE:
        browser->order.is_reversed = !browser->order.is_reversed;
        sort_by(browser, browser->order.keys[0]);
        break;
    case BROWSER_FIND_NEXT:
        find_next(browser, true);
        break;
    case BROWSER_FIND_PREVIOUS:
        find_next(browser, false);
        break;
    }
    scroll(browser);
}

/* ---- going on over a graph that has more ---- */

struct browser_place browser_place_of(const struct browser *browser, struct arena *arena)
{
    const struct browser_row *row = selected_row(browser);
    struct browser_place place = {.action = browser->awaited, .order = browser->order};

    if (row)
        place.label = frame_label(browser->graph, row->frame, arena);
    memcpy(place.sought, browser->sought, sizeof(place.sought));
    return place;
}

void browser_resume(struct browser *browser, const struct browser_place *place)
{
    struct arena scratch = {0};
    bool is_found = false;

    browser->order = place->order;
    memcpy(browser->sought, place->sought, sizeof(place->sought));
    make_rows(browser);
    for (uint32_t i = 0; !is_found && i < browser->row_count; i++) {
        is_found =
            span_eq(frame_label(browser->graph, browser->rows[i].frame, &scratch), place->label);
        if (is_found)
            browser_view(browser)->selected = i;
        arena_clear(&scratch);
    }
    arena_free(&scratch);
    browser_act(browser, place->action);
}

/* ---- beginning and end ---- */

static void begin_tree(struct browser *browser, bool is_bottom_up)
{
    const struct graph *graph = browser->graph;
    const struct tree_options options = {
        .is_bottom_up = is_bottom_up, .min_percent = 0.05, .most_rows = TREE_ROWS};

    browser->has_tree = graph->has[LEVEL_CALLTREE] || graph->has[LEVEL_CALLGRAPH];
    if (!browser->has_tree)
        return;
    tree_grow(graph, &options, &browser->arena, &browser->tree);
    browser->is_open = arena_array(&browser->arena, browser->tree.count, sizeof(bool));
    for (uint32_t i = 0; i < browser->tree.count; i++)
        browser->is_open[i] = browser->tree.rows[i].share >= open_at_first;
}

void browser_begin(struct browser *browser, const struct graph *graph, bool is_bottom_up)
{
    *browser = (struct browser){.graph = graph,
                                .whole = graph_whole(graph),
                                .order = {.keys = {ORDER_SELF, ORDER_LABEL}, .count = 2}};
    browser->function_of =
        arena_array(&browser->arena, graph->frames.count, sizeof(*browser->function_of));
    for (size_t i = 0; i < graph->frames.count; i++)
        browser->function_of[i] = NO_SUBJECT;
    for (uint32_t i = 0; i < graph->functions.count; i++)
        browser->function_of[graph->functions.frame[i]] = i;
    begin_tree(browser, is_bottom_up);
    push_view(browser, VIEW_FUNCTIONS, NO_SUBJECT);
}

void browser_end(struct browser *browser)
{
    free(browser->views.list);
    arena_free(&browser->row_arena);
    arena_free(&browser->arena);
}
