/* SPDX-License-Identifier: Apache-2.0 */
/* Whose code each function is, decided once for a profile: by the manner of its language (own_code.c), and
 * by where the program was entered, which may be in what is else a library. */
#include "graph/classify/function_class.h"

#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"

/* A program that is a library's: so much of the whole is at least in its entry, and at most in code that
 * is the program's own without that. */
#define ENTRY_LEAST 0.5
#define OWN_MOST 0.1

struct program {
    const struct graph *graph;
    bool *is_own;    /* by frame */
    int64_t *time;   /* by frame, with what it calls: of a call tree the most of one path */
    frame_id *above; /* by frame: the caller on whose behalf it took most; 0: none */
    int64_t whole;
};

static struct span file_of(const struct graph *graph, frame_id id)
{
    return graph_text(graph, graph_frame(graph, id)->file);
}

static struct span name_of(const struct graph *graph, frame_id id)
{
    return graph_text(graph, graph_frame(graph, id)->name);
}

static struct span module_of(const struct graph *graph, frame_id id)
{
    return graph_text(graph, graph_frame(graph, id)->module);
}

static struct span until(struct span text, size_t len)
{
    return (struct span){text.at, len < text.len ? len : text.len};
}

/* ---- times, and for whom ---- */

static void take_tree(struct program *program)
{
    const struct graph *graph = program->graph;
    const struct calltree *tree = &graph->tree;
    int64_t *time = grow_zeroed((size_t)tree->count + 1, sizeof(*time));

    for (node_id node = tree->count; node-- > 1;) {
        frame_id frame = tree->frame[node];
        node_id above = calltree_parent(tree, node);

        time[node] = checked_add(time[node], calltree_self(tree, graph->values.selected, node));
        time[above] = checked_add(time[above], time[node]);
        if (time[node] <= program->time[frame])
            continue;
        program->time[frame] = time[node];
        program->above[frame] = above ? tree->frame[above] : 0;
    }
    program->whole = time[0];
    free(time);
}

static void take_calls(struct program *program, struct arena *arena)
{
    const struct functions *f = &program->graph->functions;
    const struct calls *c = &program->graph->calls;
    int64_t *most = arena_array(arena, (size_t)f->count + 1, sizeof(*most));

    for (uint32_t i = 0; i < f->listed; i++) {
        program->time[f->frame[i]] = f->cum[i];
        program->whole = checked_add(program->whole, not_negative(f->self[i]));
    }
    for (uint32_t i = 0; program->graph->has[LEVEL_CALLGRAPH] && i < c->count; i++)
        if (c->caller[i] != c->callee[i] && c->cum[i] > most[c->callee[i]]) {
            most[c->callee[i]] = c->cum[i];
            program->above[f->frame[c->callee[i]]] = f->frame[c->caller[i]];
        }
}

static bool is_part(int64_t time, double share, int64_t whole)
{
    return (double)time >= share * (double)whole;
}

/* ---- Python: the body of the module that ran ---- */

/* "<string>", "<__array_function__ internals>": the file of code that was made of a text. */
static bool is_made(struct span file)
{
    return span_starts(file, SPAN("<")) && !span_starts(file, SPAN("<frozen "));
}

/* What a person typed. */
static bool is_typed(struct span file)
{
    static const char *const begins[] = {"<stdin>", "<console>", "<ipython", "<python-input",
                                         "<cell",   "<doctest",  NULL};

    return span_starts_any(file, begins);
}

/* Its code and what it defines belong to who made them: whom it says, else whoever runs it. What ran as
 * the program itself is its own. */
static void share_made(struct program *program)
{
    static const struct span class = LITERAL("<class '");

    for (frame_id id = 1; id < program->graph->frames.count; id++) {
        struct span file = file_of(program->graph, id);

        if (graph_frame(program->graph, id)->kind != KIND_PYTHON || !is_made(file) ||
            is_typed(file))
            continue;
        if (span_starts(file, class))
            program->is_own[id] = false;
        else if (program->above[id] && !is_part(program->time[id], ENTRY_LEAST, program->whole))
            program->is_own[id] = program->is_own[program->above[id]];
    }
}

/* Imports hold the bodies that they run, so one that took longer than any is the program's. */
static struct span python_package(const struct program *program)
{
    const struct graph *graph = program->graph;
    frame_id entry = 0;
    int64_t longest = 0;

