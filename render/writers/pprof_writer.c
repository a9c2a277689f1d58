/* SPDX-License-Identifier: Apache-2.0 */
/* pprof_writer.c — profile.proto, as Go's pprof and many others read it (field numbers: pprof's
 * own)
 *
 * One sample a path of the call tree that has a figure of its own, or that leads nowhere else, in the order of
 * a walk down the tree: what paths share is looked for once, and packs better. A module is a mapping. Numbers of
 * calls are a value type of their own. */
#include <stdlib.h>

#include "base/memory/varint.h"
#include "graph/model/walks.h"
#include "proto/profile.pb-c.h"
#include "render/writers/writer.h"

#include <inttypes.h>

/* The parts of a message that repeat, as protobuf-c wants them: an array of pointers. */
struct pprof_parts {
    void **at;
    size_t count, cap;
};

/* What is known of a frame: the run of itself alone, and of itself inlined into one other. */
struct frame_runs {
    uint32_t alone; /* 0: not yet, or never alone */
    frame_id outer; /* which other: the last that there was */
    uint32_t with_outer;
    bool is_inlined;
};

/* One step of the path to where the walk is. */
struct pprof_step {
    frame_id frame;
    uint32_t location; /* of which it is the innermost frame; 0: not looked for yet */
    uint32_t outmost;  /* the step that is the outermost there */
};

struct profile_out {
    const struct graph *graph;
    struct row_text rows;
    struct byte_list packed; /* the part that is written */
    struct strings strings; /* ids are places in the string table; 0 is "" in both */
    uint64_t *mapping_of;   /* by module: its number from 1; 0: not yet */
    uint64_t mappings;
    struct frames functions; /* ids are numbers in the file */
    uint64_t function_count; /* those that are in the file already */
    struct idmap runs;       /* frames at one place: by the run before the last one, and that */
    uint32_t run_count;
    struct frame_runs *runs_of; /* by frame */
    bool *is_location;          /* by run: it is in the file already */
    size_t location_cap;
    struct VECTOR_OF(frame_id) here; /* the frames of the location at hand */
    struct pprof_parts lines,
        labels; /* of the location and of the sample at hand; used again and again */
    struct VECTOR_OF(struct pprof_step) path;
    node_id top;     /* what stands above the path: the root, or what has the labels of its samples */
    struct byte_list packed_labels; /* these */
    int64_t *values; /* of the sample at hand: as many as the profile has types */
    struct byte_list sample, numbers; /* the same sample as it stands in the file, and a list in it */
    bool has_calls;
};

/* Encoded messages one after the other are one message, so the whole never lies in memory. */
static void put_packed(struct profile_out *profile)
{
    row_text_put(&profile->rows,
                 (struct span){(const char *)profile->packed.list, profile->packed.count});
    profile->packed.count = 0;
}

/* Writes a profile that has one field set. */
static void pack_part(struct profile_out *profile, const Pprof__Profile *part)
{
    byte_list_reserve(&profile->packed, pprof__profile__get_packed_size(part));
    profile->packed.count = pprof__profile__pack(part, profile->packed.list);
    put_packed(profile);
}

/* Room for one more part of `size` bytes: one that was used before, or a new one. */
static void *next_part(struct pprof_parts *parts, size_t size)
{
    if (parts->count == parts->cap) {
        size_t before = parts->cap;

        parts->at = grow_one(parts->at, parts->count, &parts->cap, sizeof(*parts->at));
        for (size_t i = before; i < parts->cap; i++)
            parts->at[i] = grow_zeroed(1, size);
    }
    return parts->at[parts->count++];
}

static void free_parts(struct pprof_parts *parts)
{
    for (size_t i = 0; i < parts->cap; i++)
        free(parts->at[i]);
    free(parts->at);
}

static int64_t place_of(struct profile_out *profile, struct span text)
{
    return strings_intern(&profile->strings, text);
}

static int64_t text_place(struct profile_out *profile, str_id id)
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
    Pprof__Profile part = PPROF__PROFILE__INIT;
    Pprof__ValueType type = PPROF__VALUE_TYPE__INIT;

    type.type = place_of(profile, name);
    type.unit = place_of(profile, unit);
    part.n_sample_type = 1;
    part.sample_type = (Pprof__ValueType *[]){&type};
    pack_part(profile, &part);
}

