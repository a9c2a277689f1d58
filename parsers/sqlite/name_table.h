/* SPDX-License-Identifier: Apache-2.0 */
/* name_table.h — texts of a database, and names of what it has only numbers for */
#ifndef PTK_PARSERS_SQLITE_NAME_TABLE_H
#define PTK_PARSERS_SQLITE_NAME_TABLE_H

#include "base/memory/idmap.h"
#include "base/memory/vector.h"
#include "graph/build/builder.h"
#include "parsers/sqlite/database.h"

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

#endif