    for (frame_id id = 1; id < graph->frames.count; id++)
        if (graph_frame(graph, id)->kind == KIND_PYTHON && graph_class(graph, id).is_import &&
            program->time[id] > longest)
            longest = program->time[id];
    for (frame_id id = 1; id < graph->frames.count; id++)
        if (graph_frame(graph, id)->kind == KIND_PYTHON && graph_class(graph, id).is_module_body &&
            !span_starts(file_of(graph, id), SPAN("<")) && program->time[id] > longest) {
            longest = program->time[id];
            entry = id;
        }
    if (!entry || program->is_own[entry] ||
        !is_part(program->time[entry], ENTRY_LEAST, program->whole))
        return (struct span){0};
    return frame_package(graph, entry);
}

/* ---- Node: the file that was run ---- */

static bool is_javascript_engine(const struct graph *graph)
{
    for (frame_id id = 1; id < graph->frames.count; id++)
        if (span_starts(file_of(graph, id), SPAN("node:")))
            return true;
    return false;
}

/* The outermost file that Node's start leads to over its own functions. */
static frame_id node_entry(const struct graph *graph, struct arena *arena)
{
    const struct calltree *tree = &graph->tree;
    bool *is_start = arena_array(arena, (size_t)tree->count + 1, sizeof(*is_start));

    for (node_id node = 1; graph->has[LEVEL_CALLTREE] && node < tree->count; node++) {
        struct span file = file_of(graph, tree->frame[node]);
        bool is_inner = span_starts(file, SPAN("node:"));

        if (is_start[calltree_parent(tree, node)] && file.len && !is_inner)
            return tree->frame[node];
        is_start[node] = (is_inner && (is_start[calltree_parent(tree, node)] ||
                                       span_find(file, SPAN("/run_main")) != SIZE_MAX));
    }
    return 0;
}

static struct span node_package(const struct program *program, struct arena *arena)
{
    static const struct span folder = LITERAL("node_modules/");
    frame_id entry = node_entry(program->graph, arena);

    if (!entry || span_find(file_of(program->graph, entry), folder) == SIZE_MAX)
        return (struct span){0};
    return frame_package(program->graph, entry);
}

/* What has no file there is V8's. */
static void leave_engine(struct program *program)
{
    for (frame_id id = 1; id < program->graph->frames.count; id++)
        if (graph_frame(program->graph, id)->kind == KIND_HOST &&
            !graph_frame(program->graph, id)->file)
            program->is_own[id] = false;
}

/* ---- Java: the class whose main ran ---- */

static struct span java_package(const struct program *program)
{
    const struct graph *graph = program->graph;
    frame_id entry = 0;

    for (frame_id id = 1; id < graph->frames.count; id++)
        if (java_is_of_the_jdk(name_of(graph, id)) &&
            span_ends(name_of(graph, id), SPAN(".main")) &&
            (!entry || program->time[id] > program->time[entry]))
            entry = id;
    if (!entry || !is_part(program->time[entry], ENTRY_LEAST, program->whole))
        return (struct span){0};
    return module_of(graph, entry);
}

/* ---- all whose packages are found so ---- */

/* Of a file of its own that took notable time: then the program is not a library's alone. */
static bool has_own_files(const struct program *program)
{
    const struct graph *graph = program->graph;

    for (frame_id id = 1; id < graph->frames.count; id++)
        if (program->is_own[id] && graph_frame(graph, id)->kind != KIND_ANNOTATION &&
            (file_of(graph, id).len || module_of(graph, id).len) && !is_made(file_of(graph, id)) &&
            is_part(program->time[id], OWN_MOST, program->whole))
            return true;
    return false;
}

static bool is_within(struct span package, struct span outer)
{
    return span_starts(package, outer) &&
           (package.len == outer.len || package.at[outer.len] == '.');
}

static void take_package(struct program *program, enum frame_kind kind, struct span package)
{
    for (frame_id id = 1; package.len && id < program->graph->frames.count; id++) {
        const struct frame *frame = graph_frame(program->graph, id);

        if ((frame->kind == kind || name_is_bracketed(name_of(program->graph, id))) &&
            (span_eq(frame_package(program->graph, id), package) ||
             is_within(module_of(program->graph, id), package)))
            program->is_own[id] = true;
    }
}

/* ---- Go: the module of main.main, and what is tested ---- */

/* "/usr/lib/go/src/cmd/compile/main.go": the module that is a part of Go, "…/pkg/mod/a/b@v1.0.0/cmd/main.go":
 * one that was fetched; else the folder. With a slash at its end. */
static struct span go_root(struct span file)
{
    size_t at = span_find(file, SPAN("@v")), slash;

    if (at != SIZE_MAX) {
        slash = span_find(span_after(file, at), SPAN("/"));
        return slash == SIZE_MAX ? (struct span){0} : until(file, at + slash + 1);
    }
    if (span_starts(file, SPAN("cmd/")))
        return until(file, strlen("cmd/"));
    at = span_find(file, SPAN("/src/cmd/"));
    if (at != SIZE_MAX)
        return until(file, at + strlen("/src/cmd/"));
    slash = span_rfind(file, '/');
    return slash == SIZE_MAX ? (struct span){0} : until(file, slash + 1);
}

