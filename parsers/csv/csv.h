/* SPDX-License-Identifier: Apache-2.0 */
/* csv.h — tables: lines in cells, columns by their names and units, figures with units */
#ifndef PTK_PARSERS_CSV_CSV_H
#define PTK_PARSERS_CSV_CSV_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory/span.h"

/* ---- figures with their units: "9.6305ms", "8.0000MB", "60.641GB/s", or a bare number in a column
 * whose unit stands in its header or below it; "1,234,567" in texts of Nsight ---- */

/* What a column's figures are in. */
struct column_unit {
    bool is_time, is_size; /* neither: nothing known */
    int exponent;          /* time: powers of ten of a nanosecond; size: powers of 1000 or 1024 */
};

/* "ms", "KB", "GB/s", "%" or nothing. */
struct column_unit column_unit_of(struct span word);

/* Nanoseconds of a figure that has its own unit, or else its column's. `resolution`: what one unit
 * in its last place is, at least 1. False when it is no time. */
bool quantity_time(struct span text, struct column_unit unit, int64_t *ns, int64_t *resolution);

/* A whole number, with commas between thousands or not. */
bool quantity_count(struct span text, int64_t *count);

/* Bytes, or bytes a second, as they are written. Whether a KB is 1000 or 1024 is for the whole file
 * to tell. */
struct amount {
    int64_t micros; /* millionths of the unit */
    int exponent;   /* of the unit: 0 B, 1 KB, 2 MB, 3 GB */
};

bool quantity_amount(struct span text, struct column_unit unit, struct amount *amount);

/* In bytes; `base` is 1000 or 1024. */
int64_t amount_bytes(struct amount amount, int64_t base);

/* ---- a line of a table in its cells: of a CSV file, or of columns that blanks set apart ---- */

/* rocprof-compute writes a column for each counter of each of 128 memory channels. */
enum { FIELDS_MAX = 8192 };

/* Borrowed from the line. Quotes around a cell are taken off, doubled ones inside are left. */
struct csv_fields {
    struct span list[FIELDS_MAX];
    size_t count;
    bool is_cut; /* a quote is never closed, or there are more cells than fit */
};

void fields_of_csv(struct span line, struct csv_fields *fields);

/* Cells with two blanks or a tab between them. The last of `most` cells is the rest of the line;
 * 0: as many as there are. */
void fields_of_columns(struct span line, size_t most, struct csv_fields *fields);

/* Cells with any blanks between them; `most` as above. */
void fields_of_words(struct span line, size_t most, struct csv_fields *fields);

/* Writers that do not quote spread a name with commas over several cells: makes cell `at` take in
 * as many that follow as are too many. */
void fields_join(struct csv_fields *fields, size_t at, size_t count);

/* ---- which cell of a table's row is what, by the names in its header ---- */

/* Columns come and go with a tool's version and with what was recorded, so they are found by their
 * names, of which one field may have several. Units stand in the header, "Total Time (ns)", below
 * it, or in the cells. */

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
                     const struct csv_fields *cells, size_t from);

/* "Total Time (ns)" is "Total Time" in ns; a title that names no unit stays as it is. */
struct span csv_title_without_unit(struct span title, struct column_unit *unit);

static inline bool csv_has(const struct csv_header *header, unsigned field)
{
    return header->place[field] < header->width;
}

/* A row's cell, without blanks around it; empty where the header has no such field, or the row ends
 * before it. `cells` begin where the header's did. */
struct span csv_cell(const struct csv_header *header, const struct csv_fields *cells,
                     unsigned field);

#endif
