/* SPDX-License-Identifier: Apache-2.0 */
/* table.h — tables: each column says who it is for, each cell what it is */
#ifndef PTK_RENDER_FORMS_TABLE_H
#define PTK_RENDER_FORMS_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory/memory.h"
#include "base/memory/span.h"
#include "base/text/unit.h"

/* ---- rows and typed columns: what every tabular output is made from ---- */

/* A result becomes a table once; text, CSV, JSON and Markdown follow for free. Figures stay raw;
 * only text and Markdown scale them. */

enum { TABLE_MAX_WIDTH = 32 };

enum cell_kind {
    CELL_TEXT,  /* raw bytes from the profile; at == NULL: none */
    CELL_COUNT, /* TABLE_NULL: none */
    CELL_VALUE, /* in the column's unit; TABLE_NULL: none */
    CELL_SHARE, /* 0 … 1; NaN: none */
    CELL_RATIO, /* a plain number; NaN: none */
    CELL_FLAG,  /* true or false */
};

#define TABLE_NULL INT64_MIN

/* Who shows a column. */
enum column_use {
    COLUMN_PEOPLE = 1,   /* text and Markdown */
    COLUMN_MACHINES = 2, /* CSV and JSON */
    COLUMN_ALL = 3,
};

struct column {
    const char *key;     /* CSV header and JSON field: a contract */
    const char *heading; /* for people; NULL: the key */
    enum cell_kind kind;
    enum column_use use;
    enum unit unit; /* of a CELL_VALUE */
    bool is_heat;   /* a large share stands out in colour */
    bool is_right;  /* a text that stands at the right, such as "12/3" */
    bool is_code;   /* a text whose blanks count */
    bool is_path;   /* a text that is told by its end: "dir/file.py:12(function)" */
    bool is_branch; /* and stands behind the drawn branches of a tree */
    bool is_fold;   /* a text of lines, whose first stands for the others: pages fold them away */
    bool is_spare;  /* follows from others: left out where a terminal has no room for names */
};

/* Columns that all show, by their key and heading (NULL: the key). */
/* clang-format off */
#define TEXT_COLUMN(name, title) {.key = name, .heading = title, .kind = CELL_TEXT, .use = COLUMN_ALL}
#define COUNT_COLUMN(name, title) {.key = name, .heading = title, .kind = CELL_COUNT, .use = COLUMN_ALL}
#define TIME_COLUMN(name, title) {.key = name, .heading = title, .kind = CELL_VALUE, .use = COLUMN_ALL, .unit = UNIT_NS}
#define SHARE_COLUMN(name, title) {.key = name, .heading = title, .kind = CELL_SHARE, .use = COLUMN_ALL}
#define RATIO_COLUMN(name, title) {.key = name, .heading = title, .kind = CELL_RATIO, .use = COLUMN_ALL}
/* clang-format on */

union cell {
    struct span text;
    int64_t number;
    double real;
};

struct table {
    const char *key;   /* of the array in JSON; NULL: JSON has it elsewhere */
    const char *title; /* for people; may be NULL */
    const char *row;   /* what a row of an inner table is called, before its CSV headings: "edge" */
    enum column_use use; /* who shows the table; 0 is all */
    const struct column *columns;
    uint32_t width, height;
    uint32_t omitted;  /* rows that it has besides, which nobody is to see */
    union cell *cells; /* row by row */
    bool is_list;      /* JSON has the first column's values alone */
    const char *text;  /* laid out already: what text shows in place of the cells; or NULL */

    /* Rows that belong to one row of this table: row r owns first[r] … first[r + 1] - 1. JSON
     * nests them under inner->key; CSV repeats the outer row before each, text indents them. */
    struct table *inner;
    uint32_t *first;
};

static inline bool table_is_for(const struct table *table, enum column_use use)
{
    return !table->use || (table->use & use);
}

void table_init(struct table *table, struct arena *arena, const struct column *columns,
                uint32_t width, uint32_t height);

/* The same in the arena, with a key and a title. */
struct table *table_new(struct arena *arena, const struct column *columns, uint32_t width,
                        uint32_t height, const char *key, const char *title);

/* A copy of the columns in which every CELL_VALUE is in `unit`. */
struct column *columns_in_unit(struct arena *arena, const struct column *columns, uint32_t width,
                               enum unit unit);

union cell *table_cell(const struct table *table, uint32_t row, uint32_t column);

/* Which columns people see, by their numbers: not those that are blank in every row. */
struct columns_shown {
    bool is_shown[TABLE_MAX_WIDTH];
    size_t common[TABLE_MAX_WIDTH]; /* of a column of paths, for label_short() */
};

struct columns_shown table_shown(const struct table *table);

/* The function's label in a cell of a column of paths: without branches, and without what is said of it
 * behind two blanks. */
struct span label_in_cell(const struct column *column, struct span text);

/* Filling a row from left to right: start with table_row(). */
struct row_writer {
    const struct table *table;
    uint32_t row, column;
};

static inline struct row_writer table_row(const struct table *table, uint32_t row)
{
    return (struct row_writer){table, row, 0};
}

#define NO_TEXT ((struct span){NULL, 0})

void row_text(struct row_writer *writer, struct span text);
void row_number(struct row_writer *writer, int64_t number); /* counts, values, flags */
void row_real(struct row_writer *writer, double real);      /* shares, ratios */

/* ---- a cell as people read it, for text and Markdown alike ---- */

/* Scaled and rounded; a text as it is. Empty when there is none. Lives in `arena`. */
struct span cell_shown(const struct column *column, const union cell *cell, struct arena *arena);

/* Figures stand at the right, texts at the left unless the column says otherwise. */
bool column_is_right(const struct column *column);

const char *column_heading(const struct column *column);

#endif