/* pprof shows the last type unless the profile names one. */
static void write_types(struct profile_out *profile)
{
    const struct graph *graph = profile->graph;
    Pprof__Profile part = PPROF__PROFILE__INIT;

    if (profile->has_calls)
        write_type(profile, SPAN("calls"), SPAN("count"));
    for (uint32_t v = 0; v < graph->values.count; v++)
        if (calltree_has_value(&graph->tree, v))
            write_type(profile, graph_text(graph, graph->values.list[v].name),
                       unit_name(graph->values.list[v].unit));
    part.default_sample_type = text_place(profile, graph->values.list[graph->values.selected].name);
    pack_part(profile, &part);
}

/* ---- what samples refer to ---- */

/* All flags are set: there is nothing for pprof to look up in the file itself. */
static uint64_t mapping_number(struct profile_out *profile, str_id module)
{
    Pprof__Profile part = PPROF__PROFILE__INIT;
    Pprof__Mapping mapping = PPROF__MAPPING__INIT;

    if (!module || profile->mapping_of[module])
        return profile->mapping_of[module];
    mapping.id = profile->mapping_of[module] = ++profile->mappings;
    mapping.filename = text_place(profile, module);
    mapping.has_functions = mapping.has_filenames = true;
    mapping.has_line_numbers = mapping.has_inline_frames = true;
    part.n_mapping = 1;
    part.mapping = (Pprof__Mapping *[]){&mapping};
    pack_part(profile, &part);
    return mapping.id;
}

/* pprof takes "<module>", "<built-in method x>" and Rust's "slice::<impl [T]>::sort" for arguments of a template, and
 * strips them, where both names of a function are one. */
static bool is_bracketed(struct span name)
{
    for (size_t i = 0; i < name.len; i++)
        if (name.at[i] == '<' && (i == 0 || name.at[i - 1] == ':'))
            return true;
    return false;
}

/* Functions have numbers of their own, since one has many places. */
static uint64_t function_number(struct profile_out *profile, frame_id id)
{
    struct frame frame = *graph_frame(profile->graph, id);
    Pprof__Profile part = PPROF__PROFILE__INIT;
    Pprof__Function function = PPROF__FUNCTION__INIT;

    frame.line = frame_begins_at(&profile->graph->frames, id);
    frame.address = 0;
    frame.is_inlined = false;
    function.id = frame_intern(&profile->functions, &frame);
    if (function.id <= profile->function_count)
        return function.id;
    profile->function_count = function.id;
    function.name = text_place(profile, frame.name);
    if (!is_bracketed(graph_text(profile->graph, frame.name)))
        function.system_name = function.name;
    function.filename = text_place(profile, frame.file);
    function.start_line = frame.line;
    part.n_function = 1;
    part.function = (Pprof__Function *[]){&function};
    pack_part(profile, &part);
    return function.id;
}

/* The innermost of the functions inlined here comes first, the one that they are in last. What has
 * no symbol has no line either, where its address says more. */
static void write_location(struct profile_out *profile, uint64_t number)
{
    const struct frame *frame = graph_frame(profile->graph, profile->here.list[0]);
    Pprof__Profile part = PPROF__PROFILE__INIT;
    Pprof__Location location = PPROF__LOCATION__INIT;

    location.mapping_id = mapping_number(profile, frame->module);
    profile->lines.count = 0;
    for (size_t i = 0; i < profile->here.count && !(frame->is_nameless && frame->address); i++) {
        Pprof__Line *line = next_part(&profile->lines, sizeof(*line));

        pprof__line__init(line);
        line->function_id = function_number(profile, profile->here.list[i]);
        line->line = graph_frame(profile->graph, profile->here.list[i])->line;
    }
    location.id = number;
    location.address = frame->address;
    location.n_line = profile->lines.count;
    location.line = (Pprof__Line **)profile->lines.at;
    part.n_location = 1;
    part.location = (Pprof__Location *[]){&location};
    pack_part(profile, &part);
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
    vector_add(&profile->here, id);
}

/* The location whose innermost frame is this step of the path. */
static uint32_t find_location(struct profile_out *profile, size_t at)
{
    const struct pprof_step *path = profile->path.list;
    struct frame_runs *known = &profile->runs_of[path[at].frame];
    uint32_t run = 0;

    if (known->alone)
        return known->alone;
    if (at - path[at].outmost == 1 && known->outer == path[at - 1].frame)
        return known->with_outer;
    profile->here.count = 0;
    for (size_t i = at + 1; i-- > path[at].outmost;)
        extend_run(profile, &run, path[i].frame);
    if (!profile->is_location[run])
        write_location(profile, run);
    profile->is_location[run] = true;
    if (!known->is_inlined)
        known->alone = run;
    if (at - path[at].outmost == 1) {
        known->outer = path[at - 1].frame;
        known->with_outer = run;
    }
    return run;
}

