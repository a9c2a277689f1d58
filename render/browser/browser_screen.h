/* SPDX-License-Identifier: Apache-2.0 */
/* browser_screen.h — a browser on a terminal: draws it, and takes keys until it is left */
#ifndef PTK_RENDER_BROWSER_BROWSER_SCREEN_H
#define PTK_RENDER_BROWSER_BROWSER_SCREEN_H

#include "base/attr.h"
#include "base/cli/error.h"
#include "render/browser/browser.h"

struct browser_screen_options {
    const char *title; /* the file's name */
    bool has_color;
};

/* The terminal is the one that controls the process: standard input may be the profile. False with
 * ERROR_USAGE where there is none, or ERROR_LACK where ptk was built without ncurses. */
MUST_CHECK bool browser_screen_run(struct browser *browser,
                                   const struct browser_screen_options *options, struct error *err);

#endif
