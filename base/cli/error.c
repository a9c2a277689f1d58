/* SPDX-License-Identifier: Apache-2.0 */
#include "base/cli/cli.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool error_set(struct error *err, enum error_kind kind, const char *fmt, ...)
{
    va_list args;

    *err = (struct error){.kind = kind};
    va_start(args, fmt);
    vsnprintf(err->text, sizeof(err->text), fmt, args);
    va_end(args);
    return false;
}

bool error_set_at(struct error *err, uint64_t offset, uint64_t line, const char *fmt, ...)
{
    va_list args;

    *err = (struct error){.kind = ERROR_INPUT, .has_offset = true, .offset = offset, .line = line};
    va_start(args, fmt);
    vsnprintf(err->text, sizeof(err->text), fmt, args);
    va_end(args);
    return false;
}

bool error_hint(struct error *err, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    vsnprintf(err->hint, sizeof(err->hint), fmt, args);
    va_end(args);
    return false;
}

bool error_file(struct error *err, const char *file)
{
    size_t len = strlen(file), room = sizeof(err->file) - 1;

    if (len <= room)
        memcpy(err->file, file, len + 1);
    else
        snprintf(err->file, sizeof(err->file), "...%s", file + len - room + 3);
    return false;
}
