/* SPDX-License-Identifier: Apache-2.0 */
/* unfinished.h — a file that must not stay behind when the program ends before it is whole */
#ifndef PTK_BASE_UNFINISHED_H
#define PTK_BASE_UNFINISHED_H

/* There is one such file at a time. */

/* Makes it as mkstemp(3) does and returns its descriptor, or -1 with errno. Until unfinished_keep()
 * it is unlinked where a signal ends the program, and by unfinished_remove(). `name` must last until
 * then. */
int unfinished_make(char *name);

/* The file is whole: it stays. */
void unfinished_keep(void);

/* Unlinks it; may be called anywhere, in a signal handler too. */
void unfinished_remove(void);

#endif