/* ---- samples ---- */

/* Fills `values`; false when all are 0. */
static bool fill_values(struct profile_out *profile, node_id node, size_t *count)
{
    const struct calltree *tree = &profile->graph->tree;
    bool has_any = false;

    *count = 0;
    if (profile->has_calls)
        profile->values[(*count)++] = (int64_t)tree->calls[node];
    for (uint32_t v = 0; v < profile->graph->values.count; v++)
        if (calltree_has_value(tree, v))
            profile->values[(*count)++] = calltree_self(tree, v, node);
    for (size_t i = 0; i < *count; i++)
        has_any |= profile->values[i] != 0;
    return has_any;
}

/* The labels of all samples below `profile->top`, as they stand in a sample. */
static void pack_labels(struct profile_out *profile)
{
    const struct graph *graph = profile->graph;
    Pprof__Sample sample = PPROF__SAMPLE__INIT;
    const struct sample_label *labels = label_set_labels(
        &graph->label_sets, calltree_set(&graph->tree, profile->top), &sample.n_label);

    profile->labels.count = 0;
    for (size_t i = 0; i < sample.n_label; i++) {
        Pprof__Label *label = next_part(&profile->labels, sizeof(*label));

        pprof__label__init(label);
        label->key = text_place(profile, labels[i].key);
        if (!labels[i].is_number || !span_to_i64(graph_text(graph, labels[i].text), &label->num))
            label->str = text_place(profile, labels[i].text);
        label->num_unit = text_place(profile, labels[i].unit);
    }
    sample.label = (Pprof__Label **)profile->labels.at;
    profile->packed_labels.count = 0;
    byte_list_reserve(&profile->packed_labels, pprof__sample__get_packed_size(&sample));
    profile->packed_labels.count = pprof__sample__pack(&sample, profile->packed_labels.list);
}

static void add_bytes(struct byte_list *bytes, const struct byte_list *more)
{
    byte_list_reserve(bytes, more->count);
    if (more->count)
        memcpy(bytes->list + bytes->count, more->list, more->count);
    bytes->count += more->count;
}

/* A field of packed numbers, or of a message. */
static void add_field(struct byte_list *bytes, unsigned number, const struct byte_list *content)
{
    enum { LENGTH_DELIMITED = 2 };

    varint_add(bytes, number << 3 | LENGTH_DELIMITED);
    varint_add(bytes, content->count);
    add_bytes(bytes, content);
}

/* Of the path so far: nearly all of a profile is samples, which are encoded here, number by number. */
static void write_sample(struct profile_out *profile, size_t depth, size_t value_count)
{
    enum { SAMPLE_LOCATION_ID = 1, SAMPLE_VALUE = 2, PROFILE_SAMPLE = 2 };
    struct byte_list *numbers = &profile->numbers, *sample = &profile->sample;

    numbers->count = sample->count = 0;
    for (size_t end = depth; end > 0; end = profile->path.list[end - 1].outmost) {
        struct pprof_step *step = &profile->path.list[end - 1];

        if (!step->location)
            step->location = find_location(profile, end - 1);
        varint_add(numbers, step->location);
    }
    if (depth)
        add_field(sample, SAMPLE_LOCATION_ID, numbers);
    numbers->count = 0;
    for (size_t i = 0; i < value_count; i++)
        varint_add(numbers, (uint64_t)profile->values[i]);
    if (value_count)
        add_field(sample, SAMPLE_VALUE, numbers);
    add_bytes(sample, &profile->packed_labels);
    add_field(&profile->packed, PROFILE_SAMPLE, sample);
    put_packed(profile);
}

/* Below the root, and below what stands for labels, paths begin. */
static void begin_paths(struct profile_out *profile, node_id top)
{
    if (top == profile->top)
        return;
    profile->top = top;
    pack_labels(profile);
}

static void add_step(struct profile_out *profile, frame_id frame)
{
    uint32_t at = (uint32_t)profile->path.count;
    const struct pprof_step *outer = at ? &profile->path.list[at - 1] : NULL;
    bool is_inside = outer && profile->runs_of[frame].is_inlined;

    vector_add(&profile->path, (struct pprof_step){
                                   .frame = frame,
                                   .outmost = is_inside ? outer->outmost : at,
                               });
}

