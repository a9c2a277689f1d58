/* SPDX-License-Identifier: Apache-2.0 */
/* nvprof_table.h — tables of nvprof, Nsight and rocprof: which column is what, and in which unit
 *
 * Columns come and go with what was recorded, so they are found by their names. The same names
 * stand in CSV and in text; units stand below the header, in it, or in each cell. */
#ifndef PTK_PARSERS_NVPROF_NVPROF_TABLE_H
#define PTK_PARSERS_NVPROF_NVPROF_TABLE_H

#include <stdint.h>

#include "base/text/span.h"
#include "parsers/shared/csv.h"

/* ---- what nvprof writes behind a name: the call that launched it, a device's number ---- */

/* Takes " [105]" off the end of a name: the call that launched it; of a call " (kernel [105])". -1
 * when there is none. */
int64_t name_take_correlation(struct span *name);

/* The last "(N)" of "TITAN X (Pascal) (0)", which is taken off; -1 where a text is cut before
 * it. */
int32_t name_take_ordinal(struct span *device);

/* ---- tables of nvprof, Nsight and rocprof: which column is what, and in which unit ---- */

enum nvprof_column {
    COLUMN_OTHER, /* one that is not read */
    COLUMN_TYPE,
    COLUMN_PERCENT,
    COLUMN_TIME,
    COLUMN_CALLS,
    COLUMN_AVG,
    COLUMN_MIN,
    COLUMN_MAX,
    COLUMN_START,
    COLUMN_DURATION,
    COLUMN_GRID, /* "(x y z)" */
    COLUMN_GRID_X,
    COLUMN_GRID_Y,
    COLUMN_GRID_Z,
    COLUMN_BLOCK,
    COLUMN_BLOCK_X,
    COLUMN_BLOCK_Y,
    COLUMN_BLOCK_Z,
    COLUMN_REGISTERS,
    COLUMN_STATIC,
    COLUMN_DYNAMIC,
    COLUMN_SIZE,
    COLUMN_THROUGHPUT,
    COLUMN_SOURCE,
    COLUMN_TARGET,
    COLUMN_DEVICE,
    COLUMN_CONTEXT,
    COLUMN_STREAM,
    COLUMN_UNIFIED,
    COLUMN_CORRELATION,
    COLUMN_KERNEL,
    COLUMN_INVOCATIONS,
    COLUMN_METRIC,
    COLUMN_DESCRIPTION,
    COLUMN_PROCESS,
    COLUMN_THREAD,
    COLUMN_DEVICE_NUMBER,
    COLUMN_CALL, /* the API call that launched the row's kernel */
    COLUMN_CALL_START,
    COLUMN_CALL_DURATION,
    COLUMN_CALL_AVG,
    COLUMN_CALL_MIN,
    COLUMN_CALL_MAX,
    COLUMN_NAME,
    COLUMN_COUNT_
};

enum table_kind {
    TABLE_NONE,
    TABLE_SUMMARY,
    TABLE_TRACE,
    TABLE_METRICS,        /* a row a kernel and metric */
    TABLE_WIDE,           /* a row a launch, a column a metric */
    TABLE_EXECUTIONS,     /* a row a launch: the call, and the kernel */
    TABLE_EXECUTION_SUMS, /* a row all launches of a kernel by a call */
};

enum table_form {
    FORM_CSV,
    FORM_COLUMNS, /* text, two blanks between cells */
    FORM_WORDS,   /* text, any blanks between cells */
    FORM_RULED,   /* text, each cell below its dashes, which an empty one leaves blank */
};

/* What the column of counts is called, which tells what the rows are. */
enum count_title { COUNT_CALLS, COUNT_INSTANCES, COUNT_API_CALLS, COUNT_OPERATIONS };

struct nvprof_table {
    enum table_kind kind;
    bool is_nsight; /* of nsys stats: decimal sizes, units in the header, a blank line at the end */
    bool is_ranges; /* rows are ranges that the program named */
    enum count_title count_title;
    enum table_form form;
    struct csv_header header;  /* which cell is which column, from the prefix on */
    size_t prefix;             /* cells of somebody else's before a row's own */
    uint32_t edge[FIELDS_MAX]; /* where in a line each column's dashes begin: FORM_RULED */
    bool awaits_units;         /* the line after the header may have them */
};

/* A row's cells by column; empty where it has none, or "-". */
struct nvprof_row {
    struct span cell[COLUMN_COUNT_];
};

/* Whether the line is a header; then it opens a new table. */
bool table_open(struct nvprof_table *table, struct span line);

/* Whether the line has the units of the open table, or is the dashes below its header; only the
 * first one after the header can. */
bool table_take_units(struct nvprof_table *table, struct span line);

/* Whether the line is a row of a trace: with a device, a context and a stream in its cells. What
 * the other cells mean only the header tells. */
bool table_is_headless(struct span line);

/* All cells of a line, as many as there are, without those before the table's own. */
bool table_fields(const struct nvprof_table *table, struct span line, struct csv_fields *fields);

static inline bool table_has(const struct nvprof_table *table, enum nvprof_column column)
{
    return csv_has(&table->header, column);
}

/* The cells of a line; false when it is no row of the table. */
bool table_row(const struct nvprof_table *table, struct span line, struct nvprof_row *row);

#endif
