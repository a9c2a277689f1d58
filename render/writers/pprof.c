/* pprof.c — profile.proto, as Go's pprof and many others read it (field numbers: pprof's own)
 *
 * One sample a path of the call tree that has a figure of its own, or that leads nowhere else. A frame is a function and a
 * location both; a module is a mapping. Numbers of calls are a value type of their own. */
#include "graph/label_set.h"
#include "render/writers/protobuf.h"
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
    uint64_t *function_of;  /* by frame: its number from 1; 0: not yet */
    uint64_t *mapping_of;   /* by module: likewise */
    uint64_t functions, mappings;
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
        [UNIT_COUNT] = "count",
        [UNIT_NS] = "nanoseconds",
        [UNIT_BYTES] = "bytes",
        [UNIT_FLOP] = "flop",
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

static void write_function(struct profile_out *profile, const struct frame *frame, uint64_t number)
{
    struct message *message = &profile->message;
    uint64_t name = text_place(profile, frame->name);

    message_number(message, 1, number);
    message_number(message, 2, name);
    message_number(message, 3, name);
    message_number(message, 4, text_place(profile, frame->file));
    message_number(message, 5, (uint64_t)frame->line);
    message_flush(message, PROFILE_FUNCTION, profile->out);
}

/* A function and its location have one number. */
static uint64_t location_number(struct profile_out *profile, frame_id id)
{
    const struct frame *frame = graph_frame(profile->graph, id);
    struct message *message = &profile->message;
    uint64_t number = profile->function_of[id], mapping;

    if (number)
        return number;
    number = profile->function_of[id] = ++profile->functions;
    write_function(profile, frame, number);
    mapping = mapping_number(profile, frame->module);
    message_number(&profile->line, 1, number);
    message_number(&profile->line, 2, (uint64_t)frame->line);
    message_number(message, 1, number);
    message_number(message, 2, mapping);
    message_inner(message, 4, &profile->line);
    profile->line.len = 0;
    message_flush(message, PROFILE_LOCATION, profile->out);
    return number;
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

/* A sample without labels, or of a graph that has none, has the root above its stack. */
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
    const struct calltree *tree = &profile->graph->tree;
    bool has_sets = profile->graph->roots_are_label_sets;

    profile->stack.len = 0;
    if (!take_values(profile, node) && profile->is_inner[node])
        return;
    for (; node && !(has_sets && tree->parent[node] == 0); node = tree->parent[node])
        message_varint(&profile->stack, location_number(profile, tree->frame[node]));
    message_inner(&profile->message, 1, &profile->stack);
    message_inner(&profile->message, 2, &profile->values);
    add_labels(profile, has_sets ? node : 0);
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
        .function_of =
            arena_array(writing->arena, graph->frames.count, sizeof(*profile.function_of)),
        .mapping_of =
            arena_array(writing->arena, graph->strings.count + 1, sizeof(*profile.mapping_of)),
        .is_inner = arena_array(writing->arena, graph->tree.count, sizeof(*profile.is_inner)),
        .has_calls = graph->tree.calls != NULL,
    };

    for (node_id node = 1; node < graph->tree.count; node++)
        profile.is_inner[graph->tree.parent[node]] = true;
    write_types(&profile);
    for (node_id node = 1; node < graph->tree.count; node++)
        write_sample(&profile, node);
    write_header(&profile);
    write_strings(&profile);
    strings_free(&profile.strings);
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
    .wants_labels = true,
    .write = write_pprof,
};
