/* SPDX-License-Identifier: Apache-2.0 */
/* libsqlite.h — the functions of SQLite that we call, loaded when first needed */
#ifndef PTK_PARSERS_SQLITE_LIBSQLITE_H
#define PTK_PARSERS_SQLITE_LIBSQLITE_H

#include <sqlite3.h>

#include "base/io/shared_library.h"

/* clang-format off */
#define LIBSQLITE_CALLS(CALL) \
    CALL(sqlite3_bind_text) CALL(sqlite3_close) CALL(sqlite3_column_blob) \
    CALL(sqlite3_column_bytes) CALL(sqlite3_column_int64) CALL(sqlite3_column_text) \
    CALL(sqlite3_column_type) CALL(sqlite3_db_config) CALL(sqlite3_deserialize) \
    CALL(sqlite3_errcode) CALL(sqlite3_errmsg) CALL(sqlite3_exec) CALL(sqlite3_extended_errcode) \
    CALL(sqlite3_finalize) CALL(sqlite3_limit) CALL(sqlite3_open_v2) CALL(sqlite3_prepare_v2) \
    CALL(sqlite3_progress_handler) CALL(sqlite3_step)
/* clang-format on */

struct libsqlite {
    LIBSQLITE_CALLS(LIBRARY_FIELD)
};

/* NULL: it cannot be loaded, as database_open() says. */
const struct libsqlite *libsqlite(void);

#endif
