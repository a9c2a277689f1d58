/* SPDX-License-Identifier: Apache-2.0 */
/* What a parser states of a file: its level and values, frames and names; and the graph at the
 * end. */
#include "graph/build/builder.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory/memory.h"
#include "graph/build/builder_state.h"
#include "graph/classify/event_class.h"

/* ---- the only way to make a graph; what a parser sees of it ---- */

struct builder *builder_new(const struct builder_options *options)
{
    struct builder *builder = grow_zeroed(1, sizeof(*builder));

    builder->options = *options;
    builder->graph.values.no_extremes = options->no_extremes;
    frames_init(&builder->graph.frames);
    builder->callgraph.shared = builder->stacks.shared = builder;
    builder->timeline.shared = builder->counters.shared = builder;
    return builder;
}

struct callgraph_builder *builder_callgraph(struct builder *builder)
{
    return &builder->callgraph;
}

struct stack_builder *builder_stacks(struct builder *builder)
{
    return &builder->stacks;
}

struct timeline_builder *builder_timeline(struct builder *builder)
{
    return &builder->timeline;
}

struct counter_builder *builder_counters(struct builder *builder)
{
    return &builder->counters;
}

/* ---- values ---- */

static struct span value_text(const struct graph *graph, uint32_t value)
{
    return graph_text(graph, graph->values.list[value].name);
}

static bool refuse_value(const struct builder *builder, uint32_t count, struct error *err)
{
    char list[200] = "";
    size_t len = 0;

    for (uint32_t i = 0; i < count; i++) {
        struct span name = value_text(&builder->graph, i);

        if (len + name.len + 3 >= sizeof(list))
            break;
        len += (size_t)snprintf(list + len, sizeof(list) - len, "%s%.*s", i ? ", " : "",
                                (int)name.len, name.at);
    }
    error_set(err, ERROR_USAGE, "--value: this profile has no '%.60s'", builder->options.value);
    return error_hint(err, "it has: %s", list);
}

/* How many values the profile has, as far as is known. */
static uint32_t value_count(const struct builder *builder)
{
    const struct value_types *values = &builder->graph.values;
    bool lacks_cpu = values->are_of_timeline && !builder->timeline.has_cpu_times;

    return lacks_cpu ? (uint32_t)TIMELINE_CPU : values->count;
}

static bool select_value(struct builder *builder, struct error *err)
{
    struct graph *graph = &builder->graph;
    const char *wanted = builder->options.value;

    if (!wanted)
        return true;
    for (uint32_t i = 0; i < graph->values.count; i++)
        if (span_eq(value_text(graph, i), span_of(wanted))) {
            graph->values.selected = i;
            return true;
        }
    return refuse_value(builder, value_count(builder), err);
}

bool builder_check_value(const struct builder *builder, struct error *err)
{
    uint32_t count = value_count(builder), selected = builder->graph.values.selected;

    return selected < count || !builder->options.value || refuse_value(builder, count, err);
}

void builder_has_cpu_times(struct builder *builder)
{
    builder->timeline.has_cpu_times = true;
}

/* Formats name what they sample; without a name of its own, time is that of the wall clock. */
static enum value_time time_of(const struct value_name *value)
{
    static const char *const waits[] = {"delay",
                                        "contention",
                                        "parked",
                                        "monitor_waited",
                                        "slept",
                                        "socket_read_time",
                                        "socket_write_time",
                                        NULL};
    static const char *const stocks[] = {"goroutine", "goroutines",    "thread",
                                         "threads",   "inuse_objects", NULL};

    if (value->unit != UNIT_NS)
        return span_is_any(value->name, stocks) ? VALUE_STOCK : VALUE_NO_TIME;
    if (span_eq(value->name, SPAN("cpu")))
        return VALUE_CPU_TIME;
    if (span_is_any(value->name, waits))
        return VALUE_WAIT_TIME;
    return span_eq(value->name, SPAN("time")) ? VALUE_WALL_TIME : VALUE_NO_TIME;
}

