/* SPDX-License-Identifier: Apache-2.0 */
/* database.c — SQLite, loaded late and distrusted: tables, and their rows as structs */
#include "parsers/sqlite/sqlite.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory/memory.h"

/* ---- the functions of SQLite that we call, loaded when first needed ---- */

/* clang-format off */
#define LIBSQLITE_CALLS(CALL) \
    CALL(sqlite3_bind_text) CALL(sqlite3_close) CALL(sqlite3_column_blob) \
    CALL(sqlite3_column_bytes) CALL(sqlite3_column_double) CALL(sqlite3_column_int64) CALL(sqlite3_column_text) \
    CALL(sqlite3_column_type) CALL(sqlite3_db_config) CALL(sqlite3_deserialize) \
    CALL(sqlite3_errcode) CALL(sqlite3_errmsg) CALL(sqlite3_exec) CALL(sqlite3_extended_errcode) \
    CALL(sqlite3_finalize) CALL(sqlite3_limit) CALL(sqlite3_open_v2) CALL(sqlite3_prepare_v2) \
    CALL(sqlite3_progress_handler) CALL(sqlite3_step)
/* clang-format on */

struct libsqlite {
    LIBSQLITE_CALLS(LIBRARY_FIELD)
};

/* NULL: it cannot be loaded, as database_open() says. */
static LIBRARY(libsqlite, LIBSQLITE)

enum { SQL_MAX = 2048, MODE_AT = 18, MODE_ROLLBACK = 1, HEADER = 100 };

/* Each byte of an honest file takes a few steps, and is read at most twice; a row takes 8 bytes or
 * more of it. What every file may have is for its header and schema. */
enum { STEPS_MIN = 10000000, STEPS_PER_BYTE = 64, STEPS_BETWEEN = 10000 };
enum { TEXT_MIN = 1 << 20, CONTENT_MIN = 1 << 16, CONTENT_PER_BYTE = 4, CONTENT_OF_ROW = 16 };

/* ---- trouble ---- */

static const char too_much[] = "more rows and texts than bytes";

/* True when that went well. Else it keeps what was wrong, unless something was before: what follows
 * from the first trouble tells less. Want of memory says nothing of the file, and ends the run. */
static bool went_well(struct database *database, int code)
{
    int detail;

    if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE)
        return true;
    detail = libsqlite()->sqlite3_extended_errcode(database->handle);
    if (code == SQLITE_NOMEM || detail == SQLITE_NOMEM || detail == SQLITE_IOERR_NOMEM)
        oom();
    if (!database->trouble[0])
        snprintf(database->trouble, sizeof(database->trouble), "%s",
                 code == SQLITE_INTERRUPT ? too_much
                                          : libsqlite()->sqlite3_errmsg(database->handle));
    return false;
}

static bool damaged(const struct database *database, struct error *err)
{
    error_set(err, ERROR_INPUT, "damaged database: %s", database->trouble);
    return error_hint(err, "export or profile it again; a file that was still being written cannot "
                           "be read");
}

/* False when that was more than the file can hold. */
static bool spend(struct database *database, uint64_t content)
{
    if (content < database->content) {
        database->content -= content;
        return true;
    }
    database->content = 0;
    if (!database->trouble[0])
        snprintf(database->trouble, sizeof(database->trouble), "%s", too_much);
    return false;
}

/* Whether a statement that was prepared has a row, if only one. */
static bool has_row(struct database *database, struct sqlite3_stmt *statement)
{
    int code = statement ? libsqlite()->sqlite3_step(statement) : SQLITE_DONE;

    return went_well(database, code) && code == SQLITE_ROW;
}

/* ---- opening ---- */

static size_t read_all(struct database *database, struct input *in)
{
    size_t len = 0, cap = 0, got;

    do {
        if (len == cap) {
            cap = grow_cap(cap, len + (1 << 20));
            database->bytes = grow_to(database->bytes, cap, 1);
        }
        got = input_read(in, database->bytes + len, cap - len);
        len += got;
    } while (got);
    return len;
}

/* Nothing that the file says may run code, write, or reach another file. */
static bool distrust(struct database *database)
{
    struct sqlite3 *handle = database->handle;
    static const int off[] = {SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_TRIGGER,
                              SQLITE_DBCONFIG_ENABLE_VIEW, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION};

    for (size_t i = 0; i < COUNT_OF(off); i++)
        libsqlite()->sqlite3_db_config(handle, off[i], 0, NULL);
    libsqlite()->sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    libsqlite()->sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0);
    libsqlite()->sqlite3_limit(handle, SQLITE_LIMIT_EXPR_DEPTH, 20);
    return went_well(
        database, libsqlite()->sqlite3_exec(
                      handle, "PRAGMA cell_size_check=ON; PRAGMA query_only=ON", NULL, NULL, NULL));
}