/* One sample a node that has a figure of its own, or that leads nowhere else. */
static void write_run(struct profile_out *profile, const struct run_walk *walk)
{
    const struct calltree *tree = walk->links->tree;
    bool has_frame = tree->frame[walk->first] != 0;
    node_id last = walk->end - 1;
    size_t above, value_count;

    if (walk->depth <= 1)
        begin_paths(profile, has_frame ? 0 : walk->first);
    above = has_frame ? walk->depth - 1 - (profile->top != 0) : 0;
    profile->path.count = above;
    for (node_id node = walk->first + !has_frame; node <= last; node++)
        add_step(profile, tree->frame[node]);
    for (node_id node = walk->first ? walk->first : 1; node <= last; node++) {
        if (!profile->has_calls)
            node = sparse_next(&tree->own, node, last);
        if (fill_values(profile, node, &value_count) ||
            (node == last && !sparse_has(&walk->links->first, node)))
            write_sample(profile, above + (node - walk->first) + has_frame, value_count);
    }
}

/* ---- the whole ---- */

/* What parsers say of a profile as a whole, under the same names for every format. */
static void write_fact(struct profile_out *profile, const struct fact *fact)
{
    Pprof__Profile part = PPROF__PROFILE__INIT;
    int64_t comment;
    char runs[48];
    const struct {
        const char *key;
        int64_t *field;
        bool is_text;
    } fields[] = {
        {"drop_frames", &part.drop_frames, true},  {"keep_frames", &part.keep_frames, true},
        {"duration", &part.duration_nanos, false}, {"period", &part.period, false},
        {"doc_url", &part.doc_url, true},
    };

    if ((strcmp(fact->key, "comment") == 0 && fact->text) || fact->id == FACT_RUNS) {
        snprintf(runs, sizeof(runs), "#ptk merged profiles: %" PRId64, fact->figure);
        comment = place_of(profile, span_of(fact->id == FACT_RUNS ? runs : fact->text));
        part.n_comment = 1;
        part.comment = &comment;
    }
    for (size_t i = 0; i < COUNT_OF(fields); i++)
        if (strcmp(fact->key, fields[i].key) == 0 && fields[i].is_text == (fact->text != NULL))
            *fields[i].field =
                fact->text ? place_of(profile, span_of(fact->text)) : (int64_t)fact->figure;
    pack_part(profile, &part);
}

static void write_strings(struct profile_out *profile)
{
    for (size_t i = 0; i < profile->strings.count; i++) {
        struct span text = strings_get(&profile->strings, (str_id)i);
        ProtobufCBinaryData bytes = {text.len, (uint8_t *)text.at};
        Pprof__Profile part = PPROF__PROFILE__INIT;

        part.n_string_table = 1;
        part.string_table = &bytes;
        pack_part(profile, &part);
    }
}

static void write_pprof(struct writing *writing)
{
    const struct graph *graph = writing->graph;
    struct profile_out profile = {
        .graph = graph,
        .rows.out = writing->out,
        .mapping_of =
            arena_array(writing->arena, graph->strings.count + 1, sizeof(*profile.mapping_of)),
        .values = arena_array(writing->arena, graph->values.count + 1, sizeof(*profile.values)),
        .runs_of = arena_array(writing->arena, graph->frames.count, sizeof(*profile.runs_of)),
        .has_calls = graph->tree.calls != NULL,
    };
    struct tree_links links;
    struct run_walk walk = {.links = &links};

    for (frame_id id = 0; id < graph->frames.count; id++)
        profile.runs_of[id].is_inlined = graph_frame(graph, id)->is_inlined;
    frames_init(&profile.functions);
    write_types(&profile);
    tree_link(&graph->tree, &links);
    while (run_walk_next(&walk))
        write_run(&profile, &walk);
    tree_unlink(&links);
    for (size_t i = 0; i < graph->source.facts.count; i++)
        write_fact(&profile, &graph->source.facts.list[i]);
    write_strings(&profile);
    row_text_flush(&profile.rows);
    strings_free(&profile.strings);
    frames_free(&profile.functions);
    idmap_free(&profile.runs);
    free_parts(&profile.lines);
    free_parts(&profile.labels);
    free(profile.is_location);
    free(profile.here.list);
    free(profile.path.list);
    free(profile.packed.list);
    free(profile.packed_labels.list);
    free(profile.sample.list);
    free(profile.numbers.list);
}

const struct writer writer_pprof = {
    .name = "pprof",
    .summary = "profile.proto for Go's pprof, speedscope and Perfetto (-o NAME.gz: compressed)",
    .level = LEVEL_CALLTREE,
    .question = "a pprof profile cannot be written",
    .all_values = true,
    .wants_places = true,
    .wants_labels = true,
    .is_binary = true,
    .write = write_pprof,
};
