/* SPDX-License-Identifier: Apache-2.0 */
/* table.h — tables: each column says who it is for, each cell what it is */
#ifndef PTK_RENDER_FORMS_TABLE_H
#define PTK_RENDER_FORMS_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory/memory.h"
#include "base/memory/span.h"
#include "base/text/unit.h"

/* ---- rows and typed columns: what every tabular output is made from ---- */

/* A result becomes a table once; text, CSV, JSON and Markdown follow for free. Figures stay raw;
 * only text and Markdown scale them. */

enum { TABLE_MAX_WIDTH = 40 };

enum cell_kind {
    CELL_TEXT,  /* raw bytes from the profile; at == NULL: none */
    CELL_COUNT, /* TABLE_NULL: none */
    CELL_VALUE, /* in the column's unit; TABLE_NULL: none */
    CELL_SHARE, /* 0 … 1; NaN: none */
    CELL_RATIO, /* a plain number; NaN: none */
    CELL_FLAG,  /* true or false */
};

#define TABLE_NULL INT64_MIN

union cell {
    struct span text;
    int64_t number;
    double real;
};

/* Who shows a table or a column. */
enum column_use {
    COLUMN_ALL = 0,
    COLUMN_PEOPLE = 1,   /* text and Markdown */
    COLUMN_MACHINES = 2, /* CSV and JSON */
    COLUMN_NOBODY = 4,
};

/* What the cells of a table are made from besides its rows. */
struct table_context {
    struct arena *arena;
    const struct graph *graph; /* of the rows' names, functions and unit; NULL: they have none */
    enum unit unit;            /* of the values whose column has none of its own */
    int64_t whole;             /* 100 % of SHARE_OF_WHOLE() */
    const void *subject;       /* what else a table's own columns look into */
};

/* Makes a cell of a field of a row, or of two. */
struct cell_source {
    const void *field, *per;
    const struct table_context *context;
};

typedef union cell cell_maker(const struct cell_source *from);

struct column {
    const char *key;     /* CSV header and JSON field: a contract */
    const char *heading; /* for people; NULL: the key */
    enum cell_kind kind;
    enum column_use use;
    enum unit unit;      /* of a CELL_VALUE; UNIT_COUNT: the table's */
    cell_maker *make;    /* its cells, of ... */
    uint16_t field, per; /* ... what stands so far behind the row's begin */
    uint16_t place;      /* of its cells, in bytes behind their row's begin: of a table with rows */
    bool is_heat;        /* a large share stands out in colour */
    bool has_table_unit; /* of a CELL_VALUE of a table that is made: its unit is the table's */
    bool is_right;       /* a text that stands at the right, such as "12/3" */
    bool is_code;        /* a text whose blanks count */
    bool is_path;        /* a text that is known by its end: "dir/file.py:12(function)" */
    bool is_branch;      /* and stands behind the drawn branches of a tree */
    bool is_label;       /* a text that begins with the short name of the frame_id at `per` */
    bool is_fold;  /* a text of lines, whose first stands for the others: pages fold them away */
    bool is_prose;  /* a text of sentences, the last column: wrapped where a terminal is too narrow */
    bool is_whole;  /* a text that is short anyway, and never shortened */
    bool is_spare;  /* follows from others: left out where a terminal has no room for names */
    bool is_kept;   /* asked for: never left out */
    uint8_t holds;  /* cells that a text has before others with `yields` are shown; 0: as many as any text */
    uint8_t yields; /* where a terminal is too narrow for all: the highest are left out first, of equal ones the last; but for the
                     * first column, and a text that ends the line */
};

/* ---- columns, declared with the field of the row that their cells show ---- */

/* A table declares its columns where `row` is a typedef of what its rows are:
 *
 *     typedef struct queue_row row;
 *     static const struct column columns[] = {
 *         TEXT_AT("stream", stream),
 *         TIME_AT("full_time", full_time, .heading = "full", .is_heat = true),
 *         SHARE_OF("share", busy, span, FOR_PEOPLE),
 *     };
 *     return TABLE_OF(&context, columns, queues->rows, queues->count, "queues", "Queues");
 *
 * So no cell can stand in another's column, and a field of another type than the column's does not
 * compile. What no field has is made by a function of one field (TEXT_BY() and its like), or is a member of a
 * struct that the table fills by name. */

