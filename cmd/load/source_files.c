/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/load/source_files.h"

#include <stdlib.h>
#include <string.h>

#include "base/io/io.h"
#include "base/text/string_table.h"
#include "cmd/help/messages.h"

/* More than a page can show: a profile may name one large file in many ways. */
enum { SOURCES_MAX = 64 << 20 };

static const char *const reach_names[] = {"below", "any", NULL};

const struct option source_options[] = {
    OPT_EACH(0, "source-path", struct source_choice, directories, "DIR",
             "look for source files here as well, below any part of their path", 0),
    OPT_CHOICE(0, "source", struct source_choice, reach, "WHERE",
               "read source files below the working directory and --source-path, or any that the "
               "profile names [below]",
               reach_names),
    OPT_FLAG(0, "no-source", struct source_choice, is_none, "do not read source files"),
    OPT_END,
};

struct code_text *sources_read(const struct span *paths, uint32_t count,
                               const struct source_choice *choice, struct arena *arena)
{
    struct code_text *sources = arena_array(arena, count, sizeof(*sources));
    const char *directories[OPTION_VALUES_MAX + 1] = {0};
    const struct source_places places = {directories, choice->reach != 0};
    uint32_t *first_of =
        arena_array(arena, (size_t)count + 1, sizeof(*first_of)); /* by id, from 1 */
    struct strings known = {0};
    size_t size = 0;

    if (choice->is_none)
        return NULL;
    for (uint32_t i = 0; i < choice->directories.count; i++)
        directories[i] = choice->directories.list[i].text;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *first = &first_of[strings_intern(&known, paths[i])];

        if (*first == 0) {
            *first = i + 1;
            if (size < SOURCES_MAX && code_text_find(&sources[i], paths[i], &places, arena))
                size += sources[i].size;
        }
        sources[i] = sources[*first - 1];
    }
    strings_free(&known);
    return sources;
}

struct code_text *sources_of_lines(const struct lines *lines, const struct graph *graph,
                                   const struct source_choice *choice, struct arena *arena)
{
    struct span *paths = arena_array(arena, (size_t)lines->count + 1, sizeof(*paths));

    for (uint32_t i = 0; i < lines->count; i++)
        paths[i] = graph_text(graph, graph_frame(graph, lines->functions[i].frame)->file);
    return sources_read(paths, lines->count, choice, arena);
}

void sources_write_missing(const struct code_text *sources, uint32_t count, bool is_quiet,
                           struct arena *arena, struct report *report)
{
    struct strings printed = {0};
    char *all;
    size_t size, told_count = 0;
    FILE *out = memory_stream_open(&all, &size);

    for (uint32_t i = 0; sources && i < count; i++) {
        size_t known = printed.count;

        if (sources[i].path)
            strings_intern(&printed, span_of(sources[i].path));
        if (printed.count == known)
            continue;
        fprintf(out, "%s%s", told_count++ ? ", " : "this page holds text of ", sources[i].path);
        if (!is_quiet)
            message_note("the page holds text of %s", sources[i].path);
    }
    memory_stream_close(out, &all);
    strings_free(&printed);
    if (told_count)
        report_after(report, arena_copy(arena, (struct span){all, size}));
    free(all);
}
