/* SPDX-License-Identifier: Apache-2.0 */
/* open_page.h — shows a page in the browser of this machine */
#ifndef PTK_CMD_ANSWER_OPEN_PAGE_H
#define PTK_CMD_ANSWER_OPEN_PAGE_H

#include "base/checked.h"
#include "base/error/error.h"

enum { OPEN_PAGE_PATH_MAX = 4096 };

/* The name of a page in a new folder of $TMPDIR or /tmp, which its owner alone can open. */
MUST_CHECK bool open_page_new(char path[OPEN_PAGE_PATH_MAX], struct error *err);

/* Opens a file by $BROWSER (names separated by ":"), else by xdg-open and other programs that know which one is
 * there; the first that runs and ends well. Where none does, the error names the file. */
MUST_CHECK bool open_page(const char *path, struct error *err);

#endif
