/* SPDX-License-Identifier: Apache-2.0 */
/* csv_fields.h — a line of a table in its cells: of a CSV file, or of columns that blanks set
 * apart */
#ifndef PTK_PARSERS_SHARED_CSV_FIELDS_H
#define PTK_PARSERS_SHARED_CSV_FIELDS_H

#include <stdbool.h>

#include "base/text/span.h"

enum { FIELDS_MAX = 1024 };

/* Borrowed from the line. Quotes around a cell are taken off, doubled ones inside are left. */
struct fields {
    struct span list[FIELDS_MAX];
    size_t count;
    bool is_cut; /* a quote is never closed, or there are more cells than fit */
};

void fields_of_csv(struct span line, struct fields *fields);

/* Cells with two blanks or a tab between them. The last of `most` cells is the rest of the line;
 * 0: as many as there are. */
void fields_of_columns(struct span line, size_t most, struct fields *fields);

/* Cells with any blanks between them; `most` as above. */
void fields_of_words(struct span line, size_t most, struct fields *fields);

/* Writers that do not quote spread a name with commas over several cells: makes cell `at` take in
 * as many that follow as are too many. */
void fields_join(struct fields *fields, size_t at, size_t count);

#endif
