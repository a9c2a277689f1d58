/* SPDX-License-Identifier: Apache-2.0 */
/* captures.c — whose the kernels of CUDA and HIP graphs are, on pairs of traces whose truth is
 * known */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/captures/captures.h"
#include "base/memory/memory.h"
#include "graph/classify/event_class.h"
#include "graph/classify/function_class.h"
#include "parsers/parser.h"
#include "tests/unit/hand_made.h"

Test(captures, sizes_stand_in_labels)
{
    static const struct {
        const char *label;
        int64_t capture, step;
    } cases[] = {
        {"capture_256_FULL", 256, 0},
        {"capture_8_decode", 8, 0},
        {"capture_8", 0, 0},
        {"execute_32_context_0(sq0sk0sqsq0sqsk0)_generation_32(sq32sk55086sqsq32sqsk55086)", 0, 32},
        {"execute_8192_context_9(sq8155sk9sqsq7sqsk7)_generation_37(sq37sk3sqsq37sqsk3)", 0, 8192},
        {"execute_context_2(100)_generation_3(3)", 0, 103},
        {"execute_context_2(100)_generation_", 0, 0},
        {"execute_diffusion_4_1024x768", 0, 4},
        {"step[DECODE bs=48 g_sq=47 g_sqsq=47 g_sk=912]", 0, 47},
        {"step[EXTEND bs=2 toks=300]", 0, 300},
        {"step[DECODE bs=48]", 0, 48},
        {"prefill[bs=1 tok=512 ctx=[0]]", 0, 512},
        {"decode[bs=117/128 tok=117 p=0 d=117]", 0, 117},
        {"ProfilerStep#7", 0, 0},
        {"", 0, 0},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct span label = span_of(cases[i].label);

        cr_expect_eq(capture_label_size(label), cases[i].capture, "%s", cases[i].label);
        cr_expect_eq(step_label_size(label), cases[i].step, "%s: %" PRId64, cases[i].label,
                     step_label_size(label));
    }
}

/* ---- pairs ---- */

static bool read_trace(const char *name, const char *part, struct graph *graph)
{
    char path[200];
    struct input in;
    struct error err = {0};
    struct builder *builder;

    snprintf(path, sizeof(path), "testdata/graphs/%s.%s.json.gz", name, part);
    if (!input_open(&in, path, &(struct input_options){0}, &err))
        return false;
    builder = builder_new(&(struct builder_options){
        .need = LEVEL_TIMELINE, .launches = true, .properties = ~(uint64_t)0});
    cr_assert(parser_sniff(&in, &err)->parse(&in, builder, &err));
    builder_finish(builder, graph);
    input_close(&in);
    return true;
}

/* Modules as "Model_0/Layer_0", outermost first. */
static void print_modules(FILE *out, const struct graph *graph, const struct captured_call *call,
                          bool is_innermost)
{
    static const struct span prefix = LITERAL("nn.Module: ");
    const struct frame *frame = graph_frame(graph, call->frame);
    struct span name = span_after(graph_text(graph, frame->name), prefix.len);
    bool is_module = frame->kind == KIND_PYTHON;

    if (call->parent != NO_CAPTURED_CALL)
        print_modules(out, graph, &graph->captured.list[call->parent], is_innermost && !is_module);
    if (is_module)
        fprintf(out, "%.*s%s", (int)name.len, name.at, is_innermost ? "" : "/");
}

static void print_work(FILE *out, const struct graph *graph, event_id event)
{
    const struct timeline *t = &graph->timeline;
    struct span name = graph_text(graph, graph_frame(graph, t->frame[event])->name);
    bool has_inputs = false;
    const struct captured_call *call = graph_captured(graph, event, &has_inputs);

    fprintf(out, "%.*s\t%" PRId64 "\t", (int)(name.len < 60 ? name.len : 60), name.at,
            t->duration[event]);
    if (!call) {
        fprintf(out, "-\t-\t-\n");
        return;
    }
    name = graph_text(graph, graph_frame(graph, call->frame)->name);
    fprintf(out, "%.*s\t", (int)name.len, name.at);
    name = !has_inputs    ? SPAN("ambiguous")
           : call->shapes ? graph_text(graph, call->shapes)
                          : SPAN("-"); /* annotations have none */
    for (size_t i = 0; i < name.len; i++)
        if (name.at[i] != ' ')
            fputc(name.at[i], out);
    fputc('\t', out);
    print_modules(out, graph, call, true);
    fputc('\n', out);
}