static void take_go_below(struct program *program, struct span root)
{
    for (frame_id id = 1; root.len && id < program->graph->frames.count; id++) {
        struct span file = file_of(program->graph, id);

        if (span_ends(file, SPAN(".go")) && span_starts(file, root))
            program->is_own[id] = true;
    }
}

/* What the compiler made belongs to the package that it is made for. */
static void take_go_generated(struct program *program, struct arena *arena)
{
    const struct graph *graph = program->graph;
    struct strings packages = {0};
    bool *is_own = arena_array(arena, graph->frames.count + 1, sizeof(*is_own));

    for (frame_id id = 1; id < graph->frames.count; id++)
        if (span_ends(file_of(graph, id), SPAN(".go"))) {
            str_id package = strings_intern(&packages, go_package(name_of(graph, id)));

            is_own[package] |= program->is_own[id];
        }
    for (frame_id id = 1; id < graph->frames.count; id++)
        if (span_eq(file_of(graph, id), SPAN("<autogenerated>"))) {
            str_id package = strings_intern(&packages, go_package(name_of(graph, id)));

            program->is_own[id] = package <= graph->frames.count && is_own[package];
        }
    strings_free(&packages);
}

static void take_go(struct program *program, struct arena *arena)
{
    const struct graph *graph = program->graph;
    bool is_go = false;

    for (frame_id id = 1; id < graph->frames.count; id++) {
        struct span file = file_of(graph, id);

        if (graph_frame(graph, id)->kind != KIND_HOST || !span_ends(file, SPAN(".go")))
            continue;
        is_go = true;
        if (span_ends(file, SPAN("_test.go")))
            take_go_below(program, until(file, span_rfind(file, '/') + 1));
        else if (span_eq(name_of(graph, id), SPAN("main.main")) &&
                 span_find(file, SPAN("_testmain.go")) == SIZE_MAX)
            take_go_below(program, go_root(file));
    }
    if (is_go)
        take_go_generated(program, arena);
}

bool *own_code_find(const struct graph *graph, struct arena *arena)
{
    size_t count = graph->frames.count + 1u;
    struct program program = {.graph = graph,
                              .is_own = arena_array(arena, count, sizeof(bool)),
                              .time = arena_array(arena, count, sizeof(int64_t)),
                              .above = arena_array(arena, count, sizeof(frame_id))};

    for (frame_id id = 1; id < graph->frames.count; id++)
        program.is_own[id] = is_own_code(graph, id);
    if (is_javascript_engine(graph))
        leave_engine(&program);
    if (graph->has[LEVEL_CALLTREE])
        take_tree(&program);
    else if (graph->has[LEVEL_FLAT])
        take_calls(&program, arena);
    if (program.whole > 0 && !has_own_files(&program)) {
        take_package(&program, KIND_PYTHON, python_package(&program));
        take_package(&program, KIND_HOST, node_package(&program, arena));
        take_package(&program, KIND_HOST, java_package(&program));
    }
    take_go(&program, arena);
    share_made(&program);
    return program.is_own;
}

/* ---- what of a call tree is importing ---- */

/* Node runs a program inside of the require that loads it. */
static bool runs_what_it_loads(const struct graph *graph, frame_id id)
{
    return graph_frame(graph, id)->kind == KIND_HOST &&
           span_starts(file_of(graph, id), SPAN("node:"));
}

static bool is_loader(const struct graph *graph, frame_id id)
{
    return runs_what_it_loads(graph, id) || !graph_frame(graph, id)->file;
}

bool *imported_nodes_find(const struct graph *graph, const bool *is_own, struct arena *arena)
{
    enum { NOT, LOADING, IMPORTED };
    const struct calltree *tree = &graph->tree;
    bool *is_imported = arena_array(arena, (size_t)tree->count + 1, sizeof(*is_imported));
    uint8_t *state = grow_zeroed((size_t)tree->count + 1, sizeof(*state));

    for (node_id node = 1; node < tree->count; node++) {
        frame_id frame = tree->frame[node];
        uint8_t above = state[calltree_parent(tree, node)];

        if (above == IMPORTED)
            state[node] = IMPORTED;
        else if (graph_class(graph, frame).is_import)
            state[node] = runs_what_it_loads(graph, frame) ? LOADING : IMPORTED;
        else if (above == LOADING && !is_own[frame])
            state[node] = is_loader(graph, frame) ? LOADING : IMPORTED;
        is_imported[node] = state[node] != NOT;
    }
    free(state);
    return is_imported;
}
