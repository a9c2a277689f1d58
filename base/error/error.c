/* SPDX-License-Identifier: Apache-2.0 */
/* Errors on their way up, and warnings, each counted by its text and known by where it came
 * first. */
#include "base/error/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory/memory.h"

const char *const error_meanings[] = {
    [ERROR_NONE] = "done",
    [ERROR_NO] = "done, and the answer is no: a function that nothing matches, a failed threshold",
    [ERROR_USAGE] = "the command line is wrong",
    [ERROR_INPUT] = "the input cannot be found, read or understood",
    [ERROR_LACK] = "the profile lacks data that the question needs",
    [ERROR_OUTPUT] = "the output cannot be written, or memory ran out",
    NULL,
};

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

static struct warning *append(struct warnings *warnings, enum severity severity, const char *text)
{
    vector_reserve(warnings);

    struct warning *added = &warnings->list[warnings->count++];

    *added = (struct warning){.severity = severity, .text = text};
    return added;
}

static struct warning *warning_of_text(struct warnings *warnings, const char *text)
{
    for (size_t i = 0; i < warnings->count; i++)
        if (warnings->list[i].text == text)
            return &warnings->list[i];
    return NULL;
}

void warning_count(struct warnings *warnings, enum severity severity, const char *text,
                   uint64_t offset)
{
    struct warning *known = warning_of_text(warnings, text);

    if (!known) {
        known = append(warnings, severity, text);
        known->has_offset = true;
        known->offset = offset;
    }
    known->count++;
}

void warning_count_many(struct warnings *warnings, enum severity severity, const char *text,
                        uint64_t times)
{
    struct warning *known = warning_of_text(warnings, text);

    if (times == 0)
        return;
    if (!known)
        known = append(warnings, severity, text);
    known->count += times;
}

void warning_say(struct warnings *warnings, enum severity severity, const char *fmt, ...)
{
    char text[512];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    struct warning *added = append(warnings, severity, arena_copy(&warnings->arena, span_of(text)));

    added->count = 1;
    added->is_copied = true;
}

void warning_merge(struct warnings *warnings, const struct warning *other)
{
    struct warning *known;

    if (other->is_copied) {
        warning_say(warnings, other->severity, "%s", other->text);
        return;
    }
    known = warning_of_text(warnings, other->text);
    if (!known) {
        known = append(warnings, other->severity, other->text);
        known->has_offset = other->has_offset;
        known->offset = other->offset;
    }
    known->count += other->count;
}

void warnings_free(struct warnings *warnings)
{
    arena_free(&warnings->arena);
    free(warnings->list);
    *warnings = (struct warnings){0};
}