static bool starts_before(const void *context, uint32_t a, uint32_t b)
{
    const struct timeline *t = context;

    return t->start[t->launch[a]] != t->start[t->launch[b]]
               ? t->start[t->launch[a]] < t->start[t->launch[b]]
               : t->start[a] < t->start[b];
}

/* A line for each piece of work of each launch of a graph, in the order in which it ran. */
static char *table_of(const struct graph *graph)
{
    const struct timeline *t = &graph->timeline;
    uint32_t *work = calloc(t->count + 1u, sizeof(*work)), count = 0, launches = 0, at = 0;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    fprintf(out, "launch\tposition\tkernel\tdur_ns\toperator\tdims\tmodules\n");
    for (event_id e = 0; e < t->count; e++)
        if (t->launch[e] != NO_EVENT &&
            frame_kind_is_device(graph_frame(graph, t->frame[e])->kind) &&
            graph_class(graph, t->frame[t->launch[e]]).call == CALL_GRAPH_LAUNCH)
            work[count++] = e;
    sort_stable(work, count, starts_before, t);
    for (uint32_t i = 0; i < count; i++) {
        bool is_next = i && t->launch[work[i]] != t->launch[work[i - 1]];

        launches += is_next;
        at = is_next || !i ? 0 : at + 1;
        fprintf(out, "%u\t%u\t", launches, at);
        print_work(out, graph, work[i]);
    }
    fclose(out);
    free(work);
    return text;
}

static char *expected_of(const char *name)
{
    char path[200], line[1000], *text = NULL;
    size_t size = 0;
    FILE *in, *out = open_memstream(&text, &size);

    snprintf(path, sizeof(path), "testdata/graphs/%s.expected.tsv", name);
    in = fopen(path, "r");
    cr_assert(in, "%s", path);
    while (fgets(line, sizeof(line), in))
        if (line[0] != '#')
            fputs(line, out);
    fclose(in);
    fclose(out);
    return text;
}

Test(captures, kernels_of_graphs_have_operators)
{
    static const struct {
        const char *name;
        enum alignment alignment;
        uint32_t joined, several;
    } cases[] = {
        {"hip_order", ALIGNED_IN_ORDER, 3, 0},
        {"cuda_node_ids", ALIGNED_BY_IDS, 2, 0},
        {"hip_extra_call", ALIGNED_BY_SCAN, 1, 0},
        {"hip_streams", ALIGNED_BY_STREAMS, 1, 0},
        {"sizes", ALIGNED_IN_ORDER, 4, 0},
        {"twins", ALIGNED_IN_ORDER, 2, 1},
        {"other_build", ALIGNED_NOT, 0, 0},
        {"one_file", ALIGNED_BY_IDS, 2, 0},
        {"pieces", ALIGNED_IN_ORDER, 6, 0},
        {"graph_ids", ALIGNED_BY_IDS, 3, 1},
        {"annotated", ALIGNED_BY_ANNOTATIONS, 2, 0},
        {"merged", ALIGNED_BY_ANNOTATIONS, 2, 0},
        {"instantiated", ALIGNED_BY_ANNOTATIONS, 2, 0},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct graph replay = {0}, capture = {0};
        const struct graph *captured = &replay;
        struct captures_join join;
        char *got, *expected = expected_of(cases[i].name);

        cr_assert(read_trace(cases[i].name, "replay", &replay));
        if (read_trace(cases[i].name, "capture", &capture))
            captured = &capture;
        captures_join(&replay, &captured, 1, &join);
        got = table_of(&replay);
        cr_expect_str_eq(got, expected, "%s:\n%s", cases[i].name, got);
        cr_expect_eq(join.joined, cases[i].joined, "%s: %u", cases[i].name, join.joined);
        cr_expect_eq(join.several, cases[i].several, "%s: %u", cases[i].name, join.several);
        cr_expect_eq(join.by[cases[i].alignment], cases[i].joined ? cases[i].joined : join.launches,
                     "%s", cases[i].name);
        free(got);
        free(expected);
        graph_free(&replay);
        if (captured == &capture)
            graph_free(&capture);
    }
}
