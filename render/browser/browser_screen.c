/* SPDX-License-Identifier: Apache-2.0 */
/* The screen of the browser: ncurses, loaded when it is needed. */
#include "render/browser/browser.h"

#define NCURSES_NOMACROS 1
#define NCURSES_WIDECHAR 0
#include <curses.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/io/io.h"
#include "base/text/escape.h"
#include "base/text/format.h"
#include "graph/classify/function_class.h"
#include "graph/model/graph.h"

/* ---- the functions of ncurses that we call, loaded when first needed ---- */

/* clang-format off */
#define LIBCURSES_CALLS(CALL) \
    CALL(COLOR_PAIR) CALL(cbreak) CALL(curs_set) CALL(delscreen) CALL(delwin) CALL(endwin) \
    CALL(getmaxx) CALL(getmaxy) CALL(has_colors) CALL(init_pair) CALL(keypad) CALL(newterm) CALL(newwin) CALL(noecho) CALL(nonl) \
    CALL(set_escdelay) CALL(start_color) CALL(use_default_colors) CALL(waddnstr) CALL(wattrset) CALL(wclrtoeol) \
    CALL(werase) CALL(wgetch) CALL(wmove) CALL(wrefresh)
/* clang-format on */

struct libcurses {
    LIBCURSES_CALLS(LIBRARY_FIELD)
};

/* NULL: it cannot be loaded. */
static LIBRARY(libcurses, LIBCURSES)

enum { HEAD_LINES = 2, FOOT_LINES = 1, ESCAPE = 27, ESCAPE_DELAY = 25 };
enum { PAIR_HOT = 1, PAIR_WARM };

struct screen {
    const struct libcurses *curses;
    const struct browser_screen_options *options;
    struct browser *browser;
    WINDOW *window;
    size_t common; /* of the functions' folders: see label_common() */
    bool is_typing;
    bool shows_help;
};

/* ---- lines ---- */

/* Writes what fits, from where the cursor is; a terminal that knows no UTF-8 gets question marks for
 * what is no ASCII. */
static void put_text(const struct screen *screen, const char *text, int *room)
{
    struct span plain = span_of(text);

    plain.len = escape_fit(plain, *room > 0 ? (size_t)*room : 0);
    *room -= (int)escape_cells(plain);
    while (plain.len && !screen->options->is_unicode) {
        struct utf8 next = utf8_next(plain);

        screen->curses->waddnstr(screen->window, next.code < 0x80 ? plain.at : "??",
                                 (int)utf8_cells(next.code));
        plain = span_after(plain, next.len);
    }
    screen->curses->waddnstr(screen->window, plain.at, (int)plain.len);
}

static int begin_line(const struct screen *screen, int line, chtype attributes)
{
    screen->curses->wattrset(screen->window, (int)attributes);
    screen->curses->wmove(screen->window, line, 0);
    return screen->curses->getmaxx(screen->window) - 1; /* the last cell would wrap the line */
}

/* The rest of the line in the same manner. */
static void end_line(const struct screen *screen, int room)
{
    while (room > 0)
        put_text(screen, " ", &room);
    screen->curses->wattrset(screen->window, (int)A_NORMAL);
    screen->curses->wclrtoeol(screen->window);
}

static void write_line(const struct screen *screen, int line, chtype attributes, const char *text)
{
    int room = begin_line(screen, line, attributes);

    put_text(screen, text, &room);
    end_line(screen, room);
}

/* ---- rows ---- */

static const char *figure(char text[FORMAT_LEN], int64_t value, enum unit unit)
{
    return value == UNKNOWN ? "" : format_value(text, value, unit);
}

/* As short as tells it from others, and nothing in it can act on the terminal. */
static struct span label_of(const struct screen *screen, frame_id frame, struct arena *arena)
{
    struct span label = frame_label(screen->browser->graph, frame, arena);

    return escape_plain(arena, label_short(label, PATHS_SHORT, screen->common));
}

