/* pprof_writer.c — profile.proto, as Go's pprof and many others read it (field numbers: pprof's own)
 *
 * One sample a path of the call tree that has a figure of its own, or that leads nowhere else. A
 * module is a mapping. Numbers of calls are a value type of their own. */
#include <stdlib.h>

#include "base/memory/grow.h"
#include "base/memory/idmap.h"
#include "graph/model/label_set.h"
#include "render/writers/protobuf_writer.h"
#include "render/writers/writer.h"

enum {
    PROFILE_TYPE = 1,
    PROFILE_SAMPLE = 2,
    PROFILE_MAPPING = 3,
    PROFILE_LOCATION = 4,
    PROFILE_FUNCTION = 5,
    PROFILE_STRING = 6,
    PROFILE_STANDARD_TYPE = 14,
};

struct profile_out {
    const struct graph *graph;
    FILE *out;
    struct strings strings; /* ids are places in the string table; 0 is "" in both */
    uint64_t *mapping_of;   /* by module: its number from 1; 0: not yet */
    uint64_t mappings;
    struct frames functions; /* ids are numbers in the file */
    uint64_t function_count; /* those that are in the file already */
    struct idmap runs;       /* frames at one place: by the run before the last one, and that */
    uint32_t run_count;
    bool *is_location; /* by run: it is in the file already */
    size_t location_cap;
    frame_id *here; /* the frames of the location at hand */
    size_t here_count, here_cap;
    bool *is_inner; /* by node: it has children, whose samples name it as well */
    bool has_calls;
    struct message stack, values, message, line;
};

static uint64_t place_of(struct profile_out *profile, struct span text)
{
    return strings_intern(&profile->strings, text);
}

static uint64_t text_place(struct profile_out *profile, str_id id)
{
    return place_of(profile, graph_text(profile->graph, id));
}

/* ---- value types ---- */

static struct span unit_name(enum unit unit)
{
    static const char *const names[] = {
        [UNIT_COUNT] = "count", [UNIT_NS] = "nanoseconds", [UNIT_BYTES] = "bytes",
        [UNIT_FLOP] = "flop",   [UNIT_PPM] = "ppm",
    };

    return span_of(names[unit]);
}

static void write_type(struct profile_out *profile, struct span name, struct span unit)
{
    message_number(&profile->message, 1, place_of(profile, name));
    message_number(&profile->message, 2, place_of(profile, unit));
    message_flush(&profile->message, PROFILE_TYPE, profile->out);
}

/* pprof shows the last type unless the profile names one. */
static void write_types(struct profile_out *profile)
{
    const struct graph *graph = profile->graph;

    if (profile->has_calls)
        write_type(profile, SPAN("calls"), SPAN("count"));
    for (uint32_t v = 0; v < graph->value_count; v++)
        if (graph->tree.self[v])
            write_type(profile, graph_text(graph, graph->values[v].name),
                       unit_name(graph->values[v].unit));
    message_number(&profile->message, PROFILE_STANDARD_TYPE,
                   text_place(profile, graph->values[graph->value].name));
    fwrite(profile->message.bytes, 1, profile->message.len, profile->out);
    profile->message.len = 0;
}

/* ---- what samples refer to ---- */

/* All flags are set: there is nothing for pprof to look up in the file itself. */
static uint64_t mapping_number(struct profile_out *profile, str_id module)
{
    struct message *message = &profile->message;

    if (!module || profile->mapping_of[module])
        return profile->mapping_of[module];
    profile->mapping_of[module] = ++profile->mappings;
    message_number(message, 1, profile->mappings);
    message_number(message, 5, text_place(profile, module));
    for (unsigned flag = 7; flag <= 10; flag++)
        message_number(message, flag, 1);
    message_flush(message, PROFILE_MAPPING, profile->out);
    return profile->mappings;
}