bool builder_begin(struct builder *builder, enum level level, const struct value_name *values,
                   uint32_t count, uint32_t standard, struct error *err)
{
    struct graph *graph = &builder->graph;

    graph->native = level;
    graph->values.count = count;
    graph->values.selected = standard;
    graph->values.list = grow_zeroed(count, sizeof(*graph->values.list));
    builder->stacks.sample_value = count;
    for (uint32_t i = count; i-- > 0;) {
        graph->values.list[i] = (struct value_type){strings_intern(&graph->strings, values[i].name),
                                                    values[i].unit, time_of(&values[i])};
        if (values[i].unit == UNIT_COUNT && span_eq(values[i].name, SPAN("samples")))
            builder->stacks.sample_value = i;
    }
    if (!select_value(builder, err) || !build_labels_begin(&builder->stacks, err))
        return false;
    if (level == LEVEL_CALLTREE)
        build_tree_begin(&builder->stacks);
    return true;
}

bool builder_begin_timeline(struct builder *builder, struct error *err)
{
    static const struct value_name values[TIMELINE_VALUES] = {
        [TIMELINE_TIME] = {LITERAL("time"), UNIT_NS},
        [TIMELINE_HOST] = {LITERAL("host"), UNIT_NS},
        [TIMELINE_DEVICE] = {LITERAL("device"), UNIT_NS},
        [TIMELINE_IDLE] = {LITERAL("idle"), UNIT_NS},
        [TIMELINE_CPU] = {LITERAL("cpu"), UNIT_NS},
    };

    builder->graph.values.are_of_timeline = true;
    if (!builder_begin(builder, LEVEL_TIMELINE, values, TIMELINE_VALUES, TIMELINE_TIME, err))
        return false;
    if (builder->graph.values.selected == TIMELINE_DEVICE)
        builder->options.launches = true;
    if (builder->graph.values.selected == TIMELINE_CPU)
        builder->options.properties |= property_bit(PROP_CPU_TIME);
    return true;
}

uint32_t builder_value(const struct builder *builder)
{
    return builder->graph.values.selected;
}

void builder_inclusive(struct builder *builder)
{
    builder->graph.values.is_inclusive = true;
}

/* ---- names and facts ---- */

str_id builder_intern(struct builder *builder, struct span text)
{
    return strings_intern(&builder->graph.strings, text);
}

void builder_prefetch_text(const struct builder *builder, struct span text)
{
    strings_prefetch(&builder->graph.strings, text);
}

struct span builder_text(const struct builder *builder, str_id id)
{
    return graph_text(&builder->graph, id);
}

frame_id builder_frame(struct builder *builder, const struct frame *frame)
{
    return frame_intern(&builder->graph.frames, frame);
}

struct span builder_frame_name(const struct builder *builder, frame_id frame)
{
    return graph_text(&builder->graph, graph_frame(&builder->graph, frame)->name);
}

bool builder_drops_frames(const struct builder *builder)
{
    return builder->options.drop_frames;
}

bool builder_wants_all_values(const struct builder *builder)
{
    return builder->options.all_values;
}

bool builder_wants_times(const struct builder *builder)
{
    return builder->options.sample_times;
}

bool builder_wants_series(const struct builder *builder)
{
    return builder->options.series;
}

bool builder_folds_python(const struct builder *builder)
{
    return !builder->options.spreads_python;
}

frame_id builder_frame_in(struct builder *builder, const struct frame *frame, int64_t begins_at)
{
    return frame_intern_in(&builder->graph.frames, frame, begins_at);
}

void builder_inlining(struct builder *builder, frame_id frame, bool is_inlined)
{
    frame_add_inlining(&builder->graph.frames, frame, is_inlined ? IN_ITS_CALLERS : ON_ITS_OWN);
}

void builder_mapping(struct builder *builder, const struct code_mapping *mapping)
{
    if (builder->graph.frames.detail == DETAIL_ADDRESS)
        vector_add(&builder->graph.source.mappings, *mapping);
}

struct symbols *builder_symbols(const struct builder *builder)
{
    return builder->options.symbols;
}

enum detail builder_detail(struct builder *builder, enum detail most)
{
    enum detail wanted = builder->options.detail;

    return builder->graph.frames.detail = wanted < most ? wanted : most;
}

void builder_prefetch_frame(const struct builder *builder, const struct frame *frame)
{
    frame_prefetch(&builder->graph.frames, frame);
}

