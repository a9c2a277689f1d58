/* SPDX-License-Identifier: Apache-2.0 */
/* browser_screen_absent.c — in place of what draws where ncurses was not found at build time */
#include "render/browser/browser.h"

bool browser_screen_run(struct browser *browser, const struct browser_screen_options *options,
                        struct error *err)
{
    (void)browser;
    (void)options;
    error_set(err, ERROR_LACK, "this ptk was built without ncurses, so it cannot browse");
    return error_hint(err,
                      "build it where libncurses-dev is installed; ptk hotspots, peek and tree "
                      "show the same");
}
