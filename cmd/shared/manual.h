/* SPDX-License-Identifier: Apache-2.0 */
/* manual.h — the prose of the manual pages, from man/NAME.txt, built into the program
 *
 * Plain paragraphs separated by empty lines; "# TITLE" begins a section; a paragraph of lines
 * that begin with blanks is shown as it stands. */
#ifndef PTK_CMD_SHARED_MANUAL_H
#define PTK_CMD_SHARED_MANUAL_H

struct manual {
    const char *name; /* of the command, or "ptk" */
    const char *text;
};

extern const struct manual manuals[]; /* made by tools/embed-manual.awk; ends with a NULL name */

#endif
