/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/fuzz/conversions.h"

#include "analysis/functions/tree.h"
#include "analysis/selection/select.h"
#include "base/error/error.h"
#include "graph/derive/derive.h"
#include "render/writers/writer.h"

static void write_as(const struct writer *writer, const struct graph *graph,
                     const struct path_marks *marks, FILE *out)
{
    struct arena arena = {0};
    struct warnings warnings = {0};
    struct writing writing = {.graph = graph,
                              .path = "fuzz",
                              .out = out,
                              .arena = &arena,
                              .path_marks = marks,
                              .warnings = &warnings,
                              .readers = {.is_terminal = marks != NULL}};

    writer->write(&writing);
    warnings_free(&warnings);
    arena_free(&arena);
}

static void write_marked(const struct writer *writer, const struct graph *graph, FILE *out)
{
    struct execution execution;
    struct critical_path path;
    struct path_marks marks;
    struct arena arena = {0};

    execution_build(graph, &execution);
    critical_path_compute(&execution, &arena, &path);
    path_marks_find(&execution, &path, &arena, &marks);
    write_as(writer, graph, &marks, out);
    execution_free(&execution);
    arena_free(&arena);
}

void write_conversions(struct graph *graph, FILE *out)
{
    struct error err = {0};

    for (size_t i = 0; writers[i]; i++) {
        if (!graph_need(graph, writers[i]->level, writers[i]->question, &err))
            continue;
        write_as(writers[i], graph, NULL, out);
        if (writers[i]->shows_path)
            write_marked(writers[i], graph, out);
    }
}

void write_masked(struct graph *graph, FILE *out)
{
    struct error err = {0};

    if (graph->native == LEVEL_CALLGRAPH && graph_need(graph, LEVEL_CALLGRAPH, "", &err))
        estimate_stacks(graph);
    graph_mask(graph);
    write_conversions(graph, out);
}