static const char *calls_text(const struct browser_row *row, struct arena *arena)
{
    if (row->calls == UNKNOWN)
        return "";
    if (row->primitive_calls == UNKNOWN || row->primitive_calls == row->calls)
        return arena_printf(arena, "%" PRId64, row->calls);
    return arena_printf(arena, "%" PRId64 "/%" PRId64, row->calls, row->primitive_calls);
}

static chtype attributes_of(const struct screen *screen, const struct browser_row *row,
                            bool is_selected)
{
    if (is_selected)
        return A_REVERSE;
    if (!screen->options->has_color || row->share < 0.02)
        return A_NORMAL;
    return row->share >= 0.1 ? (chtype)screen->curses->COLOR_PAIR(PAIR_HOT) | A_BOLD
                             : (chtype)screen->curses->COLOR_PAIR(PAIR_WARM);
}

static void write_row(const struct screen *screen, int line, uint32_t at, struct arena *arena)
{
    const struct browser_row *row = &screen->browser->rows[at];
    enum unit unit = graph_unit(screen->browser->graph);
    char self[FORMAT_LEN], cum[FORMAT_LEN], share[FORMAT_LEN];
    struct span label = label_of(screen, row->frame, arena);
    int room = begin_line(
        screen, line, attributes_of(screen, row, at == browser_view(screen->browser)->selected));

    put_text(screen,
             arena_printf(arena, "%10s %10s %s%10s %7s  ", calls_text(row, arena),
                          figure(self, row->self, unit), row->is_estimate ? "~" : " ",
                          figure(cum, row->cum, unit), format_share(share, row->share)),
             &room);
    if (row->relation)
        put_text(screen, arena_printf(arena, "%-8s  ", row->relation), &room);
    if (browser_view(screen->browser)->kind == VIEW_TREE) {
        int most = room > 0 ? room / 2 : 0; /* the name has the rest, however deep it is */

        put_text(screen,
                 arena_printf(arena, "%*s%s",
                              row->depth < (uint32_t)most / 2 ? 2 * (int)row->depth : most, "",
                              !row->has_branches ? "  "
                              : row->is_open     ? "- "
                                                 : "+ "),
                 &room);
    }
    put_text(screen, arena_printf(arena, "%.*s", (int)label.len, label.at), &room);
    end_line(screen, room);
}

/* ---- the screen ---- */

static const char *order_text(const struct browser *browser)
{
    switch (browser->order.keys[0]) {
    case ORDER_CUM:
        return "by time with callees";
    case ORDER_CALLS:
        return "by calls";
    case ORDER_LABEL:
        return "by name";
    default:
        return "by self";
    }
}

static const char *title_text(const struct screen *screen, struct arena *arena)
{
    const struct browser *browser = screen->browser;
    const struct browser_view *view = browser_view(browser);
    char whole[FORMAT_LEN];
    struct span path = span_of(screen->options->title), label = {0};
    struct span title = escape_plain(arena, span_after(path, span_rfind(path, '/') + 1));
    const char *what = arena_printf(arena, "functions, %s", order_text(browser));

    if (view->kind == VIEW_AROUND)
        label = label_of(screen, browser->graph->functions.frame[view->subject], arena);
    else if (view->kind == VIEW_TREE && view->subject != NO_SUBJECT)
        label = label_of(screen, browser->tree.rows[view->subject].frame, arena);
    if (view->kind != VIEW_FUNCTIONS)
        what = arena_printf(arena, "%s %.*s", view->kind == VIEW_AROUND ? "around" : "tree of",
                            label.at ? (int)label.len : 8, label.at ? label.at : "all time");
    return arena_printf(arena, " %.*s: %s   %u/%u   %s in all", (int)title.len, title.at, what,
                        browser->row_count ? view->selected + 1 : 0, browser->row_count,
                        format_value(whole, browser->whole, graph_unit(browser->graph)));
}

static const char *foot_text(const struct screen *screen, struct arena *arena)
{
    const struct browser *browser = screen->browser;

    if (screen->is_typing)
        return arena_printf(arena, "/%s", browser->sought);
    if (browser->message)
        return browser->message;
    if (browser_view(browser)->kind == VIEW_TREE)
        return "? help  q quit  arrows move, open, close  Enter around  z zoom  / find  b back";
    return "? help  q quit  Enter callers, callees  t tree  s c a m sort  / find  b back";
}