#define FOR_PEOPLE .use = COLUMN_PEOPLE
#define FOR_MACHINES .use = COLUMN_MACHINES

/* clang-format off */
#define TEXT_AT(name, ...) {.key = name, .kind = CELL_TEXT, FIELD(TEXT_OF, __VA_ARGS__, )}
#define COUNT_AT(name, ...) {.key = name, .kind = CELL_COUNT, FIELD(NUMBER_OF, __VA_ARGS__, )}
#define FLAG_AT(name, ...) {.key = name, .kind = CELL_FLAG, FIELD(NUMBER_OF, __VA_ARGS__, )}
#define VALUE_AT(name, ...) {.key = name, .kind = CELL_VALUE, FIELD(NUMBER_OF, __VA_ARGS__, )}
#define TIME_AT(name, ...) {.key = name, .kind = CELL_VALUE, .unit = UNIT_NS, FIELD(NUMBER_OF, __VA_ARGS__, )}
#define BYTES_AT(name, ...) {.key = name, .kind = CELL_VALUE, .unit = UNIT_BYTES, FIELD(NUMBER_OF, __VA_ARGS__, )}
#define SHARE_AT(name, ...) {.key = name, .kind = CELL_SHARE, FIELD(REAL_OF, __VA_ARGS__, )}
#define RATIO_AT(name, ...) {.key = name, .kind = CELL_RATIO, FIELD(REAL_OF, __VA_ARGS__, )}

/* A field that is negative where there is none, such as a device's number. */
#define INDEX_AT(name, ...) COUNT_BY(cell_index, name, __VA_ARGS__)

/* A text that is none where it is empty. */
#define NAME_AT(name, ...) TEXT_BY(cell_name, name, __VA_ARGS__)

/* One field divided by another: a mean, rounded; a share. */
#define MEAN_OF(name, sum, ...) {.key = name, .kind = CELL_VALUE, .make = cell_mean, PAIR(sum, __VA_ARGS__, )}
#define SHARE_OF(name, part, ...) {.key = name, .kind = CELL_SHARE, .make = cell_share, PAIR(part, __VA_ARGS__, )}

/* A field's share of the context's whole. */
#define SHARE_OF_WHOLE(name, ...) {.key = name, .kind = CELL_SHARE, .make = cell_share_of_whole, MADE(__VA_ARGS__, )}

/* A rate in bytes a second: in GB/s for people, in a column of its own. */
#define RATE_AT(name, title, member)                                                               \
    RATIO_AT(name, member, FOR_MACHINES),                                                          \
    {.key = title, .kind = CELL_RATIO, FOR_PEOPLE, .make = cell_giga, MADE(member, .yields = 6)}

/* What a cell_maker makes of a field. */
#define TEXT_BY(maker, name, ...) {.key = name, .kind = CELL_TEXT, .make = maker, MADE(__VA_ARGS__, )}
#define TEXT_BY_TWO(maker, name, field, ...) {.key = name, .kind = CELL_TEXT, .make = maker, PAIR(field, __VA_ARGS__, )}
#define VALUE_BY(maker, name, ...) {.key = name, .kind = CELL_VALUE, .make = maker, MADE(__VA_ARGS__, )}
#define SHARE_BY(maker, name, ...) {.key = name, .kind = CELL_SHARE, .make = maker, MADE(__VA_ARGS__, )}
#define COUNT_BY(maker, name, ...) {.key = name, .kind = CELL_COUNT, .make = maker, MADE(__VA_ARGS__, )}

/* The parts of those: where the field is, and what loads it. */
#define MADE(member, ...) .field = offsetof(row, member), __VA_ARGS__
#define PAIR(member, other, ...) .field = offsetof(row, member), .per = offsetof(row, other), __VA_ARGS__
#define FIELD(load, member, ...) .make = load(((const row *)NULL)->member), MADE(member, __VA_ARGS__)
#define TEXT_OF(member) _Generic(member, struct span: cell_span, const char *: cell_string)
#define NUMBER_OF(member) _Generic(member, int64_t: cell_int64, uint64_t: cell_uint64, uint32_t: cell_uint32, \
                                   int32_t: cell_int32, bool: cell_bool, double: cell_truncated)