void builder_producer(struct builder *builder, const char *fmt, ...)
{
    char text[200];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    builder->graph.source.producer = arena_copy(&builder->graph.arena, span_of(text));
}

void builder_fact(struct builder *builder, const char *key, int64_t figure, enum unit unit)
{
    vector_add(&builder->graph.source.facts,
               (struct fact){.key = key, .figure = figure, .unit = unit});
}

void builder_fact_text(struct builder *builder, const char *key, struct span text)
{
    vector_add(&builder->graph.source.facts,
               (struct fact){.key = key, .text = arena_copy(&builder->graph.arena, text)});
}

static const char *const fact_keys[FACT_COUNT] = {
    [FACT_RANK] = "rank",
    [FACT_WORLD_SIZE] = "world_size",
    [FACT_END_TOGETHER] = "times_of_writing",
    [FACT_HOSTNAME] = "hostname",
    [FACT_PERIOD] = "period",
    [FACT_RUNS] = "merged_profiles",
    [FACT_DURATION] = "duration",
    [FACT_WALL_TIME] = "wall_time",
    [FACT_USER_TIME] = "user_time",
    [FACT_SYSTEM_TIME] = "system_time",
    [FACT_MAJOR_FAULTS] = "major_page_faults",
    [FACT_MINOR_FAULTS] = "minor_page_faults",
    [FACT_SWITCHES] = "voluntary_switches",
    [FACT_BLOCKS_READ] = "file_input_blocks",
    [FACT_BLOCKS_WRITTEN] = "file_output_blocks",
    [FACT_PROCESS_CPU] = "process_cpu_ppm",
    [FACT_SYSTEM_CPU] = "system_cpu_ppm",
    [FACT_FILE_TIME] = "file_time",
    [FACT_FILE_CALLS] = "file_calls",
    [FACT_FILE_BYTES] = "file_bytes",
    [FACT_FILE_PLACE] = "file_time_most_in",
    [FACT_SOCKET_TIME] = "socket_time",
    [FACT_CONTENTION_TIME] = "contention_time",
    [FACT_PAUSES] = "collector_pauses",
    [FACT_BUILTINS] = "built-in functions",
    [FACT_RESERVED] = "reserved",
    [FACT_TRAPPED] = "trapped",
    [FACT_AWAITING_FREE] = "awaiting_free",
    [FACT_PRIVATE_POOLS] = "private_pools",
    [FACT_LEAK] = "leak_per_step",
    [FACT_LEAK_PLACE] = "leak_most_in",
    [FACT_OOM_PLACE] = "out_of_memory_in",
    [FACT_OOM_ASKED] = "out_of_memory_asked",
    [FACT_OOM_LEFT] = "out_of_memory_left",
    [FACT_OOM_RESERVED] = "out_of_memory_reserved",
    [FACT_OOM_CACHED] = "out_of_memory_cached",
    [FACT_OOM_PIECE] = "out_of_memory_largest_piece",
};

void builder_known_fact(struct builder *builder, enum fact_id id, int64_t figure, enum unit unit)
{
    vector_add(&builder->graph.source.facts,
               (struct fact){id, fact_keys[id], .figure = figure, .unit = unit});
}

void builder_known_text(struct builder *builder, enum fact_id id, struct span text)
{
    vector_add(&builder->graph.source.facts,
               (struct fact){id, fact_keys[id], .text = arena_copy(&builder->graph.arena, text)});
}

void builder_device(struct builder *builder, const struct device *device)
{
    vector_add(&builder->graph.source.devices, *device);
}

void builder_instead(struct builder *builder, const char *only, const char *hint)
{
    builder->graph.source.instead = only;
    builder->graph.source.instead_hint = hint;
}

void builder_truncated(struct builder *builder)
{
    builder->graph.source.is_cut = true;
}

void builder_group(struct builder *builder, const struct process_group *group)
{
    vector_add(&builder->graph.source.groups, *group);
}

void builder_counted(struct counter_builder *builder, const struct kernel_counts *counted,
                     bool is_derived)
{
    struct graph *graph = &builder->shared->graph;

    vector_add(&graph->counters, *counted);
    graph->counters.has_derived_times |= is_derived;
    graph->has[LEVEL_COUNTERS] = true;
}

