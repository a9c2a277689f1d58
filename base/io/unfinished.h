/* SPDX-License-Identifier: Apache-2.0 */
/* unfinished.h — the file that must not stay behind when the program ends before it is whole */
#ifndef PTK_BASE_IO_UNFINISHED_H
#define PTK_BASE_IO_UNFINISHED_H

/* Makes a file as mkstemp(3) does and returns its descriptor, or -1 with errno. Until
 * unfinished_done() it is unlinked where a signal ends the program, and by unfinished_remove().
 * `name` must last until then. There is one at a time. */
int unfinished_make(char *name);

/* The file has its final name, or is gone. */
void unfinished_done(void);

/* Unlinks it; may be called anywhere, in a signal handler too. */
void unfinished_remove(void);

#endif
