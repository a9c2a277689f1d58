/* SPDX-License-Identifier: Apache-2.0 */
/* sqlite.h — what reads a database, or says that this ptk cannot */
#ifndef PTK_PARSERS_SQLITE_SQLITE_H
#define PTK_PARSERS_SQLITE_SQLITE_H

#include "parsers/parser.h"

MUST_CHECK bool sqlite_parse(struct input *in, struct builder *builder, struct error *err);

#endif