/* Functions have numbers of their own, since one has many places. */
static uint64_t function_number(struct profile_out *profile, frame_id id)
{
    struct frame function = *graph_frame(profile->graph, id);
    struct message *message = &profile->line;
    uint64_t number, name;

    function.line = graph_begins_at(profile->graph, id);
    function.address = 0;
    function.is_inlined = false;
    number = frame_intern(&profile->functions, &function);
    if (number <= profile->function_count)
        return number;
    profile->function_count = number;
    name = text_place(profile, function.name);
    message_number(message, 1, number);
    message_number(message, 2, name);
    message_number(message, 3, name);
    message_number(message, 4, text_place(profile, function.file));
    message_number(message, 5, (uint64_t)function.line);
    message_flush(message, PROFILE_FUNCTION, profile->out);
    return number;
}

static void add_line(struct profile_out *profile, frame_id id)
{
    uint64_t number = function_number(profile, id);

    message_number(&profile->line, 1, number);
    message_number(&profile->line, 2, (uint64_t)graph_frame(profile->graph, id)->line);
    message_inner(&profile->message, 4, &profile->line);
    profile->line.len = 0;
}

/* The innermost of the functions inlined here comes first, the one that they are in last. What has
 * no symbol has no line either, where its address says more. */
static void write_location(struct profile_out *profile, uint64_t number)
{
    const struct frame *frame = graph_frame(profile->graph, profile->here[0]);
    uint64_t mapping = mapping_number(profile, frame->module);

    message_number(&profile->message, 1, number);
    message_number(&profile->message, 2, mapping);
    message_number(&profile->message, 3, frame->address);
    for (size_t i = 0; i < profile->here_count && !(frame->is_nameless && frame->address); i++)
        add_line(profile, profile->here[i]);
    message_flush(&profile->message, PROFILE_LOCATION, profile->out);
}

/* Adds a frame to those of the location at hand; `*run` is the number of them all. */
static void extend_run(struct profile_out *profile, uint32_t *run, frame_id id)
{
    uint32_t *known = idmap_at(&profile->runs, idmap_pair(*run, id));

    if (*known == IDMAP_NONE) {
        *known = ++profile->run_count;
        profile->is_location = grow_one(profile->is_location, *known, &profile->location_cap,
                                        sizeof(*profile->is_location));
        profile->is_location[*known] = false;
    }
    *run = *known;
    profile->here =
        grow_one(profile->here, profile->here_count, &profile->here_cap, sizeof(*profile->here));
    profile->here[profile->here_count++] = id;
}

/* What stands above every stack: the root, or the labels of the sample. */
static bool is_above_stacks(const struct profile_out *profile, node_id node)
{
    const struct graph *graph = profile->graph;

    return node == 0 || (graph->roots_are_label_sets && graph->tree.parent[node] == 0);
}

/* The location that begins with `*node`, the innermost frame there; moves past its frames. */
static uint64_t location_number(struct profile_out *profile, node_id *node)
{
    const struct calltree *tree = &profile->graph->tree;
    uint32_t run = 0;
    bool goes_on;

    profile->here_count = 0;
    do {
        extend_run(profile, &run, tree->frame[*node]);
        goes_on = graph_frame(profile->graph, tree->frame[*node])->is_inlined;
        *node = tree->parent[*node];
    } while (goes_on && !is_above_stacks(profile, *node));
    if (!profile->is_location[run])
        write_location(profile, run);
    profile->is_location[run] = true;
    return run;
}

/* ---- samples ---- */

/* Fills `values`; false when all are 0. */
static bool take_values(struct profile_out *profile, node_id node)
{
    const struct calltree *tree = &profile->graph->tree;
    bool has_any = false;

    profile->values.len = 0;
    if (profile->has_calls) {
        message_varint(&profile->values, (uint64_t)tree->calls[node]);
        has_any = tree->calls[node] != 0;
    }
    for (uint32_t v = 0; v < profile->graph->value_count; v++)
        if (tree->self[v]) {
            message_varint(&profile->values, (uint64_t)tree->self[v][node]);
            has_any |= tree->self[v][node] != 0;
        }
    return has_any;
}