static const char *const help_lines[] = {
    "Up, Down, PgUp, PgDn, Home, End   move (k, j, Space, g, G, too)",
    "Enter                             callers and callees of the function",
    "Backspace, Esc, b                 back to where you were",
    "f, t                              all functions; the tree of time",
    "s, c, a, m, r                     by self, time with callees, calls, name; the other way "
    "round",
    "Right, Left                       in the tree: open and close a branch (l, h, + and -, too)",
    "z                                 in the tree: zoom into the branch; Backspace zooms out",
    "/ TEXT Enter, n, N                find a name; the next, the one before",
    "?                                 this help",
    "q                                 quit",
    "",
    "Times are self and with callees; % is of the whole. ~ is an estimate: the profile knows "
    "calls,",
    "but no paths (ptk help tree). Red is 10 % of the whole or more, yellow 2 %.",
};

static void draw(const struct screen *screen)
{
    struct browser *browser = screen->browser;
    int lines = screen->curses->getmaxy(screen->window);
    struct arena arena = {0};

    screen->curses->werase(screen->window);
    write_line(screen, 0, A_REVERSE, title_text(screen, &arena));
    write_line(screen, 1, A_BOLD, "     calls       self         cum       %  function");
    for (int line = HEAD_LINES; line < lines - FOOT_LINES; line++) {
        uint32_t at = (uint32_t)(line - HEAD_LINES), row = browser_view(browser)->first + at;

        if (screen->shows_help)
            write_line(screen, line, A_NORMAL, at < COUNT_OF(help_lines) ? help_lines[at] : "");
        else if (row < browser->row_count)
            write_row(screen, line, row, &arena);
    }
    write_line(screen, lines - 1, A_BOLD, foot_text(screen, &arena));
    screen->curses->wrefresh(screen->window);
    arena_free(&arena);
}

/* ---- keys ---- */

static const struct {
    int key;
    enum browser_action action;
} keys[] = {
    {KEY_UP, BROWSER_UP},          {'k', BROWSER_UP},
    {KEY_DOWN, BROWSER_DOWN},      {'j', BROWSER_DOWN},
    {KEY_PPAGE, BROWSER_PAGE_UP},  {KEY_NPAGE, BROWSER_PAGE_DOWN},
    {' ', BROWSER_PAGE_DOWN},      {KEY_HOME, BROWSER_FIRST},
    {'g', BROWSER_FIRST},          {KEY_END, BROWSER_LAST},
    {'G', BROWSER_LAST},           {KEY_ENTER, BROWSER_ENTER},
    {'\r', BROWSER_ENTER},         {'\n', BROWSER_ENTER},
    {KEY_BACKSPACE, BROWSER_BACK}, {'\b', BROWSER_BACK},
    {127, BROWSER_BACK},           {ESCAPE, BROWSER_BACK},
    {'b', BROWSER_BACK},           {'f', BROWSER_FUNCTIONS},
    {'t', BROWSER_TREE},           {KEY_RIGHT, BROWSER_OPEN},
    {'l', BROWSER_OPEN},           {'+', BROWSER_OPEN},
    {KEY_LEFT, BROWSER_CLOSE},     {'h', BROWSER_CLOSE},
    {'-', BROWSER_CLOSE},          {'z', BROWSER_ZOOM},
    {'s', BROWSER_BY_SELF},        {'c', BROWSER_BY_CUM},
    {'a', BROWSER_BY_CALLS},       {'m', BROWSER_BY_NAME},
    {'r', BROWSER_REVERSE},        {'n', BROWSER_FIND_NEXT},
    {'N', BROWSER_FIND_PREVIOUS},
};