static int count_steps(void *context)
{
    struct database *database = context;

    database->steps -= database->steps < STEPS_BETWEEN ? database->steps : STEPS_BETWEEN;
    return database->steps == 0;
}

static void bound(struct database *database, size_t len)
{
    int longest = len < TEXT_MIN ? TEXT_MIN : len < INT_MAX ? (int)len : INT_MAX;

    database->steps = STEPS_MIN + (uint64_t)len * STEPS_PER_BYTE;
    database->content = CONTENT_MIN + (uint64_t)len * CONTENT_PER_BYTE;
    libsqlite()->sqlite3_progress_handler(database->handle, STEPS_BETWEEN, count_steps, database);
    libsqlite()->sqlite3_limit(database->handle, SQLITE_LIMIT_LENGTH, longest);
}

bool database_open(struct database *database, struct input *in, struct error *err)
{
    size_t len;

    *database = (struct database){0};
    if (!libsqlite()) {
        error_set(err, ERROR_INPUT, "a SQLite database, and libsqlite3 cannot be loaded");
        return error_hint(err, "install libsqlite3, or export the profile as text or JSON");
    }
    if (!span_starts(input_peek(in, sizeof(SQLITE_MAGIC)),
                     (struct span){SQLITE_MAGIC, sizeof(SQLITE_MAGIC)}))
        return error_set_at(err, 0, 0, "no SQLite database");
    len = read_all(database, in);
    if (len < HEADER)
        return error_set(err, ERROR_INPUT, "too short for a database");
    /* what a log beside the file may hold cannot be had: read the file as it is */
    database->bytes[MODE_AT] = database->bytes[MODE_AT + 1] = MODE_ROLLBACK;
    if (!went_well(database, libsqlite()->sqlite3_open_v2(
                                 ":memory:", &database->handle,
                                 SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL)) ||
        !went_well(database,
                   libsqlite()->sqlite3_deserialize(
                       database->handle, "main", (unsigned char *)database->bytes,
                       (sqlite3_int64)len, (sqlite3_int64)len, SQLITE_DESERIALIZE_READONLY)))
        return damaged(database, err);
    bound(database, len);
    if (!distrust(database) ||
        !went_well(database,
                   libsqlite()->sqlite3_exec(database->handle, "SELECT count(*) FROM sqlite_master",
                                             NULL, NULL, NULL)))
        return damaged(database, err);
    return true;
}

void database_close(struct database *database)
{
    if (database->handle)
        libsqlite()->sqlite3_close(database->handle);
    free(database->bytes);
    *database = (struct database){0};
}

/* ---- tables ---- */

/* NULL when it cannot be: then the database is in trouble. */
static struct sqlite3_stmt *prepare(struct database *database, const char *sql)
{
    struct sqlite3_stmt *statement = NULL;

    if (!went_well(database,
                   libsqlite()->sqlite3_prepare_v2(database->handle, sql, -1, &statement, NULL)))
        return NULL;
    return statement;
}

static void bind(struct database *database, struct sqlite3_stmt *statement, int at,
                 const char *text)
{
    if (statement)
        (void)went_well(database,
                        libsqlite()->sqlite3_bind_text(statement, at, text, -1, SQLITE_STATIC));
}

static bool is_table(struct database *database, const char *name)
{
    struct sqlite3_stmt *statement = prepare(
        database, "SELECT 1 FROM sqlite_master WHERE type='table' AND rootpage>0 AND name=?1");
    bool is_there;

    bind(database, statement, 1, name);
    is_there = has_row(database, statement);
    libsqlite()->sqlite3_finalize(statement);
    return is_there;
}

bool database_has(struct database *database, const char *table)
{
    char sql[SQL_MAX];
    struct sqlite3_stmt *statement;
    bool is_filled;

    if (!is_table(database, table))
        return false;
    snprintf(sql, sizeof(sql), "SELECT 1 FROM \"%s\" LIMIT 1", table);
    statement = prepare(database, sql);
    is_filled = has_row(database, statement);
    libsqlite()->sqlite3_finalize(statement);
    return is_filled;
}

void database_tables(struct database *database, char *out, size_t room)
{
    struct sqlite3_stmt *statement =
        prepare(database, "SELECT name FROM sqlite_master WHERE type='table' ORDER BY 1 LIMIT 5");
    size_t len = 0;

    out[0] = '\0';
    while (len + 40 < room && has_row(database, statement))
        len += (size_t)snprintf(out + len, room - len, "%s%.30s", len ? ", " : "",
                                (const char *)libsqlite()->sqlite3_column_text(statement, 0));
    libsqlite()->sqlite3_finalize(statement);
}