/* The root, which is above the stack where a graph has no labels, has none. */
static void add_labels(struct profile_out *profile, node_id set)
{
    struct span rest = graph_text(
        profile->graph, graph_frame(profile->graph, profile->graph->tree.frame[set])->name);
    struct set_label label;
    int64_t number;

    while (set && label_set_next(&rest, &label)) {
        message_number(&profile->line, 1, place_of(profile, label.key));
        if (label.is_number && span_to_i64(label.text, &number))
            message_number(&profile->line, 3, (uint64_t)number);
        else
            message_number(&profile->line, 2, place_of(profile, label.text));
        message_number(&profile->line, 4, place_of(profile, label.unit));
        message_inner(&profile->message, 3, &profile->line);
        profile->line.len = 0;
    }
}

static void write_sample(struct profile_out *profile, node_id node)
{
    profile->stack.len = 0;
    if (!take_values(profile, node) && profile->is_inner[node])
        return;
    while (!is_above_stacks(profile, node))
        message_varint(&profile->stack, location_number(profile, &node));
    message_inner(&profile->message, 1, &profile->stack);
    message_inner(&profile->message, 2, &profile->values);
    add_labels(profile, node);
    message_flush(&profile->message, PROFILE_SAMPLE, profile->out);
}

/* ---- the whole ---- */

/* What parsers say of a profile as a whole, under the same names for every format. */
static const struct {
    const char *key;
    unsigned field;
    bool is_text;
} header_fields[] = {
    {"drop_frames", 7, true}, {"keep_frames", 8, true}, {"duration", 10, false},
    {"period", 12, false},    {"comment", 13, true},    {"doc_url", 15, true},
};

static void write_fact(struct profile_out *profile, const struct fact *fact)
{
    for (size_t i = 0; i < COUNT_OF(header_fields); i++) {
        if (strcmp(fact->key, header_fields[i].key) != 0)
            continue;
        if (header_fields[i].is_text && fact->text)
            message_number(&profile->message, header_fields[i].field,
                           place_of(profile, span_of(fact->text)));
        if (!header_fields[i].is_text && !fact->text)
            message_number(&profile->message, header_fields[i].field, (uint64_t)fact->figure);
    }
}

static void write_header(struct profile_out *profile)
{
    for (size_t i = 0; i < profile->graph->fact_count; i++)
        write_fact(profile, &profile->graph->facts[i]);
    fwrite(profile->message.bytes, 1, profile->message.len, profile->out);
    profile->message.len = 0;
}

static void write_strings(struct profile_out *profile)
{
    for (size_t i = 0; i < profile->strings.count; i++) {
        struct span text = strings_get(&profile->strings, (str_id)i);
        struct message message = {(char *)text.at, text.len, text.len};

        message_flush(&message, PROFILE_STRING, profile->out);
    }
}

static void write_pprof(struct writing *writing)
{
    const struct graph *graph = writing->graph;
    struct profile_out profile = {
        .graph = graph,
        .out = writing->out,
        .mapping_of =
            arena_array(writing->arena, graph->strings.count + 1, sizeof(*profile.mapping_of)),
        .is_inner = arena_array(writing->arena, graph->tree.count, sizeof(*profile.is_inner)),
        .has_calls = graph->tree.calls != NULL,
    };

    for (node_id node = 1; node < graph->tree.count; node++)
        profile.is_inner[graph->tree.parent[node]] = true;
    frames_init(&profile.functions);
    write_types(&profile);
    for (node_id node = 1; node < graph->tree.count; node++)
        write_sample(&profile, node);
    write_header(&profile);
    write_strings(&profile);
    strings_free(&profile.strings);
    frames_free(&profile.functions);
    idmap_free(&profile.runs);
    free(profile.is_location);
    free(profile.here);
    message_free(&profile.stack);
    message_free(&profile.values);
    message_free(&profile.message);
    message_free(&profile.line);
}

const struct writer writer_pprof = {
    .name = "pprof",
    .summary = "profile.proto for Go's pprof, speedscope and Perfetto (-o NAME.gz: compressed)",
    .level = LEVEL_CALLTREE,
    .question = "a pprof profile cannot be written",
    .all_values = true,
    .wants_places = true,
    .wants_labels = true,
    .write = write_pprof,
};
