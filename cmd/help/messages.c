/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/help/messages.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/text/escape.h"

/* File names and what a file holds may carry anything. */
static void write_plain(const char *text)
{
    struct arena arena = {0};
    struct span plain = escape_plain(&arena, span_of(text));

    fwrite(plain.at, 1, plain.len, stderr);
    arena_free(&arena);
}

static void write_file(const char *file)
{
    if (file[0]) {
        write_plain(file);
        fputs(": ", stderr);
    }
}

void message_error(const struct error *err)
{
    fputs("ptk: ", stderr);
    write_file(err->file);
    if (err->has_offset)
        fprintf(stderr, "at byte %" PRIu64, err->offset);
    if (err->has_offset && err->line)
        fprintf(stderr, " (line %" PRIu64 ")", err->line);
    if (err->has_offset)
        fputs(": ", stderr);
    write_plain(err->text);
    putc('\n', stderr);
    if (err->hint[0]) {
        fputs("hint: ", stderr);
        write_plain(err->hint);
        putc('\n', stderr);
    }
}

static void write_json_text(const char *text)
{
    if (*text)
        escape_json(stderr, span_of(text));
    else
        fputs("null", stderr);
}

static void write_json_number(uint64_t number, bool is_known)
{
    if (is_known)
        fprintf(stderr, "%" PRIu64, number);
    else
        fputs("null", stderr);
}

void message_error_json(const struct error *err)
{
    fputs("{\"error\":{\"message\":", stderr);
    write_json_text(err->text);
    fputs(",\"hint\":", stderr);
    write_json_text(err->hint);
    fputs(",\"file\":", stderr);
    write_json_text(err->file);
    fputs(",\"offset\":", stderr);
    write_json_number(err->offset, err->has_offset);
    fputs(",\"line\":", stderr);
    write_json_number(err->line, err->has_offset && err->line);
    fprintf(stderr, ",\"exit\":%d}}\n", (int)err->kind);
}

void message_warning(const char *file, const struct warning *warning)
{
    fputs("ptk: ", stderr);
    write_file(file);
    fputs("warning: ", stderr);
    write_plain(warning->text);
    if (warning->count > 1)
        fprintf(stderr, " (%" PRIu64 " times", warning->count);
    if (warning->has_offset)
        fprintf(stderr, "%s at byte %" PRIu64 ")", warning->count > 1 ? ", first" : " (first",
                warning->offset);
    else if (warning->count > 1)
        putc(')', stderr);
    putc('\n', stderr);
}

void message_note(const char *fmt, ...)
{
    char text[512];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    fputs("ptk: ", stderr);
    write_plain(text);
    putc('\n', stderr);
}
