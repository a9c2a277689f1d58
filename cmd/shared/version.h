/* SPDX-License-Identifier: Apache-2.0 */
/* version.h — the one place where the version stands, and what the program is built with */
#ifndef PTK_CMD_SHARED_VERSION_H
#define PTK_CMD_SHARED_VERSION_H

#include <stdbool.h>
#include <stdio.h>

#define PTK_VERSION "0.1.0"
#define PTK_DATE "November 21, 2026" /* of the manual pages */

struct library {
    const char *name;    /* of its pkg-config module */
    const char *version; /* that the program was built with; NULL: it was built without */
    const char *package; /* of Debian, that has it; NULL where it was there */
    const char *gives;   /* what the program cannot do without it; NULL where it was there */
};

extern const struct library libraries[]; /* made by tools/embed-libraries; ends with a NULL name */

/* The version, and of the libraries those that are missing; verbose: all of them. */
void version_print(FILE *out, bool verbose);

#endif