bool builder_wants_blocks(const struct builder *builder)
{
    return builder->options.blocks;
}

const struct allocator_segment *builder_segment(struct builder *builder, const struct allocator_segment *segment)
{
    struct allocator_segments *segments = &builder->graph.segments;

    vector_add(segments, *segment);
    segments->list[segments->count - 1].first = segments->blocks;
    return &segments->list[segments->count - 1];
}

void builder_block(struct builder *builder, int64_t size, enum block_state state, str_id place)
{
    struct allocator_segments *segments = &builder->graph.segments;
    struct allocator_segment *segment = &segments->list[segments->count - 1];

    segment->blocks++;
    segments->blocks++;
    segment->in[state] = checked_add(segment->in[state], size);
    if (state == BLOCK_FREE && size > segment->largest_free)
        segment->largest_free = size;
    if (!builder->options.blocks || segments->sizes.count >= SEGMENT_BLOCKS_MOST)
        return;
    vector_add(&segments->sizes, size);
    vector_add(&segments->states, (uint8_t)state);
    vector_add(&segments->places, place);
}

struct warnings *builder_warnings(struct builder *builder)
{
    return &builder->graph.source.warnings;
}

/* ---- the end ---- */

/* Where devices work, time of the host and of devices adds up to nothing that anybody waited for. */
static void choose_world(struct builder *builder)
{
    struct graph *graph = &builder->graph;
    const struct timeline *t = &graph->timeline;

    if (!builder->options.one_world || builder->options.value || !graph->values.are_of_timeline)
        return;
    for (uint32_t i = 0; i < t->track_count; i++)
        for (event_id e = t->tracks[i].first, n = t->tracks[i].count; n--; e++)
            if (t->tracks[i].kind == TRACK_STREAM &&
                frame_kind_is_device(graph_frame(graph, t->frame[e])->kind)) {
                graph->values.selected = TIMELINE_DEVICE;
                return;
            }
}

static void free_scaffold(struct builder *builder)
{
    free(builder->callgraph.function_of);
    free(builder->callgraph.listed_at);
    free(builder->callgraph.calls_from);
    calltree_builder_end(&builder->stacks.tree);
    function_totals_free(&builder->stacks.totals);
    build_labels_free(&builder->stacks);
    for (size_t i = 0; i < builder->timeline.chunks.count; i++)
        event_chunk_free(builder->timeline.chunks.list[i]);
    free(builder->timeline.chunks.list);
    for (uint32_t p = 0; p < PROP_COUNT; p++)
        pairs_free(&builder->timeline.properties[p]);
    pairs_free(&builder->timeline.launches);
    pairs_free(&builder->timeline.operations);
    pairs_free(&builder->timeline.launched);
    idmap_free(&builder->timeline.categories);
    free(builder->timeline.flows.list);
    free(builder);
}

void builder_finish(struct builder *builder, struct graph *graph)
{
    switch (builder->graph.native) {
    case LEVEL_FLAT:
    case LEVEL_CALLGRAPH:
        build_calls_finish(&builder->callgraph);
        break;
    case LEVEL_TIMELINE:
        build_timeline_finish(&builder->timeline);
        builder->graph.values.count = value_count(builder);
        graph_classify(&builder->graph);
        choose_world(builder);
        break;
    case LEVEL_CALLTREE:
        build_stacks_finish(&builder->stacks);
        build_labels_finish(&builder->stacks);
        break;
    case LEVEL_COUNTERS:
    case LEVEL_COUNT:
        break;
    }
    build_names_finish(builder);
    builder->graph.has[builder->graph.native] = builder->stacks.stacks == 0;
    if (builder->graph.native == LEVEL_CALLGRAPH) {
        builder->graph.has[LEVEL_CALLGRAPH] = builder->options.need >= LEVEL_CALLGRAPH;
        builder->graph.has[LEVEL_FLAT] = true;
    }
    *graph = builder->graph;
    free_scaffold(builder);
}

void builder_abandon(struct builder *builder)
{
    graph_free(&builder->graph);
    free_scaffold(builder);
}
