/* SPDX-License-Identifier: Apache-2.0 */
/* csv_header.h — which cell of a table's row is what, by the names in its header
 *
 * Columns come and go with a tool's version and with what was recorded, so they are found by their
 * names, of which one field may have several. Units stand in the header, "Total Time (ns)", below
 * it, or in the cells. */
#ifndef PTK_PARSERS_SHARED_CSV_HEADER_H
#define PTK_PARSERS_SHARED_CSV_HEADER_H

#include "parsers/shared/csv_fields.h"
#include "parsers/shared/quantity.h"

/* Fields are numbered from 1 on by who reads the table; 0 is a column that nobody reads. */
enum { CSV_FIELDS_MAX = 64 };

struct csv_title {
    const char *text; /* without its unit */
    uint8_t field;
};

/* Holds nothing of the line that it was read from. Of columns that are the same field the last one
 * counts. */
struct csv_header {
    size_t width;                            /* cells of a row; 0: no header was read yet */
    uint8_t field[FIELDS_MAX];               /* by cell */
    uint16_t place[CSV_FIELDS_MAX];          /* by field: its cell, FIELDS_MAX where it has none */
    struct column_unit unit[CSV_FIELDS_MAX]; /* by field */
};

/* Reads the header whose cells begin at cell `from`. */
void csv_header_read(struct csv_header *header, const struct csv_title *titles, size_t count,
                     const struct fields *cells, size_t from);

/* "Total Time (ns)" is "Total Time" in ns; a title that names no unit stays as it is. */
struct span csv_title_without_unit(struct span title, struct column_unit *unit);

static inline bool csv_has(const struct csv_header *header, unsigned field)
{
    return header->place[field] < header->width;
}

/* A row's cell, without blanks around it; empty where the header has no such field, or the row ends
 * before it. `cells` begin where the header's did. */
struct span csv_cell(const struct csv_header *header, const struct fields *cells, unsigned field);

#endif
