/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/shared/load.h"

#include "base/memory/hash_index.h"

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

struct code_text *sources_read(const struct lines *lines, const struct graph *graph,
                               const struct source_choice *choice, struct arena *arena)
{
    struct code_text *sources = arena_array(arena, lines->count, sizeof(*sources));
    const char *directories[OPTION_VALUES_MAX + 1] = {0};
    const struct source_places places = {directories, choice->reach != 0};
    struct idmap first_of = {0};
    size_t size = 0;

    if (choice->is_none)
        return NULL;
    for (uint32_t i = 0; i < choice->directories.count; i++)
        directories[i] = choice->directories.list[i].text;
    for (uint32_t i = 0; i < lines->count; i++) {
        str_id file = graph_frame(graph, lines->functions[i].frame)->file;
        uint32_t *known = idmap_at(&first_of, file);

        if (*known == IDMAP_NONE) {
            *known = i;
            if (size < SOURCES_MAX &&
                code_text_find(&sources[i], graph_text(graph, file), &places, arena))
                size += sources[i].size;
        }
        sources[i] = sources[*known];
    }
    idmap_free(&first_of);
    return sources;
}
