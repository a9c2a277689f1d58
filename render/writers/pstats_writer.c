/* pstats_writer.c — what Python's pstats reads: a marshalled dict of functions and their callers
 *
 *     (file, line, name): (primitive calls, calls, self, cum,
 *                          {caller: (calls, primitive calls, self, cum), …})
 *
 * in seconds. Native functions without a file are built-ins, whose file is "~". */
#include "analysis/functions/call_edges.h"
#include "render/writers/marshal_writer.h"
#include "render/writers/writer.h"

struct pstats_out {
    const struct graph *graph;
    struct warnings *warnings;
    struct marshal_out marshal;
    marshal_ref *function, *text; /* by function, by str_id */
    marshal_ref no_file;
    double scale; /* of the value's base unit to what pstats shows as seconds */
};

static void write_text(struct pstats_out *pstats, str_id id)
{
    if (!marshal_again(&pstats->marshal, pstats->text[id]))
        pstats->text[id] = marshal_text(&pstats->marshal, graph_text(pstats->graph, id));
}

static void write_file(struct pstats_out *pstats, const struct frame *frame)
{
    if (frame->file || frame->kind == KIND_PYTHON)
        write_text(pstats, frame->file);
    else if (!marshal_again(&pstats->marshal, pstats->no_file))
        pstats->no_file = marshal_text(&pstats->marshal, SPAN("~"));
}

static void write_key(struct pstats_out *pstats, uint32_t function)
{
    const struct frame *frame =
        graph_frame(pstats->graph, pstats->graph->functions.frame[function]);

    if (marshal_again(&pstats->marshal, pstats->function[function]))
        return;
    pstats->function[function] = marshal_tuple(&pstats->marshal, 3);
    write_file(pstats, frame);
    marshal_int(&pstats->marshal, frame->line);
    write_text(pstats, frame->name);
}

/* pstats has no word for what is not known. */
static int64_t known(struct pstats_out *pstats, int64_t figure)
{
    if (figure == UNKNOWN)
        warning_count_many(pstats->warnings, WARNING_LOSS,
                           "figures that are not known, written as 0", 1);
    return figure == UNKNOWN ? 0 : figure;
}

static void write_times(struct pstats_out *pstats, int64_t self, int64_t cum)
{
    marshal_float(&pstats->marshal, (double)known(pstats, self) / pstats->scale);
    marshal_float(&pstats->marshal, (double)known(pstats, cum) / pstats->scale);
}

static void write_callers(struct pstats_out *pstats, const struct edges *edges, uint32_t function)
{
    const struct calls *calls = &pstats->graph->calls;

    marshal_dict_begin(&pstats->marshal);
    for (uint32_t i = edges->in_first[function]; i < edges->in_first[function + 1]; i++) {
        uint32_t call = edges->in[i];

        write_key(pstats, calls->caller[call]);
        marshal_tuple(&pstats->marshal, 4);
        marshal_int(&pstats->marshal, known(pstats, calls->calls[call]));
        marshal_int(&pstats->marshal, known(pstats, calls->primitive_calls[call]));
        write_times(pstats, calls->self[call], calls->cum[call]);
    }
    marshal_dict_end(&pstats->marshal);
}

static void write_function(struct pstats_out *pstats, const struct edges *edges, uint32_t function)
{
    const struct functions *functions = &pstats->graph->functions;

    write_key(pstats, function);
    marshal_tuple(&pstats->marshal, 5);
    marshal_int(&pstats->marshal, known(pstats, functions->primitive_calls[function]));
    marshal_int(&pstats->marshal, known(pstats, functions->calls[function]));
    write_times(pstats, functions->self[function], functions->cum[function]);
    write_callers(pstats, edges, function);
}

static void write_pstats(struct writing *writing)
{
    const struct graph *graph = writing->graph;
    struct pstats_out pstats = {
        .graph = graph,
        .warnings = writing->warnings,
        .marshal = {.out = writing->out},
        .function = arena_array(writing->arena, graph->functions.count, sizeof(marshal_ref)),
        .text = arena_array(writing->arena, graph->strings.count + 1, sizeof(marshal_ref)),
        .scale = graph_unit(graph) == UNIT_NS ? 1e9 : 1,
    };
    struct edges edges;

    edges_index(graph, writing->arena, &edges);
    marshal_dict_begin(&pstats.marshal);
    for (uint32_t i = 0; i < graph->functions.listed; i++)
        write_function(&pstats, &edges, i);
    marshal_dict_end(&pstats.marshal);
}

const struct writer writer_pstats = {
    .name = "pstats",
    .summary = "a dump for Python's pstats, SnakeViz and others, of the selected value",
    .level = LEVEL_CALLGRAPH,
    .question = "a pstats dump cannot be written",
    .is_binary = true,
    .write = write_pstats,
};