#define REAL_OF(member) _Generic(member, double: cell_double)
/* clang-format on */

cell_maker cell_span, cell_string, cell_int64, cell_uint64, cell_uint32, cell_int32, cell_bool,
    cell_truncated, cell_double, cell_index, cell_name, cell_mean, cell_share, cell_share_of_whole,
    cell_giga;

#define NO_TEXT ((struct span){NULL, 0})

struct table {
    const char *key;   /* of the array in JSON; NULL: JSON has it elsewhere */
    const char *title; /* for people; may be NULL */
    const char *row;   /* what a row of an inner table is called, before its CSV headings: "edge" */
    enum column_use use; /* who shows the table */
    struct column *columns;
    uint32_t width, height, room; /* rows that fit */
    struct table_context context;
    uint32_t omitted;  /* rows that it has besides, which nobody is to see */
    char *cells;       /* row by row, each no larger than its kind needs: see table_cell() */
    uint32_t row_size; /* bytes; 0: no row was added yet */
    uint32_t *frames;  /* by row, whose short name its label begins with; NULL: no column has labels */
    bool is_list;      /* JSON has the first column's values alone */
    const char *text;  /* laid out already: what text shows in place of the cells; or NULL */
    const struct text_block *blocks; /* a row each: what text shows in place of the cells; or NULL */

    /* Rows that belong to one row of this table: row r owns first[r] … first[r + 1] - 1. JSON
     * nests them under inner->key; CSV repeats the outer row before each, text indents them. */
    struct table *inner;
    uint32_t *first;
};

static inline bool is_for(enum column_use use, enum column_use whom)
{
    return use == COLUMN_ALL || use == whom;
}

static inline bool table_is_for(const struct table *table, enum column_use use)
{
    return is_for(table->use, use);
}

static inline bool column_is_for(const struct column *column, enum column_use use)
{
    return is_for(column->use, use);
}

/* A table without rows and with room for some, in the context's arena: the columns are its own copies. */
struct table *table_begin(const struct table_context *context, const struct column *columns,
                          uint32_t width, uint32_t room, const char *key, const char *title);

/* Appends a row. */
void table_add(struct table *table, const void *row);

/* One with all of these rows, each of `size` bytes. */
struct table *table_of(const struct table_context *context, const struct column *columns,
                       uint32_t width, const void *rows, size_t size, uint32_t count,
                       const char *key, const char *title);

/* The same with the columns of an array, of rows of the type `row`; TABLE_ADD() takes its initializers. */
#define TABLE_BEGIN(context, columns, room, key, title)                                            \
    table_begin(context, columns, COUNT_OF(columns), room, key, title)
#define TABLE_OF(context, columns, rows, count, key, title)                                        \
    table_of(context, columns, COUNT_OF(columns), 1 ? (rows) : (const row *)NULL, sizeof(row),     \
             count, key, title)
#define TABLE_ADD(table, ...) table_add(table, &(const row){__VA_ARGS__})

/* The first column of that key, which the table has. */
struct column *table_column(const struct table *table, const char *key);

union cell table_cell(const struct table *table, uint32_t row, uint32_t column);

/* Which columns people see, by their numbers: not those that are blank in every row. */
struct columns_shown {
    bool is_shown[TABLE_MAX_WIDTH];
    size_t common[TABLE_MAX_WIDTH]; /* of a column of paths, for label_short() */
};

struct columns_shown table_shown(const struct table *table);

/* The function's label in a cell of a column of paths: without branches, and without what is said of it
 * behind two blanks. */
struct span label_in_cell(const struct column *column, struct span text);

/* ---- a cell as people read it, for text and Markdown alike ---- */

/* Scaled and rounded; a text as it is. Empty when there is none. Lives in `arena`. */
struct span cell_shown(const struct column *column, union cell cell, struct arena *arena);

/* Figures stand at the right, texts at the left unless the column says otherwise. */
bool column_is_right(const struct column *column);

const char *column_heading(const struct column *column);

#endif
