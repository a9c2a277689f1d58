#include "cmd/shared/source_files.h"

#include "base/memory/idmap.h"

static void read_source(const struct option_values *given, struct span path, struct arena *arena,
                        struct code_text *source)
{
    const char *directories[OPTION_VALUES_MAX + 1] = {0};

    for (uint32_t i = 0; i < given->count; i++)
        directories[i] = given->list[i].text;
    (void)code_text_find(source, path, directories, arena);
}

struct code_text *sources_read(const struct lines *lines, const struct graph *graph,
                               const struct option_values *directories, struct arena *arena)
{
    struct code_text *sources = arena_array(arena, lines->count, sizeof(*sources));
    struct idmap first_of = {0};

    for (uint32_t i = 0; i < lines->count; i++) {
        str_id file = graph_frame(graph, lines->functions[i].frame)->file;
        uint32_t *known = idmap_at(&first_of, file);

        if (*known == IDMAP_NONE) {
            *known = i;
            read_source(directories, graph_text(graph, file), arena, &sources[i]);
        }
        sources[i] = sources[*known];
    }
    idmap_free(&first_of);
    return sources;
}