/* A key while a text is typed. */
static void type(struct screen *screen, int key)
{
    struct browser *browser = screen->browser;
    size_t len = strlen(browser->sought);

    if (key == ESCAPE) {
        screen->is_typing = false;
    } else if (key == '\r' || key == '\n' || key == KEY_ENTER) {
        screen->is_typing = false;
        browser_act(browser, BROWSER_FIND_NEXT);
    } else if (key == KEY_BACKSPACE || key == '\b' || key == 127) {
        browser->sought[len ? len - 1 : 0] = '\0';
    } else if (key >= ' ' && key < 127 && len + 1 < sizeof(browser->sought)) {
        browser->sought[len] = (char)key;
        browser->sought[len + 1] = '\0';
    }
}

/* False: the browser is left, or waits for more of the file. */
static bool take_key(struct screen *screen, int key)
{
    enum browser_action action = BROWSER_NOTHING;

    if (screen->is_typing) {
        type(screen, key);
        return true;
    }
    if (screen->shows_help) {
        screen->shows_help = false;
        return true;
    }
    if (key == 'q' || key == ERR)
        return false;
    screen->shows_help = key == '?';
    screen->is_typing = key == '/';
    if (screen->is_typing)
        screen->browser->sought[0] = '\0';
    for (size_t i = 0; i < COUNT_OF(keys); i++)
        if (keys[i].key == key)
            action = keys[i].action;
    browser_act(screen->browser, action);
    return screen->browser->awaited == BROWSER_NOTHING;
}

static void run(struct screen *screen)
{
    int key;

    do {
        int lines = screen->curses->getmaxy(screen->window) - HEAD_LINES - FOOT_LINES;

        screen->browser->page = lines > 1 ? (uint32_t)lines : 1;
        if (!screen->browser->message)
            browser_act(screen->browser, BROWSER_NOTHING); /* scrolls, after the screen changed */
        draw(screen);
        key = screen->curses->wgetch(screen->window);
    } while (take_key(screen, key));
}

/* ---- the terminal ---- */

static size_t common_folder(const struct graph *graph)
{
    size_t common = SIZE_MAX;
    struct arena arena = {0};
    struct span first = {0};

    for (uint32_t i = 0; i < graph->functions.listed; i++) {
        struct span label = frame_label(graph, graph->functions.frame[i], &arena);

        if (!label_has_folder(label))
            continue;
        first = first.at ? first : label;
        common = label_common(label, first, common);
    }
    arena_free(&arena);
    return common;
}

static void set_up(struct screen *screen, const struct libcurses *curses)
{
    curses->cbreak();
    curses->noecho();
    curses->nonl();
    curses->curs_set(0);
    curses->set_escdelay(ESCAPE_DELAY);
    if (screen->options->has_color && curses->has_colors() && curses->start_color() == OK) {
        curses->use_default_colors();
        curses->init_pair(PAIR_HOT, COLOR_RED, -1);
        curses->init_pair(PAIR_WARM, COLOR_YELLOW, -1);
    }
    screen->window = curses->newwin(0, 0, 0, 0);
}

static bool run_on(struct screen *screen, FILE *terminal, struct error *err)
{
    const struct libcurses *curses = screen->curses;
    SCREEN *made = curses->newterm(NULL, terminal, terminal);

    if (!made)
        return error_set(err, ERROR_USAGE, "the terminal cannot be drawn on: is TERM set?");
    set_up(screen, curses);
    if (screen->window) {
        curses->keypad(screen->window, true);
        run(screen);
        curses->delwin(screen->window);
    }
    curses->endwin();
    curses->delscreen(made);
    return screen->window || error_set(err, ERROR_USAGE, "the terminal is too small");
}

bool browser_screen_run(struct browser *browser, const struct browser_screen_options *options,
                        struct error *err)
{
    struct screen screen = {.curses = libcurses(),
                            .options = options,
                            .browser = browser,
                            .common = common_folder(browser->graph)};
    FILE *terminal;
    bool ok;

    if (!screen.curses)
        return error_set(err, ERROR_LACK, "ncurses, which ptk needs to browse, cannot be loaded");
    terminal = fopen("/dev/tty", "r+");
    if (!terminal)
        return error_set(err, ERROR_USAGE, "there is no terminal to browse on");
    ok = run_on(&screen, terminal, err);
    fclose(terminal);
    return ok;
}