bool database_next_table(struct database *database, const char *prefix, char *name, size_t room)
{
    struct sqlite3_stmt *statement = prepare(
        database, "SELECT name FROM sqlite_master WHERE type='table' AND rootpage>0 AND "
                  "substr(name,1,length(?1))=?1 AND name>?2 AND length(name)<CAST(?3 AS INTEGER) "
                  "ORDER BY name LIMIT 1");
    char longest[24];
    bool is_there;

    snprintf(longest, sizeof(longest), "%zu", room);
    bind(database, statement, 1, prefix);
    bind(database, statement, 2, name);
    bind(database, statement, 3, longest);
    is_there = has_row(database, statement);
    if (is_there)
        snprintf(name, room, "%s", (const char *)libsqlite()->sqlite3_column_text(statement, 0));
    libsqlite()->sqlite3_finalize(statement);
    return is_there;
}

/* ---- queries ---- */

static bool has_column(struct database *database, const char *table, const char *column)
{
    struct sqlite3_stmt *statement =
        prepare(database, "SELECT 1 FROM pragma_table_info(?1) WHERE name=?2");
    bool is_there;

    bind(database, statement, 1, table);
    bind(database, statement, 2, column);
    is_there = has_row(database, statement);
    libsqlite()->sqlite3_finalize(statement);
    return is_there;
}

void query_begin(struct query *query, struct database *database, const char *table,
                 const struct query_column *columns, size_t count)
{
    char sql[SQL_MAX] = "SELECT NULL";
    size_t len = strlen(sql);

    *query = (struct query){.database = database};
    if (!is_table(database, table))
        return;
    for (size_t i = 0; i < count && query->count < QUERY_COLUMNS_MAX; i++)
        if (len + 80 < sizeof(sql) && has_column(database, table, columns[i].name)) {
            len += (size_t)snprintf(sql + len, sizeof(sql) - len, ",\"%s\"", columns[i].name);
            query->columns[query->count++] = &columns[i];
        }
    snprintf(sql + len, sizeof(sql) - len, " FROM \"%s\"", table);
    query->statement = prepare(database, sql);
}

bool database_least(struct database *database, const char *table, const char *column,
                    int64_t *least)
{
    char sql[SQL_MAX];
    struct sqlite3_stmt *statement;
    bool is_there;

    if (!is_table(database, table) || !has_column(database, table, column))
        return false;
    snprintf(sql, sizeof(sql), "SELECT min(\"%s\") FROM \"%s\" WHERE \"%s\">0", column, table,
             column);
    statement = prepare(database, sql);
    is_there = has_row(database, statement) &&
               libsqlite()->sqlite3_column_type(statement, 0) == SQLITE_INTEGER;
    if (is_there)
        *least = libsqlite()->sqlite3_column_int64(statement, 0);
    libsqlite()->sqlite3_finalize(statement);
    return is_there;
}

/* Empty where it is too much, or not to be had in UTF-8. */
static struct span column_text(const struct query *query, int column)
{
    const void *bytes = libsqlite()->sqlite3_column_blob(query->statement, column);
    size_t len;

    if (!bytes) /* of no length, or not to be had */
        (void)went_well(query->database, libsqlite()->sqlite3_errcode(query->database->handle));
    if (!bytes)
        return SPAN("");
    len = (size_t)libsqlite()->sqlite3_column_bytes(query->statement, column);
    return spend(query->database, len) ? (struct span){bytes, len} : SPAN("");
}

static void read_column(const struct libsqlite *library, const struct query *query, int column,
                        enum query_kind kind, void *member)
{
    int type = library->sqlite3_column_type(query->statement, column);

    if (kind == QUERY_INTEGER && type == SQLITE_INTEGER)
        *(int64_t *)member = library->sqlite3_column_int64(query->statement, column);
    else if (kind == QUERY_REAL && (type == SQLITE_INTEGER || type == SQLITE_FLOAT))
        *(double *)member = library->sqlite3_column_double(query->statement, column);
    else if (kind == QUERY_TEXT && (type == SQLITE_TEXT || type == SQLITE_BLOB))
        *(struct span *)member = column_text(query, column);
}

bool query_next(struct query *query, void *row)
{
    const struct libsqlite *library = libsqlite();

    if (!has_row(query->database, query->statement) || !spend(query->database, CONTENT_OF_ROW))
        return false;
    for (int i = 0; i < query->count; i++)
        read_column(library, query, i + 1, (enum query_kind)query->columns[i]->kind,
                    (char *)row + query->columns[i]->offset);
    return true;
}

bool query_end(struct query *query, struct error *err)
{
    libsqlite()->sqlite3_finalize(query->statement);
    query->statement = NULL;
    return !query->database->trouble[0] || damaged(query->database, err);
}
