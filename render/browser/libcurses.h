/* SPDX-License-Identifier: Apache-2.0 */
/* libcurses.h — the functions of ncurses that we call, loaded when first needed: `ptk browse` alone */
#ifndef PTK_RENDER_BROWSER_LIBCURSES_H
#define PTK_RENDER_BROWSER_LIBCURSES_H

#define NCURSES_NOMACROS 1
#define NCURSES_WIDECHAR 0
#include <curses.h>

#include "base/io/io.h"

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
const struct libcurses *libcurses(void);

#endif
