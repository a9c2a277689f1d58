/* SPDX-License-Identifier: Apache-2.0 */
/* sqlite_absent.c — in place of what reads databases where libsqlite3 was not found at build
 * time */
#include "parsers/sqlite/sqlite.h"

bool sqlite_parse(struct input *in, struct builder *builder, struct error *err)
{
    (void)in;
    (void)builder;
    error_set(err, ERROR_INPUT, "a SQLite database, and this ptk was built without libsqlite3");
    return error_hint(err, "build it where libsqlite3-dev is installed, or export the profile as "
                           "CSV: nsys stats -r cuda_gpu_trace -f csv");
}
