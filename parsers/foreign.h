/* SPDX-License-Identifier: Apache-2.0 */
/* foreign.h — files and folders that ptk does not read: what they are, and what makes profiles of them */
#ifndef PTK_PARSERS_FOREIGN_H
#define PTK_PARSERS_FOREIGN_H

#include <stdbool.h>

#include "base/error/error.h"
#include "base/memory/span.h"

/* By how the file begins: false, with ERROR_INPUT that says what it is and what to do; else true. Of
 * several that begin so the one with such a name. `name` may be empty. */
bool foreign_refuse(struct span head, struct span name, struct error *err);

/* The same by its name, for what no format begins like; a content that cannot be what the name says is
 * distinguished, and JSON and tables of CSV whatever their name. */
bool foreign_refuse_name(struct span head, struct span name, struct error *err);

/* The same for a folder, by what lies in it; true, too, where `path` is no folder. */
bool foreign_refuse_folder(const char *path, struct error *err);

#endif
