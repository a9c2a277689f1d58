/* SPDX-License-Identifier: Apache-2.0 */
/* browser.h — the browser on the terminal: what it shows, and its screen */
#ifndef PTK_RENDER_BROWSER_BROWSER_H
#define PTK_RENDER_BROWSER_BROWSER_H

#include "analysis/functions/hotspots.h"
#include "analysis/functions/tree.h"
#include "base/checked.h"
#include "base/error/error.h"

/* ---- a profile to walk about in: what is shown, and what a key makes of it ---- */

/* Nothing here draws. A browser is a stack of views over one graph: all functions ranked, one function
 * between its callers and callees, or the tree of time, of which branches open and which can be zoomed
 * into. An action changes the view on top, puts another onto it or takes it away; then its rows are what
 * browser_rows() says. */

enum browser_action {
    BROWSER_NOTHING,
    BROWSER_UP,
    BROWSER_DOWN,
    BROWSER_PAGE_UP,
    BROWSER_PAGE_DOWN,
    BROWSER_FIRST,
    BROWSER_LAST,
    BROWSER_ENTER, /* around the function of the row */
    BROWSER_BACK,
    BROWSER_FUNCTIONS,
    BROWSER_TREE,
    BROWSER_OPEN, /* a branch of the tree */
    BROWSER_CLOSE,
    BROWSER_ZOOM, /* the tree below the row */
    BROWSER_BY_SELF,
    BROWSER_BY_CUM,
    BROWSER_BY_CALLS,
    BROWSER_BY_NAME,
    BROWSER_REVERSE,
    BROWSER_FIND_NEXT,
    BROWSER_FIND_PREVIOUS
};

enum browser_view_kind { VIEW_FUNCTIONS, VIEW_AROUND, VIEW_TREE };

struct browser_view {
    enum browser_view_kind kind;
    uint32_t subject;  /* the function; of the tree the row that is its root, or NO_SUBJECT: all */
    uint32_t selected; /* among the rows */
    uint32_t first;    /* the row at the top of the screen */
};

#define NO_SUBJECT UINT32_MAX

struct browser_row {
    frame_id frame;
    uint32_t function; /* NO_SUBJECT: none has that frame */
    uint32_t tree_row;
    uint32_t depth;       /* of a tree, below what is its root now */
    const char *relation; /* "caller", "function", "callee"; NULL: none */
    bool is_itself;       /* the function that the others are around */
    bool has_branches, is_open, is_estimate;
    int64_t calls, primitive_calls, self, cum; /* or UNKNOWN */
    double share;                              /* of cum, in the whole */
};

struct browser {
    const struct graph *graph;
    int64_t whole;                               /* what 100 % of cum means */
    struct arena arena;                          /* as long as the browser */
    struct arena row_arena;                      /* as long as the rows */
    struct order order;                          /* of functions, callers and callees */
    struct VECTOR_OF(struct browser_view) views; /* the one on top is shown */
    struct browser_row *rows;                    /* of the view on top */
    uint32_t row_count;
    struct tree tree;
    bool has_tree, *is_open;     /* by row of the tree */
    uint32_t *function_of;       /* by frame */
    char sought[128];            /* what is looked for; empty: nothing */
    const char *message;         /* about the last action; or NULL. A literal */
    uint32_t page;               /* rows that the screen shows */
    bool lacks_paths;            /* the file has callers and a tree, which have not been read */
    enum browser_action awaited; /* an action that needs them: nothing was done yet */
};

/* Where a browser was when an action awaited more of the file. */
struct browser_place {
    enum browser_action action;
    struct order order;
    struct span label; /* of the function that was selected, in the arena */
    char sought[128];
};

/* The graph must have LEVEL_FLAT; with LEVEL_CALLGRAPH or LEVEL_CALLTREE there is more to see. It must
 * outlive the browser. */
void browser_begin(struct browser *browser, const struct graph *graph, bool is_bottom_up);

static inline struct browser_view *browser_view(const struct browser *browser)
{
    return &browser->views.list[browser->views.count - 1];
}

/* Does it, and makes the rows anew. A key that does not fit says so in `message`. */
void browser_act(struct browser *browser, enum browser_action action);

/* `action` is BROWSER_NOTHING where none is awaited. */
struct browser_place browser_place_of(const struct browser *browser, struct arena *arena);

/* Goes there in a browser over a graph that has the paths, and does what was awaited. */
void browser_resume(struct browser *browser, const struct browser_place *place);

void browser_end(struct browser *browser);

/* ---- a browser on a terminal: draws it, and takes keys until it is left ---- */

struct browser_screen_options {
    const char *title; /* the file's name */
    bool has_color, is_unicode;
};

/* The terminal is the one that controls the process: standard input may be the profile. False with
 * ERROR_USAGE where there is none, or ERROR_LACK where ptk was built without ncurses. */
MUST_CHECK bool browser_screen_run(struct browser *browser,
                                   const struct browser_screen_options *options, struct error *err);

#endif
