/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/shared/profile_command.h"

#include <unistd.h>

#include "base/io/output.h"
#include "cmd/shared/command.h"

void export_want(const struct writer *writer, struct builder_options *wanted)
{
    wanted->all_values = writer->all_values;
    wanted->sample_times = writer->level == LEVEL_TIMELINE;
    if (writer->wants_richest)
        wanted->need = LEVEL_TIMELINE;
    if (writer->wants_events) {
        wanted->properties = ~(uint64_t)0;
        wanted->launches = wanted->flows = true;
        wanted->categories = wanted->series = true;
    }
}

bool export_check(const struct writer *writer, const struct common *common, struct error *err)
{
    if (!writer->is_binary || common->output || !isatty(STDOUT_FILENO))
        return true;
    error_set(err, ERROR_USAGE, "%s is a binary format, and would go to a terminal", writer->name);
    return error_hint(err, "write a file with -o FILE, or to the terminal all the same with -o -");
}

static void tell_losses(const struct warnings *warnings, const char *path)
{
    for (size_t i = 0; i < warnings->count; i++)
        message_warning(path, &warnings->list[i]);
}

bool export_write(const struct graph *graph, const char *path, const struct writer *writer,
                  const struct path_marks *marks, const struct common *common, struct error *err)
{
    struct arena arena = {0};
    struct warnings warnings = {0};
    struct writing writing = {
        .graph = graph, .path = path, .arena = &arena, .path_marks = marks, .warnings = &warnings};
    struct output out;
    bool ok = output_open(&out, common->output, err);

    if (ok) {
        writing.out = out.file;
        writing.readers = (struct csv_readers){isatty(fileno(out.file)), common->is_csv_safe};
        writer->write(&writing);
        ok = output_commit(&out, err);
    }
    if (ok && !common->is_quiet)
        tell_losses(&warnings, path);
    warnings_free(&warnings);
    arena_free(&arena);
    return ok;
}
