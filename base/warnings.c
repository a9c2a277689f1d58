#include "base/warnings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"

static struct warning *append(struct warnings *warnings, enum severity severity, const char *text)
{
    warnings->list =
        grow_one(warnings->list, warnings->count, &warnings->cap, sizeof(*warnings->list));

    struct warning *added = &warnings->list[warnings->count++];

    *added = (struct warning){.severity = severity, .text = text};
    return added;
}

static struct warning *find(struct warnings *warnings, const char *text)
{
    for (size_t i = 0; i < warnings->count; i++)
        if (warnings->list[i].text == text)
            return &warnings->list[i];
    return NULL;
}

void warning_count(struct warnings *warnings, enum severity severity, const char *text,
                   uint64_t offset)
{
    struct warning *known = find(warnings, text);

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
    struct warning *known = find(warnings, text);

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
    append(warnings, severity, arena_copy(&warnings->arena, span_of(text)))->count = 1;
}

void warnings_free(struct warnings *warnings)
{
    arena_free(&warnings->arena);
    free(warnings->list);
    *warnings = (struct warnings){0};
}
