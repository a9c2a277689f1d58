/* SPDX-License-Identifier: Apache-2.0 */
/* database.h — a SQLite file, read-only and with distrust: tables and columns that may be missing,
 * values that may be of any type */
#ifndef PTK_PARSERS_SQLITE_DATABASE_H
#define PTK_PARSERS_SQLITE_DATABASE_H

#include <sqlite3.h>
#include <stdbool.h>

#include "base/attr.h"
#include "base/cli/error.h"
#include "base/io/input.h"
#include "base/io/shared_library.h"

#define SQLITE_MAGIC "SQLite format 3" /* and its NUL */

struct sqlite3;
struct sqlite3_stmt;

/* A small file can promise rows without number: pages that lead to one page over and over, rows
 * that share their texts. So what is read is bounded by what the file can hold. */
struct database {
    struct sqlite3 *handle;
    char *bytes;       /* the whole file */
    char trouble[128]; /* the first that there was with it; empty: none so far */
    uint64_t steps;    /* of SQLite's machine that are left */
    uint64_t content;  /* bytes that rows and texts may still take */
};

/* Takes all of the input. Close it in any case. */
MUST_CHECK bool database_open(struct database *database, struct input *in, struct error *err);

/* Whether there is a table (not a view) of this name with anything in it; trouble on the way is
 * reported by the next query_end(). */
bool database_has(struct database *database, const char *table);

/* The names of some tables, for a message. */
void database_tables(struct database *database, char *out, size_t room);

/* The rows of a table, in its order. Columns that it does not have are NULL in every row. */
struct query {
    struct database *database;
    struct sqlite3_stmt *statement; /* NULL: no such table, no rows */
};

/* `columns` ends with NULL. */
void query_begin(struct query *query, struct database *database, const char *table,
                 const char *const *columns);

/* The next row; false at the end. */
bool query_next(struct query *query);

/* Of the current row. False when it is no integer. */
bool query_integer(const struct query *query, int column, int64_t *value);

/* The same, or `otherwise`. */
int64_t query_integer_or(const struct query *query, int column, int64_t otherwise);

/* A text or blob, valid until the next row; empty when it is none. */
struct span query_text(const struct query *query, int column);

/* Ends it. False when the file is damaged where it was read so far. */
MUST_CHECK bool query_end(struct query *query, struct error *err);

void database_close(struct database *database);

#endif
