/* SPDX-License-Identifier: Apache-2.0 */
/* sqlite.h — recordings of nsys and rocprof in SQLite */
#ifndef PTK_PARSERS_SQLITE_SQLITE_H
#define PTK_PARSERS_SQLITE_SQLITE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/checked.h"
#include "base/error/error.h"
#include "base/io/io.h"
#include "base/memory/memory.h"
#include "base/text/string_table.h"
#include "graph/build/builder.h"
#include "parsers/parser.h"

/* ---- what reads a database, or says that this ptk cannot ---- */

MUST_CHECK bool sqlite_parse(struct input *in, struct builder *builder, struct error *err);

/* A SQLite file, read-only and with distrust: tables and columns that may be missing,
 * values that may be of any type. */

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

/* The next table by name that begins so, behind `name`, which it replaces; "" at first. False: there is none,
 * or its name does not fit. */
bool database_next_table(struct database *database, const char *prefix, char *name, size_t room);

/* A column, and the member of a row's struct that it goes to: an int64_t, a double or a struct span. */
enum query_kind { QUERY_INTEGER, QUERY_REAL, QUERY_TEXT };

struct query_column {
    const char *name;
    uint16_t kind, offset; /* enum query_kind */
};

#define QUERY_COLUMN(name, type, member)                                                           \
    {                                                                                              \
        name,                                                                                      \
            _Generic(((type *)NULL)->member, int64_t                                               \
                     : QUERY_INTEGER, double                                                       \
                     : QUERY_REAL, struct span                                                     \
                     : QUERY_TEXT),                                                                \
            offsetof(type, member)                                                                 \
    }

enum { QUERY_COLUMNS_MAX = 32 };

/* The rows of a table, in its order, with those of the columns that it has. */
struct query {
    struct database *database;
    struct sqlite3_stmt *statement;                        /* NULL: no such table, no rows */
    const struct query_column *columns[QUERY_COLUMNS_MAX]; /* those that the table has */
    int count;
};

void query_begin(struct query *query, struct database *database, const char *table,
                 const struct query_column *columns, size_t count);
#define QUERY_BEGIN(query, database, table, columns)                                               \
    query_begin(query, database, table, columns, COUNT_OF(columns))

/* The next row; false at the end. Members whose column is missing, or NULL or of another type, keep their values:
 * of two columns for one member the later counts. A text is valid until the next row. */
bool query_next(struct query *query, void *row);

/* Ends it. False when the file is damaged where it was read so far. */
MUST_CHECK bool query_end(struct query *query, struct error *err);

/* The least integer above 0 of a column. False: there is no such table, column or integer; trouble on the way is
 * reported by the next query_end(). */
bool database_least(struct database *database, const char *table, const char *column,
                    int64_t *least);

void database_close(struct database *database);

/* ---- a database of nvprof or Nsight Systems on its way into the graph ---- */

/* Both keep what CUPTI gave them, one table a kind of activity, with nearly the same columns. */

/* ---- texts of a database, and names of what it has only numbers for ---- */

/* The table that other tables' names are numbers in. Ready for use when zeroed. */
struct name_table {
    struct idmap place; /* a number of the file → index */
    VECTOR(str_id);
};

MUST_CHECK bool name_table_read(struct name_table *names, struct database *database,
                                struct builder *builder, const char *table, const char *id_column,
                                struct error *err);

/* 0 when there is none. */
str_id name_table_at(const struct name_table *names, int64_t id);

void name_table_free(struct name_table *names);

/* "cudaLaunchKernel" for a number of the runtime or driver, as nvprof keeps them; NULL for those
 * that are not in the table. */
const char *runtime_call_name(int64_t cbid);
const char *driver_call_name(int64_t cbid);

/* "HtoD" for CUPTI's copy kinds, those of unified memory as well; "" for others. */
const char *copy_kind_name(int64_t kind);

/* ---- a database of nvprof or Nsight Systems on its way into the graph ---- */

enum recording_writer { WRITER_NVPROF, WRITER_NSYS, WRITER_ROCPD, WRITER_RPD };

/* A kernel's name, and its meaning. */
struct recorded_kernel {
    str_id name; /* demangled */
    enum frame_kind kind;
    bool is_mangled; /* still: it could not be demangled */
};

struct recording {
    enum recording_writer writer;
    struct database database;
    struct builder *builder;
    struct timeline_builder *timeline;
    struct name_table names;
    struct idmap kernel_of; /* a kernel's name in the file → its index */
    struct VECTOR_OF(struct recorded_kernel) kernels;
    struct idmap call_names; /* as the file has it → without its version; both are str_ids */
    struct idmap numbered;   /* what recording_numbered() made, by its format and number */
    int64_t origin;          /* ns, subtracted from all times */
    struct idmap tracks;     /* a track's name, process and kind → its index */
    struct idmap devices;    /* ordinal → the device's name, a str_id */
    uint64_t events;
    uint64_t nameless; /* calls that only have a number */
    uint64_t mangled;  /* kernels whose names are mangled */
};

/* Adds an event; `end` before `start` is counted as a fault of the file. Returns its number. */
uint32_t recording_event(struct recording *recording, const struct track *track, int64_t start,
                         int64_t end, str_id name, enum frame_kind kind);

/* Moves the origin of times to the least start of a table, unless an earlier one is known. */
void recording_starts(struct recording *recording, const char *table, const char *column);

/* "stream 7" of "stream %lld"; `format` is a literal. Each is made once. */
str_id recording_numbered(struct recording *recording, const char *format, int64_t number);

/* "Tesla T4 (0)", or "GPU 0" where the file does not describe it. */
void recording_name_device(struct recording *recording, const struct device *device);
str_id recording_device(struct recording *recording, int64_t ordinal);

/* "thread 17" of the process; Nsight packs both into one number. */
struct track recording_thread(struct recording *recording, int64_t pid, int64_t tid);

/* Each reads what its tables hold, if they are there. */
MUST_CHECK bool recording_read_devices(struct recording *recording, struct error *err);
MUST_CHECK bool recording_read_activities(struct recording *recording, struct error *err);
MUST_CHECK bool recording_read_calls(struct recording *recording, struct error *err);
MUST_CHECK bool recording_read_markers(struct recording *recording, struct error *err); /* nvprof */
MUST_CHECK bool recording_read_nvtx(struct recording *recording, struct error *err);    /* Nsight */

/* Splits Nsight's packed id of a thread. */
void split_global(int64_t global, int64_t *pid, int64_t *tid);

/* A key that a call and what it launched have in common, also where several processes count
 * alike. */
static inline int64_t correlation_key(int64_t pid, int64_t correlation)
{
    return (int64_t)((uint64_t)pid << 32 ^ (uint64_t)correlation);
}

/* ---- rocpd: what rocprofv3 and rocprof-sys write, of ROCm 7 on ---- */

/* Whether there is a process's part of such a database. */
bool rocpd_is(struct database *database);

MUST_CHECK bool rocpd_read(struct recording *recording, struct error *err);

/* ---- rpd: what rocmProfileData writes (rpd_tracer, runTracer.sh) ---- */

bool rpd_is(struct database *database);

MUST_CHECK bool rpd_read(struct recording *recording, struct error *err);

#endif
